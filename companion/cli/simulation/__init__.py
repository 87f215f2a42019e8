"""A whole table without hardware that scripts, records and soak runs play at, in virtual or in real time."""
