"""Throughput and memory of the local expert server. Needs the extra [local].

    python benchmarks/local.py [seconds for each measurement]

Prints requests a second and latencies on a tiny text model with 1, 8 and 32 clients, what the
server adds to the model's own time, and the memory of ten models under a limit that holds four.
"""

import argparse
import asyncio
import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import aiohttp

from adapters.local.options import GIBIBYTE, MEBIBYTE, ExpertServerOptions
from adapters.local.server import ExpertServer, run_server

ROOT = Path(__file__).parents[1]
MIX = (
    *("classifier", "tagger", "gap-filler", "embedder", "finder"),
    *("writer", "talker", "rewriter", "summarizer", "entailment/pipeline/text-classification"),
)


async def _asked(session: aiohttp.ClientSession, url: str, inputs: object) -> float:
    begun = time.perf_counter()
    async with session.post(url, json={"inputs": inputs}) as response:
        await response.read()
        assert response.status == 200, await response.text()
    return (time.perf_counter() - begun) * 1000


async def _load(url: str, clients: int, seconds: float) -> tuple[float, list[float]]:
    taken: list[float] = []
    end = time.perf_counter() + seconds

    async def client(session: aiohttp.ClientSession) -> None:
        while time.perf_counter() < end:
            taken.append(await _asked(session, url, "the day is good"))

    async with aiohttp.ClientSession() as session:
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(clients):
                group.create_task(client(session))
        return len(taken) / (time.perf_counter() - begun), taken


def _alone(model: Path) -> float:
    """The model's own time in milliseconds: run as in a worker, without a server."""
    program = f"""
import time
from pathlib import Path
from adapters.local.inference import parse_request
from adapters.local.kinds import TABLE
from adapters.local.models_on_disk import ModelFolders
row = TABLE.kinds["text-classification"]
found = ModelFolders([Path({str(model.parent)!r})]).find({model.name!r})
loaded = row.load(found, "cpu")
body = b'{{"inputs": "the day is good"}}'
taken = []
for _ in range(300):
    begun = time.perf_counter()
    row.run(loaded, parse_request(row.kind, "application/json", body))
    taken.append((time.perf_counter() - begun) * 1000)
print(sorted(taken)[150])
"""
    made = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True
    )
    return float(made.stdout)


def _resident(pid: int) -> int:
    words = Path(f"/proc/{pid}/statm").read_text().split()
    return int(words[1]) * 4096


async def _mixed(server: ExpertServer, limit: int, seconds: float) -> None:
    held, resident, answered = 0, 0, 0
    begun = time.perf_counter()
    end = begun + seconds
    order = itertools.cycle(range(len(MIX)))

    async def client(session: aiohttp.ClientSession) -> None:
        nonlocal held, resident, answered
        while time.perf_counter() < end:
            name = MIX[next(order) * 7 % len(MIX)]
            asked = {"question": "who", "context": "the cat"} if name == "finder" else "a [MASK]"
            await _asked(session, f"{server.base}/models/tiny/{name}", asked)
            held, answered = max(held, server.pool.held_bytes), answered + 1
            pids = [worker.pid for worker in server.pool.workers if worker.pid]
            resident = max(resident, sum(map(_resident, pids)))

    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(client(session))
    print(
        f"10 models, limit {limit // 1024} KiB: at most {held // 1024} KiB held, "
        f"{answered / (time.perf_counter() - begun):.0f} requests/s from 8 clients, "
        f"workers' resident memory at most {resident // MEBIBYTE} MiB"
    )


async def _measured(folder: Path, alone: float, seconds: float) -> None:
    async with run_server(ExpertServerOptions((folder,), memory_bytes=GIBIBYTE)) as server:
        url = f"{server.base}/models/tiny/classifier"
        begun = time.perf_counter()
        await _load(url, 1, 0.1)
        print(f"first answer after {time.perf_counter() - begun - 0.1:.1f} s")
        for clients in (1, 8, 32):
            rate, taken = await _load(url, clients, seconds)
            p95 = quantiles(taken, n=20)[-1]
            print(
                f"{clients:>2} clients: {rate:.0f} requests/s, p50 {median(taken):.1f} ms, "
                f"p95 {p95:.1f} ms"
                + (f", overhead p50 {median(taken) - alone:.1f} ms" if clients == 1 else "")
            )
    limit = 450_000
    async with run_server(ExpertServerOptions((folder,), memory_bytes=limit)) as server:
        urls = [f"{server.base}/models/tiny/{name}" for name in ("classifier", "tagger")]
        async with asyncio.TaskGroup() as group:  # starts both workers
            for url in urls:
                group.create_task(_load(url, 1, 0.1))
        await _mixed(server, limit, seconds)


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-m", "tests.adapters.local.tiny", name]
        subprocess.run(command, cwd=ROOT, check=True)
        alone = _alone(Path(name) / "tiny" / "classifier")
        print(f"the model alone: p50 {alone:.2f} ms")
        asyncio.run(_measured(Path(name), alone, seconds))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("seconds", type=float, nargs="?", default=5)
    main(options.parse_args().seconds)
