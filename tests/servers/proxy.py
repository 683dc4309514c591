"""A company's HTTP proxy: it alone resolves names, and its own authority signs what it inspects."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache

import trustme
from yarl import URL


@cache
def authority() -> trustme.CA:
    """The company's authority."""
    return trustme.CA()


def tls_of(host: str, signer: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    signer.issue_cert(host).configure_cert(context)
    return context


@dataclass
class ForwardProxy:
    """Leads names to what is played on loopback, over TLS that ends here, and keeps who asked.

    `names`: host → the base URL of its player. `login`: the header that it wants. `refuses`: the
    status that it answers instead; -1 for none at all.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    login: str = ""
    refuses: int = 0
    signer: trustme.CA = field(default_factory=authority)
    scheme: str = "http"
    asked: list[str] = field(default_factory=list)
    """Method and target of each request."""
    logins: set[str] = field(default_factory=set)
    port: int = 0

    @property
    def address(self) -> str:
        return f"{self.scheme}://localhost:{self.port}"

    @property
    def hosts(self) -> set[str]:
        """Those to which it was asked to lead."""
        return {_find_host(asked.split()[1]) for asked in self.asked}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            method, target, _ = head.splitlines()[0].split()
            self.asked.append(f"{method} {target}")
            sent = [line for line in head.splitlines() if line.startswith("Proxy-Authorization: ")]
            login = "".join(sent).partition(": ")[2]
            self.logins.add(login)
            if self.refuses < 0:
                await asyncio.Event().wait()
            status = self.refuses or (407 if login != self.login else 0)
            host = _find_host(target)
            if not status and not self.names.get(host):
                status = 502
            if status:
                writer.write(f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
                return
            await self._lead(method, host, head, reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client went
        finally:
            writer.close()

    async def _lead(
        self,
        method: str,
        host: str,
        head: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        played = URL(self.names[host])
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await writer.drain()
            await writer.start_tls(tls_of(host, self.signer))
            head = ""
        from_player, to_player = await asyncio.open_connection(played.host, played.port)
        try:
            to_player.write(head.encode())
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, to_player))
                group.create_task(_copy(from_player, writer))
        finally:
            to_player.close()


def _find_host(target: str) -> str:
    return URL(target if "://" in target else f"//{target}").host or ""


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def proxy_at_work(proxy: ForwardProxy) -> AsyncIterator[ForwardProxy]:
    """The proxy at work on loopback, at `address`."""
    async with AsyncExitStack() as stack:
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        running = set[asyncio.Task[None]]()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = tasks.create_task(proxy.serve(reader, writer))
            running.add(task)
            task.add_done_callback(running.discard)

        tls = tls_of("localhost", proxy.signer) if proxy.scheme == "https" else None
        server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
        proxy.port = server.sockets[0].getsockname()[1]
        try:
            yield proxy
        finally:
            server.close()
            for task in tuple(running):
                task.cancel()
