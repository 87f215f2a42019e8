"""Forbidden Island."""
