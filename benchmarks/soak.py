"""Half an hour at five requests a second, one call in twenty going wrong: what is left over.

    python -m benchmarks.soak [--minutes 30] [--rate 5] [--faults 0.05]

The whole program (SQLite) in its own process, asked over its HTTP API for a caption, speech and
classes; a played language model and played experts answer after 0.3 s and 0.5 s, or go wrong:
busy, loading, broken, garbage, dropped, hanging. With TROUPE_DATABASE_URL it is on PostgreSQL.

Memory is that of the program and its workers together (PSS). The first fifth of the time warms it
up; the medians of the fifth after it and of the last fifth are compared. Open files, sockets and
threads are counted when it is idle, before and after.
"""

import argparse
import asyncio
import os
import random
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import monotonic

from aiohttp import ClientError, ClientSession, ClientTimeout

from benchmarks.orchestration import CROWD, EXPERT, LLM, picture_of, reply
from pipeline.background import run_beside
from tests.e2e.program import Program, at_work
from tests.fakes.known_experts import known_experts
from tests.servers.experts.faults import Fault as ExpertFault
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.faults import Fault as LlmFault
from tests.servers.openai.server import OpenAiServer, openai_at_work

EXPERT_FAULTS = (
    *(ExpertFault.LOADING, ExpertFault.TOO_MANY, ExpertFault.BROKEN, ExpertFault.GARBAGE),
    *(ExpertFault.DROPPED, ExpertFault.HANG),
)
LLM_FAULTS = (
    *(LlmFault.BUSY, LlmFault.BROKEN, LlmFault.NONSENSE, LlmFault.DROPS, LlmFault.DROPS_LATE),
    *(LlmFault.ENDS_EARLY, LlmFault.HANGS_LATE),
)
LLM_CALLS, EXPERT_CALLS = 2, 3
"""Of each request."""
IDLE_SECONDS = 90.0
"""After the last request, until connections that are kept open are closed."""


def read_memory(program: Program) -> float:
    """MiB of the program and its workers, what they share counted once."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[2]) == program.process.pid:
                sizes = (stat.parent / "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in sizes if line.startswith("Pss:"))
    return total / 1024


def count_open(program: Program) -> Counter[str]:
    """Open files by what they are, and threads, of the main process."""
    folder, counts = Path(f"/proc/{program.process.pid}"), Counter[str]()
    for each in (folder / "fd").iterdir():
        with suppress(OSError):
            counts["socket" if str(each.readlink()).startswith("socket") else "file"] += 1
    counts["thread"] = sum(1 for _ in (folder / "task").iterdir())
    return counts


def count_half_written(home: Path) -> int:
    return sum(1 for each in home.rglob("*") if each.parent.name == "begun")


async def ask(session: ClientSession, program: Program, ends: Counter[str]) -> None:
    body = {"text": f"Please do this ({CROWD.name})", "attachments": [picture_of(0)]}
    try:
        async with session.post(f"{program.address}/api/chat", json=body) as response:
            answer = await response.json()
    except (ClientError, TimeoutError) as error:
        ends[type(error).__name__] += 1
        return
    states = [outcome["state"] for outcome in answer.get("outcomes", ())]
    whole = states == ["done"] * len(CROWD.plan)
    ends["whole" if whole else f"told ({response.status})"] += 1


async def go_wrong(llm: OpenAiServer, experts: ExpertServer, rate: float, share: float) -> None:
    """Let so large a share of the calls go wrong, for ever."""
    calls = rate * (LLM_CALLS + EXPERT_CALLS)
    while True:
        await asyncio.sleep(random.expovariate(calls * share))
        if random.random() < LLM_CALLS / (LLM_CALLS + EXPERT_CALLS):
            llm.goes_wrong(random.choice(LLM_FAULTS))
        else:
            experts.goes_wrong(random.choice(EXPERT_FAULTS))


async def sample(program: Program, sizes: list[float]) -> None:
    while True:
        sizes.append(await asyncio.to_thread(read_memory, program))
        await asyncio.sleep(10)


async def soak(minutes: float, rate: float, share: float) -> None:
    ends, sizes = Counter[str](), list[float]()
    settings = {"TROUPE_PLACES": "local", "TROUPE_LOG_LEVEL": "info"}
    if url := os.environ.get("TROUPE_DATABASE_URL"):  # noqa: TID251 - a benchmark's
        settings["TROUPE_DATABASE_URL"] = url
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        async with (
            openai_at_work(OpenAiServer(LLM, reply=reply)) as llm,
            experts_at_work(known_experts(EXPERT)) as experts,
            ClientSession(timeout=ClientTimeout(total=700)) as session,
            at_work(
                Path(folder),
                OPENAI_BASE_URL=llm.base,
                TROUPE_EXPERTS_URL=experts.base,
                **settings,
            ) as program,
        ):
            for _ in range(10):
                await ask(session, program, Counter())
            before = count_open(program)
            until = monotonic() + minutes * 60
            async with (
                run_beside(sample(program, sizes)),
                run_beside(go_wrong(llm, experts, rate, share)),
                asyncio.TaskGroup() as group,
            ):
                while monotonic() < until:
                    group.create_task(ask(session, program, ends))
                    llm.asked.clear()
                    experts.asked.clear()
                    await asyncio.sleep(random.expovariate(rate))
            await asyncio.sleep(IDLE_SECONDS)
            after = count_open(program)
            left = count_half_written(Path(folder))
    fifth = len(sizes) // 5
    warm, last = median(sizes[fifth : 2 * fifth]), median(sizes[-fifth:])
    print(f"{sum(ends.values())} requests: {dict(ends)}")
    print(f"memory: {warm:.0f} MiB when warm, {last:.0f} at the end ({last / warm - 1:+.1%})")
    print(f"open before {dict(before)}, after {dict(after)}; half-written files {left}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=5, help="requests a second")
    parser.add_argument("--faults", type=float, default=0.05, help="share of calls that go wrong")
    options = parser.parse_args()
    asyncio.run(soak(options.minutes, options.rate, options.faults))


if __name__ == "__main__":
    main()
