"""Nothing of a scope is left in any table: looked up in every table there is, also those to come."""  # noqa: E501

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_engine, select

from adapters.store import schema
from pipeline.domain import Channel, ChannelSettings, Person, RunId, SentPrompt, Thread
from pipeline.ports import Posting, Scope, Share, Vote
from tests.contracts.homes import DatabaseHome, Kept
from tests.contracts.messages import ANN, BEN, ELSEWHERE, NOON, THREAD, file, message, turn
from tests.contracts.runs import EVERY_OUTCOME, run


async def live(kept: Kept, name: str, thread: Thread, person: Person) -> None:
    """A row in every table that belongs to a conversation."""
    id = RunId(f"run-{name}")  # noqa: A001
    asked = turn(f"msg-{name}", thread=thread, person=person)
    place = {"channel_id": thread.channel.id, "thread_ts": thread.root, "user_id": person.id}
    typed = json.dumps({**place, "text": f"{thread.key} {person.id}"})
    await kept.interactions.accept(thread.channel.platform, name, typed, person.id)
    await kept.interactions.record(thread.channel.platform, name, f"{thread.key} {person.id}")
    await kept.inbox.accept(message(f"msg-{name}", thread, person), id)
    await kept.store.log(thread, asked, (file("a"),))
    found = await kept.store.find_pending(thread, most=0, keep=0)
    assert found is not None
    assert await kept.store.save_summary(thread, found, f"{thread.key} {person.id}")
    await kept.journal.record(id, "plan", f'"{thread.key} {person.id}"')
    await kept.ledger.done(f"{id}:answer", f"{thread.key} {person.id}")
    answered = run(id, *EVERY_OUTCOME, thread=thread, person=person.id)
    await kept.store.keep(answered, thread, events=[(0, f'"{thread.key} {person.id}"')])
    await kept.store.keep_prompts(id, [SentPrompt("org/model", thread.key, person.id)])
    await kept.store.vote(Vote(id, person.id, 1))
    await kept.store.set(thread.channel, ChannelSettings(language="de"))
    share = Share(
        id=name,
        thread=thread,
        person=person.id,
        runs=(id,),
        made_at=NOON,
        expires=NOON + timedelta(days=7),
        title="",
    )
    await kept.store.add_share(share)


def rows(path: Path) -> dict[str, list[str]]:
    """Every row of every table as it is there, whatever the code says there should be."""
    engine = create_engine(f"sqlite:///{path}")
    found = MetaData()
    found.reflect(engine)
    with engine.connect() as connection:
        texts = {
            table.name: [str(tuple(row)) for row in connection.execute(select(table))]
            for table in found.sorted_tables
            if not table.name.startswith("words_search")  # an index
        }
    engine.dispose()
    return texts


async def test_what_others_pressed_in_a_persons_thread_is_not_forgotten(tmp_path: Path) -> None:
    pressed = json.dumps({"user": {"id": BEN.id}, "message": {"parent_user_id": ANN.id}})
    async with DatabaseHome(f"sqlite:///{tmp_path}/troupe.db").open() as kept:
        await kept.interactions.accept(THREAD.channel.platform, "bens", pressed, BEN.id)

        await kept.store.forget(Scope.PERSON, thread=THREAD, person=ANN.id)

        pending = await kept.interactions.list_pending(THREAD.channel.platform)
    assert [each.payload for each in pending] == [pressed]


def read_all(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_a_run_under_way_keeps_only_what_deletes_its_posts(tmp_path: Path) -> None:
    asked, run = message("1", text="a secret"), RunId("begun")
    async with DatabaseHome(f"sqlite:///{tmp_path}/troupe.db").open() as kept:
        await kept.inbox.accept(asked, run)
        async for _ in kept.inbox.take():
            break
        await kept.ledger.done("begun:answer", "receipt")
        await kept.journal.record(run, "plan", '"a secret"')

        await kept.store.forget(Scope.THREAD, thread=THREAD, person=ANN.id)

        left = await kept.inbox.message(run)
        assert left == replace(asked, text="")
        assert await kept.ledger.begin("begun:answer") == (Posting.POSTED, "receipt")
        assert not await kept.inbox.finish(run)
        assert b"secret" not in read_all(tmp_path)


async def test_no_word_that_was_forgotten_is_on_disk(tmp_path: Path) -> None:
    here, there = (Thread(Channel("web", "ann", name), name) for name in ("here", "there"))
    async with DatabaseHome(f"sqlite:///{tmp_path}/troupe.db").open() as kept:
        for number in range(50):
            await kept.store.log(there, turn(f"{number}", thread=there, text=f"open{number}"))
            await kept.store.log(here, turn(f"{number}", thread=here, text=f"secret{number}"))
        await kept.store.change_thread(here, title="Confidential")
        assert b"confidential" in read_all(tmp_path)

        await kept.store.forget(Scope.THREAD, thread=here, person=ANN.id)

        assert b"secret" not in read_all(tmp_path)
        assert b"confidential" not in read_all(tmp_path)
        assert b"open" in read_all(tmp_path)


WITHOUT_TALK = {
    *(
        "alembic_version",
        "catalogue",
        "compatibility",
        "installations",
        "leases",
        "programs",
        "progress",
        "rate_limits",
        "words",
    ),
}
"""Tables that hold nothing of a conversation on Slack."""


@pytest.mark.parametrize(
    ("scope", "traces"),
    [
        (Scope.THREAD, (THREAD.key, "run-here")),
        (Scope.CHANNEL, (f"{THREAD.channel.key}:", f"'{THREAD.channel.key}'", "run-here")),
        (Scope.PERSON, (ANN.id, "run-here")),
    ],
)
async def test_no_row_of_any_table_mentions_what_was_forgotten(
    tmp_path: Path, scope: Scope, traces: tuple[str, ...]
) -> None:
    async with DatabaseHome(f"sqlite:///{tmp_path}/troupe.db").open() as kept:
        await live(kept, "here", THREAD, ANN)
        await live(kept, "elsewhere", ELSEWHERE, BEN)
        before = rows(tmp_path / "troupe.db")
        assert {name for name in before if not before[name]} <= WITHOUT_TALK

        count, freed = await kept.store.forget(scope, thread=THREAD, person=ANN.id)
        on_disk = read_all(tmp_path)
        others = await kept.interactions.list_pending(ELSEWHERE.channel.platform)
        is_new = await kept.interactions.accept(THREAD.channel.platform, "here", "{}")

    after = rows(tmp_path / "troupe.db")
    texts = [text for table in after.values() for text in table]
    assert not [text for text in texts if any(trace in text for trace in traces)]
    assert not [trace for trace in traces if trace.encode() in on_disk]
    assert count == sum(map(len, before.values())) - sum(map(len, after.values()))
    assert not freed, "the other conversation refers to the same files"
    assert {name for name in after if not after[name]} <= WITHOUT_TALK
    assert [each.id for each in others] == ["elsewhere"]
    assert not is_new, "it would be answered twice"


def test_every_table_is_known_to_these_tests() -> None:
    places = {"thread", "channel", "run", "owner", "key", "id"}

    for table in schema.metadata.tables.values():
        if table.name not in WITHOUT_TALK:
            assert places & set(table.columns.keys()), f"how is {table.name} forgotten?"
