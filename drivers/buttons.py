"""The four buttons beside the panel, through gpiozero; what a press is, :mod:`drivers.press` decides.

gpiozero's own debounce differs from one pin library to the next and its hold fires beside the press
(gpiozero/gpiozero#685, #697), so only raw edges are taken from it.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from typing import Any

from companion.ports import Advice, Button, DeviceState, DeviceStatus, Happening, Listener, Press, Running
from drivers.clockwork import REAL, Clockwork
from drivers.gpio import explain, lgpio_factory, refuse_taken
from drivers.press import Freed, PressEvent, PressMachine, Stuck, Timing

DEVICE = "buttons"

EDGE_DELAY = 0.005
"""Seconds that an edge may need from the contact to us."""

_Edge = tuple[Button, bool, float]


class GpioButtons:
    """Buttons between BCM pins and ground.

    ``taken`` are pins that others use, the panel's say; a button on one of them is told at the start. ``chip`` is the
    number of the gpiochip where gpiozero's own choice is wrong. ``pin_factory`` is gpiozero's; lgpio's where None.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        *,
        taken: frozenset[int] = frozenset(),
        chip: int | None = None,
        pin_factory: Any = None,
        timing: Timing | None = None,
        clockwork: Clockwork = REAL,
    ) -> None:
        self._pins = dict(pins)
        self._taken = taken
        self._chip = chip
        self._given_factory = pin_factory
        self._clockwork = clockwork
        self._clock = clockwork.clock
        self._timing = timing or Timing()
        self._own_factory: Any = None
        self._contacts: dict[Button, Any] = {}
        self._machines: dict[Button, PressMachine] = {}
        self._edges: queue.SimpleQueue[_Edge | None] = queue.SimpleQueue()
        self._thread: Running | None = None
        self._tell: Listener = _nobody
        self._stuck: set[Button] = set()

    def start(self, listener: Listener) -> None:
        """Claim the pins and begin to listen; pins that cannot be had are told as a status."""
        self._tell = listener
        try:
            self._claim()
        except Exception as failure:
            self._release()
            listener(DeviceStatus(DEVICE, DeviceState.FAILED, explain(failure, "buttons")))
            return
        self._thread = self._clockwork.thread(self._run, DEVICE)
        listener(DeviceStatus(DEVICE, DeviceState.READY))
        self._thread.start()

    def stop(self) -> None:
        """Release the pins; may be called twice."""
        if self._thread is not None:
            self._edges.put(None)
            self._thread.join(timeout=5.0)
            self._thread = None
        self._release()

    def _claim(self) -> None:
        import gpiozero

        refuse_taken({f"buttons.pins.{button}": pin for button, pin in self._pins.items()}, self._taken)
        factory = self._given_factory
        if factory is None:
            factory = self._own_factory = lgpio_factory(self._chip)
        for button, pin in self._pins.items():
            contact = gpiozero.Button(pin, pull_up=True, bounce_time=None, pin_factory=factory)
            self._contacts[button] = contact
            contact.when_pressed = self._edge_handler(button, down=True)
            contact.when_released = self._edge_handler(button, down=False)
            self._machines[button] = PressMachine(
                button, down=contact.is_pressed, now=self._clock(), timing=self._timing
            )

    def _release(self) -> None:
        for contact in self._contacts.values():
            contact.close()
        self._contacts.clear()
        self._machines.clear()
        self._stuck.clear()
        if self._own_factory is not None:
            self._own_factory.close()
            self._own_factory = None

    def _edge_handler(self, button: Button, *, down: bool) -> Callable[[], None]:
        def put() -> None:
            self._edges.put((button, down, self._clock()))

        return put

    def _run(self) -> None:
        while True:
            try:
                edge = self._clockwork.take(self._edges, self._patience())
            except queue.Empty:
                self._look()
                continue
            if edge is None:
                return
            button, down, at = edge
            self._report(self._machines[button].edge(down, at))

    def _patience(self) -> float | None:
        due = [machine.due for machine in self._machines.values() if machine.due is not None]
        return max(0.0, min(due) - self._clock()) if due else None

    def _look(self) -> None:
        """Let time tell, and sample the contacts it is running for: a bouncing one can lose its last edge."""
        now = self._clock()
        for button, machine in self._machines.items():
            if machine.due is not None and machine.due <= now:
                down = self._contacts[button].is_pressed
                if down is not machine.contact and self._edge_is_coming():
                    return
                self._report(machine.sample(down, now))

    def _edge_is_coming(self) -> bool:
        """Whether what was just seen is told by an edge as well, which then has the better time."""
        self._clockwork.sleep(EDGE_DELAY)
        return not self._edges.empty()

    def _report(self, told: list[PressEvent]) -> None:
        for each in told:
            match each:
                case Press():
                    self._tell(each)
                case Stuck(button):
                    self._stuck.add(button)
                    self._tell(self._standing())
                case Freed(button):
                    self._stuck.discard(button)
                    self._tell(self._standing())

    def _standing(self) -> DeviceStatus:
        if not self._stuck:
            return DeviceStatus(DEVICE, DeviceState.READY)
        names = ", ".join(sorted(self._stuck))
        advice = Advice("advice.buttons.held", {"buttons": names, "seconds": round(self._timing.stuck)})
        return DeviceStatus(DEVICE, DeviceState.LOST, advice)


def _nobody(_: Happening) -> None:
    """The listener before the start."""
