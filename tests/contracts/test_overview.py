"""What operators learn from the database, on both kinds of it."""

import asyncio
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.store import open_overview, open_persistence
from adapters.store.overview import PROGRAM
from pipeline.codec import dump
from pipeline.domain import (
    Answer,
    Apologised,
    Event,
    Failed,
    LocalizedText,
    ModelCall,
    RunId,
    RunState,
)
from tests.contracts.conftest import EMPTIED
from tests.contracts.homes import Time
from tests.contracts.messages import CHANNEL, THREAD, message
from tests.contracts.postgres import order
from tests.contracts.runs import done, failed, run

CALL = ModelCall("org/chat", took=1.5, prompt_tokens=1000, completion_tokens=50, cost=0.002)
DAY = timedelta(days=1)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres")
        asyncio.run(order(url, EMPTIED))
        return url
    shutil.copy(request.getfixturevalue("empty"), tmp_path / "troupe.db")
    return f"sqlite:///{tmp_path}/troupe.db"


async def test_what_waits_and_what_has_no_reply_is_told_with_its_age(url: str) -> None:
    time = Time()
    async with open_persistence(url, clock=time) as kept:
        await kept.inbox.accept(message("1"), RunId("over"))
        await kept.inbox.finish(RunId("over"))
        await kept.inbox.accept(message("2"), RunId("open"))
        await kept.interactions.accept("slack", "T1", '{"words": 1}')
        await kept.interactions.accept("slack", "T2", '{"words": 1}')
        await kept.interactions.finish("slack", "T2")
        (accepted,) = await kept.inbox.of(message("2").key)
    async with open_overview(url) as overview:
        seen = await overview.load(time())

    assert [(each.run, each.channel, each.attempts) for each in seen.waiting] == [
        ("open", CHANNEL.key, 0)
    ]
    assert seen.waiting[0].accepted_at == accepted.accepted_at
    assert seen.unanswered == {"slack": [time()]}
    assert seen.size > 0


async def test_runs_are_told_with_their_calls_their_end_and_its_reason(url: str) -> None:
    time = Time()
    sorry = Apologised(LocalizedText("llm-busy", {"model": "m", "name": "secret.pdf"}), "r")
    async with open_persistence(url, clock=time) as kept:
        store = kept.store
        await store.keep(run("old"), THREAD)
        time.pass_by(DAY)
        refused = Answer(RunId("refused"), "no", is_refusal=True)
        await store.keep(replace(run("refused"), answer=refused, calls=(CALL,)), THREAD)
        apology = replace(run("sorry", state=RunState.APOLOGISED), answer=None)
        await store.keep(apology, THREAD, None, [(0, dump(sorry, Event))])
    async with open_overview(url) as overview:
        seen = await overview.load(time())

    assert {(each.run, each.outcome, each.reason) for each in seen.runs} == {
        ("refused", "not_done", ""),
        ("sorry", "apologised", "llm-busy model=m"),
    }
    assert [each.calls for each in seen.runs if each.run == "refused"] == [(CALL,)]


async def test_failed_attempts_and_steps_are_told_even_where_another_model_did_it(url: str) -> None:
    time = Time()
    never = Failed(LocalizedText("not-possible-nobody", {"kind": "image-to-text"}))
    async with open_persistence(url, clock=time) as kept:
        await kept.store.keep(run("old", failed()), THREAD)
        time.pass_by(DAY)
        for name, outcome in (("fell-back", done()), ("failed", failed()), ("never", never)):
            await kept.store.keep(run(name, outcome), THREAD)
    async with open_overview(url) as overview:
        seen = await overview.load(time())

    assert {
        (each.run, each.kind, each.place, each.model, each.reason) for each in seen.failures
    } == {
        ("fell-back", "image-to-text", "hosted", "org/bad", "gone"),
        ("failed", "image-to-text", "local", "org/bad", "gone"),
        ("never", "image-to-text", "", "", "not-possible-nobody"),
    }


async def test_the_program_and_how_far_it_read_are_found_in_the_cache(url: str) -> None:
    time = Time()
    async with open_persistence(url, clock=time) as kept:
        await kept.cache.put("slack:T1:read", "1.2")
        await kept.cache.put("models", "[]")
        await kept.cache.put(PROGRAM, '{"at": ""}')
    async with open_overview(url) as overview:
        seen = await overview.load(time())

    assert seen.read_up_to == {"slack:T1": time()}
    assert seen.program is not None
    assert (seen.program.value, seen.program.fetched_at) == ('{"at": ""}', time())


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_overview(f"sqlite:///{tmp_path}/home/troupe.db"):
            pass

    with pytest.raises(FileNotFoundError):
        asyncio.run(look())

    assert not list(tmp_path.iterdir())
