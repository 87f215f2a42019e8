"""Streams of bytes as wires carry them, and how the decoders stand them; ``python -m tests.fuzz`` runs it at length."""
