"""What every place for files does."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from adapters.files import LocalFiles
from pipeline.domain import FileHash
from pipeline.ports import Files
from tests.fakes.persistence import FakeFiles

CAT = b"a picture of a cat"


@pytest.fixture(params=["fake", "local"])
async def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    if request.param == "fake":
        return FakeFiles()
    local = LocalFiles(tmp_path / "files")
    await local.prepare()
    return local


async def test_bytes_come_back_under_the_hash_of_their_content(files: Files) -> None:
    name = await files.put(CAT)

    assert name == sha256(CAT).hexdigest()
    assert await files.get(name) == CAT


async def test_the_same_bytes_are_kept_once(files: Files) -> None:
    assert await files.put(CAT) == await files.put(CAT)
    assert len(await files.hashes(older_than=datetime.now(UTC) + timedelta(hours=1))) == 1


async def test_no_bytes_are_bytes_too(files: Files) -> None:
    assert await files.get(await files.put(b"")) == b""


@pytest.mark.parametrize("name", ["0" * 64, "../../../etc/passwd", "", "A" * 64])
async def test_what_is_not_there_is_a_key_error(files: Files, name: str) -> None:
    with pytest.raises(KeyError):
        await files.get(FileHash(name))


async def test_what_is_discarded_is_gone_and_the_rest_stays(files: Files) -> None:
    cat, dog = await files.put(CAT), await files.put(b"a dog")

    await files.discard([cat, cat, FileHash("0" * 64), FileHash("../x")])

    assert await files.get(dog) == b"a dog"
    with pytest.raises(KeyError):
        await files.get(cat)


async def test_only_files_put_before_a_moment_are_listed(files: Files) -> None:
    name = await files.put(CAT)
    hour = timedelta(hours=1)

    assert await files.hashes(older_than=datetime.now(UTC) - hour) == frozenset()
    assert await files.hashes(older_than=datetime.now(UTC) + hour) == {name}
