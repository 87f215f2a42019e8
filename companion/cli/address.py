"""Where phones find the table: the addresses of this machine, best first, and the one that is shown."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

IPV4_ANYWHERE = ("0.0.0.0", "")
ANYWHERE = ("::", *IPV4_ANYWHERE)
ELSEWHERE = ("192.0.2.1", 9)
"""An address of the documentation range (RFC 5737): asking for the way there sends nothing."""
NO_NETWORK = "127.0.0.1"
INNER = ("docker", "br-", "veth", "virbr", "lxc", "cni", "podman", "vmnet")
"""How the names of interfaces begin that lead to nobody's phone."""
TUNNELS = ("tun", "tap", "wg", "tailscale", "zt", "ppp")
"""Interfaces that few phones are behind: last."""
AVAHI = Path("/run/avahi-daemon/socket")


@dataclass(frozen=True, slots=True)
class Own:
    """An address of this machine, at an interface."""

    interface: str
    ip: IPv4Address | IPv6Address


def default_route() -> str | None:
    """This machine's address on the network of the default route; None where there is none (a hotspot of its own)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def all_own() -> tuple[Own, ...]:
    """Every address of every interface."""
    import ifaddr

    found = ((adapter.nice_name, each.ip) for adapter in ifaddr.get_adapters() for each in adapter.ips)
    return tuple(Own(name, ip_address(ip if isinstance(ip, str) else ip[0])) for name, ip in found)


def reachable(own: Iterable[Own], route: str | None, *, ipv6: bool) -> tuple[str, ...]:
    """The addresses that phones may reach, as they stand in an address line, best first; never none.

    First the one of the default route, then IPv4 before IPv6, tunnels last. Left out are what only this machine
    reaches, and IPv6 of the link alone, which browsers cannot write.
    """
    usable = [one for one in own if _is_for_phones(one) and (ipv6 or isinstance(one.ip, IPv4Address))]
    usable.sort(key=lambda one: (str(one.ip) != route, _is_tunnel(one), one.ip.version, one.interface, one.ip.packed))
    return tuple(dict.fromkeys(map(_literal, usable))) or (NO_NETWORK,)


def _is_for_phones(one: Own) -> bool:
    ip = one.ip
    lone = isinstance(ip, IPv6Address) and ip.is_link_local
    return not (ip.is_loopback or ip.is_multicast or ip.is_unspecified or lone or one.interface.startswith(INNER))


def _is_tunnel(one: Own) -> bool:
    return one.interface.startswith(TUNNELS)


def _literal(one: Own) -> str:
    return f"[{one.ip}]" if isinstance(one.ip, IPv6Address) else str(one.ip)


def reachable_now(host: str) -> tuple[str, ...]:
    """The addresses of now for what the server listens on: the one it is bound to, or all of the machine."""
    if host not in ANYWHERE:
        return (f"[{host}]" if ":" in host else host,)
    return reachable(all_own(), default_route(), ipv6=host not in IPV4_ANYWHERE)


def local_name() -> str | None:
    """The name that this machine is called by where its network knows names; None where nobody announces it."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local" if AVAHI.exists() else None


class Doorplate:
    """The address that is shown: the best one, until somebody turns to the next.

    ``look`` asks for the addresses of now. One that was turned to stays as long as the machine has it.
    """

    def __init__(
        self,
        host: str,
        port: int,
        look: Callable[[str], Sequence[str]] = reachable_now,
        name: Callable[[], str | None] = local_name,
    ) -> None:
        self._host = host
        self._port = port
        self._look = look
        self._name = name
        self._addresses = tuple(look(host))
        self._turned_to: str | None = None

    @property
    def url(self) -> str:
        """The address to type into a phone, as a literal: names fail on too many phones."""
        shown = self._turned_to if self._turned_to in self._addresses else self._addresses[0]
        return f"http://{shown}:{self._port}/"

    @property
    def name(self) -> str | None:
        """The same by name, a courtesy to phones that know names; None where it is not known to be announced."""
        name = self._name() if self._host in ANYWHERE else None
        return f"{name}:{self._port}" if name else None

    @property
    def choices(self) -> int:
        """How many addresses there are to turn to."""
        return len(self._addresses)

    def look_again(self) -> None:
        """Ask for the addresses of now: the router may have given another, the network may be gone."""
        self._addresses = tuple(self._look(self._host))

    def turn(self) -> None:
        """Show the next address."""
        self.look_again()
        shown = self._turned_to if self._turned_to in self._addresses else self._addresses[0]
        self._turned_to = self._addresses[(self._addresses.index(shown) + 1) % len(self._addresses)]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; at ``::`` it takes IPv4 too, or, without IPv6, IPv4 alone. Raises OSError.

    Its protocol is named: only then asyncio sends what it has at once (``TCP_NODELAY``) instead of 40 ms later.
    """
    if host == "::":
        try:
            return _bound(socket.AF_INET6, host, port)
        except OSError:
            return _bound(socket.AF_INET, "0.0.0.0", port)
    return _bound(socket.AF_INET6 if ":" in host else socket.AF_INET, host, port)


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening
