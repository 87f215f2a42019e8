"""A table companion for cooperative cardboard games."""

__version__ = "0.1.0"
