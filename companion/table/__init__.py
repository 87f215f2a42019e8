"""The one writer: session, dealer, journal, undo, corrections, tags, gestures."""
