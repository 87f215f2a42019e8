"""Virtual time: threads and an event loop that take turns, the same way every time."""

from __future__ import annotations

import asyncio
import queue
import threading

import pytest

from simulator.world import VirtualLoop, World


@pytest.fixture
def world() -> World:
    return World()


def test_threads_take_turns_in_the_order_of_their_times(world: World) -> None:
    told: list[tuple[str, float]] = []

    def tell(name: str, pause: float) -> None:
        for _ in range(3):
            world.rest(pause)
            told.append((name, round(world.now - began, 3)))

    began = world.now
    for name, pause in (("slow", 2.0), ("fast", 0.9)):
        world.thread(lambda name=name, pause=pause: tell(name, pause), name).start()  # type: ignore[misc]  # its default
    world.live(10)
    assert told == [("fast", 0.9), ("fast", 1.8), ("slow", 2.0), ("fast", 2.7), ("slow", 4.0), ("slow", 6.0)]
    assert world.now == began + 10


def test_a_thread_that_waits_for_a_value_goes_on_when_somebody_stirs(world: World) -> None:
    values: queue.SimpleQueue[int] = queue.SimpleQueue()
    taken: list[int | None] = []

    def take() -> None:
        while len(taken) < 3:
            try:
                taken.append(world.take(values, 5.0))
            except queue.Empty:
                taken.append(None)

    world.thread(take, "taker").start()
    world.live(1)
    values.put(7)
    world.stir()
    assert taken == [7]
    world.live(6)
    assert taken == [7, None]
    values.put(8)
    world.stir()
    assert taken == [7, None, 8]


def test_an_event_that_is_set_ends_a_wait_at_its_time_at_the_latest(world: World) -> None:
    stopping = threading.Event()

    def wait() -> None:
        while not world.wait(stopping, 1.0):
            pass

    hand = world.thread(wait, "waiter")
    hand.start()
    world.live(3)
    assert hand.is_alive()
    stopping.set()
    hand.join(5)
    assert not hand.is_alive()


def test_a_thread_that_is_ended_does_no_more(world: World) -> None:
    told: list[str] = []

    def live() -> None:
        world.rest(1)
        told.append("went on")

    hand = world.thread(live, "doomed")
    hand.start()
    hand.end()
    world.live(5)
    assert (told, hand.is_alive(), world.failed) == ([], False, [])


def test_a_thread_that_fails_is_told(world: World) -> None:
    def fail() -> None:
        raise ValueError("broken")

    world.thread(fail, "weak").start()
    assert [(name, str(fault)) for name, fault in world.failed] == [("weak", "broken")]


def test_an_event_loop_keeps_the_worlds_time(world: World) -> None:
    loop = VirtualLoop(world)
    world.settle = loop.settle
    told: list[float] = []

    async def tick() -> None:
        for _ in range(3):
            await asyncio.sleep(60)
            told.append(world.now - began)

    began = world.now
    task = loop.create_task(tick())
    world.live(1000)
    assert task.done()
    assert told == [60, 120, 180]
    loop.close()


def test_a_thread_speaks_to_the_event_loop_in_no_time(world: World) -> None:
    loop = VirtualLoop(world)
    world.settle = loop.settle
    heard: list[float] = []

    def speak() -> None:
        world.rest(2)
        loop.call_soon_threadsafe(lambda: heard.append(world.now - began))

    began = world.now
    world.thread(speak, "speaker").start()
    world.live(3)
    assert heard == [2]
    loop.close()


def test_waiting_for_something_ends_when_it_is_so_or_the_time_is_up(world: World) -> None:
    began = world.now
    assert world.live_until(lambda: world.now >= began + 3, 10)
    assert world.now < began + 4
    assert not world.live_until(lambda: False, 10)
