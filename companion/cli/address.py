"""Where phones find the table."""

from __future__ import annotations

import socket

ANYWHERE = ("0.0.0.0", "::", "")
ELSEWHERE = ("192.0.2.1", 9)
"""An address of the documentation range (RFC 5737): asking for the way there sends nothing."""


def own_address() -> str:
    """This machine's address on the network of the default route; 127.0.0.1 where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def table_url(host: str, port: int) -> str:
    """The address to type into a phone, as a literal: names fail on too many phones."""
    reached = own_address() if host in ANYWHERE else host
    shown = f"[{reached}]" if ":" in reached else reached
    return f"http://{shown}:{port}/"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening
