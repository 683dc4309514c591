"""What was recorded is replayed with the same result, without a network."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiohttp import ClientSession
from typer.testing import CliRunner

from bot.ask import ask_once
from bot.logs import begin_logging
from bot.setting_sources import read_settings
from bot.settings import Settings
from tests.cassettes.__main__ import app
from tests.cassettes.played import KEYS, ask_played, record_played
from tests.cassettes.recording import record, replay
from tests.cassettes.tape import Deck
from tests.servers.hub import hub_at_work
from tests.servers.openai.server import OpenAiServer, openai_at_work

CASSETTES = Path(__file__).parent


@pytest.fixture(autouse=True)
def _logs_elsewhere() -> Iterator[None]:
    """As the command line does, so that logs are not part of the output."""
    before = structlog.get_config()
    begin_logging("error")
    yield
    structlog.configure(**before)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ask` writes files into the working folder."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def _summarize(told: str) -> tuple[str, list[tuple[str, str, str]], list[str]]:
    """Of `ask --json`: the words, what ran where, and the hashes of the files."""
    answer: dict[str, Any] = json.loads(told)
    steps = [(each["kind"], each["state"], each["model"]) for each in answer["outcomes"]]
    return answer["message"], steps, [file["url"].split("/")[2] for file in answer["files"]]


@pytest.mark.program
async def test_a_recording_is_replayed_to_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cassette = tmp_path / "cassette.jsonl"
    recorded_code = await record_played(cassette)
    recorded = _summarize(capsys.readouterr().out)
    own = {"OPENAI_API_KEY": "sk-mine-0123456789", "HF_ENDPOINT": "https://hub.example.com"}

    deck = Deck(cassette)
    code = await replay(deck, ask_played, read_settings(own))

    replayed = _summarize(capsys.readouterr().out)
    words, steps, files = replayed
    assert (recorded_code, code) == (0, 0)
    assert replayed == recorded
    assert words == "Here are both."
    assert steps == [
        ("text-to-image", "done", "lively/painter"),
        ("text-to-speech", "done", "lively/speaker"),
    ]
    assert len(files) == 2
    assert (deck.unused, deck.unmatched) == ([], [])
    assert not [key for key in KEYS.values() if key in cassette.read_text()]


def _list_cassettes() -> list[Path]:
    """Those of an `ask`; others are replayed by hand."""
    cassettes = sorted(CASSETTES.glob("*.jsonl"))
    return [path for path in cassettes if Deck(path).head.command[0] == "ask"]


@pytest.mark.parametrize("path", _list_cassettes(), ids=lambda path: path.stem)
@pytest.mark.program
async def test_every_cassette_is_replayed_to_a_complete_answer(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Changed prompts and additional requests are fine: what is tested are the vendor's answers.

    If the Hub is asked for other lists on purpose, `python -m tests.cassettes played` records
    played.jsonl anew.
    """
    shutil.copytree(CASSETTES, Path.cwd(), dirs_exist_ok=True)
    deck = Deck(path)
    options = ("--json", "--file", "-f")
    _, text, *files = (word for word in deck.head.command if word not in options)

    async def ask(settings: Settings) -> int:
        return await ask_once(settings, text, tuple(map(Path, files)), as_json=True)

    await replay(deck, ask, read_settings({}))

    words, steps, _ = _summarize(capsys.readouterr().out)
    assert words
    assert {state for _, state, _ in steps} <= {"done"}
    assert all(each.request["method"] == "GET" for each in deck.unused)


@pytest.mark.program
async def test_a_replay_says_when_it_was_asked_for_more_than_was_recorded() -> None:
    async def ask(settings: Settings) -> int:
        return await ask_once(settings, "Draw a dog.", (), as_json=False)

    deck = Deck(CASSETTES / "played.jsonl")
    code = await replay(deck, ask, read_settings({}))

    assert code == 1
    assert deck.unmatched[0].startswith("llm POST /v1/chat/completions; the nearest is ")


