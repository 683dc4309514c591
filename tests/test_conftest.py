"""The one switch that keeps tests on this machine works."""

import socket

import pytest

from tests import conftest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80)])
def test_a_connection_beyond_loopback_is_refused(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET

    with socket.socket(family) as outside, pytest.raises(RuntimeError, match="beyond loopback"):
        outside.connect(address)

    conftest.beyond.clear()


def test_a_name_beyond_this_machine_is_not_looked_up() -> None:
    with pytest.raises(RuntimeError, match="beyond loopback"):
        socket.getaddrinfo("example.com", 443)

    conftest.beyond.clear()


def test_loopback_is_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername() == server.getsockname()


@pytest.mark.parametrize(
    ("workers", "ordered"), [(1, "XYZabcd"), (2, "XZabYcd"), (3, "XabYcdZ"), (9, "XYZabcd")]
)
def test_each_workers_share_begins_with_long_tests(workers: int, ordered: str) -> None:
    items = "aXbYcZd"

    assert "".join(conftest.share_out(items, [item in "XYZ" for item in items], workers)) == ordered
