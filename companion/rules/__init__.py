"""The pure core: the rules of every game. Standard library only; no clock, no randomness, no I/O."""