_SECRETS = {
    "OPENAI_API_KEY": "none-of-your-business",
    "HF_TOKEN": "hf_0123456789",
    "TROUPE_WEB_TOKEN": "correct horse battery",
    "TROUPE_DATABASE_URL": "postgresql://ann:swordfish@db/troupe",
    "SLACK_BOT_TOKEN": "xoxb-1-2-abc",
    "SLACK_APP_TOKEN": "xapp-1-2-abc",
    "TROUPE_PLACES": "llm",
}


async def _say_secrets(settings: Settings) -> None:
    async with (
        ClientSession(headers={"Authorization": f"Bearer {settings.openai_api_key}"}) as session,
        session.post(
            f"{settings.openai_base_url}/chat/completions",
            json={"stream": True, "secrets": _SECRETS},
        ) as response,
    ):
        assert response.ok
        await response.read()


@pytest.mark.parametrize("pace", [0, 100_000])
async def test_no_secret_of_the_settings_is_recorded(tmp_path: Path, pace: float) -> None:
    """Whole, it is cut out; in the pieces of a stream, the line is left out and 1 returned."""
    path = tmp_path / "cassette.jsonl"
    vendor = OpenAiServer(pace=pace, reply=lambda _: _SECRETS["TROUPE_WEB_TOKEN"])

    async with openai_at_work(vendor) as llm, hub_at_work() as hub:
        settings = {"OPENAI_BASE_URL": llm.base, "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        command = ("ask", _SECRETS["SLACK_BOT_TOKEN"])
        code = await record(path, command, _say_secrets, read_settings({**_SECRETS, **settings}))

    text = path.read_text()
    secrets = [secret for name, secret in _SECRETS.items() if name != "TROUPE_PLACES"]
    exchanges = Deck(path).unused
    assert code == (1 if pace else 0)
    assert len([each for each in exchanges if each.service == "llm"]) == (0 if pace else 1)
    assert not [secret for secret in secrets if secret in text]


async def test_the_recorded_command_is_alone_and_keeps_its_limits(tmp_path: Path) -> None:
    seen: dict[str, Any] = {}

    async def work(settings: Settings) -> None:
        seen.update(settings.model_dump())

    own = {
        "TROUPE_HOME": str(tmp_path / "home"),
        "TROUPE_FETCH_HOSTS": "cdn.example.com",
        "TROUPE_EXPERTS_URL": "http://ann:swordfish@127.0.0.1:9/base",
        "TROUPE_MODEL": "mine",
    }

    path = tmp_path / "cassette.jsonl"
    await record(path, ("ask", "hi"), work, read_settings(own))

    deck = Deck(path)
    allowed, proxy = seen["troupe_fetch_hosts"]
    assert seen["troupe_home"] != tmp_path / "home"
    assert not seen["troupe_home"].exists()
    assert (allowed, proxy.split(":")[0]) == ("cdn.example.com", "127.0.0.1")
    assert seen["troupe_experts_url"].endswith("/base")
    assert "127.0.0.1:9" not in seen["troupe_experts_url"]
    assert deck.head.services == {"experts": "http://127.0.0.1:9/base"}
    assert (deck.head.settings, deck.head.command) == ({"troupe_model": "mine"}, ("ask", "hi"))
    assert deck.unused == []


async def test_the_command_line_records_and_replays(tmp_path: Path) -> None:
    path = tmp_path / "cassette.jsonl"
    runner = CliRunner()

    async with openai_at_work() as llm:
        env = {"OPENAI_BASE_URL": llm.base}
        command = ["record", str(path), "ask", "hi"]
        recorded = await asyncio.to_thread(runner.invoke, app, command, env=env)
    replayed = await asyncio.to_thread(runner.invoke, app, ["record", "--replay", str(path)])
    again = await asyncio.to_thread(runner.invoke, app, command)

    assert [each.exit_code for each in (recorded, replayed, again)] == [0, 0, 2]


@pytest.mark.program
def test_the_former_command_leads_to_the_recorder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "record", "--replay", str(tmp_path / "none.jsonl")]

    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)

    assert done.returncode == 2
    assert "tests.cassettes record" in done.stderr
