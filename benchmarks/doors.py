"""Hostile requests at every door, while the memory and the health check of the program are watched.

    python -m benchmarks.doors [--server page|open|health|experts] [--kinds gzip,half] [--most 200]

Each wave opens `--most` connections at one route at the same moment, in a process of its own and on
loopback only: nobody signs, nobody has a token. Meanwhile /healthz is asked every 50 ms on a new
connection. `page` needs a token and takes Slack over HTTP with OAuth; `open` needs no token, as on
loopback; `health` is the port for health and metrics; `experts` is the expert server with models
that are not real. Targets: at most 64 MB more
memory, /healthz within 0.2 s, every connection closed within 20 s. With other work on the machine,
the slowest /healthz says little: look at the median of the slowest ones.
"""

import argparse
import asyncio
import gzip
import json
import os
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from cryptography.fernet import Fernet

from tests.e2e.program import ROOT, at_work

PAGE = (
    ("GET", "/"),
    ("GET", "/page/app.js"),
    ("POST", "/login"),
    ("POST", "/logout"),
    ("POST", "/api/chat"),
    ("POST", "/api/plan"),
    ("GET", "/api/runs/x/events"),
    ("POST", "/api/runs/x/stop"),
    ("GET", "/api/threads/x"),
    ("GET", f"/files/{'0' * 64}/x"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("POST", "/slack/events"),
    ("GET", "/slack/install"),
    ("GET", "/slack/oauth_redirect"),
    ("PUT", "/nowhere"),
)
HEALTH = (("GET", "/readyz"), ("GET", "/metrics"), ("POST", "/status"), ("POST", "/nowhere"))
EXPERTS = (("POST", "/models/played/echo"), ("GET", "/models"), ("POST", "/nowhere"))
MOST_SECONDS = 35.0
"""After this, a connection counts as never closed."""
_UNPACKED = 90_000_000
_BODY = 1_000_000
_ESTABLISHED = 1
_HEAD = "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {type}\r\n"
_JSON, _FORM = "application/json", "multipart/form-data; boundary=x"


@dataclass(frozen=True)
class Call:
    """What one connection sends."""

    method: str
    path: str

    def head(self, *headers: str, media_type: str = _JSON) -> bytes:
        first = _HEAD.format(method=self.method, path=self.path, type=media_type)
        return (first + "".join(f"{header}\r\n" for header in headers) + "\r\n").encode()


async def send_gzip(call: Call, writer: asyncio.StreamWriter, packed: bytes) -> None:
    """A body that unpacks to a thousand times its size."""
    writer.write(call.head("Content-Encoding: gzip", f"Content-Length: {len(packed)}") + packed)


async def send_forged(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """As `send_plain`, with a signature of the right form."""
    signed = f"X-Slack-Request-Timestamp: {int(time.time())}", f"X-Slack-Signature: v0={'0' * 64}"
    writer.write(call.head(f"Content-Length: {_BODY}", *signed) + b"[" * _BODY)


async def send_plain(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    writer.write(call.head(f"Content-Length: {_BODY}") + b"[" * _BODY)


async def send_half(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """Half of the announced body, then nothing."""
    writer.write(call.head(f"Content-Length: {_BODY}") + b"x" * (_BODY // 2))


async def send_trickle(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """A chunk of one byte twice a second."""
    writer.write(call.head("Transfer-Encoding: chunked"))
    while True:
        writer.write(b"1\r\nx\r\n")
        await asyncio.sleep(0.5)


async def send_crumbs(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """Very many chunks of one byte at once, without an end."""
    writer.write(call.head("Transfer-Encoding: chunked") + b"1\r\nx\r\n" * 100_000)


async def send_heads(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """As many long headers as are allowed, but never the end of them."""
    writer.write(
        call.head()[:-2] + b"".join(b"x-%d: %s\r\n" % (n, b"x" * 8000) for n in range(110))
    )


async def send_preamble(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """A form that begins with blank lines."""
    body = b"\n" * _BODY + b"--x--\r\n"
    writer.write(call.head(f"Content-Length: {len(body)}", media_type=_FORM) + body)


async def send_parts(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """A form of very many parts."""
    body = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n' * 100_000
    writer.write(call.head(f"Content-Length: {len(body)}", media_type=_FORM) + body)


async def send_pipelined(call: Call, writer: asyncio.StreamWriter, _: bytes) -> None:
    """Very many requests, whose responses are not read before the connection is closed."""
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(Call("GET", "/page/app.js").head() * 5_000 + call.head() * 5_000)
    own = writer.get_extra_info("socket")
    while own.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED:  # noqa: ASYNC110
        await asyncio.sleep(0.5)
    writer.transport.resume_reading()  # type: ignore[attr-defined]


async def send_nothing(_call: Call, _writer: asyncio.StreamWriter, _: bytes) -> None:
    """A connection that says nothing."""


KINDS = {
    "gzip": send_gzip,
    "plain": send_plain,
    "forged": send_forged,
    "half": send_half,
    "trickle": send_trickle,
    "crumbs": send_crumbs,
    "heads": send_heads,
    "preamble": send_preamble,
    "parts": send_parts,
    "pipelined": send_pipelined,
    "silent": send_nothing,
}


async def attack(port: int, kind: str, call: Call, most: int) -> None:
    """One wave, from a process of its own. Prints the statuses and when connections were closed."""
    packed = gzip.compress(b"x" * _UNPACKED)
    statuses: Counter[str] = Counter()
    closed: list[float] = []
    begun = time.monotonic()

    async def strike() -> None:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            statuses["refused"] += 1
            return
        answer = b""
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(KINDS[kind](call, writer, packed))
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(MOST_SECONDS):
                    answer = await reader.read(12)
                    while await reader.read(1 << 16):
                        pass
            sending.cancel()
        statuses[answer[9:12].decode() or "none"] += 1
        closed.append(time.monotonic() - begun)
        writer.transport.abort()

    async with asyncio.TaskGroup() as group:
        for _ in range(most):
            group.create_task(strike())
    print(json.dumps({"statuses": statuses, "closed": max(closed, default=0.0)}))


@dataclass
class Target:
    """A server under attack, and what was noted of it."""

    process: int
    port: int
    health: str = "/healthz"
    samples: list[float] = field(default_factory=list)
    """How long health took, in seconds."""
    sizes: list[int] = field(default_factory=list)
    """Resident bytes."""

    def measure_memory(self) -> None:
        pages = Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1]
        self.sizes.append(int(pages) * os.sysconf("SC_PAGE_SIZE"))


async def watch(target: Target) -> None:
    """Note how long health takes and how much memory the process has, until cancelled."""
    while True:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
                writer.write(Call("GET", target.health).head("Connection: close"))
                is_well = b" 200 " in await reader.read(20)
                writer.close()
        except OSError:
            is_well = False
        target.samples.append(time.monotonic() - begun if is_well else MOST_SECONDS)
        target.measure_memory()
        await asyncio.sleep(0.05)


async def strike_all(
    target: Target, routes: Sequence[tuple[str, str]], kinds: Sequence[str], most: int
) -> None:
    print(
        "kind       method route                     +MB  healthz median/slowest  closed  statuses"
    )
    for kind in kinds:
        for method, path in routes:
            target.samples, target.sizes = [], []
            target.measure_memory()
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(watch(target))
                child = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "benchmarks.doors", "--most", str(most)),
                    *("--strike", str(target.port), kind, method, path),
                    cwd=ROOT,
                    stdout=asyncio.subprocess.PIPE,
                )
                output, _ = await child.communicate()
                watching.cancel()
            told = json.loads(output)
            more = (max(target.sizes) - target.sizes[0]) / 1e6
            health = f"{median(target.samples):7.3f} / {max(target.samples):6.3f} s"
            print(
                f"{kind:10} {method:6} {path[:24]:24} {more:5.0f}  {health}  "
                f"{told['closed']:8.1f} s  {told['statuses']}",
                flush=True,
            )


@asynccontextmanager
async def open_page(server: str) -> AsyncIterator[Target]:
    settings = {
        "SLACK_API_BASE_URL": "http://127.0.0.1:9/api/",
        "SLACK_CLIENT_ID": "1.2",
        "SLACK_CLIENT_SECRET": "secret",
        "SLACK_SIGNING_SECRET": "secret",
        "SLACK_MODE": "http",
        "TROUPE_PUBLIC_URL": "https://bot.example",
        "TROUPE_SECRET_KEY": Fernet.generate_key().decode(),
        **({} if server == "open" else {"TROUPE_WEB_TOKEN": "t" * 24}),
    }
    with tempfile.TemporaryDirectory() as home:
        async with at_work(Path(home), **settings) as program:
            lines = [json.loads(line) for line in program.lines if line.startswith("{")]
            health = next(line["at"] for line in lines if line["event"] == "health open")
            address = health if server == "health" else program.address
            yield Target(program.process.pid, int(address.rpartition(":")[2]))


@asynccontextmanager
async def open_experts() -> AsyncIterator[Target]:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "played" / "echo"
        model.mkdir(parents=True)
        (model / "config.json").write_text('{"model_type": "t5"}')
        (model / "README.md").write_text("---\npipeline_tag: text2text-generation\n---\n")
        (model / "model.safetensors").write_bytes(b"0" * 1000)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.doors", "--serve", folder),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            yield Target(process.pid, int(await process.stdout.readline()), "/health")
        finally:
            process.kill()
            await process.wait()


async def serve_experts(folder: Path) -> None:
    from adapters.local.options import ExpertServerOptions  # noqa: PLC0415 - of the child only
    from adapters.local.server import run_server  # noqa: PLC0415

    notes = {"TRITON_CACHE_DIR": str(folder)}  # a folder into which workers may write
    table = "tests.adapters.local.played:TABLE"
    options = ExpertServerOptions((folder,), table=table, environment=notes)
    async with run_server(options) as server:
        print(server.base.rpartition(":")[2], flush=True)
        await asyncio.Event().wait()


async def measure(server: str, kinds: Sequence[str], routes: Sequence[str], most: int) -> None:
    every = {"experts": EXPERTS, "health": HEALTH}.get(server, PAGE)
    async with open_experts() if server == "experts" else open_page(server) as target:
        await asyncio.sleep(5)  # what is loaded at the start is loaded by now
        chosen = [route for route in every if not routes or route[1] in routes]
        await strike_all(target, chosen, kinds, most)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", choices=("page", "open", "health", "experts"), default="page")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS))
    parser.add_argument("--routes", type=lambda text: text.split(","), default=[])
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--strike", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.strike:
        port, kind, method, path = args.strike
        asyncio.run(attack(int(port), kind, Call(method, path), args.most))
    elif args.serve:
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_experts(args.serve))
    else:
        asyncio.run(measure(args.server, args.kinds, args.routes, args.most))


if __name__ == "__main__":
    main()
