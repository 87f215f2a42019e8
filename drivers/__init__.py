"""Real devices behind companion.ports."""
