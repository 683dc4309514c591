"""What a start creates and prints, and what the log leaves out."""

import asyncio
import io
from pathlib import Path

import pytest
import structlog

from bot.app import load_installation_secret, open_app
from bot.cli import list_log_renderers
from bot.serve import repeat
from bot.settings import read_settings
from pipeline.errors import RequestError, SettingsError


async def test_a_folder_that_cannot_be_used_is_told_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SettingsError) as refused:
        async with open_app(read_settings({"TROUPE_HOME": str(tmp_path / "file" / "home")})):
            pass

    assert refused.value.sentence.id == "home-unwritable"


async def test_what_people_said_is_nobody_elses_business(tmp_path: Path) -> None:
    async with open_app(read_settings({"TROUPE_HOME": str(tmp_path / "home")})):
        assert (tmp_path / "home").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("trouble", [RequestError("store-full"), FileNotFoundError("swept")])
async def test_housekeeping_that_cannot_be_done_once_is_done_the_next_time(
    trouble: Exception,
) -> None:
    done = asyncio.Event()
    troubles = [trouble]

    async def work() -> None:
        if troubles:
            raise troubles.pop()
        done.set()

    async with asyncio.TaskGroup() as group:
        keeping = group.create_task(repeat(work, 0.0))
        await done.wait()
        keeping.cancel()

    assert done.is_set()


def test_the_secret_stays_the_same_and_is_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secret"

    first = load_installation_secret(path)

    assert len(first) == 32
    assert load_installation_secret(path) == first
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("terminal", [True, False])
def test_a_traceback_in_the_log_shows_no_values(terminal: bool) -> None:  # noqa: FBT001
    written = io.StringIO()
    log = structlog.wrap_logger(
        structlog.PrintLogger(written), processors=list_log_renderers(terminal=terminal)
    )

    token = "xoxb-secret"

    try:
        _break(token)
    except ZeroDivisionError:
        log.exception("run broke")

    assert "ZeroDivisionError" in written.getvalue()
    assert "xoxb-secret" not in written.getvalue()


def _break(token: str) -> float:
    return len(token) / 0
