"""Backup and restore, as the operator guide describes them, and what is refused."""

import asyncio
import io
import json
import re
import sqlite3
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from adapters.files import LocalFiles
from adapters.store import exclusive, open_persistence
from bot.operations.backup import back_up, restore
from bot.secret import sign_everybody_out
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import FileHash, Turn
from pipeline.errors import SettingsError
from pipeline.ports import Scope
from tests.contracts.messages import ANN, OTHER, THREAD, turn
from tests.e2e.program import environment
from tests.house.source import ROOT, read
from tests.words import english

pytestmark = pytest.mark.program

SAID = turn("1", text="what people said")


def _settings(home: Path, **more: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), **more})


async def _fill(home: Path, *, said: Turn = SAID, file: bytes = b"a picture") -> FileHash:
    """A home folder with a turn, a file and a secret."""
    settings = _settings(home)
    async with open_persistence(settings.database_url) as kept:
        await kept.store.log(THREAD, said)
    (home / "secret").write_bytes(b"secret of " + home.name.encode())
    files = LocalFiles(settings.home / "files")
    return await files.put(file)


def _find(folder: Path, pattern: str) -> list[Path]:
    return [*folder.rglob(pattern)]


async def _turns(home: Path) -> list[str]:
    async with open_persistence(_settings(home).database_url) as kept:
        return [each.text for each in (await kept.store.context(THREAD, turns=9, tail=9)).turns]


async def _run(command: str, home: Path, folder: Path) -> int:
    """The exit status of a command of the guide."""
    program, *words = command.split()
    assert program == "troupe"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words),
        cwd=folder,
        env=environment(home, {"PYTHONPATH": str(ROOT)}),
        stderr=asyncio.subprocess.DEVNULL,
    )
    return await process.wait()


@pytest.mark.program
async def test_the_guide_is_followed_while_people_write_and_on_a_new_machine(
    tmp_path: Path,
) -> None:
    section = read("docs/operator-guide.md").partition("## Backup and restore")[2]
    blocks = re.findall(r"```sh\n(.+?)```", section.partition("\n## ")[0], re.DOTALL)
    save, put_back = (block.strip() for block in blocks)
    old, new = tmp_path / "old", tmp_path / "new"
    file = await _fill(old)

    url = _settings(old).database_url
    async with open_persistence(url) as kept, exclusive(url), asyncio.TaskGroup() as group:
        saving = group.create_task(_run(save, old, tmp_path))
        number = 0
        while not saving.done():
            number += 1
            await kept.store.log(OTHER, turn(f"o{number}", thread=OTHER))
        refused = await _run(put_back, old, tmp_path)
    restored = await _run(put_back, new, tmp_path)

    assert (saving.result(), refused, restored) == (0, 1, 0)
    assert await _turns(new) == ["what people said"]
    assert (new / "secret").read_bytes() == (old / "secret").read_bytes()
    assert await LocalFiles(new / "files").get(file) == b"a picture"
    (tar,) = _find(tmp_path, "*.tar")
    private = [new, new / "secret", new / "troupe.db", new / "files", tar]
    assert [path.name for path in private if path.stat().st_mode & 0o077] == []
    assert not [*_find(new, "copying"), *_find(tmp_path, "*.part")]


async def test_where_there_are_conversations_a_backup_replaces_them_only_if_told(
    tmp_path: Path,
) -> None:
    old, new, saved = tmp_path / "old", tmp_path / "new", str(tmp_path / "saved")
    await _fill(old)
    await back_up(_settings(old), saved)
    await _fill(new, said=turn("1", text="newer"))

    with pytest.raises(SettingsError) as refused:
        await restore(_settings(new), saved, replace=False)
    before = await _turns(new)
    await restore(_settings(new), saved, replace=True)

    assert refused.value.sentence.id == "restore-not-empty"
    assert (before, await _turns(new)) == (["newer"], ["what people said"])


async def test_a_database_that_only_the_doctor_has_made_is_replaced_without_a_question(
    tmp_path: Path,
) -> None:
    old, new, saved = tmp_path / "old", tmp_path / "new", str(tmp_path / "saved")
    await _fill(old)
    await back_up(_settings(old), saved)
    new.mkdir()
    assert await _turns(new) == []

    await restore(_settings(new), saved, replace=False)

    assert await _turns(new) == ["what people said"]


@pytest.mark.parametrize("lock", ["troupe.db", "console"])
async def test_nothing_is_restored_under_a_program_that_runs(tmp_path: Path, lock: str) -> None:
    home, saved = tmp_path / "home", str(tmp_path / "saved")
    await _fill(home)
    await back_up(_settings(home), saved)

    async with exclusive(f"sqlite:///{home}/{lock}"):
        with pytest.raises(SettingsError) as refused:
            await restore(_settings(home), saved, replace=True)

    assert refused.value.sentence.id == "store-in-use"


def _cut(archive: bytes) -> bytes:
    return archive[: archive.index(b"troupe-backup.json")]


