"""Many games by seed: which ones, who plays them on how many cores or machines, what is kept, and what they show."""
