"""Opening the database, and what is said when it cannot be."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from adapters.store import downgrade, exclusive, open_persistence, upgrade
from adapters.store.faults import explain_at_start
from pipeline.domain import LocalizedText, RunId
from pipeline.errors import SettingsError, StoreUnavailable, cause
from pipeline.outage import limit_patience
from pipeline.words import has_message, say
from tests.contracts.messages import message
from tests.servers.relay import write_farewell


async def refusal(url: str) -> LocalizedText:
    """What is said when the database at this address is opened."""
    with pytest.raises(SettingsError) as refused:
        async with open_persistence(url):
            pass
    assert has_message(refused.value.sentence.id)
    return refused.value.sentence


def locked(folder: Path) -> sqlite3.Connection:
    """Another program, which holds the write lock."""
    other = sqlite3.connect(folder / "troupe.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return f"sqlite:///{path}"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "secret",
        "mysql://me:secret@host/db",
        "postgresql://me:begin@secret@host/db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///",
    ],
)
async def test_an_address_that_cannot_be_used_is_told_without_its_password(url: str) -> None:
    sentence = await refusal(url)

    assert sentence.id == "store-url"
    assert "secret" not in say("en", sentence)


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    url = written(tmp_path / "notes.txt", b"dear diary, " * 1000)

    assert (await refusal(url)).id == "store-unreadable"


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    written(tmp_path / "taken", b"")

    assert (await refusal(f"sqlite:///{tmp_path}/taken/troupe.db")).id == "store-unwritable"


async def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "troupe.db").mkdir()

    assert (await refusal(f"sqlite:///{tmp_path}/troupe.db")).id == "store-unwritable"


async def test_a_file_that_cannot_be_made_is_told_as_no_server(tmp_path: Path) -> None:
    assert (await refusal(f"sqlite:///{tmp_path}/{'long' * 100}.db")).id == "store-unwritable"


@pytest.mark.parametrize("address", ["me:secret@127.0.0.1:1/db", "127.0.0.1:1/db?password=secret"])
async def test_a_server_that_is_not_there_is_told_without_its_password(address: str) -> None:
    sentence = await refusal(f"postgresql://{address}")

    assert sentence.id == "store-unreached"
    assert "secret" not in say("en", sentence)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("28P01", "store-refused"),
        ("3D000", "store-refused"),
        ("42501", "store-forbidden"),
        ("53300", "store-crowded"),
        ("25006", "store-read-only"),
    ],
)
def test_what_a_server_says_is_told_by_its_code(code: str, told: str) -> None:
    class Refused(Exception):
        sqlstate = code

    address = make_url("postgresql://me:secret@host/db")
    error = explain_at_start(DBAPIError("CREATE TABLE", None, Refused()), address)

    assert error.sentence == LocalizedText(told, {"url": "postgresql://me:***@host/db"})


@pytest.mark.parametrize("code", ["25006", "53300", "57P03"])
async def test_a_server_that_may_be_there_soon_is_asked_again(code: str) -> None:
    answers = [code, "28P01"]

    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(write_farewell(answers.pop(0)))
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(SettingsError) as refused:
            async with open_persistence(
                f"postgresql://me@127.0.0.1:{port}/db?sslmode=disable", starting=60.0
            ):
                pass

    assert refused.value.sentence.id == "store-refused"
    assert not answers


async def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    await upgrade(url)
    with closing(sqlite3.connect(tmp_path / "troupe.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("UPDATE compatibility SET oldest = '9999'")

    assert await refusal(url) == LocalizedText("store-newer", {"revision": "9999"})


async def test_a_second_program_cannot_serve_while_the_first_does(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    async with exclusive(url):
        with pytest.raises(SettingsError) as refused:
            async with exclusive(url):
                pass
    async with exclusive(url):
        pass

    assert refused.value.sentence.id == "store-in-use"


async def test_a_deleted_lock_file_lets_no_second_program_serve_beside_the_first(
    tmp_path: Path,
) -> None:
    url, said, begun = f"sqlite:///{tmp_path}/troupe.db", list[str](), asyncio.Event()
    await upgrade(url)

    async def serve_first() -> None:
        try:
            async with exclusive(url, check_every=0.02):
                begun.set()
                await asyncio.Event().wait()
        except* SettingsError as errors:
            problem = cause(errors)
            said.append(problem.sentence.id if problem else "")

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(serve_first())
        await begun.wait()
        (tmp_path / "troupe.db.lock").unlink()
        async with exclusive(url, check_every=0.02):
            said.append("second serves")

    assert said == ["store-in-use", "second serves"]


async def test_a_lock_file_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    url, lock = f"sqlite:///{tmp_path}/troupe.db", tmp_path / "troupe.db.lock"
    async with exclusive(url, check_every=0.02):
        lock.unlink()
        async with asyncio.timeout(10):
            while not await asyncio.to_thread(lock.exists):
                pass

        with pytest.raises(SettingsError):
            async with exclusive(url):
                pass


async def test_other_programs_can_open_the_database_beside_the_serving_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    async with (
        open_persistence(url) as serving,
        exclusive(url),
        open_persistence(url) as beside,
    ):
        await serving.inbox.accept(message("1"), RunId("run1"))
        await beside.journal.record(RunId("run2"), "plan", "{}")

        assert list(await beside.inbox.list_waiting()) == ["run1"]
        assert await serving.journal.recall(RunId("run2"))


async def test_old_tables_are_not_migrated_under_a_program_that_serves(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    await upgrade(url)
    await downgrade(url, "0006")

    async with exclusive(url):
        sentence = await refusal(url)

    assert sentence.id == "store-in-use"


async def test_the_folder_of_the_database_is_made(tmp_path: Path) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/a/b c/troupe.db"):
        pass

    assert (tmp_path / "a" / "b c" / "troupe.db").exists()


async def test_an_error_in_the_program_goes_through_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with open_persistence(f"sqlite:///{tmp_path}/troupe.db"):
            raise ZeroDivisionError


async def test_what_was_kept_is_still_there_after_an_upgrade_of_the_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    async with open_persistence(url) as kept:
        await kept.inbox.accept(message("1"), RunId("run1"))

    await upgrade(url)

    async with open_persistence(url) as kept:
        assert list(await kept.inbox.list_waiting()) == ["run1"]


async def test_a_full_disk_is_told_and_what_was_kept_stays(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    async with open_persistence(url) as kept:
        await kept.inbox.accept(message("1"), RunId("run1"))
        await kept.store.database.write(
            lambda tx: tx.connection.exec_driver_sql("PRAGMA max_page_count=1")
        )

        with pytest.raises(StoreUnavailable) as refused, limit_patience(0):
            await kept.journal.record(RunId("run1"), "plan", "x" * 1_000_000)

        assert refused.value.sentence.id == "store-full"
        assert list(await kept.inbox.list_waiting()) == ["run1"]


async def test_downgraded_tables_are_gone_and_can_be_made_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    await upgrade(url)

    for wrong in ("nonsense", "9999"):
        with pytest.raises(SettingsError) as refused:
            await downgrade(url, wrong)
        assert refused.value.sentence == LocalizedText("store-no-revision", {"revision": wrong})
    await downgrade(url, "base")

    with closing(sqlite3.connect(tmp_path / "troupe.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [("alembic_version",)]
    async with open_persistence(url) as kept:
        assert await kept.inbox.accept(message("1"), RunId("run1"))


async def test_a_database_that_is_locked_at_the_start_is_waited_for(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    await upgrade(url)
    with closing(locked(tmp_path)) as other:
        assert (await refusal(url)).id == "store-unreached"

        async with asyncio.TaskGroup() as group:
            opening = group.create_task(open_and_close(url))
            await asyncio.sleep(0)
            other.execute("COMMIT")

    assert opening.done()


async def open_and_close(url: str) -> None:
    async with open_persistence(url, starting=30):
        pass
