"""What a person enters is checked at real servers before it stands in `.env`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.slack.connecting.manifest import SCOPES
from bot.app import open_app
from bot.setting_sources import read_settings
from bot.setup.env_file import ENV
from bot.setup.history import SettingsHistory
from bot.setup.panel import SetupPanel
from bot.setup.renewal import Renewal
from pipeline.domain import SetupRequest, SetupResult, SetupStep
from tests.fakes.outside import FakeWorkers
from tests.servers.discord import play_discord
from tests.servers.hub import HubServer, hub_at_work, row
from tests.servers.openai import Fault, OpenAiServer, offer, openai_at_work, served
from tests.servers.slack import SlackServer

DEAD = "http://127.0.0.1:9"
KEY = "sk-never-shown-1234"


@dataclass
class Bench:
    """A folder with a `.env`, and the set-up of the program that reads it."""

    env: Path
    panel: SetupPanel
    renewal: Renewal
    before: str

    async def enter(self, step: SetupStep, **fields: str) -> SetupResult:
        return await self.panel.apply(SetupRequest(step=step, fields=fields))

    def lines(self) -> set[str]:
        """What the set-up added."""
        return {*self.env.read_text().splitlines()} - {*self.before.splitlines()}


@asynccontextmanager
async def bench(folder: Path, monkeypatch: pytest.MonkeyPatch, **own: str) -> AsyncIterator[Bench]:
    monkeypatch.chdir(folder)
    given = {"TROUPE_HOME": str(folder / "home"), "TROUPE_LLM_NEARBY": f"{DEAD}/v1", **own}
    text = "".join(f"{name}={value}\n" for name, value in given.items())
    (folder / ".env").write_text(text)
    async with open_app(read_settings(), FakeWorkers()) as app:
        renewal = Renewal()
        panel = SetupPanel(app, renewal, SettingsHistory(app.settings.home, ENV))
        yield Bench(folder / ".env", panel, renewal, text)


def ids(result: SetupResult, *, good: bool = True) -> list[str]:
    return [finding.what.id for finding in result.findings if finding.good == good]


async def test_a_key_is_written_when_a_model_answers_and_it_is_said_what_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = {"prompt": "0.000001", "completion": "0.000002"}
    server = OpenAiServer(models=[{"id": "played", "pricing": prices}])
    async with openai_at_work(server), bench(tmp_path, monkeypatch) as on:
        result = await on.enter(SetupStep.KEY, key=KEY, provider="other", address=server.base)

        assert (result.is_good, result.renews, result.problem) == (True, True, None)
        assert {"doctor-llm-good", "doctor-llm-sees", "doctor-llm-cost", "doctor-llm-plans"} <= {
            *ids(result)
        }
        assert on.lines() == {f"OPENAI_BASE_URL={server.base}", f"OPENAI_API_KEY={KEY}"}
        assert KEY not in repr(result)
        assert {asked.key for asked in server.asked} == {KEY}


async def test_a_model_that_is_blind_is_told_so_and_sent_no_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": "played", "architecture": {"input_modalities": ["text", "image"]}}]
    server = OpenAiServer(models=rows, reply=lambda _: "green, green", sees=False)
    async with openai_at_work(server), bench(tmp_path, monkeypatch) as on:
        result = await on.enter(SetupStep.KEY, key=KEY, provider="other", address=server.base)

        assert ids(result, good=False) == ["doctor-llm-sees-bad"]
        assert result.is_good
        assert "TROUPE_LLM_SEES_IMAGES=false" in on.lines()


async def test_a_key_that_is_refused_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path, monkeypatch) as on:
        refused = await on.enter(SetupStep.KEY, key=KEY, provider="other", address=f"{DEAD}/v1")

        assert not refused.is_good
        assert not refused.renews
        assert ids(refused, good=False) == ["doctor-llm-away"]
        assert on.lines() == set()
        assert (await on.panel.describe()).undo == ()


async def test_a_refused_key_leads_to_what_a_person_can_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai_at_work() as server, bench(tmp_path, monkeypatch) as on:
        server.goes_wrong(Fault.KEY, times=9)
        refused = await on.enter(SetupStep.KEY, key=KEY, provider="other", address=server.base)

        (finding,) = refused.findings
        assert finding.advice is not None
        assert finding.advice.id == "setup-mend-key"
        assert finding.why.startswith("The access key for")


async def test_only_to_check_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai_at_work() as server, bench(tmp_path, monkeypatch) as on:
        fields = {"key": KEY, "provider": "other", "address": server.base}
        request = SetupRequest(step=SetupStep.KEY, fields=fields, only_check=True)
        result = await on.panel.apply(request)

        assert (result.is_good, result.written) == (True, ())
        assert on.lines() == set()


@pytest.mark.parametrize(
    ("step", "fields", "problem"),
    [
        (SetupStep.KEY, {}, "setup-key-missing"),
        (SetupStep.KEY, {"key": "two words here"}, "setup-odd-key"),
        (SetupStep.KEY, {"key": "short"}, "setup-odd-key"),
        (SetupStep.DISCORD, {"token": "short"}, "setup-odd-key"),
        (SetupStep.KEY, {"key": "sk-1234567890\nX=1"}, "setup-odd-key"),
        (SetupStep.KEY, {"key": "somebodys-key"}, "setup-whose-key"),
        (SetupStep.KEY, {"key": KEY, "provider": "other"}, "setup-address-missing"),
        (
            SetupStep.KEY,
            {"key": KEY, "provider": "other", "address": "nowhere"},
            "setup-address-missing",
        ),
        (SetupStep.KEY, {"key": "x" * 3000}, "setup-too-long"),
        (SetupStep.SERVER, {}, "setup-address-missing"),
        (SetupStep.SLACK, {"bot_token": "xapp-1-A1-2-3"}, "setup-slack-bot-token"),
        (
            SetupStep.SLACK,
            {"bot_token": "xoxb-1234", "app_token": "12345678"},
            "setup-slack-app-token",
        ),
        (SetupStep.DISCORD, {}, "setup-key-missing"),
    ],
)
async def test_entries_that_cannot_be_used_are_told_in_place(
    step: SetupStep,
    fields: dict[str, str],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with bench(tmp_path, monkeypatch) as on:
        result = await on.enter(step, **fields)

        assert result.problem is not None
        assert (result.is_good, result.problem.id) == (False, problem)
        assert on.lines() == set()


async def test_a_token_of_hugging_face_is_known_by_its_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = HubServer(rows=[row("org/draws", "text-to-image")])
    hub.chat.models = [served("openai/gpt-oss-120b", offer("groq"))]
    async with hub_at_work(hub):
        own = {"HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        async with bench(tmp_path, monkeypatch, **own) as on:
            wrong = await on.enter(SetupStep.KEY, key="hf_refused")
            right = await on.enter(SetupStep.KEY, key="hf_right")

            assert ids(wrong, good=False)[:1] == ["doctor-hub-refused"]
            assert ids(right, good=False) == []
            assert {"doctor-hub-good", "doctor-llm-plans"} <= {*ids(right)}
            assert on.lines() == {"HF_TOKEN=hf_right"}


async def test_a_server_on_this_machine_is_found_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}, {"id": "llama3.2:3b"}]
    async with openai_at_work(OpenAiServer(models=models)) as ollama:
        nearby = {"TROUPE_LLM_NEARBY": f"{DEAD}/v1,{ollama.base}", "OPENAI_API_KEY": KEY}
        nearby["OPENAI_BASE_URL"] = f"{DEAD}/v1"
        async with bench(tmp_path, monkeypatch, **nearby) as on:
            (server,) = (await on.panel.describe()).servers
            result = await on.enter(SetupStep.SERVER, address=server.address, model="llama3.2:3b")

            assert server.models == ("qwen3:8b", "llama3.2:3b")
            assert result.is_good
            assert on.lines() == {f"OPENAI_BASE_URL={ollama.base}", "TROUPE_MODEL=llama3.2:3b"}
            assert KEY not in on.env.read_text()


async def test_sharing_is_turned_on_and_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path, monkeypatch) as on:
        states = {state.id: state.is_on for state in (await on.panel.describe()).states}
        result = await on.enter(SetupStep.SHARING)
        lines = on.lines()
        await on.panel.undo()

        assert states["sharing"] is False
        assert (result.is_good, result.renews) == (True, True)
        assert lines == {"TROUPE_SHARING=on"}
        assert on.lines() == set()


async def test_slack_is_connected_token_by_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with SlackServer() as slack:  # noqa: SIM117 - the next needs its address
        async with bench(tmp_path, monkeypatch, SLACK_API_BASE_URL=slack.api) as on:
            slack.calls.granted = set(SCOPES) - {"files:read"}
            lacking = await on.enter(SetupStep.SLACK, bot_token=slack.bot_token)
            slack.calls.granted = set(SCOPES)
            first = await on.enter(SetupStep.SLACK, bot_token=slack.bot_token)
            tokens = {"bot_token": slack.bot_token, "app_token": slack.app_token}
            wrong = await on.enter(SetupStep.SLACK, **{**tokens, "app_token": "xapp-1-A1-2-wrong"})
            both = await on.enter(SetupStep.SLACK, **tokens)

            assert ids(lacking, good=False) == ["doctor-slack-scope-missing"]
            assert (first.is_good, first.written) == (True, ())
            assert ids(first) == ["doctor-slack-token-good", "doctor-slack-scopes-good"]
            assert ids(wrong, good=False) == ["slack-app-token-wrong"]
            assert ids(both)[-1] == "doctor-slack-line-good"
            assert both.written == ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "TROUPE_WEB")


@pytest.mark.program
async def test_discord_is_connected_before_the_bot_is_in_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play_discord() as discord:
        own = {
            "DISCORD_API_BASE_URL": discord.api,
            "DISCORD_GATEWAY_URL": discord.gateway.address,
        }
        async with bench(tmp_path, monkeypatch, **own) as on:
            wrong = await on.enter(SetupStep.DISCORD, token="wrong-token")
            right = await on.enter(SetupStep.DISCORD, token=discord.world.token)

            assert not wrong.is_good
            assert ids(right, good=False) == ["doctor-discord-no-server"]
            assert "client_id=" in right.findings[-2].mend
            assert right.written == ("DISCORD_TOKEN", "TROUPE_WEB")


async def test_what_the_environment_sets_is_not_written_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai_at_work() as server, bench(tmp_path, monkeypatch) as on:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
        fields = {"key": KEY, "provider": "other", "address": server.base}
        result = await on.enter(SetupStep.KEY, **fields)

        assert result.problem is not None
        assert (result.problem.id, result.problem.args) == (
            "setup-in-environment",
            {"names": "OPENAI_API_KEY"},
        )
        assert server.asked == []


async def test_what_cannot_be_written_is_told_without_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai_at_work() as server, bench(tmp_path, monkeypatch) as on:
        on.env.unlink()
        on.env.mkdir()  # nobody, not even root, can replace it by a file
        fields = {"key": KEY, "provider": "other", "address": server.base}
        result = await on.enter(SetupStep.KEY, **fields)

        assert result.problem is not None
        assert (result.is_good, result.written, result.problem.id) == (True, (), "setup-unwritten")
        lines = f"OPENAI_BASE_URL={server.base} OPENAI_API_KEY=…"
        assert result.problem.args["lines"] == lines


async def test_undo_puts_back_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai_at_work() as server, bench(tmp_path, monkeypatch) as on:
        fields = {"key": KEY, "provider": "other", "address": server.base}
        await on.enter(SetupStep.KEY, **fields)
        assert (await on.panel.describe()).undo == ("OPENAI_BASE_URL", "OPENAI_API_KEY")

        undone = await on.panel.undo()
        again = await on.panel.undo()

        assert (undone.is_good, undone.renews) == (True, True)
        assert on.env.read_text() == on.before
        assert again.problem is not None
        assert (again.is_good, again.problem.id) == (False, "setup-nothing-to-undo")


async def test_what_there_is_to_begin_with_follows_what_is_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path, monkeypatch) as on:
        bare = [example.id for example in await on.panel.list_examples()]
    async with openai_at_work(OpenAiServer(models=[{"id": "played"}])) as server:
        own = {"OPENAI_BASE_URL": server.base, "TROUPE_LLM_SEES_IMAGES": "true"}
        async with bench(tmp_path, monkeypatch, **own) as on:
            more = [example.id for example in await on.panel.list_examples()]

    assert bare == ["invoice", "sketch", "mood"]
    assert more == ["poem", "invoice", "look"]
