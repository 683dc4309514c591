"""Programs on one database have the same keys and files, and know of each other."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.replicas import compare_traits, read_traits
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.errors import SettingsError

SECRET = "a text of more than 32 characters"
GIVEN = {
    "TROUPE_SECRET": SECRET,
    "TROUPE_WEB": "true",
    "TROUPE_WEB_TOKEN": "web token",
    "DISCORD_TOKEN": "discord token",
}


def read(settings: Settings) -> Mapping[str, str]:
    return read_traits(settings, ExitStack())


def compare(tmp_path: Path, **other: str) -> list[str]:
    home = {"TROUPE_HOME": str(tmp_path)}
    one, two = (read(read_settings({**home, **GIVEN, **each})) for each in ({}, other))
    assert compare_traits(one, two) == compare_traits(two, one)
    return [*compare_traits(one, two)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TROUPE_WEB_TOKEN", "another"),
        ("TROUPE_OWNER_TOKEN", "new"),
        ("TROUPE_PUBLIC_URL", "https://troupe.example"),
        ("DISCORD_TOKEN", "another"),
        ("TROUPE_RETENTION_DAYS", "7"),
        ("TROUPE_LISTEN", "all"),
    ],
)
def test_what_differs_is_named(tmp_path: Path, name: str, value: str) -> None:
    assert compare(tmp_path, **{name: value}) == [name]


def test_what_may_differ_is_not(tmp_path: Path) -> None:
    own = {"TROUPE_WORKERS": "7", "OPENAI_API_KEY": "k", "TROUPE_HEALTH_PORT": "off"}

    assert compare(tmp_path, **own) == []
    assert compare(tmp_path, DISCORD_TOKEN="") == []  # served by the others
    assert compare(tmp_path, TROUPE_WEB="false", TROUPE_WEB_TOKEN="") == []


def test_with_other_secrets_only_these_are_named(tmp_path: Path) -> None:
    other = {"TROUPE_SECRET": SECRET + "!", "DISCORD_TOKEN": "another"}

    assert compare(tmp_path, **other) == ["TROUPE_SECRET"]


def test_nothing_that_is_secret_is_in_what_is_stored(tmp_path: Path) -> None:
    traits = read(read_settings({**GIVEN, "TROUPE_HOME": str(tmp_path)}))

    assert "token" not in "".join(traits.values())
    assert {len(value) for value in traits.values()} == {32}


def test_a_folder_is_the_same_whatever_its_path_is(tmp_path: Path) -> None:
    folder, link = tmp_path / "files", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)

    def differs(one: Path, two: Path) -> list[str]:
        urls = ({"TROUPE_FILES_URL": str(each)} for each in (one, two))
        homes = ({**GIVEN, "TROUPE_HOME": str(tmp_path), **url} for url in urls)
        return [*compare_traits(*(read(read_settings(each)) for each in homes))]

    assert differs(folder, link) == []
    assert differs(folder, tmp_path / "another") == ["TROUPE_FILES_URL"]
    assert len([*folder.iterdir()]) == 1


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = read_settings(
        {**GIVEN, "TROUPE_HOME": str(tmp_path), "TROUPE_FILES_URL": str(tmp_path / "file" / "x")}
    )

    with pytest.raises(SettingsError) as refused:
        read(settings)
    assert refused.value.sentence.id == "files-unwritable"
