"""Troupe's overhead over its models: wall time over critical path, calls, tokens, CPU time.

    python -m benchmarks.orchestration [--json] [--sound flac]

The program runs in its own process with its journal, and gets requests over its HTTP API. The
language model (300 ms a call) and the experts (500 ms a call) are simulated over real HTTP.
Critical path: 300 ms for each plan, 500 ms for each task of the longest chain, 300 ms for the
answer. "look first" plans a second time with the results of the first plan. Prompt tokens (messages
and schema) are counted with cl100k_base if tiktoken and its vocabulary are available, else
estimated; the method is printed.
"""

import argparse
import asyncio
import base64
import io
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import av
from aiohttp import ClientSession, ClientTimeout

from benchmarks.counting import counter
from tests.e2e.program import Program, at_work
from tests.fakes.jobs import picture
from tests.fakes.known_experts import known_experts
from tests.servers.experts.answers import Asked as AskedExpert
from tests.servers.experts.answers import File
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

LLM, EXPERT = 0.3, 0.5
REPEATS = 7
AT_ONCE = 64
A_SECOND, STEADY = 15, 20.0
"""Requests a second at a steady pace, and the seconds for which it is held."""
IDLE = 3.0
"""Seconds after which a start is over."""
COLOURS = ((200, 40, 40), (40, 200, 40), (40, 40, 200))


def task(number: int, kind: str, *dep: int, **args: str) -> dict[str, Any]:
    pairs = [{"name": name, "value": value} for name, value in args.items()]
    return {"id": number, "task": kind, "dep": list(dep), "args": pairs, "model": ""}


@dataclass(frozen=True)
class Scenario:
    """A request, the language model's plan for it, and the depth of all its tasks."""

    name: str
    plan: Sequence[dict[str, Any]]
    depth: int
    pictures: int = 0
    later: Sequence[dict[str, Any]] = ()
    """The plan of a second round."""

    @property
    def critical(self) -> float:
        plans = 2 if self.later else 1
        return LLM if not self.plan else plans * LLM + self.depth * EXPERT + LLM


SCENARIOS = (
    Scenario("one task", [task(0, "text-to-image", text="a cat")], 1),
    Scenario(
        "chain of 3",
        [
            task(0, "image-to-text", image="image 1"),
            task(1, "translation", 0, text="<GENERATED>-0", language="de"),
            task(2, "text-to-speech", 1, text="<GENERATED>-1"),
        ],
        3,
        1,
    ),
    Scenario(
        "fan-out of 6",
        [
            task(number, kind, image=f"image {number // 2 + 1}")
            for number, kind in enumerate(["image-to-text", "image-classification"] * 3)
        ],
        1,
        3,
    ),
    Scenario(
        "graph of 8, depth 4",
        [
            task(0, "image-to-text", image="image 1"),
            task(1, "image-classification", image="image 1"),
            task(2, "text2text-generation", 0, text="<GENERATED>-0"),
            task(3, "translation", 0, text="<GENERATED>-0", language="de"),
            task(4, "text-to-image", 2, text="<GENERATED>-2"),
            task(5, "text-to-speech", 3, text="<GENERATED>-3"),
            task(6, "image-to-text", 4, image="<GENERATED>-4"),
            task(7, "summarization", 2, text="<GENERATED>-2"),
        ],
        4,
        1,
    ),
    Scenario(
        name="look first",
        plan=[task(0, "image-to-text", image="image 1")],
        depth=2,
        pictures=1,
        later=[task(1, "text-to-speech", 0, text="<GENERATED>-0")],
    ),
    Scenario("plain talk", [], 0),
)
CROWD = Scenario(
    "caption, speech, classes",
    [
        task(0, "image-to-text", image="image 1"),
        task(1, "text-to-speech", 0, text="<GENERATED>-0"),
        task(2, "image-classification", image="image 1"),
    ],
    2,
    1,
)


@dataclass(frozen=True)
class Figure:
    """The results of a scenario."""

    name: str
    wall: float
    slowest: float
    critical: float
    ratio: float
    llm_calls: float
    prompt_tokens: float
    expert_calls: float


