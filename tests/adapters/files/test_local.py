"""The local folder of files."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.files import LocalFiles
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import limit_patience
from tests.contracts.homes import Time


def files_in(folder: Path) -> list[Path]:
    """Without the lock, which stays."""
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "lock"]


async def test_half_written_files_are_cleared_away_at_the_start(tmp_path: Path) -> None:
    half = tmp_path / "begun" / "half"
    half.parent.mkdir()
    half.write_bytes(b"ha")

    await LocalFiles(tmp_path).prepare()

    assert not half.exists()


async def test_files_lie_two_folders_deep_and_nothing_is_left_aside(tmp_path: Path) -> None:
    name = await LocalFiles(tmp_path).put(b"cat")

    assert files_in(tmp_path) == [tmp_path / name[:2] / name[2:4] / name]


async def test_a_file_put_again_is_as_good_as_new(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    name = await files.put(b"cat")
    os.utime(tmp_path / name[:2] / name[2:4] / name, (0, 0))

    await files.put(b"cat")

    assert not await files.hashes(older_than=datetime.now(UTC) - timedelta(days=1))


async def test_who_puts_a_file_again_does_not_lose_it_to_who_lets_go_of_it(tmp_path: Path) -> None:
    time = Time()
    files = LocalFiles(tmp_path, time)
    name = await files.put(b"cat")
    await files.put(b"cat")

    await files.discard([name])
    assert await files.get(name) == b"cat"

    time.pass_by(timedelta(hours=1))
    await files.discard([name])
    assert not files_in(tmp_path)


async def test_a_file_put_again_by_one_program_is_not_discarded_by_another(tmp_path: Path) -> None:
    first, second = LocalFiles(tmp_path), LocalFiles(tmp_path)
    name = await first.put(b"cat")
    await second.put(b"cat")

    await LocalFiles(tmp_path).prepare()
    await first.discard([name])
    assert await LocalFiles(tmp_path).get(name) == b"cat"

    later = LocalFiles(tmp_path, lambda: datetime.now(UTC) + timedelta(hours=1))
    await later.discard([name])
    assert files_in(tmp_path) == []


async def test_a_file_that_is_cleared_away_while_it_is_written_is_written_anew(
    tmp_path: Path,
) -> None:
    has_begun = False

    async def read() -> AsyncIterator[bytes]:
        nonlocal has_begun
        yield b"cat"
        if not has_begun:
            has_begun = True
            await LocalFiles(tmp_path).prepare()

    files = LocalFiles(tmp_path)
    assert await files.get(await files.put_stream(read)) == b"cat"


async def test_a_folder_that_cannot_be_made_is_a_matter_of_settings(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")

    with pytest.raises(SettingsError) as refused:
        await LocalFiles(tmp_path / "taken" / "files").prepare()

    assert refused.value.sentence.id == "files-unwritable"


async def test_what_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "begun").write_text("in the way")

    with pytest.raises(StoreUnavailable) as refused, limit_patience(0):
        await LocalFiles(tmp_path).put(b"cat")

    assert refused.value.sentence.id == "store-gone"


async def test_a_file_waits_until_the_folder_can_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "begun").write_text("in the way")
    files = LocalFiles(tmp_path)

    async with asyncio.TaskGroup() as group:
        putting = group.create_task(files.put(b"cat"))
        await asyncio.sleep(0)
        (tmp_path / "begun").unlink()

    assert await files.get(putting.result()) == b"cat"


async def test_a_file_that_somebody_deleted_is_stored_again(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    name = await files.put(b"cat")
    files.path(name).unlink()

    await files.put(b"cat")

    assert files.path(name).read_bytes() == b"cat"


async def test_only_the_newest_files_are_kept_in_memory(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    names = [await files.put(letter * (6 << 20)) for letter in (b"a", b"b", b"c")]
    too_large = await files.put(bytes(20 << 20))
    for name in (*names, too_large):
        files.path(name).unlink()

    assert await files.get(names[-1]) == b"c" * (6 << 20)
    for name in (names[0], too_large):
        with pytest.raises(KeyError):
            await files.get(name)


async def test_a_folder_that_keeps_what_it_is_given_passes_the_check(tmp_path: Path) -> None:
    await LocalFiles(tmp_path).check()

    assert files_in(tmp_path) == []


async def test_a_folder_that_is_gone_does_not_pass_the_check(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.write_bytes(b"a file in the place of the folder")

    with pytest.raises(StoreUnavailable) as raised:
        await LocalFiles(folder).check()

    assert raised.value.sentence.id == "store-gone"
