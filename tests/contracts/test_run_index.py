"""How runs of all platforms are found by what operators know of them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.codec import dump
from pipeline.domain import Apologised, Event, LocalizedText, ModelCall, RunState, Thread
from pipeline.domain import Channel as Place
from pipeline.ports import RunFilter, Scope
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import ABROAD, ANN, BEN, CHANNEL, ELSEWHERE, THREAD
from tests.contracts.runs import BAD, done, failed, run

HOUR = timedelta(hours=1)
ON_PAGE = Thread(Place("web", "someone", "talk"), "talk")
SORRY = Apologised(LocalizedText("apology-out-of-time", {"seconds": 600}), "")


async def keep(kept: Kept, home: Home, *names: str, thread: Thread = THREAD) -> None:
    for name in names:
        await kept.store.keep(run(name, thread=thread), thread)
        home.time.pass_by(HOUR)


async def find(kept: Kept, **wanted: object) -> list[str]:
    page = await kept.run_index.find_runs(RunFilter(**wanted), limit=20)  # type: ignore[arg-type]
    return [each.run.id for each in page.runs]


async def test_runs_come_newest_first_a_page_at_a_time(home: Home) -> None:
    async with home.open() as kept:
        await keep(kept, home, "run1", "run2", "run3", "run4", "run5")

        first = await kept.run_index.find_runs(RunFilter(), limit=2)
        second = await kept.run_index.find_runs(RunFilter(), after=first.next, limit=2)
        last = await kept.run_index.find_runs(RunFilter(), after=second.next, limit=2)

    pages = [[each.run.id for each in page.runs] for page in (first, second, last)]
    assert pages == [["run5", "run4"], ["run3", "run2"], ["run1"]]
    assert last.next == ""


async def test_runs_that_were_kept_at_the_same_moment_are_each_on_one_page(home: Home) -> None:
    names = [f"run{number}" for number in range(5)]
    async with home.open() as kept:
        for name in names:
            await kept.store.keep(run(name), THREAD)
        found, after = list[str](), ""
        for _ in names:
            page = await kept.run_index.find_runs(RunFilter(), after=after, limit=1)
            found += [each.run.id for each in page.runs]
            after = page.next

    assert sorted(found) == names
    assert after == ""


async def test_runs_are_found_by_where_and_whose_they_are(home: Home) -> None:
    async with home.open() as kept:
        await keep(kept, home, "here")
        await keep(kept, home, "elsewhere", thread=ELSEWHERE)
        await keep(kept, home, "abroad", thread=ABROAD)
        await keep(kept, home, "page", thread=ON_PAGE)
        await kept.store.keep(run("bens", person=BEN.id), THREAD)

        assert await find(kept, platform="web") == ["page"]
        assert await find(kept, place=CHANNEL.key) == ["bens", "here"]
        assert await find(kept, place="C1") == ["bens", "abroad", "here"]
        assert await find(kept, place=ELSEWHERE.key) == ["elsewhere"]
        assert await find(kept, place="T1:C2:0001") == ["elsewhere"]
        assert await find(kept, person=BEN.id) == ["bens"]
        assert await find(kept, person=ANN.id, place="C2") == ["elsewhere"]
        assert await find(kept, place="C") == []
        assert await find(kept, place="%") == []


async def test_runs_are_found_by_what_they_did(home: Home) -> None:
    async with home.open() as kept:
        await keep(kept, home, "idle")
        for name, outcome in (("looked", done()), ("fell", failed())):
            await kept.store.keep(run(name, outcome), THREAD)
            home.time.pass_by(HOUR)

        assert await find(kept, kind="image-to-text") == ["fell", "looked"]
        assert await find(kept, kind="text-to-image") == []
        assert await find(kept, model="org/good") == ["looked"]
        assert await find(kept, model="bad", kind="image-to-text") == ["fell", "looked"]
        assert await find(kept, model="_bad") == []


async def test_runs_are_found_by_time_and_state(home: Home) -> None:
    async with home.open() as kept:
        start = home.time()
        await keep(kept, home, "run1", "run2", "run3")
        stopped = run("stopped", state=RunState.STOPPED)
        await kept.store.keep(stopped, THREAD)

        assert await find(kept, since=start + HOUR, until=start + 2 * HOUR) == ["run3", "run2"]
        assert await find(kept, state="stopped") == ["stopped"]
        assert await find(kept, state="answered", until=start) == ["run1"]


async def test_runs_are_found_by_what_went_wrong(home: Home) -> None:
    late = run("late", state=RunState.APOLOGISED)
    busy = ModelCall("org/chat", error="llm-busy")
    async with home.open() as kept:
        await keep(kept, home, "good")
        await kept.store.keep(run("fell-back", done()), THREAD)
        await kept.store.keep(replace(run("broken", failed()), error="ZeroDivisionError"), THREAD)
        await kept.store.keep(late, THREAD, None, [(0, dump(SORRY, Event))])
        await kept.store.keep(replace(run("called"), calls=(busy,)), THREAD)
        await kept.store.keep(replace(run("lost"), undelivered="ChatGone"), THREAD)

        assert set(await find(kept, failed=True)) == {"broken", "late", "lost"}
        assert set(await find(kept, words=BAD)) == {"fell-back", "broken"}
        assert await find(kept, words="zerodivision") == ["broken"]
        assert await find(kept, words="longer than 600") == ["late"]
        assert await find(kept, words="org/chat") == ["called"]
        assert await find(kept, words="chatgone", failed=True) == ["lost"]
        assert await find(kept, words="%") == []
        listed = await kept.run_index.find_run("lost")

    assert listed is not None
    assert (listed.failed, listed.problems) == (True, "not delivered: ChatGone")


async def test_what_is_refused_by_the_rules_is_no_failure(home: Home) -> None:
    refused = replace(run("refused", state=RunState.APOLOGISED), error="NotAllowed")
    async with home.open() as kept:
        await kept.store.keep(refused, THREAD)

        assert await find(kept, failed=True) == []
        assert await find(kept, words="NotAllowed") == ["refused"]


async def test_a_run_that_is_kept_again_has_the_problems_of_the_last_time(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("again", failed()), THREAD)
        await kept.store.keep(run("again"), THREAD)

        assert await find(kept, failed=True) == []


async def test_a_run_is_found_by_its_reference(home: Home) -> None:
    async with home.open() as kept:
        await keep(kept, home, "0123456789ab", "0123999999ab", "fedcba987654")

        found = await kept.run_index.find_run("01234567")
        assert found is not None
        assert (found.run.id, found.channel) == ("0123456789ab", CHANNEL.key)
        assert await kept.run_index.find_run("ffffffff") is None
        assert await find(kept, words="01234567") == ["0123456789ab"]


async def test_a_run_that_was_forgotten_is_not_found(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("0123456789ab", failed()), THREAD)
        await kept.store.forget(Scope.THREAD, thread=THREAD, person=ANN.id)

        assert await kept.run_index.find_run("01234567") is None
        assert await find(kept, failed=True) == []


@pytest.mark.parametrize("after", ["x", "1e999 run", "1.0", "-1.0 run"])
async def test_a_page_after_none_of_ours_is_refused(after: str, home: Home) -> None:
    async with home.open() as kept:
        await keep(kept, home, "run1")

        with pytest.raises(ValueError):  # noqa: PT011 - the port's
            await kept.run_index.find_runs(RunFilter(), after=after, limit=2)
