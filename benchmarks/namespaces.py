"""A network namespace as a host of its own, whose network can be taken away.

Needs root and iproute2.

What listens on loopback here is reached on loopback there: its ports are routed over a pair of
virtual Ethernet devices, so that a connection is one connection, and nothing between its ends keeps
what was sent before a cut.
"""

import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

_TABLE = "77"
"""The routes of our ports there."""


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@dataclass(frozen=True, slots=True)
class Namespace:
    """One host by its number, which is in its name and its address."""

    number: int

    @property
    def name(self) -> str:
        return f"drill{self.number}"

    @property
    def before(self) -> tuple[str, ...]:
        """What stands before a command that shall run there."""
        return ("ip", "netns", "exec", self.name)

    @property
    def _device(self) -> str:
        return f"veth{self.number}"

    @asynccontextmanager
    async def open(self, ports: Sequence[int]) -> AsyncIterator[None]:
        """Make the host, from which these ports of ours are reached."""
        _run("ip", "netns", "add", self.name)
        try:
            self._connect(f"10.77.{self.number}.1", f"10.77.{self.number}.2", ports)
            yield
        finally:
            _run("ip", "netns", "del", self.name)

    def _connect(self, ours: str, theirs: str, ports: Sequence[int]) -> None:
        pair = ("type", "veth", "peer", "name", "eth0", "netns", self.name)
        _run("ip", "link", "add", self._device, *pair)
        _run("ip", "addr", "add", f"{ours}/30", "dev", self._device)
        _run("ip", "link", "set", self._device, "up")
        _run("sysctl", "-w", f"net.ipv4.conf.{self._device}.route_localnet=1")
        _run(*self.before, "sysctl", "-w", "net.ipv4.conf.eth0.route_localnet=1")
        inside = [
            f"addr add {theirs}/30 dev eth0",
            "link set eth0 up",
            "link set lo up",
            f"route add 127.0.0.1 via {ours} dev eth0 src {theirs} table {_TABLE}",
            "rule add pref 1 lookup local",  # behind our ports, which are to come first
            "rule del pref 0",
            *(f"rule add pref 0 ipproto tcp dport {port} lookup {_TABLE}" for port in ports),
        ]
        for command in inside:
            _run("ip", "-n", self.name, *command.split())

    def cut(self) -> None:
        """From now on nothing arrives, here or there, and nobody is told."""
        _run("ip", "link", "set", self._device, "down")

    def mend(self) -> None:
        _run("ip", "link", "set", self._device, "up")
