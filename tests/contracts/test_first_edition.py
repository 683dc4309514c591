"""A database of the first edition: migrated, read whole and gone on with.

`first_edition.sql` was written by the first edition itself: threads of three platforms, runs with
outcomes of every kind, votes, settings, messages not answered yet, and a hash that somebody pasted.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Boolean, Connection, Inspector, MetaData, insert, inspect, make_url, text

from adapters.store import Persistence, open_persistence, schema, upgrade
from adapters.store.database import parse_address
from adapters.store.opening import migrate, open_database
from adapters.store.transactions import Transaction
from pipeline.codec import load
from pipeline.domain import (
    Answered,
    Boxes,
    Channel,
    ChannelSettings,
    Comparison,
    Done,
    Event,
    ExpertOutput,
    Failed,
    Labels,
    Masks,
    Media,
    Outcome,
    Rerun,
    RunId,
    RunState,
    Skipped,
    Spans,
    Stopped,
    Text,
    Thread,
    Vector,
)
from pipeline.ports import Job, Posting, Vote, read_clock
from pipeline.run.rerun import answer_again
from pipeline.tools import open_run_journal
from tests.contracts.postgres import order
from tests.fakes.stages import ActingExpert, Bench, model, request

DUMP = Path(__file__).parents[1] / "adapters" / "store" / "first_edition.sql"
CHANNEL = Channel("slack", "T1", "C1")
THREAD = Thread(CHANNEL, "1700000001.000100")
CLOSED = Thread(CHANNEL, "1700000002.000100")
MESSAGE = f"{CHANNEL.key}:1700000001.000100"
RUNS = [RunId(f"run-{number}") for number in range(1, 6)]
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its file, migrated once."""
    path = tmp_path_factory.mktemp("first") / "troupe.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(DUMP.read_text())
    asyncio.run(upgrade(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def server(postgres: str) -> Iterator[str]:
    """A database on the server with the same rows, migrated once."""
    name = f"{make_url(postgres).database}_first"
    url = make_url(postgres).set(database=name).render_as_string(hide_password=False)
    asyncio.run(order(postgres, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    asyncio.run(copy_to_postgres(url))
    yield url
    asyncio.run(order(postgres, f"DROP DATABASE {name}"))


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("file"), tmp_path / "troupe.db")
        yield f"sqlite:///{tmp_path}/troupe.db"
        return
    server, first = request.getfixturevalue("postgres"), request.getfixturevalue("server")
    name = f"{make_url(first).database}_copy"
    copy = f"CREATE DATABASE {name} TEMPLATE {make_url(first).database}"
    asyncio.run(order(server, f"DROP DATABASE IF EXISTS {name}", copy))
    yield make_url(first).set(database=name).render_as_string(hide_password=False)
    asyncio.run(order(server, f"DROP DATABASE {name}"))


@pytest.fixture
async def kept(url: str) -> AsyncIterator[Persistence]:
    async with open_persistence(url) as persistence:
        yield persistence


async def copy_to_postgres(url: str) -> None:
    address = parse_address(url)
    async with open_database(address, read_clock) as database:
        await database.write(lambda tx: migrate(tx.connection, "upgrade", "0007"))
        await database.write(lambda tx: copy_rows(tx.connection))
    await upgrade(url)


def copy_rows(connection: Connection) -> None:
    metadata = MetaData()
    metadata.reflect(connection)
    tables = [table for table in metadata.sorted_tables if table.name != "alembic_version"]
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(DUMP.read_text())
        database.row_factory = sqlite3.Row
        for table in tables:
            flags = {column.name for column in table.columns if isinstance(column.type, Boolean)}
            for row in database.execute(f"SELECT * FROM {table.name}"):
                values = {key: bool(row[key]) if key in flags else row[key] for key in row.keys()}  # noqa: SIM118
                connection.execute(insert(table).values(values))
    for name in ("turns", "runs", "inbox"):
        counter = f"pg_get_serial_sequence('{name}', 'number')"
        connection.execute(text(f"SELECT setval({counter}, (SELECT max(number) FROM {name}))"))


async def test_threads_have_their_turns_files_and_summary(kept: Persistence) -> None:
    context = await kept.store.context(THREAD, turns=20, tail=10)

    assert [turn.text for turn in context.turns][:2] == [
        "what is in the picture? say it aloud",
        "A cat on a sofa.",
    ]
    assert [file.name for file in context.files] == ["image 1", "audio 1"]
    assert context.summary == "Ann asked about a cat."
    assert context.channel == (), "the other thread of the channel is closed"
    active = await kept.store.active_threads("slack", since=BEGINNING)
    assert {thread.root: thread.closed for thread, _ in active} == {
        THREAD.root: False,
        CLOSED.root: True,
    }
    threads = await kept.store.threads("slack", "T1", limit=9)
    states = {each.thread.root: each.state for each in threads}
    assert states == {THREAD.root: RunState.APOLOGISED, CLOSED.root: None}


async def test_runs_have_their_outcomes_events_and_message(kept: Persistence) -> None:
    loaded = [await kept.store.load(run) for run in RUNS]

    runs = [run for run in loaded if run]
    assert [run.id for run in runs] == RUNS
    assert all(run.message for run in runs)
    first = runs[0]
    kinds = [type(first.outcomes[task]) for task in sorted(first.outcomes)]
    assert kinds == [Done] * 7 + [Failed, Skipped]
    values = {
        type(value)
        for outcome in first.outcomes.values()
        if isinstance(outcome, Done)
        for value in outcome.output.slots.values()
    }
    assert values == {Text, Media, Boxes, Masks, Labels, Spans, Vector}
    assert list(map(type, runs[1].outcomes.values())) == [Stopped]
    assert first.rejected[0].name == "x.zip"
    assert first.answer is not None
    assert first.answer.files[0].attachment.name == "speech.flac"
    for run, events in (await kept.store.events(*RUNS)).items():
        assert [load(Event, event) for event in events], run


async def test_votes_records_and_results_go_on(kept: Persistence) -> None:
    assert [each.run for each in await kept.store.find_examples(THREAD, reach="channel")] == [
        RUNS[0]
    ]
    records = await kept.store.track_records(since=BEGINNING)
    assert records["org/captioner", "image-to-text"].attempts == 1
    assert records["org/captioner", "image-to-text"].ups == 1
    results = await kept.store.find_results(THREAD)
    assert results["k" * 64].run == RUNS[0]
    assert isinstance(await kept.store.load_outcome(results["k" * 64]), Done)
    assert await kept.store.settings(CHANNEL) == ChannelSettings(
        models={"image-to-text": "org/captioner"},
        places=("hosted",),
        mention="threads",
        language="de",
        policy={"deny": "org/x"},
        learn="channel",
    )


async def test_what_was_not_answered_yet_is_taken_up_again(kept: Persistence) -> None:
    taken = []
    async for each in kept.inbox.take():
        taken.append(each)
        if len(taken) == 3:
            break

    assert {(each.run, each.attempt) for each in taken} == {
        ("run-30", 2),
        ("run-31", 2),
        ("run-32", 2),
    }
    (again,) = [each.message for each in taken if each.run == "run-30"]
    assert (again.anew, again.avoid, again.earlier[0].name) == (True, ("org/bad",), "zero.png")
    await kept.inbox.await_cancellation(RunId("run-32"))
    steps = await kept.journal.recall(RUNS[0])
    assert len([load(Outcome, value) for value in steps.values()]) == 9


async def test_buttons_under_old_messages_find_their_run(kept: Persistence) -> None:
    message = await kept.inbox.message(RUNS[0])

    assert message is not None
    assert message.key == MESSAGE
    await kept.store.vote(Vote(RUNS[2], "U-ben", -1))
    assert any(record.downs for record in (await kept.store.track_records()).values())


async def test_one_step_of_an_old_run_is_done_by_another_model(kept: Persistence) -> None:
    async def caption(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("a new caption")})

    earlier = await kept.store.load(RUNS[0])
    assert earlier is not None
    step = next(each for each in earlier.plan.tasks if each.kind.name == "image-to-text")
    new_model, expert = model("org/new", "image-to-text"), ActingExpert(caption)
    bench = Bench(experts=[expert], models=[new_model])
    bench.files.kept = {each.attachment.hash: b"bytes" for each in earlier.plan.files}
    asked = replace(request(), rerun=Rerun(RUNS[0], step.id, new_model.id))
    journal = await open_run_journal(asked.run, bench.journal)
    await answer_again(asked, earlier, bench.tools, journal, bench.events.append)

    end = bench.events[-1]
    assert isinstance(end, Answered)
    assert end.answer.comparison == Comparison("image-to-text", "org/captioner", "org/new")
    assert [job.model.id for job in expert.jobs][:1] == ["org/new"]


async def test_posts_are_remembered(kept: Persistence) -> None:
    assert await kept.ledger.begin("run-1:plan") == (Posting.POSTED, "1700000009.000200")
    assert await kept.ledger.begin("run-30:plan") == (Posting.UNSURE, "")


async def test_a_pasted_hash_is_no_reference_any_more(kept: Persistence) -> None:
    hashes = await kept.store.file_hashes()

    assert {name[0] for name in hashes} == {"a", "b", "c", "d", "e", "9"}
    freed = await kept.store.unlog(MESSAGE)
    assert {name[0] for name in freed} >= {"c", "d"}


@pytest.mark.parametrize("names", [("file", "empty"), ("server", "postgres")])
def test_its_tables_are_those_of_a_new_database(
    request: pytest.FixtureRequest, names: tuple[str, str]
) -> None:
    places = [str(request.getfixturevalue(name)) for name in names]
    urls = [place if "://" in place else f"sqlite:///{place}" for place in places]
    migrated, new = [asyncio.run(describe(url)) for url in urls]

    assert migrated == new


async def describe(url: str) -> dict[str, object]:
    """All that the database knows of its tables."""

    def of_tables(tx: Transaction) -> dict[str, object]:
        inspector = inspect(tx.connection)
        return {name: of_table(inspector, name) for name in schema.metadata.tables}

    def of_table(inspector: Inspector, name: str) -> object:
        indexes = [
            {**index, "dialect_options": {k: str(v) for k, v in index["dialect_options"].items()}}
            for index in inspector.get_indexes(name)
        ]
        parts = (
            indexes,
            inspector.get_foreign_keys(name),
            inspector.get_unique_constraints(name),
            [{**column, "type": repr(column["type"])} for column in inspector.get_columns(name)],
        )
        return [inspector.get_pk_constraint(name), *(sorted(map(str, part)) for part in parts)]

    async with open_database(parse_address(url), read_clock) as database:
        return await database.read(of_tables)