def _cut_at_a_member(archive: bytes) -> bytes:
    """As when the copy of an archive ended where a file in it does."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return archive[: tar.getmembers()[1].offset]


def _alter_file(archive: bytes) -> bytes:
    return archive.replace(b"a picture", b"a forgery")


def _spoil_database(archive: bytes) -> bytes:
    page = archive.index(b"SQLite format 3") + 4096
    return archive[:page] + b"\xff" * 4096 + archive[page + 4096 :]


def _rename(name: str) -> Callable[[bytes], bytes]:
    def rename(archive: bytes) -> bytes:
        out = io.BytesIO()
        with (
            tarfile.open(fileobj=io.BytesIO(archive)) as old,
            tarfile.open(fileobj=out, mode="w") as new,
        ):
            for member in old.getmembers():
                content = old.extractfile(member)
                member.name = name if member.name == "secret" else member.name
                new.addfile(member, content)
        return out.getvalue()

    return rename


SPOILT: Mapping[str, Callable[[bytes], bytes]] = {
    "no archive": lambda _: b"not a tar file" * 100,
    "cut": _cut,
    "cut at a member": _cut_at_a_member,
    "a file that was altered": _alter_file,
    "a damaged database": _spoil_database,
    "a path that leads out": _rename("../secret"),
    "another file": _rename("files/notes.txt"),
    "another format": lambda archive: archive.replace(b'"format": 1', b'"format": 2'),
}


async def test_who_was_signed_out_after_a_backup_stays_out_when_it_is_put_back(
    tmp_path: Path,
) -> None:
    home, saved = tmp_path / "home", str(tmp_path / "saved")
    await _fill(home)
    await back_up(_settings(home), saved)
    sign_everybody_out(home, "")
    renewed = (home / "secret").read_bytes()

    await restore(_settings(home), saved, replace=True)

    assert (home / "secret").read_bytes() == renewed


@pytest.mark.parametrize("what", SPOILT)
async def test_a_backup_that_is_not_whole_changes_nothing(tmp_path: Path, what: str) -> None:
    old, new, saved = tmp_path / "old", tmp_path / "new", tmp_path / "saved"
    await _fill(old)
    await back_up(_settings(old), str(saved))
    await _fill(new, said=turn("1", text="newer"), file=b"another picture")
    saved.write_bytes(SPOILT[what](saved.read_bytes()))

    with pytest.raises(SettingsError) as refused:
        await restore(_settings(new), str(saved), replace=True)

    assert refused.value.sentence.id in {"backup-wrong", "store-unreadable"}
    assert await _turns(new) == ["newer"]
    assert (new / "secret").read_bytes() == b"secret of new"
    assert len([*LocalFiles(new / "files").list_paths()]) == 1
    assert not _find(tmp_path, "copying")


async def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    old, new, saved = tmp_path / "old", tmp_path / "new", str(tmp_path / "saved")
    await _fill(old)
    with sqlite3.connect(old / "troupe.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("UPDATE compatibility SET oldest = '9999'")
    database.close()
    await back_up(_settings(old), saved)

    with pytest.raises(SettingsError) as refused:
        await restore(_settings(new), saved, replace=False)

    assert refused.value.sentence.id == "store-newer"
    assert not (new / "troupe.db").exists()


async def test_what_was_forgotten_before_a_backup_is_not_in_it(tmp_path: Path) -> None:
    home, saved = tmp_path / "home", tmp_path / "saved"
    await _fill(home)
    async with open_persistence(_settings(home).database_url) as kept:
        await kept.store.forget(Scope.PERSON, thread=THREAD, person=ANN.id)

    await back_up(_settings(home), str(saved))

    assert b"what people said" not in saved.read_bytes()


@pytest.mark.parametrize("problem", ["nothing there", "no such folder"])
async def test_a_backup_that_cannot_be_made_says_so_and_leaves_nothing(
    tmp_path: Path, problem: str
) -> None:
    home, target = tmp_path / "home", tmp_path / "saved"
    if problem == "no such folder":
        await _fill(home)
        target = tmp_path / "nowhere" / "saved"

    with pytest.raises(SettingsError) as refused:
        await back_up(_settings(home), str(target))

    assert refused.value.sentence.id in {"backup-nothing", "backup-unwritable"}
    assert not [*_find(tmp_path, "saved*"), *_find(tmp_path, "copying")]


async def test_a_database_on_a_server_is_left_to_the_server_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, saved = tmp_path / "home", str(tmp_path / "saved")
    await _fill(home)

    server = "postgresql://troupe@127.0.0.1:9/troupe"
    await back_up(_settings(home, TROUPE_DATABASE_URL=server), saved)
    with pytest.raises(SettingsError) as refused:
        await restore(_settings(tmp_path / "other"), saved, replace=False)

    with tarfile.open(saved) as archive:
        assert "troupe.db" not in archive.getnames()
    assert english("backup-done-files", file=saved, files=1) in capsys.readouterr().err
    assert refused.value.sentence.id == "restore-no-database"


def test_the_end_of_a_backup_says_what_made_it(tmp_path: Path) -> None:
    asyncio.run(_fill(tmp_path / "home"))
    asyncio.run(back_up(_settings(tmp_path / "home"), str(tmp_path / "saved")))

    with tarfile.open(tmp_path / "saved") as archive:
        content = archive.extractfile("troupe-backup.json")
        assert content is not None
        end = json.load(content)

    assert (end["format"], end["files"]) == (1, 1)
