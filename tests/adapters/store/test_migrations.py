"""The migrations make the tables that the code knows, in one line of revisions."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from adapters.store import open_persistence
from adapters.store.opening import migrate, revision_of
from adapters.store.opening import upgrade_tables as upgrade
from adapters.store.schema import HEAD, metadata
from pipeline.codec import dump
from pipeline.domain import Channel, NamedFile, Person, Skipped, TaskId, Thread, Turn
from tests.contracts.messages import NOON, file, turn

ROOT = Path(__file__).parents[3]


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    return ScriptDirectory.from_config(config)


def differences(connection: Connection) -> list[object]:
    """Besides the index of words, which is no table that SQLAlchemy knows."""
    options = {"include_name": lambda name, *_: not str(name).startswith("words_search")}
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, metadata))


def test_there_is_one_head_and_the_code_expects_it() -> None:
    assert scripts().get_heads() == [HEAD]


def test_the_migrations_make_the_tables_that_the_code_knows(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        assert migrate(connection, "upgrade", "head")

        assert differences(connection) == []
    engine.dispose()


def test_what_was_tried_before_kinds_were_noted_gets_them_from_the_plans(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    plan = {"tasks": [{"id": 1, "kind": "image-to-text"}]}
    with engine.begin() as connection:
        migrate(connection, "upgrade", "0001")
        for number, body in ((1, json.dumps({"plan": plan})), (2, "{}"), (3, "not JSON")):
            connection.execute(
                text(
                    "INSERT INTO runs (number, id, thread, channel, workspace, person, state, saved_at, body)"  # noqa: E501
                    " VALUES (:number, :id, 't', 'c', 'w', 'p', 'answered', 1.0, :body)"
                ),
                {"number": number, "id": f"run{number}", "body": body},
            )
            connection.execute(
                text(
                    "INSERT INTO attempts (run, task, number, channel, model, place, failed, took)"
                    " VALUES (:run, 1, 0, 'c', 'm', 'hosted', false, 1.0)"
                ),
                {"run": f"run{number}"},
            )

        upgrade(connection)

        kinds = connection.execute(text("SELECT run, kind FROM attempts ORDER BY run")).all()
        assert [tuple(row) for row in kinds] == [
            ("run1", "image-to-text"),
            ("run2", ""),
            ("run3", ""),
        ]
    engine.dispose()


@pytest.mark.parametrize("revision", [script.revision for script in scripts().walk_revisions()])
def test_a_database_of_every_revision_is_upgraded(revision: str, tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        migrate(connection, "upgrade", revision)

        upgrade(connection)

        assert revision_of(connection) == HEAD
        assert differences(connection) == []
    engine.dispose()


def test_every_revision_can_be_undone_and_done_again(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        migrate(connection, "upgrade", "head")
        for script in scripts().walk_revisions():
            assert migrate(connection, "downgrade", str(script.down_revision or "base"))
            assert revision_of(connection) == script.down_revision

        migrate(connection, "upgrade", "head")

        assert revision_of(connection) == HEAD
        assert differences(connection) == []
    engine.dispose()


async def test_what_was_said_on_the_page_before_is_found_by_its_words(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    body = dump(turn("1", NamedFile("image 1", file("a")), text="Draw the Eiffel Tower"))
    rows = [("web:ann", body), ("web:ann", "not JSON"), ("slack:T1", body), ("web:ben", "[1]")]
    with engine.begin() as connection:
        migrate(connection, "upgrade", "0013")
        for number, (workspace, stored) in enumerate(rows, 1):
            platform, _, person = workspace.partition(":")
            thread = f"{workspace}:c:r{number}"
            connection.execute(
                text(
                    "INSERT INTO threads (key, channel, workspace, platform, workspace_id, channel_id, root, last_at)"  # noqa: E501
                    " VALUES (:key, 'c', :workspace, :platform, :person, 'c', 'r', 1)"
                ),
                {"key": thread, "workspace": workspace, "platform": platform, "person": person},
            )
            connection.execute(
                text(
                    "INSERT INTO turns (number, key, thread, channel, workspace, person, at, has_files, body)"  # noqa: E501
                    " VALUES (:number, :key, :thread, 'c', :workspace, 'p', 1, false, :body)"
                ),
                {
                    "number": number,
                    "key": f"k{number}",
                    "thread": thread,
                    "workspace": workspace,
                    "body": stored,
                },
            )

        upgrade(connection)
    engine.dispose()

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        (by_text,) = await kept.store.list_threads("web:ann", query="eiffel tow", limit=9)
        (by_name,) = await kept.store.list_threads("web:ann", query="a.png", limit=9)

        assert by_text.thread == by_name.thread
        assert await kept.store.list_threads("slack:T1", query="eiffel", limit=9) == []


async def test_what_an_older_database_holds_stays_and_can_be_read(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        migrate(connection, "upgrade", "0001")
        for statement in _OLD_ROWS:
            connection.execute(text(statement))
        upgrade(connection)
        ((channel, workspace),) = connection.execute(
            text("SELECT channel, workspace FROM feedback")
        )
    engine.dispose()
    asked = Thread(Channel("slack", "T1", "C1"), "1")

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        (run,) = await kept.store.runs(asked, limit=5)
        results = await kept.store.find_results(asked)
        ((thread, _),) = await kept.store.active_threads(
            "slack", since=datetime(1970, 1, 1, tzinfo=UTC)
        )

    assert run.outcomes == {1: Skipped(TaskId(0))}
    assert results == {}
    assert (channel, workspace) == ("slack:T1:C1", "slack:T1")
    assert not thread.closed


async def test_turns_that_an_older_version_writes_follow_all_that_stands_before_them(
    tmp_path: Path,
) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    thread, me = Thread(Channel("web", "5f", "t"), "t"), Person("5f", "you")
    of_thread = {"thread": thread.key, "channel": thread.channel.key, "workspace": "web:5f"}
    insert = text(
        "INSERT INTO turns (key, thread, channel, workspace, person, at, body)"
        " VALUES (:key, :thread, :channel, :workspace, '5f', 1, :body)"
    )

    def say(connection: Connection, name: str) -> None:
        turn = Turn(key=f"{thread.channel.key}:{name}", person=me, text=name, files=(), at=NOON)
        connection.execute(insert, {**of_thread, "key": turn.key, "body": dump(turn)})

    with engine.begin() as connection:
        migrate(connection, "upgrade", "0013")
        threads = "(key, channel, workspace, platform, workspace_id, channel_id, root, last_at)"
        values = "(:thread, :channel, :workspace, 'web', '5f', 't', 't', 1)"
        connection.execute(text(f"INSERT INTO threads {threads} VALUES {values}"), of_thread)
        say(connection, "1")
        upgrade(connection)
        say(connection, "2")

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        edit = Turn(key=f"{thread.channel.key}:3", person=me, text="3", files=(), at=NOON)
        await kept.store.log(thread, edit, after=f"{thread.channel.key}:1")
        with engine.begin() as connection:
            say(connection, "4")
        newest = await kept.store.context(thread, turns=9, tail=0)
        edited = await kept.store.context(thread, before=edit.key, turns=9, tail=0)
    engine.dispose()

    assert [turn.text for turn in newest.turns] == ["1", "2", "3", "4"]
    assert [turn.text for turn in edited.turns] == ["1"]


_OLD_ROWS = (
    (
        "INSERT INTO threads (key, channel, workspace, platform, workspace_id, channel_id, root, last_at) VALUES "  # noqa: E501
        "('slack:T1:C1:1', 'slack:T1:C1', 'slack:T1', 'slack', 'T1', 'C1', '1', 1)"
    ),
    (
        "INSERT INTO runs (id, thread, channel, workspace, person, state, saved_at, body) VALUES "
        "('r', 'slack:T1:C1:1', 'slack:T1:C1', 'slack:T1', 'ann', 'answered', 1, "
        """'{"id"\\:"r","thread"\\:"slack\\:T1\\:C1\\:1","person"\\:"ann","text"\\:"hi","state"\\:"answered"}')"""
    ),
    "INSERT INTO feedback (run, person, value, at) VALUES ('r', 'ben', 1, 2)",
    """INSERT INTO outcomes (run, task, body) VALUES ('r', 1, '{"because_of"\\:0,"is"\\:"Skipped"}')""",  # noqa: E501
)
