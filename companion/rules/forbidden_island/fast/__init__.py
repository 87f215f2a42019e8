"""The same rules on small whole numbers, for programs that play many games: bots, odds by sampling, deep perft.

``legal``, ``decide`` and ``evolve`` beside this folder are the rules; this is them again, made for speed, and the tests
hold the two together command by command. A place is a number from 0 to 23, left to right and top row first on the
island's shape; a set of places is a whole number with a bit for each. Seats are numbered from 0 in order of play.
"""
