"""The one switch that keeps tests on this machine works."""

import socket
import subprocess
import sys

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


def test_a_test_that_starts_programs_has_to_be_marked() -> None:
    with pytest.raises(RuntimeError, match="program"):
        subprocess.run([sys.executable, "-c", ""], check=True)

    conftest.unmarked.clear()
