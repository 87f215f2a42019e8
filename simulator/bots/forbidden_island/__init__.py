"""A player of Forbidden Island that has learned from its own games what a position is worth (``docs/bots.md``)."""
