"""What a start creates and prints, and what the log leaves out."""

import asyncio
import base64
import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from adapters.chat.retrying import make_retrying
from adapters.web.options import SECRET_BYTES
from bot.app import open_app
from bot.home import find_readable, name_mend, open_home
from bot.logs import list_log_renderers
from bot.secret import find_secret, load_installation_secret, sign_everybody_out
from bot.serve import repeat, repeat_by_one
from bot.setting_sources import read_settings
from pipeline.errors import ChatError, RequestError, SettingsError
from tests.e2e.program import environment


async def test_a_folder_that_cannot_be_used_is_told_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SettingsError) as refused:
        async with open_app(read_settings({"TROUPE_HOME": str(tmp_path / "file" / "home")})):
            pass

    assert refused.value.sentence.id == "home-unwritable"


@pytest.fixture
def free_umask() -> Iterator[None]:
    """As on a machine where new files are for everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("free_umask")
async def test_what_people_said_is_nobody_elses_business(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "files"
    settings = read_settings(
        {
            "TROUPE_HOME": str(home),
            "TROUPE_DATABASE_URL": f"sqlite:///{tmp_path}/talk.db",
            "TROUPE_FILES_URL": str(elsewhere),
        }
    )

    async with open_app(settings) as app:
        await app.ports.persistence.cache.put("x", "y")
        private = (home, elsewhere, *(tmp_path / f"talk.db{end}" for end in ("", "-wal", "-shm")))

        assert [path.name for path in private if path.stat().st_mode & 0o077] == []


@pytest.mark.program
@pytest.mark.usefixtures("free_umask")
@pytest.mark.parametrize("mode", [0o755, 0o700])
async def test_what_others_could_read_is_closed_at_the_start(tmp_path: Path, mode: int) -> None:
    home = tmp_path / "home"
    (home / "files").mkdir(parents=True)
    home.chmod(mode)
    paths = [home, home / "files", home / "troupe.db", home / "secret"]
    for file in paths[2:]:
        file.touch()

    async with open_app(read_settings({"TROUPE_HOME": str(home)})):
        assert [path.name for path in paths if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("mode", [0o755, 0o1777])
async def test_a_folder_that_others_use_too_is_left_and_told(tmp_path: Path, mode: int) -> None:
    """A root's folder with more than ours in it, such as /var/lib, and one such as /tmp."""
    home = tmp_path / "home"
    (home / "another program").mkdir(parents=True)
    home.chmod(mode)
    settings = read_settings({"TROUPE_HOME": str(home)})
    is_left = mode == 0o1777 or os.geteuid() == 0

    with structlog.testing.capture_logs() as lines:
        async with open_app(settings):
            pass

    assert stat.S_IMODE(home.stat().st_mode) == (mode if is_left else 0o700)
    assert find_readable(settings) == ([home] if is_left else [])
    assert [line["path"] for line in lines if "mend" in line] == ([str(home)] if is_left else [])
    assert (home / "troupe.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (".env", "HF_TOKEN=hf_x", True),
        (".env", "HF_TOKEN=\nTROUPE_LOG_LEVEL=info", False),
        ("troupe.toml", 'hf_token = "hf_x"', True),
        ("troupe.toml", 'troupe_log_level = "info"', False),
    ],
)
def test_a_file_with_secrets_that_others_can_read_is_told_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, *, told: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    Path(name).chmod(0o644)
    settings = read_settings({"TROUPE_HOME": str(tmp_path / "home")})

    open_home(settings)

    assert find_readable(settings) == ([Path(name)] if told else [])
    assert name_mend(Path(name)) == f"chmod 600 {name}"


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


@dataclass
class SharedLeases:
    """Leases of two programs; `until` says when each ends, by a clock that stands still."""

    holder: dict[str, str]
    me: str

    async def acquire(self, name: str, seconds: float) -> bool:
        return self.holder.setdefault(name, self.me) == self.me

    async def release(self, name: str) -> None:
        del self.holder[name]


async def test_of_two_programs_one_does_a_job() -> None:
    holder, done = dict[str, str](), list[str]()
    worked = asyncio.Event()

    async def serve(name: str) -> None:
        async def work() -> None:
            done.append(name)
            if len(done) == 3:
                worked.set()

        await repeat_by_one(SharedLeases(holder, name), "sweep", work, 0.0)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(serve(name)) for name in ("one", "two")]
        await worked.wait()
        for task in tasks:
            task.cancel()

    assert done[:3] == ["one"] * 3


def test_programs_with_homes_of_their_own_derive_one_secret(tmp_path: Path) -> None:
    text = "a text of more than 32 characters"
    homes = (tmp_path / "one", tmp_path / "two")

    one, two = (find_secret(home, text)() for home in homes)
    changed = find_secret(homes[0], text + "!")()

    assert one == two != changed
    assert len(one) > SECRET_BYTES  # what nothing signs does not count
    assert text.encode() not in one
    assert not any(home.exists() for home in homes)


def test_what_one_home_has_signed_counts_in_another_with_a_copy_of_its_secret(
    tmp_path: Path,
) -> None:
    first = find_secret(tmp_path, "")()
    copied = f"base64:{base64.b64encode(first).decode()}"

    assert find_secret(tmp_path / "other", copied)() == first
    assert read_settings({"TROUPE_SECRET": copied}).troupe_secret == copied


def test_whoever_set_the_secret_changes_it_to_sign_everybody_out(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        sign_everybody_out(tmp_path, "x" * 32)

    assert refused.value.sentence.id == "secret-is-set"
    assert not [*tmp_path.iterdir()]


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


async def test_the_log_of_a_retry_has_no_words_of_people(tmp_path: Path) -> None:
    errors = [ChatError("slack-unreachable", method="chat.update", name="zebrafinch")]

    async def send(payload: dict[str, str]) -> None:
        if errors:
            raise errors.pop()

    async with open_app(read_settings({"TROUPE_HOME": str(tmp_path)})):
        with capture_logs() as logs:
            await make_retrying(0.001, lambda _: True)(send, {"text": "zebrafinch"})

    assert [(line["retry_num"], line["caused_by"]) for line in logs] == [
        (1, "slack-unreachable method=chat.update")
    ]
    assert "zebrafinch" not in repr(logs)


def _break(token: str) -> float:
    return len(token) / 0


@pytest.mark.parametrize(
    "words", [("version",), ("--help",), ("doctor",), ("plan", "Draw a cat"), ("slack", "manifest")]
)
@pytest.mark.program
async def test_a_command_whose_output_nobody_reads_ends_without_a_word(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    given = {"TROUPE_PLACES": "llm", "TROUPE_LOG_LEVEL": "error"}

    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, given),
    )
    os.close(writing)
    _, told = await program.communicate()

    assert "Traceback" not in told.decode()
    assert "Exception ignored" not in told.decode()
    assert program.returncode == 1


@pytest.mark.program
def test_what_libraries_log_is_json_as_well() -> None:
    script = (
        "import logging; from bot.logs import begin_logging; begin_logging('info'); "
        "logging.getLogger('library').warning('odd %s', 'thing')"
    )

    logged = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    line = json.loads(logged.stderr)
    assert (line["event"], line["logger"], line["level"]) == ("odd thing", "library", "warning")
