"""A backup beside a database on a server: the files and the secret."""

from pathlib import Path

import pytest

from adapters.files import LocalFiles
from adapters.store import exclusive
from bot.operations.backup import back_up, restore
from bot.setting_sources import read_settings
from pipeline.errors import SettingsError


async def test_the_files_and_the_secret_come_back_beside_a_server_that_no_program_uses(
    tmp_path: Path, postgres: str
) -> None:
    old, new = (
        read_settings({"TROUPE_HOME": str(tmp_path / name), "TROUPE_DATABASE_URL": postgres})
        for name in ("old", "new")
    )
    saved = str(tmp_path / "saved")
    file = await LocalFiles(old.home / "files").put(b"a picture")
    (old.home / "secret").write_bytes(b"secret")
    await back_up(old, saved)

    async with exclusive(postgres):
        with pytest.raises(SettingsError) as refused:
            await restore(new, saved, replace=False)
    await restore(new, saved, replace=False)

    assert refused.value.sentence.id == "store-in-use"
    assert await LocalFiles(new.home / "files").get(file) == b"a picture"
    assert (new.home / "secret").read_bytes() == b"secret"
