"""A virtual table that stands in for all hardware."""
