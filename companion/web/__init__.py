"""The local web: live table, host page, bell."""
