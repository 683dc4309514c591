"""What every store lets go of, and what it keeps."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.codec import dump
from pipeline.domain import Channel, ChannelSettings, Link, Media, NamedFile, RunId, Thread
from pipeline.ports import Scope, Vote
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import (
    ABROAD,
    ANN,
    BEN,
    BOT,
    ELSEWHERE,
    NOON,
    OTHER,
    THREAD,
    file,
    message,
    turn,
)
from tests.contracts.runs import done, run

PLACES = {"here": THREAD, "other": OTHER, "elsewhere": ELSEWHERE, "abroad": ABROAD}


async def converse(kept: Kept, name: str, thread: Thread, letter: str, *, days: int = 0) -> None:
    """Ann asks with a file, the bot answers with another, Ben likes it."""
    asked = turn(f"msg-{name}", thread=thread, minutes=60 * 24 * days)
    id = RunId(f"run-{name}")  # noqa: A001
    await kept.inbox.accept(message(f"msg-{name}", thread), id)
    await kept.store.log(thread, asked, (file(letter),))
    await kept.journal.record(id, "task:1", dump(Media(file("e"))))
    await kept.ledger.begin(f"{id}:answer")
    await kept.store.log(
        thread, replace(asked, key=id, person=BOT, text="here", at=asked.at + timedelta(minutes=1))
    )
    answered = run(id, done(letter="d"), thread=thread)
    await kept.store.keep(answered, thread, events=[(0, '"begun"')])
    await kept.store.vote(Vote(id, BEN.id, 1))
    await kept.inbox.finish(id)


@pytest.fixture
def letters() -> dict[str, str]:
    """The file that Ann sends in each place: the same one here and elsewhere."""
    return {"here": "a", "other": "b", "elsewhere": "a", "abroad": "c"}


async def left(kept: Kept) -> set[str]:
    """The places whose conversation is still there, as a whole."""
    found = set()
    for name, thread in PLACES.items():
        id = RunId(f"run-{name}")  # noqa: A001
        examples = await kept.store.find_examples(thread, reach="channel")
        signs = (
            (await kept.store.context(thread, turns=9, tail=0)).turns,
            await kept.store.load(id),
            await kept.store.runs(thread, limit=9),
            (await kept.store.events(id))[id],
            [each for each in examples if each.run == id],
        )
        assert all(signs) or not any(signs), f"half of {name} is left"
        found |= {name} if all(signs) else set()
    return found


@pytest.mark.parametrize(
    ("scope", "stays"),
    [
        (Scope.THREAD, {"other", "elsewhere", "abroad"}),
        (Scope.CHANNEL, {"elsewhere", "abroad"}),
        (Scope.PERSON, {"abroad"}),
    ],
)
async def test_a_scope_is_forgotten_and_nothing_else(
    home: Home, letters: dict[str, str], scope: Scope, stays: set[str]
) -> None:
    async with home.open() as kept:
        for name, thread in PLACES.items():
            await converse(kept, name, thread, letters[name])

        count, _ = await kept.store.forget(scope, thread=THREAD, person=ANN.id)

        assert await left(kept) == stays
        assert count > 0


async def test_a_file_is_free_when_the_last_that_refers_to_it_is_forgotten(
    home: Home, letters: dict[str, str]
) -> None:
    async with home.open() as kept:
        for name in ("here", "other", "elsewhere"):
            await converse(kept, name, PLACES[name], letters[name])

        _, first = await kept.store.forget(Scope.CHANNEL, thread=THREAD, person=ANN.id)
        _, last = await kept.store.forget(Scope.THREAD, thread=ELSEWHERE, person=ANN.id)

        assert set(first) == {file("b").hash}
        assert file("a").hash in last
        assert await kept.store.file_hashes() == frozenset()


async def test_what_others_said_in_the_thread_stays_when_a_person_is_forgotten(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1", person=BEN, text="ben was here"))
        await converse(kept, "here", THREAD, "a")
        await kept.store.keep(run("bens", person=BEN.id), THREAD)
        await kept.store.vote(Vote(RunId("bens"), ANN.id, -1))

        await kept.store.forget(Scope.PERSON, thread=OTHER, person=ANN.id)

        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns
        assert [each.text for each in turns] == ["ben was here"]
        assert [each.id for each in await kept.store.runs(THREAD, limit=9)] == ["bens"]
        assert not any(record.downs for record in (await kept.store.track_records()).values())


async def test_a_channel_forgets_its_settings(home: Home) -> None:
    async with home.open() as kept:
        for thread in (THREAD, ELSEWHERE):
            await kept.store.set(thread.channel, ChannelSettings(language="de"))

        await kept.store.forget(Scope.CHANNEL, thread=THREAD, person=ANN.id)

        assert await kept.store.settings(THREAD.channel) == ChannelSettings()
        assert await kept.store.settings(ELSEWHERE.channel) == ChannelSettings(language="de")


async def test_a_deleted_message_takes_the_run_it_started_along(
    home: Home, letters: dict[str, str]
) -> None:
    async with home.open() as kept:
        for name in ("here", "other"):
            await converse(kept, name, PLACES[name], letters[name])

        freed = await kept.store.unlog(turn("msg-here").key)

        assert await left(kept) == {"other"}
        assert set(freed) == {file("a").hash}


@pytest.mark.parametrize("thread", [THREAD, OTHER])
async def test_a_deleted_message_leaves_those_that_reply_to_it(home: Home, thread: Thread) -> None:
    files = (Link("https://example.org/a.png", "a.png", id="1"),)
    said = replace(message("2", thread), replied_to=turn("1", thread=thread), earlier=files)
    async with home.open() as kept:
        await kept.inbox.accept(said, RunId("deleted"))
        await kept.inbox.accept(replace(said, id="3", replied_to=turn("0")), RunId("kept"))
        await kept.store.unlog(turn("1", thread=thread).key)

        left = await kept.inbox.message(RunId("deleted"))
        other = await kept.inbox.message(RunId("kept"))
        assert left == replace(said, replied_to=None, earlier=())
        assert other is not None
        assert (other.replied_to, other.earlier) == (turn("0"), files)


async def test_a_run_is_forgotten_by_its_id(home: Home) -> None:
    async with home.open() as kept:
        await converse(kept, "here", THREAD, "a")
        run = RunId("run-here")

        freed = await kept.store.unlog(run)

        assert await kept.store.load(run) is None
        assert not (await kept.store.events(run))[run]
        assert file("d").hash in freed
        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns
        assert [each.text for each in turns] == ["turn msg-here"]


async def test_old_talk_is_pruned_and_what_is_still_waited_for_stays(home: Home) -> None:
    async with home.open() as kept:
        await converse(kept, "here", THREAD, "a")
        await kept.inbox.accept(message("waits", ELSEWHERE), RunId("waits"))
        await kept.journal.record(RunId("waits"), "plan", "1")
        home.time.pass_by(timedelta(days=30))
        await kept.store.log(OTHER, turn("early", NamedFile("image 1", file("c")), thread=OTHER))
        await converse(kept, "other", OTHER, "b", days=30)

        await kept.store.prune(older_than=NOON + timedelta(days=29))

        hashes = {file(letter).hash for letter in "abc"} & await kept.store.file_hashes()
        assert hashes == {file("b").hash}
        assert await kept.store.load(RunId("run-here")) is None
        assert await kept.store.load(RunId("run-other")) is not None
        assert list(await kept.inbox.list_waiting()) == ["waits"]
        assert await kept.journal.recall(RunId("waits")) == {"plan": "1"}
        assert not (await kept.store.context(THREAD, turns=9, tail=0)).turns


async def test_what_people_say_to_each_other_is_dropped_where_the_bot_has_no_part(
    home: Home,
) -> None:
    places = (THREAD, OTHER, ELSEWHERE, Thread(Channel("web", "T1", "C1"), "0001"))
    async with home.open() as kept:
        for number, thread in enumerate(places):
            await kept.store.log(thread, turn(str(number), thread=thread), (file("abcd"[number]),))
        await kept.store.keep(run("run1", thread=OTHER), OTHER)
        await kept.store.set(ELSEWHERE.channel, ChannelSettings(listen="all"))

        await kept.store.drop_overheard(["slack"], listen="threads")

        kept_in = [len((await kept.store.context(t, turns=9, tail=0)).turns) for t in places]
        assert kept_in == [0, 1, 1, 1]
        assert file("a").hash not in await kept.store.file_hashes()


@pytest.mark.parametrize(("chosen", "left"), [("", 1), ("all", 1), ("threads", 0)])
async def test_where_all_is_kept_a_channel_may_keep_less(
    home: Home, chosen: str, left: int
) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1"))
        await kept.store.set(THREAD.channel, ChannelSettings(listen=chosen))

        await kept.store.drop_overheard(["slack"], listen="all")

        assert len((await kept.store.context(THREAD, turns=9, tail=0)).turns) == left


async def test_a_message_that_waits_keeps_what_was_said_in_its_thread(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1"))
        await kept.inbox.accept(message("2"), RunId("run1"))

        await kept.store.drop_overheard(["slack"], listen="threads")

        assert len((await kept.store.context(THREAD, turns=9, tail=0)).turns) == 1


async def test_forgetting_a_person_leaves_the_threads_of_others_noted(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.note(OTHER, "05", NOON)
        await converse(kept, "here", THREAD, "a")

        await kept.store.forget(Scope.PERSON, thread=THREAD, person=ANN.id)

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(OTHER, "05")]
