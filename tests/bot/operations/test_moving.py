"""`troupe files move`: from a folder to a bucket and back, interrupted, and beside a program."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.files import FileStore, LocalFiles, open_files
from bot.operations.moving import move_files
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import FileHash
from pipeline.errors import SettingsError
from pipeline.outage import Outage
from tests.contracts.buckets import make_bucket

LATEST = datetime.max.replace(tzinfo=UTC)
CONTENTS = [b"file %d" % number for number in range(12)] + [bytes(7 << 20)]


async def make_settings(home: Path, **more: str) -> tuple[Settings, str]:
    """Settings for a folder, and the address of a bucket."""
    bucket = await make_bucket()
    access = {
        "AWS_ENDPOINT_URL_S3": bucket.endpoint,
        "AWS_ACCESS_KEY_ID": bucket.key,
        "AWS_SECRET_ACCESS_KEY": bucket.secret,
    }
    return read_settings({"TROUPE_HOME": str(home), **access, **more}), bucket.address


async def fill(files: FileStore) -> Mapping[FileHash, bytes]:
    return {await files.put(data): data for data in CONTENTS}


async def read_all(settings: Settings, url: str) -> Mapping[FileHash, bytes]:
    async with open_files(settings.find_files_place(url), Outage()) as files:
        names = await files.hashes(older_than=LATEST)
        return {name: await files.get(name) for name in names}


async def test_all_files_go_to_a_bucket_and_back(tmp_path: Path) -> None:
    settings, bucket = await make_settings(tmp_path)
    put, copy = await fill(LocalFiles(tmp_path / "files")), tmp_path / "copy"

    assert await move_files(settings, "", bucket) == 0
    assert await read_all(settings, bucket) == put

    assert await move_files(settings, bucket, str(copy)) == 0
    assert await read_all(settings, str(copy)) == put


async def test_a_move_that_was_interrupted_goes_on_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, bucket = await make_settings(tmp_path)
    put = await fill(LocalFiles(tmp_path / "files"))
    moving = asyncio.create_task(move_files(settings, "", bucket))  # noqa: TID251 - to end it
    while True:
        await asyncio.sleep(0.01)
        if 0 < (there := len(await read_all(settings, bucket))) < len(put):
            break
    moving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await moving

    assert await move_files(settings, "", bucket) == 0

    assert await read_all(settings, bucket) == put
    assert there > 0
    assert "0 are left" in capsys.readouterr().err


async def test_what_is_whole_in_the_new_place_is_deleted_in_the_old_one(tmp_path: Path) -> None:
    settings, bucket = await make_settings(tmp_path)
    put, folder = await fill(LocalFiles(tmp_path / "files")), str(tmp_path / "files")
    with pytest.raises(SettingsError) as refused:
        await move_files(settings, "", bucket, delete=True)
    assert refused.value.sentence.id == "files-move-in-use"

    settings = settings.model_copy(
        update={"troupe_files_url": bucket, "troupe_files_old_url": folder}
    )
    assert await move_files(settings, "", "", delete=True) == 0

    assert await read_all(settings, bucket) == put
    assert await read_all(settings, folder) == {}


async def test_a_damaged_file_is_named_and_not_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, bucket = await make_settings(tmp_path)
    files = LocalFiles(tmp_path / "files")
    await files.put(b"whole")
    name = await files.put(b"before")
    files.path(name).write_bytes(b"after!")

    assert await move_files(settings, "", bucket) == 1

    assert list((await read_all(settings, bucket)).values()) == [b"whole"]
    assert f"{name} in" in capsys.readouterr().err


async def test_a_move_to_where_the_files_are_is_refused(tmp_path: Path) -> None:
    settings, _ = await make_settings(tmp_path)

    for source, target in (("", ""), ("ftp://x", ""), ("s3://", "s3://")):
        with pytest.raises(SettingsError) as refused:
            await move_files(settings, source, target)
        assert refused.value.sentence.id == "files-move-where"


async def test_a_move_from_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    settings, bucket = await make_settings(tmp_path)

    with pytest.raises(SettingsError) as refused:
        await move_files(settings, str(tmp_path / "fiels"), bucket)

    assert refused.value.sentence.id == "files-move-nothing"
    assert not (tmp_path / "fiels").exists()


async def test_a_program_finds_in_the_old_place_what_is_not_in_the_new_one(tmp_path: Path) -> None:
    settings, bucket = await make_settings(tmp_path)
    old = LocalFiles(tmp_path / "files")
    before, after = await old.put(b"before"), b"after"
    place = settings.find_files_place(bucket)

    async with open_files(place, Outage(), old=tmp_path / "files") as files:
        name = await files.put(after)
        assert await files.get(before) == b"before"
        assert await files.size(before) == len(b"before")
        assert [piece async for piece in files.stream(before, 1, 3)] == [b"efo"]
        assert await files.hashes(older_than=LATEST) == {before, name}
        with pytest.raises(KeyError):
            await files.get(FileHash("0" * 64))
        await files.discard([before, name])
        assert await files.hashes(older_than=LATEST) == frozenset()

    assert await old.hashes(older_than=LATEST) == frozenset()
