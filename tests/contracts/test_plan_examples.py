"""What people teach by their votes, wherever runs and votes are kept."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.domain import Audience, ChannelSettings, RunId, Thread
from pipeline.ports import Scope, Vote
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import ABROAD, ANN, BEN, ELSEWHERE, OTHER, THREAD, message
from tests.contracts.runs import done, run

WIDE = Audience.WORKSPACE


async def ask(
    kept: Kept, name: str, *, thread: Thread = THREAD, audience: Audience = WIDE, vote: int = 1
) -> None:
    """Ann asks in her words, Ben votes."""
    made = replace(run(name, done(), thread=thread), audience=audience, text="describe it")
    await kept.inbox.accept(message(f"msg-{name}", thread), RunId(name))
    await kept.store.keep(made, thread)
    await kept.inbox.finish(RunId(name))
    if vote:
        await kept.store.vote(Vote(RunId(name), BEN.id, vote))


async def taught(kept: Kept, thread: Thread = THREAD, reach: str = "workspace") -> Sequence[str]:
    return [lesson.run for lesson in await kept.store.find_examples(thread, reach=reach)]


async def test_a_like_teaches_a_dislike_takes_it_back_and_so_it_goes_on(home: Home) -> None:
    async with home.open() as kept:
        await ask(kept, "run1", vote=0)
        assert await taught(kept) == []
        for value, expected in ((1, ["run1"]), (-1, []), (1, ["run1"])):
            await kept.store.vote(Vote(RunId("run1"), BEN.id, value))
            assert await taught(kept) == expected
        await kept.store.vote(Vote(RunId("run1"), ANN.id, -1))
        assert await taught(kept) == []

    async with home.open() as kept:
        assert await taught(kept) == []


async def test_a_lesson_has_the_words_and_the_plan_of_its_run(home: Home) -> None:
    async with home.open() as kept:
        await ask(kept, "run1")

        (lesson,) = await kept.store.find_examples(THREAD, reach="workspace")

        assert (lesson.text, lesson.plan, lesson.here) == (
            "describe it",
            run("x", done()).plan,
            True,
        )


async def test_a_later_dislike_of_the_same_ends_it_and_a_later_like_renews_it(home: Home) -> None:
    async with home.open() as kept:
        for number, (vote, expected) in enumerate(((1, ["run0"]), (-1, []), (1, ["run2"]))):
            await ask(kept, f"run{number}", vote=vote)
            home.time.pass_by(timedelta(seconds=1))
            assert await taught(kept) == expected


async def test_only_channels_open_to_the_workspace_share_what_they_learn(home: Home) -> None:
    async with home.open() as kept:
        await ask(kept, "run1")
        await ask(kept, "run2", thread=ABROAD)
        assert await taught(kept, ELSEWHERE) == []
        await ask(kept, "run3", thread=ELSEWHERE, vote=0)
        assert await taught(kept, ELSEWHERE) == ["run1"]
        (lesson,) = await kept.store.find_examples(ELSEWHERE, reach="workspace")
        assert not lesson.here
        assert await taught(kept, ELSEWHERE, "channel") == []
        assert await taught(kept, reach="off") == []

        await ask(kept, "run4", audience=Audience.CHANNEL, vote=0)
        await ask(kept, "run5", audience=Audience.UNKNOWN, vote=0)

        assert await taught(kept, ELSEWHERE) == []
        assert await taught(kept) == ["run1"]
        assert await taught(kept, ABROAD) == ["run2"]


async def test_what_a_closed_thread_taught_stays_in_it(home: Home) -> None:
    inside = Thread(THREAD.channel, "0009", closed=True)
    async with home.open() as kept:
        await ask(kept, "run1", thread=inside)
        await ask(kept, "run2", vote=0)
        await ask(kept, "run3", thread=ELSEWHERE, vote=0)

        assert await taught(kept, inside) == ["run1"]
        for outside in (THREAD, OTHER, ELSEWHERE):
            assert await taught(kept, outside) == []


@pytest.mark.parametrize("where", [THREAD, ELSEWHERE], ids=["there", "here"])
async def test_a_channel_can_keep_to_itself_or_learn_nothing(home: Home, where: Thread) -> None:
    async with home.open() as kept:
        await ask(kept, "run1")
        await ask(kept, "run2", thread=ELSEWHERE, vote=0)
        assert await taught(kept, ELSEWHERE) == ["run1"]
        for reach in ("channel", "off"):
            await kept.store.set(where.channel, ChannelSettings(learn=reach))
            assert await taught(kept, ELSEWHERE) == []
        assert await taught(kept) == ([] if where is THREAD else ["run1"])
        await kept.store.set(where.channel, ChannelSettings(learn="workspace"))
        assert await taught(kept, ELSEWHERE, "channel") == []


async def test_lessons_go_with_what_they_came_from(home: Home) -> None:
    async with home.open() as kept:
        for scope in Scope:
            await ask(kept, "run1")
            assert await taught(kept) == ["run1"]
            await kept.store.forget(scope, thread=THREAD, person=ANN.id)
            assert await taught(kept) == []
        await ask(kept, "run1")
        await kept.store.forget(Scope.PERSON, thread=THREAD, person=BEN.id)
        assert await taught(kept) == []
        await ask(kept, "run2")
        await kept.store.unlog(message("msg-run2").key)
        assert await taught(kept) == []
        await ask(kept, "run3", thread=OTHER)
        home.time.pass_by(timedelta(days=100))
        await kept.store.prune(older_than=home.time() - timedelta(days=90))
        assert await taught(kept) == []


async def test_a_lesson_is_taken_back_alone(home: Home) -> None:
    async with home.open() as kept:
        await ask(kept, "run1")
        other = replace(run("run2", done()), text="something else", audience=WIDE)
        await kept.store.keep(other, THREAD)
        for person in (ANN, BEN):
            await kept.store.vote(Vote(RunId("run2"), person.id, 1))

        await kept.store.retract_votes([RunId("run2")])

        assert await taught(kept) == ["run1"]
