"""What the service manager is told: ready, still alive, a line on how it stands, stopping.

systemd's protocol (sd_notify(3)): datagrams of ``NAME=value`` lines to the socket that ``NOTIFY_SOCKET`` names. Without
that variable nothing is told, so that a companion started by hand needs no service manager.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

SOCKET, WATCHDOG, WATCHDOG_PID = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"

FEEDS_A_LIMIT = 3
"""The watchdog is fed so many times within its limit: one feed that comes late, or is lost, changes nothing."""

READY_GLANCE = 0.05
STATUS_SECONDS = 5.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """Whoever started the companion as a service; ``address`` is its socket, None where there is none.

    ``watchdog`` is the limit in seconds after which a companion that told nothing is killed and started again; None
    where nobody watches.
    """

    address: str | None = None
    watchdog: float | None = None

    @property
    def pause(self) -> float:
        """Seconds between two tellings."""
        return STATUS_SECONDS if self.watchdog is None else min(STATUS_SECONDS, self.watchdog / FEEDS_A_LIMIT)

    def tell(self, **news: str) -> None:
        """Send ``NAME=value`` lines; a service manager that cannot be told is logged, for the game goes on."""
        if self.address is None:
            return
        message = "\n".join(f"{name}={_one_line(value)}" for name, value in news.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.setblocking(False)
                line.sendto(message.encode(), _path(self.address))
        except OSError as failure:
            _log.warning("The service manager at %s was not told %s: %s", self.address, "/".join(news), failure)


def service_manager(environment: Mapping[str, str] = os.environ, pid: int | None = None) -> ServiceManager:
    """The service manager that the environment names. A watchdog that is meant for another process is not ours."""
    address = environment.get(SOCKET) or None
    if address is not None and not address.startswith(("/", "@")):
        _log.warning("%s is %r, which is no path and no abstract socket: nothing is told", SOCKET, address)
        address = None
    return ServiceManager(address, _limit(environment, pid or os.getpid()) if address else None)


def _limit(environment: Mapping[str, str], pid: int) -> float | None:
    told, meant_for = environment.get(WATCHDOG, ""), environment.get(WATCHDOG_PID, "")
    if not told.isdecimal() or int(told) == 0 or (meant_for and meant_for != str(pid)):
        return None
    return int(told) / 1_000_000


def explain_kills(manager: ServiceManager) -> None:
    """Have a companion that is killed for its silence write to the log where each thread hung."""
    if manager.watchdog is not None:
        faulthandler.enable()


async def keep_told(
    manager: ServiceManager, ready: Callable[[], bool], alive: Callable[[], bool], status: Callable[[], str]
) -> None:
    """Tell that the companion is ready once it is, and feed the watchdog from the event loop for as long as it lives.

    A loop that hangs feeds no more, and neither does one whose ``alive`` says that something vital has ended.
    ``status`` is the line that ``systemctl status`` shows. Ends only by cancelling.
    """
    while not ready():
        await asyncio.sleep(READY_GLANCE)
    manager.tell(READY="1", STATUS=status())
    while True:
        news = {"STATUS": status()}
        if alive():
            news["WATCHDOG"] = "1"
        manager.tell(**news)
        await asyncio.sleep(manager.pause)


def _path(address: str) -> str:
    """A leading @ stands for the zero byte of an abstract socket."""
    return f"\0{address[1:]}" if address.startswith("@") else address


def _one_line(value: str) -> str:
    return " ".join(value.split())
