from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

import pytest

from companion.cli import address
from companion.cli.address import Doorplate, Own, listen, reachable, reachable_now
from tests.patience import PATIENCE


def own(**interfaces: str) -> list[Own]:
    return [Own(name.replace("_", "-"), ip_address(ip)) for name, told in interfaces.items() for ip in told.split()]


HOME = own(lo="127.0.0.1 ::1", docker0="172.17.0.1", wlan0="192.168.1.37 fe80::1 2001:db8::37", eth0="10.0.0.5")


def test_the_address_of_the_default_route_is_shown_first() -> None:
    assert reachable(HOME, "192.168.1.37", ipv6=False) == ("192.168.1.37", "10.0.0.5")
    assert reachable(HOME, "10.0.0.5", ipv6=False) == ("10.0.0.5", "192.168.1.37")


def test_ipv6_comes_after_ipv4_in_brackets_and_without_what_browsers_cannot_write() -> None:
    assert reachable(HOME, "192.168.1.37", ipv6=True) == ("192.168.1.37", "10.0.0.5", "[2001:db8::37]")


def test_a_network_of_ipv6_alone_has_an_address_too() -> None:
    assert reachable(own(lo="::1", wlan0="fe80::1 fd00::7"), None, ipv6=True) == ("[fd00::7]",)


def test_a_hotspot_of_its_own_has_an_address_without_a_default_route() -> None:
    assert reachable(own(lo="127.0.0.1", wlan0="10.42.0.1"), None, ipv6=False) == ("10.42.0.1",)


def test_interfaces_that_lead_to_nobodys_phone_are_left_out_and_tunnels_come_last() -> None:
    found = own(br_12ab="172.18.0.1", veth3="169.254.3.3", tailscale0="100.64.0.9", wlan0="192.168.1.37")
    assert reachable(found, None, ipv6=False) == ("192.168.1.37", "100.64.0.9")


def test_without_any_network_only_this_machine_is_reached() -> None:
    assert reachable(own(lo="127.0.0.1"), None, ipv6=True) == ("127.0.0.1",)


def test_a_server_bound_to_one_address_is_reached_there() -> None:
    assert reachable_now("192.168.1.37") == ("192.168.1.37",)
    assert reachable_now("fd00::7") == ("[fd00::7]",)


def test_this_machine_has_an_address_now() -> None:
    assert all(ip_address(each.strip("[]")) for each in reachable_now("::"))


class Network:
    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses

    def __call__(self, _host: str) -> tuple[str, ...]:
        return self.addresses


def test_a_press_turns_to_the_next_address_and_round() -> None:
    """https://github.com/obsproject/obs-websocket/issues/928 and
    https://github.com/AOSSIE-Org/Rein/issues/27: the QR code held the address of the wrong interface."""
    plate = Doorplate("::", 8000, Network("192.168.1.37", "10.0.0.5"), lambda: None)
    shown = [plate.url]
    for _ in range(2):
        plate.turn()
        shown.append(plate.url)
    assert shown == ["http://192.168.1.37:8000/", "http://10.0.0.5:8000/", "http://192.168.1.37:8000/"]


def test_an_address_that_the_router_took_away_is_shown_no_longer() -> None:
    network = Network("192.168.1.37")
    plate = Doorplate("::", 8000, network, lambda: None)
    network.addresses = ("192.168.1.99",)
    plate.look_again()
    assert plate.url == "http://192.168.1.99:8000/"


def test_an_address_that_was_turned_to_stays_while_the_machine_has_it() -> None:
    network = Network("192.168.1.37", "10.0.0.5")
    plate = Doorplate("::", 8000, network, lambda: None)
    plate.turn()
    network.addresses = ("192.168.1.38", "10.0.0.5")
    plate.look_again()
    assert plate.url == "http://10.0.0.5:8000/"
    network.addresses = ("192.168.1.38",)
    plate.look_again()
    assert plate.url == "http://192.168.1.38:8000/"


def test_the_name_is_a_courtesy_of_tables_that_all_can_reach() -> None:
    assert Doorplate("::", 8000, Network("10.0.0.5"), lambda: "tablepi.local").name == "tablepi.local:8000"
    assert Doorplate("::", 8000, Network("10.0.0.5"), lambda: None).name is None
    assert Doorplate("127.0.0.1", 8000, Network("127.0.0.1"), lambda: "tablepi.local").name is None


def test_a_table_that_listens_everywhere_takes_ipv4_too() -> None:
    with listen("::", 0) as listening:
        listening.listen()
        with socket.create_connection(("127.0.0.1", listening.getsockname()[1]), timeout=PATIENCE):
            pass


@pytest.mark.parametrize("host", ["::", "127.0.0.1"])
def test_a_phones_answer_waits_for_no_acknowledgement_of_what_was_sent_before(host: str) -> None:
    async def says_at_once() -> bool:
        async def look(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            found.set_result(bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            writer.close()

        found = asyncio.get_running_loop().create_future()
        async with await asyncio.start_server(look, sock=listen(host, 0)) as serving:
            _, phone = await asyncio.open_connection("127.0.0.1", serving.sockets[0].getsockname()[1])
            async with asyncio.timeout(PATIENCE):
                told: bool = await found
            phone.close()
        return told

    assert asyncio.run(says_at_once())


def test_a_machine_without_ipv6_listens_with_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = address._bound

    def without_ipv6(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError("Address family not supported by protocol")
        return bound(family, host, port)

    monkeypatch.setattr(address, "_bound", without_ipv6)
    with listen("::", 0) as listening:
        assert listening.family == socket.AF_INET
