"""What every store does with runs and their results."""

import json
from dataclasses import replace
from datetime import timedelta

from pipeline.domain import (
    Comparison,
    NamedFile,
    Plan,
    RunId,
    RunState,
    SentPrompt,
    Source,
    TaskId,
)
from pipeline.ports import Scope, Vote
from tests.contracts.homes import Home
from tests.contracts.messages import (
    BEN,
    BOT,
    OTHER,
    THREAD,
    file,
    turn,
)
from tests.contracts.runs import EVERY_OUTCOME, MODEL, done, failed, run


async def test_a_run_is_kept_whole(home: Home) -> None:
    whole = run("run1", *EVERY_OUTCOME, shown="a")
    async with home.open() as kept:
        await kept.store.keep(run("run1", state=RunState.RUNNING), THREAD)
        await kept.store.keep(whole, THREAD)

    async with home.open() as kept:
        assert await kept.store.load(RunId("run1")) == whole
        assert await kept.store.load(RunId("run2")) is None
        assert await kept.store.file_hashes() == {file("a").hash, file("f").hash}


async def test_what_is_left_of_a_run_is_kept_in_one_go(home: Home) -> None:
    whole = run("run1", *EVERY_OUTCOME, shown="a")
    said = turn("run1", NamedFile("image 1", file("c")), person=BOT)
    async with home.open() as kept:
        for _ in range(2):
            await kept.store.keep(whole, THREAD, said, [(0, '"a"'), (1, '"b"')])
        await kept.store.keep(run("run2"), THREAD, None, [])

    async with home.open() as kept:
        assert await kept.store.load(RunId("run1")) == whole
        assert list((await kept.store.events(RunId("run1")))[RunId("run1")]) == ['"a"', '"b"']
        assert (await kept.store.context(THREAD, turns=9, tail=0)).turns == (said,)
        assert {file(name).hash for name in "acf"} == await kept.store.file_hashes()
        assert await kept.store.load(RunId("run2")) == run("run2")


async def test_the_runs_of_a_thread_come_newest_first(home: Home) -> None:
    async with home.open() as kept:
        for name, thread in (("run1", THREAD), ("run2", OTHER), ("run3", THREAD), ("run4", THREAD)):
            await kept.store.keep(run(name, done(), thread=thread), thread)
        await kept.store.keep(run("run1", done(), failed()), THREAD)

        found = await kept.store.runs(THREAD, limit=2)

        assert list(found) == [run("run4", done()), run("run3", done())]
        assert len(await kept.store.runs(THREAD, limit=9)) == 3