def reply(asked: Asked) -> str:
    """The plan of the scenario that the request names, or the text of an answer."""
    if "response_format" not in asked.body:
        return "Here is what you asked for. " * 3
    named = next((s for s in (*SCENARIOS, CROWD) if f"({s.name})" in asked.texts[1]), None)
    plan = {"thought": "As asked.", "action": "tasks", "say": "", "tasks": [], "continue": False}
    if named is None or not named.plan:
        return json.dumps({**plan, "action": "reply", "say": "Good morning! What shall I do?"})
    is_later = "Results so far: <<<" in asked.text
    tasks = list(named.later if is_later else named.plan)
    return json.dumps({**plan, "tasks": tasks, "continue": bool(named.later) and not is_later})


def prompt_tokens(asked: Asked) -> int:
    """Tokens of the messages and of the schema."""
    return counter()[1](asked.text + json.dumps(asked.body.get("response_format", "")))


def picture_of(number: int) -> dict[str, str]:
    """An attachment of a request: a picture in one colour."""
    data = base64.b64encode(picture(COLOURS[number]).data).decode()
    return {"name": f"{number}.png", "data_base64": data}


async def ask(session: ClientSession, program: Program, scenario: Scenario) -> float:
    """Seconds from the request to the whole answer."""
    sent = [picture_of(number) for number in range(scenario.pictures)]
    body = {"text": f"Please do this ({scenario.name})", "attachments": sent}
    began = time.perf_counter()
    async with session.post(f"{program.address}/api/chat", json=body) as response:
        answer = await response.json()
        assert response.status == 200, answer
    took = time.perf_counter() - began
    states = [outcome["state"] for outcome in answer["outcomes"]]
    assert states == ["done"] * (len(scenario.plan) + len(scenario.later)), answer
    return took


async def figures(program: Program, llm: OpenAiServer, experts: ExpertServer) -> list[Figure]:
    found = []
    async with ClientSession(timeout=ClientTimeout(total=120)) as session:
        for scenario in SCENARIOS:
            await ask(session, program, scenario)
            llm.asked.clear()
            experts.asked.clear()
            walls = [await ask(session, program, scenario) for _ in range(REPEATS)]
            found.append(
                Figure(
                    name=scenario.name,
                    wall=median(walls),
                    slowest=max(walls),
                    critical=scenario.critical,
                    ratio=median(walls) / scenario.critical,
                    llm_calls=len(llm.chats) / REPEATS,
                    prompt_tokens=sum(map(prompt_tokens, llm.chats)) / REPEATS,
                    expert_calls=len(experts.asked) / REPEATS,
                )
            )
    return found


def processor(process: int) -> float:
    """CPU seconds used by a process and its children, running or ended."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(folder.name) == process:
            total += sum(map(int, stat[11:15])) / ticks
        elif int(stat[1]) == process:
            total += sum(map(int, stat[11:13])) / ticks
    return total


def memory(process: int) -> float:
    """The memory of a process and its children in MiB; what they share is counted once."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if str(process) not in (folder.name, parent):
                continue
            lines = (folder / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


async def crowd(program: Program) -> dict[str, float]:
    """Many concurrent requests, compared with a single one."""
    async with ClientSession(timeout=ClientTimeout(total=120)) as session:
        alone = median([await ask(session, program, CROWD) for _ in range(REPEATS)])
        before = processor(program.process.pid)
        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ask(session, program, CROWD)) for _ in range(AT_ONCE)]
        wall = time.perf_counter() - began
        used = processor(program.process.pid) - before
    walls = [each.result() for each in asked]
    p95 = quantiles(walls, n=20)[-1]
    return {
        "at once": AT_ONCE,
        "alone s": alone,
        "p50 s": median(walls),
        "p95 s": p95,
        "p95 over alone": p95 / alone,
        "requests/s": AT_ONCE / wall,
        "processor s each": used / AT_ONCE,
    }


