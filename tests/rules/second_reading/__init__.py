"""The rules of Forbidden Island read a second time, for the tests to compare with.

Written from the rules page and the protocol page alone, over the protocol's plain JSON, slow and literal, and by
other means than the companion's own rules: paths are listed one by one, distances come from a table of all pairs, a
position is a dict that is copied and changed. Nothing here imports the companion.
"""
