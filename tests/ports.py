"""Ports that tests may listen on: no two tests, of one run or of several at a time, are given the same one."""

from __future__ import annotations

import os
import re
import socket
from collections import deque
from itertools import cycle

FIRST, EACH = 20_000, 500
"""Below the range that the kernel takes for outgoing connections; where each worker begins to look."""

_worker = int(re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or 0) % 20
_next = cycle(range(FIRST + _worker * EACH, FIRST + (_worker + 1) * EACH))
_reserved: deque[socket.socket] = deque(maxlen=100)
"""Names that say to other runs that a port is taken; the kernel forgets them with this process."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now, and that no other test is given meanwhile."""
    return next(port for port in _next if _reserve(port) and _is_free(port))


def _reserve(port: int) -> bool:
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0table-companion-test-port-{port}")
    except OSError:
        name.close()
        return False
    _reserved.append(name)
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