async def test_the_bot_takes_part_in_a_thread_that_has_a_run(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1"), THREAD)

        assert await kept.store.takes_part(THREAD)
        assert not await kept.store.takes_part(OTHER)


async def test_the_bot_takes_part_only_from_the_message_on_that_called_it(home: Home) -> None:
    key = THREAD.channel.key
    async with home.open() as kept:
        await kept.store.keep(replace(run("run1"), message=f"{key}:17.5"), THREAD)

        assert await kept.store.takes_part(THREAD, before=f"{key}:17.6")
        assert not await kept.store.takes_part(THREAD, before=f"{key}:17.4")
        assert not await kept.store.takes_part(THREAD, before=f"{key}:17.5")


async def test_a_command_calls_the_bot_into_a_thread_whenever_it_was_given(home: Home) -> None:
    key = THREAD.channel.key
    async with home.open() as kept:
        await kept.store.keep(replace(run("run1"), message=f"{key}:command-1"), THREAD)

        assert await kept.store.takes_part(THREAD, before=f"{key}:17.4")


async def test_the_bot_stays_out_of_a_thread_until_it_is_called_again(home: Home) -> None:
    async with home.open() as kept:
        for name, state in (("run1", RunState.ANSWERED), ("run2", RunState.LEFT)):
            await kept.store.keep(run(name, state=state), THREAD)
        await kept.store.keep(run("run3", state=RunState.SILENT), THREAD)
        assert not await kept.store.takes_part(THREAD)

        await kept.store.keep(run("run4", state=RunState.APOLOGISED), THREAD)

        assert await kept.store.takes_part(THREAD)


async def test_events_are_kept_by_number_and_once(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1"), THREAD, events=[(2, '"c"'), (0, '"a"')])
        await kept.store.keep(run("run1"), THREAD, events=[(0, '"again"'), (1, '"b \ud800"')])
        await kept.store.keep(run("run2"), THREAD)

        kept_events = [
            json.loads(event) for event in (await kept.store.events(RunId("run1")))[RunId("run1")]
        ]
        assert kept_events == ["a", "b \ud800", "c"]
        assert list((await kept.store.events(RunId("run2")))[RunId("run2")]) == []


async def test_what_was_made_is_found_by_what_it_was_made_from_the_newest_first(
    home: Home,
) -> None:
    first, second = replace(done(), key="k1"), replace(done(9.0), key="k2")
    async with home.open() as kept:
        await kept.store.keep(run("run1", first, second, done(), failed()), THREAD)
        await kept.store.keep(run("run2", second), THREAD)
        await kept.store.keep(run("run3", replace(done(), key="k3"), thread=OTHER), OTHER)

    async with home.open() as kept:
        made = await kept.store.find_results(THREAD)

        assert made == {
            "k1": Source(RunId("run1"), TaskId(1)),
            "k2": Source(RunId("run2"), TaskId(1)),
        }
        assert await kept.store.load_outcome(made["k1"]) == first
        assert await kept.store.load_outcome(Source(RunId("run1"), TaskId(9))) is None


async def test_what_is_thought_badly_of_or_forgotten_is_not_found(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", replace(done(), key="k1")), THREAD)
        await kept.store.keep(run("run2", replace(done(), key="k2"), person=BEN.id), THREAD)
        taken = replace(done(), key="k3", source=Source(RunId("run1"), TaskId(2)))
        await kept.store.keep(
            run("run1", replace(done(), key="k1"), replace(taken, source=None)), THREAD
        )
        await kept.store.keep(run("run3", taken), THREAD)
        for disliked in ("run2", "run3"):
            await kept.store.vote(Vote(RunId(disliked), BEN.id, -1))

        made = await kept.store.find_results(THREAD)
        assert list(made) == ["k1"]

        await kept.store.forget(Scope.THREAD, thread=THREAD, person=BEN.id)
        assert await kept.store.find_results(THREAD) == {}
        assert await kept.store.load_outcome(made["k1"]) is None


async def test_what_was_taken_over_is_no_better_than_where_it_came_from(home: Home) -> None:
    earlier = replace(done(), key="k1")
    taken = replace(earlier, took=0.0, source=Source(RunId("run1"), TaskId(1)))
    async with home.open() as kept:
        await kept.store.keep(run("run1", earlier), THREAD)
        await kept.store.keep(run("run2", taken), THREAD)
        last = Source(RunId("run2"), TaskId(1))
        assert await kept.store.load_outcome(last) == taken

        await kept.store.vote(Vote(RunId("run1"), BEN.id, -1))
        assert await kept.store.load_outcome(last) is None
        assert await kept.store.load_outcome(Source(RunId("run1"), TaskId(1))) == earlier

        await kept.store.vote(Vote(RunId("run1"), BEN.id, 1))
        assert await kept.store.load_outcome(last) == taken


async def test_the_events_of_many_runs_are_read_at_once(home: Home) -> None:
    async with home.open() as kept:
        for number in range(4):
            events = [(0, f'"{number}"')]
            await kept.store.keep(run(f"run{number}"), THREAD, events=events)

        latest = await kept.store.runs(THREAD, limit=2)

        assert [each.id for each in latest] == ["run3", "run2"]
        told = await kept.store.events(*(each.id for each in latest))
        assert {name: list(events) for name, events in told.items()} == {
            "run3": ['"3"'],
            "run2": ['"2"'],
        }


async def test_only_the_result_of_the_worse_model_is_not_reused(home: Home) -> None:
    other = replace(MODEL, id="org/other")
    voice = replace(MODEL, id="org/voice")
    tasks = tuple(replace(run("r", done()).plan.tasks[0], id=TaskId(n)) for n in (1, 2, 3))
    reused = replace(done(), key="k3", source=Source(RunId("run1"), TaskId(3)))
    async with home.open() as kept:
        for number, value in enumerate((-1, 1), 2):
            name = f"run{number}"
            results = (
                replace(done(model=other), key=f"k1-{number}"),
                replace(done(model=voice), key=f"k2-{number}"),
                reused,
            )
            again = replace(run(name, *results), plan=Plan(tasks))
            await kept.store.keep(again, THREAD)
            comparison = Comparison("image-to-text", MODEL.id, other.id)
            await kept.store.vote(Vote(RunId(name), BEN.id, value, comparison))

        sources = await kept.store.find_results(THREAD)
        assert sorted(sources) == ["k1-3", "k2-2", "k2-3", "k3"]
        copied = replace(done(), source=Source(RunId("run2"), TaskId(1)))
        await kept.store.keep(run("run4", copied), THREAD)
        assert await kept.store.load_outcome(Source(RunId("run4"), TaskId(1))) is None


async def test_what_language_models_were_asked_is_kept_and_forgotten_with_its_run(
    home: Home,
) -> None:
    asked = SentPrompt("org/chat", "--- user ---\nwhat is this?", "a cat")
    async with home.open() as kept:
        for name in ("run1", "run2"):
            await kept.store.keep(run(name), THREAD if name == "run1" else OTHER)
            await kept.store.keep_prompts(RunId(name), [asked])
        await kept.store.keep_prompts(RunId("run1"), [asked, asked])

    async with home.open() as kept:
        assert await kept.store.prompts(RunId("run1")) == (asked, asked)
        await kept.store.forget(Scope.THREAD, thread=THREAD, person=BEN.id)
        assert await kept.store.prompts(RunId("run1")) == ()
        assert await kept.store.prompts(RunId("run2")) == (asked,)
        home.time.pass_by(timedelta(days=2))
        await kept.store.prune(older_than=home.time() - timedelta(days=1))
        assert await kept.store.prompts(RunId("run2")) == ()