async def pace(program: Program) -> dict[str, float]:
    """Requests at a steady pace, compared with a single one."""
    async with ClientSession(timeout=ClientTimeout(total=120)) as session:
        alone = median([await ask(session, program, CROWD) for _ in range(REPEATS)])
        asked = []
        async with asyncio.TaskGroup() as group:
            for _ in range(int(A_SECOND * STEADY)):
                asked.append(group.create_task(ask(session, program, CROWD)))
                await asyncio.sleep(1 / A_SECOND)
    p95 = quantiles([each.result() for each in asked], n=20)[-1]
    return {"a second": A_SECOND, "alone s": alone, "p95 s": p95, "p95 over alone": p95 / alone}


async def start(home: Path) -> dict[str, float]:
    """With nothing configured: seconds until the page answers and for a first answer, memory."""
    pages, answers, sizes = [], [], []
    for number in range(5):
        began = time.perf_counter()
        async with at_work(home / str(number)) as program:
            async with ClientSession() as session, session.get(program.address) as page:
                assert page.status == 200
            pages.append(time.perf_counter() - began)
            await asyncio.sleep(IDLE)
            sizes.append(memory(program.process.pid))
            began = time.perf_counter()
            await program.ask("Read aloud: good morning")
            answers.append(time.perf_counter() - began)
    return {
        "seconds": median(pages),
        "megabytes, idle": median(sizes),
        "first answer s": median(answers),
    }


def read_aloud_as(media_type: str, experts: ExpertServer) -> None:
    """Let the played experts answer with another type of sound than WAV."""
    speak = experts.answers["text-to-speech"]

    def speak_otherwise(asked: AskedExpert) -> File:
        wav = speak(asked)
        assert isinstance(wav, File)
        return File(encode_sound(wav.data, media_type), f"audio/{media_type}")

    experts.answers["text-to-speech"] = speak_otherwise


@cache
def encode_sound(wav: bytes, media_type: str) -> bytes:
    with av.open(io.BytesIO(wav), "r") as source, io.BytesIO() as file:
        with av.open(file, "w", format=media_type) as target:
            stream = target.add_stream(media_type, rate=source.streams.audio[0].rate)
            for frame in source.decode(audio=0):
                target.mux(stream.encode(frame))
            target.mux(stream.encode(None))
        return file.getvalue()


async def measure(sound: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with (
            openai_at_work(OpenAiServer(LLM, reply=reply)) as llm,
            experts_at_work(known_experts(EXPERT)) as experts,
            at_work(
                Path(folder) / "home",
                OPENAI_BASE_URL=llm.base,
                TROUPE_EXPERTS_URL=experts.base,
                TROUPE_PLACES="local",
                TROUPE_LOG_LEVEL="info",
            ) as program,
        ):
            if sound != "wav":
                read_aloud_as(sound, experts)
            single = await figures(program, llm, experts)
            many = await crowd(program)
            steady = await pace(program)
        begun = await start(Path(folder))
    return {
        "tokens": counter()[0],
        "scenarios": [asdict(figure) for figure in single],
        "crowd": many,
        "pace": steady,
        "start": begun,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    options.add_argument("--sound", default="wav", choices=["wav", "flac"])
    given = options.parse_args()
    found = asyncio.run(measure(given.sound))
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(
        "| scenario | wall s | slowest | critical s | ratio | LLM calls | prompt tokens | expert calls |"  # noqa: E501
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in found["scenarios"]:
        print(
            f"| {row['name']} | {row['wall']:.3f} | {row['slowest']:.3f} | {row['critical']:.2f} | {row['ratio']:.3f} | "  # noqa: E501
            f"{row['llm_calls']:.0f} | {row['prompt_tokens']:.0f} ({found['tokens']}) | {row['expert_calls']:.0f} |"  # noqa: E501
        )
    for name in ("crowd", "pace", "start"):
        print(name, ", ".join(f"{key} {value:.3f}" for key, value in found[name].items()))


if __name__ == "__main__":
    main()
