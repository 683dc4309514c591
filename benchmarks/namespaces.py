"""A network namespace as a host of its own, whose network can be taken away.

Needs root and iproute2.

What listens on loopback here is reached on loopback there, through relays at both ends of a pair of
virtual Ethernet devices:

    python -m benchmarks.namespaces 10.77.0.1 8080 5432   # the relays inside
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

_PIECE = 1 << 16


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_PIECE):
            writer.write(data)
            await writer.drain()
    writer.close()


async def relay(listen_on: str, host: str, port: int) -> asyncio.Server:
    """Pass connections to a port on to the same port of another host."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(host, port)
        except OSError:
            writer.close()
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(_copy(reader, back))
            group.create_task(_copy(there, writer))

    return await asyncio.start_server(pass_on, listen_on, port)


def _run(*command: str) -> None:
    subprocess.run(("ip", *command), check=True)


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

    @asynccontextmanager
    async def open(self, ports: Sequence[int]) -> AsyncIterator[None]:
        """Make the host, from which these ports of ours are reached."""
        ours, theirs = f"10.77.{self.number}.1", f"10.77.{self.number}.2"
        device = f"veth{self.number}"
        _run("netns", "add", self.name)
        try:
            _run("link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", self.name)
            _run("addr", "add", f"{ours}/30", "dev", device)
            _run("link", "set", device, "up")
            for inside in (f"addr add {theirs}/30 dev eth0", "link set eth0 up", "link set lo up"):
                _run("-n", self.name, *inside.split())
            servers = [await relay(ours, "127.0.0.1", port) for port in ports]
            relays = (sys.executable, "-m", "benchmarks.namespaces", ours, *map(str, ports))
            process = await asyncio.create_subprocess_exec(*self.before, *relays)
            try:
                yield
            finally:
                process.kill()
                await process.wait()
                for server in servers:
                    server.close()
        finally:
            _run("netns", "del", self.name)

    def cut(self) -> None:
        """From now on nothing arrives, here or there, and nobody is told."""
        _run("link", "set", f"veth{self.number}", "down")

    def mend(self) -> None:
        _run("link", "set", f"veth{self.number}", "up")


async def main() -> None:
    host, *ports = sys.argv[1:]
    for port in ports:
        await relay("127.0.0.1", host, int(port))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
