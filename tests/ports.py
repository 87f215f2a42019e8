"""Ports that tests may listen on: each worker has its own, so that two never take the same one at the same time."""

from __future__ import annotations

import os
import re
import socket
from itertools import cycle

FIRST, EACH = 20_000, 500
"""Below the range that the kernel takes for outgoing connections."""

_worker = int(re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or 0) % 20
_next = cycle(range(FIRST + _worker * EACH, FIRST + (_worker + 1) * EACH))


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now and that no other worker is given."""
    while True:
        port = next(_next)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
