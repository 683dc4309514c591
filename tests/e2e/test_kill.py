"""kill -9 at fifty random points: no message lost or answered twice, no finished step repeated."""

import asyncio
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession

from pipeline.codec import load
from pipeline.domain import PlanPart, Proposed
from pipeline.result_reuse import StepNames
from tests.e2e.forked import forked
from tests.fakes.known_experts import known_experts
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

KILLS = 50
REQUESTS = 12
PLAN = [
    {"task": "text2text-generation", "id": 0, "dep": [-1], "args": {"text": "WHICH first"}},
    {"task": "text2text-generation", "id": 1, "dep": [-1], "args": {"text": "WHICH second"}},
    {"task": "summarization", "id": 2, "dep": [0], "args": {"text": "<GENERATED>-0"}},
    {
        "task": "translation",
        "id": 3,
        "dep": [1],
        "args": {"text": "<GENERATED>-1", "language": "de"},
    },
    {
        "task": "text-generation",
        "id": 4,
        "dep": [2, 3],
        "args": {"text": "<GENERATED>-2 <GENERATED>-3"},
    },
]


def _reply(asked: Asked) -> str:
    """Plans name their request, so that every expert call can be attributed."""
    if "response_format" not in asked.body:
        return "Done."
    which = next(word for word in asked.text.split() if word.strip('".,').startswith("req-"))
    return json.dumps(PLAN).replace("WHICH", which.strip('".,'))


@dataclass
class Watch:
    """The steps finished at each kill, and how often each had been started by then."""

    home: Path
    experts: ExpertServer
    llm: OpenAiServer
    finished: dict[tuple[str, str], int] = field(default_factory=dict)

    def note(self) -> None:
        now = self._calls()
        for step in self._steps():
            self.finished.setdefault(step, now[step])

    def repeated(self) -> list[tuple[str, str]]:
        now = self._calls()
        return [step for step, calls in self.finished.items() if now[step] > calls]

    def _calls(self) -> Counter[tuple[str, str]]:
        calls = Counter((asked.kind, asked.words) for asked in self.experts.asked)
        plans = (asked.text for asked in self.llm.chats if "response_format" in asked.body)
        calls.update(("plan", which) for text in plans for which in _names(text))
        return calls

    def _steps(self) -> Iterator[tuple[str, str]]:
        """The finished steps in the journal: plans by request, tasks by kind and input text."""
        journal = list(_rows(self.home, "select run, step, value from journal"))
        plans = {run: value for run, step, value in journal if step == "plan"}
        numbers = {run: _numbers(plan) for run, plan in plans.items()}
        for run, step, value in journal:
            if step == "plan":
                yield "plan", next(iter(_names(value)))
            elif step.startswith("task:") and json.loads(value)["value"]["is"] == "Done":
                which = next(iter(_names(plans[run])))
                yield from self._expert_calls(which, numbers[run][step])

    def _expert_calls(self, which: str, number: int) -> Iterator[tuple[str, str]]:
        kind = PLAN[number]["task"]
        for asked in self.experts.asked:
            if asked.kind == kind and which in asked.words and _is(number, asked.words):
                yield str(kind), asked.words
                return


def _numbers(plan: str) -> dict[str, int]:
    """Task numbers in a plan by step name."""
    names, parts = StepNames(), load(tuple[PlanPart, ...], plan)
    tasks = [part.task for part in parts if isinstance(part, Proposed)]
    return {names.of(task): task.id for task in tasks}


def _is(number: int, words: str) -> bool:
    return number not in (0, 1) or ("first" if number == 0 else "second") in words


def _names(text: str) -> set[str]:
    return {
        word for word in text.replace('"', " ").replace(".", " ").split() if word.startswith("req-")
    }


def _rows(home: Path, query: str, *args: str) -> Iterator[tuple[str, ...]]:
    with sqlite3.connect(f"file:{home / 'troupe.db'}?mode=ro", uri=True) as database:
        yield from database.execute(query, args).fetchall()
    database.close()


@pytest.mark.limit(170)
async def test_killed_at_fifty_points_it_loses_repeats_and_doubles_nothing(tmp_path: Path) -> None:
    chance = random.Random(20261120)
    async with (
        openai_at_work(OpenAiServer(0.03, reply=_reply)) as llm,
        experts_at_work(known_experts(0.05)) as experts,
    ):
        watch = Watch(tmp_path, experts, llm)
        settings = {
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
            "TROUPE_PATIENCE": "1000",
        }
        for kill in range(KILLS):
            async with forked(tmp_path, **settings) as (_, address):
                if kill % (KILLS // REQUESTS) == 0:
                    await _send(address, kill)
                await asyncio.sleep(chance.uniform(0.0, 0.35))
            watch.note()
        async with forked(tmp_path, **settings):
            await _all_answered(tmp_path)

    sent = {f"req-{kill}" for kill in range(0, KILLS, KILLS // REQUESTS)}
    turns = Counter(
        json.loads(row[0])["value"]["text"] for row in _rows(tmp_path, "select body from turns")
    )
    assert watch.repeated() == []
    assert {name for text in turns for name in _names(text)} == sent
    assert turns["Done."] == len(sent)


async def _send(address: str, number: int) -> None:
    """Send a message and wait for its acknowledgement only."""
    body = {"text": f"please work on req-{number}"}
    async with ClientSession() as session:
        headers = {"Accept": "text/event-stream"}
        try:
            async with session.post(f"{address}/api/chat", json=body, headers=headers) as response:
                await response.content.readany()
        except ClientError:
            pass


async def _all_answered(home: Path) -> None:
    async with asyncio.timeout(60):
        while list(  # noqa: ASYNC110 - another process's table
            _rows(home, "select run from inbox where not finished")
        ):
            await asyncio.sleep(0.1)
