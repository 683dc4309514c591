"""The gain from starting tasks while the plan is still being written.

python -m benchmarks.streamed_planning [--pace TOKENS_PER_SECOND] [--expert SECONDS] [--rounds N]

The program runs in its own process with its journal, and gets requests over its HTTP API. The
language model and the experts are simulated over real HTTP at the given speeds. Each plan has 8
tasks and some 300 tokens; the answer is one word. Prints the lower bound (each task starts the
moment its text and its inputs exist) and the fastest and slowest measured request.
"""

import argparse
import asyncio
import base64
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from aiohttp import ClientSession, ClientTimeout

from tests.e2e.program import Program, at_work
from tests.fakes.jobs import picture
from tests.fakes.known_experts import known_experts
from tests.servers.experts.server import experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work, written

Task = tuple[str, Mapping[str, str]]
_LOOKED_AT: Task = ("image-to-text", {"image": "image 1"})
_ANSWER = "Done."


def _made_of(number: int) -> str:
    return f"<GENERATED>-{number}"


SHAPES: Mapping[str, Sequence[Task]] = {
    "graph, depth 4": (
        _LOOKED_AT,
        ("object-detection", {"image": "image 1"}),
        ("image-to-image", {"image": "image 1", "text": "pencil sketch"}),
        ("translation", {"text": _made_of(0), "language": "German"}),
        ("text-to-image", {"text": _made_of(0)}),
        ("text-to-speech", {"text": _made_of(3)}),
        ("image-to-text", {"image": _made_of(4)}),
        ("text-to-speech", {"text": _made_of(6)}),
    ),
    "side by side": [
        ("text-to-image", {"text": f"cat number {at} on a red sofa in the rain"}) for at in range(8)
    ],
    "chain": [
        _LOOKED_AT,
        *[("text2text-generation", {"text": f"shorter: {_made_of(at)}"}) for at in range(7)],
    ],
    "six into one": [
        _LOOKED_AT,
        *[("text-generation", {"text": f"poem {at}: {_made_of(0)}"}) for at in range(6)],
        ("summarization", {"text": " ".join(map(_made_of, range(1, 7)))}),
    ],
    "the last needs nothing": [
        _LOOKED_AT,
        *[("text2text-generation", {"text": f"shorter: {_made_of(at)}"}) for at in range(6)],
        ("image-classification", {"image": "image 1"}),
    ],
    "what is needed comes last": [
        *[("text2text-generation", {"text": f"shorter: {_made_of(at + 4)}"}) for at in range(4)],
        _LOOKED_AT,
        *[("text-generation", {"text": f"a poem about day {at}"}) for at in range(3)],
    ],
}


@dataclass(frozen=True)
class Speed:
    """Tokens per second of the language model, and seconds per call of an expert."""

    pace: float
    expert: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pace", type=float, default=50.0)
    parser.add_argument("--expert", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    asyncio.run(_measured(Speed(options.pace, options.expert), options.rounds))


async def _measured(speed: Speed, rounds: int) -> None:
    took = await _times(speed, rounds)
    print("| plan | tokens | floor s | took s | over the floor |")
    print("| --- | --- | --- | --- | --- |")
    for name, tasks in SHAPES.items():
        floor = _floor(tasks, speed)
        cells = [_range(took[name], 1, 2), _range(took[name], floor, 3)]
        print(f"| {name} | {len(written(_plan(tasks)))} | {floor:.2f} | {' | '.join(cells)} |")


def _range(seconds: Sequence[float], over: float, places: int) -> str:
    return f"{min(seconds) / over:.{places}f} to {max(seconds) / over:.{places}f}"


async def _times(speed: Speed, rounds: int) -> Mapping[str, Sequence[float]]:
    """Seconds of each round for each shape, after a warm-up request."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            openai_at_work(OpenAiServer(pace=speed.pace, reply=_reply)) as llm,
            experts_at_work(known_experts(speed.expert)) as experts,
            at_work(
                Path(folder),
                OPENAI_BASE_URL=llm.base,
                TROUPE_EXPERTS_URL=experts.base,
                TROUPE_PLACES="local",
            ) as program,
        ):
            await _took(program, next(iter(SHAPES)))
            return {name: [await _took(program, name) for _ in range(rounds)] for name in SHAPES}


async def _took(program: Program, name: str) -> float:
    """Seconds from the request to the whole answer."""
    sent = [{"name": "a.png", "data_base64": base64.b64encode(picture().data).decode()}]
    body = {"text": f"Please do this ({name})", "attachments": sent}
    began = perf_counter()
    async with (
        ClientSession(timeout=ClientTimeout(total=300)) as session,
        session.post(f"{program.address}/api/chat", json=body) as response,
    ):
        answer = await response.json()
    took = perf_counter() - began
    states = [outcome["state"] for outcome in answer["outcomes"]]
    assert states == ["done"] * len(SHAPES[name]), answer
    return took


def _reply(asked: Asked) -> str:
    if "response_format" not in asked.body:
        return _ANSWER
    return _plan(next(tasks for name, tasks in SHAPES.items() if f"({name})" in asked.texts[1]))


def _plan(tasks: Sequence[Task]) -> str:
    written_out: list[dict[str, Any]] = [
        {
            "id": at,
            "task": kind,
            "dep": _needs(args),
            "args": [{"name": name, "value": value} for name, value in args.items()],
            "model": "",
        }
        for at, (kind, args) in enumerate(tasks)
    ]
    head = {"thought": "As asked.", "action": "tasks", "say": "", "tasks": written_out}
    return json.dumps({**head, "continue": False}, separators=(",", ":"))


def _needs(args: Mapping[str, str]) -> list[int]:
    return [int(one) for value in args.values() for one in re.findall(r"<GENERATED>-(\d)", value)]


def _floor(tasks: Sequence[Task], speed: Speed) -> float:
    """The lower bound in seconds: plan and last task finish, then the answer is written."""
    plan = _plan(tasks)
    there = [
        len(written(plan[: match.end()])) / speed.pace
        for match in re.finditer(r'"model":""\}', plan)
    ]
    ends: dict[int, float] = {}
    while len(ends) < len(tasks):
        for at, (_, args) in enumerate(tasks):
            if at not in ends and ends.keys() >= {*_needs(args)}:
                ends[at] = max(there[at], *(ends[need] for need in _needs(args)), 0) + speed.expert
    last = max(*ends.values(), len(written(plan)) / speed.pace)
    return last + len(written(_ANSWER)) / speed.pace


if __name__ == "__main__":
    main()
