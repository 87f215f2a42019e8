"""What someone in the same network might try against a table; ``python -m tests.attacks`` tries it all, on loopback."""
