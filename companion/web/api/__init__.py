"""The table for other programs: versioned JSON below ``/api/v1``, described by its own OpenAPI document."""
