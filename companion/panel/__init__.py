"""E-ink pictures: a screen drawn in the inks of the panel, and the worker that shows the latest one."""
