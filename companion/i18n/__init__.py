"""Messages by code, worded in English, Brazilian Portuguese and Bulgarian."""
