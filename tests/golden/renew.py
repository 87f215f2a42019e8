"""``python -m tests.golden.renew`` draws all golden pictures anew. Look at every one that changed before keeping it."""

from __future__ import annotations

from tests.golden.pictures import FOLDER, PICTURES


def renew() -> None:
    """Write all pictures and remove those that are no longer listed."""
    kept = {golden.path for golden in PICTURES}
    for stale in set(FOLDER.glob("*.png")) - kept:
        stale.unlink()
    for golden in PICTURES:
        golden.draw().save(golden.path, "PNG", optimize=True)


if __name__ == "__main__":
    renew()
