"""A language model on this machine is found at the port of its server, and used if wanted."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from aiohttp import web

from adapters.nearby import find_nearby
from adapters.network.proxies import DIRECT, Network, read_proxy
from bot.app import open_app
from bot.logs import begin_logging
from bot.nearby import point_out, report_choice
from bot.operations.doctor import examine
from bot.serve import serve
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.background import run_beside
from pipeline.domain import LocalizedText
from pipeline.ports import Message, Prompt
from pipeline.words import say
from tests.adapters.local.conftest import model_on_disk, serve_played
from tests.servers.hub import hub_at_work
from tests.servers.openai import OpenAiServer, openai_at_work

DEAD = "http://127.0.0.1:9/v1"
OLLAMA = [{"id": "nomic-embed-text:latest"}, {"id": "qwen3:8b"}, {"id": "llama3.2:3b"}]


@pytest.fixture(autouse=True)
def _logs_elsewhere() -> Iterator[None]:
    before = structlog.get_config()
    begin_logging("error")
    yield
    structlog.configure(**before)


def given(home: Path, *nearby: str, **more: str) -> Settings:
    own = {"TROUPE_HOME": str(home), "TROUPE_PLACES": "llm", "TROUPE_WORKERS": "1"}
    return read_settings({**own, "TROUPE_LLM_NEARBY": ",".join(nearby or (DEAD,)), **more})


def words(sentence: str, **args: str) -> str:
    return say("en", LocalizedText(sentence, args))


async def test_auto_uses_the_first_model_for_chats_of_the_server_that_runs(tmp_path: Path) -> None:
    async with openai_at_work(OpenAiServer(models=OLLAMA)) as ollama:
        settings = given(tmp_path, DEAD, ollama.base, OPENAI_BASE_URL="auto")
        async with open_app(settings) as app:
            assert app.llm is not None
            assert (app.llm.name, app.settings.openai_base_url) == ("qwen3:8b", ollama.base)


async def test_auto_takes_the_server_that_has_the_model_that_is_set(tmp_path: Path) -> None:
    named = {"OPENAI_BASE_URL": "auto", "TROUPE_MODEL": "gemma4"}
    async with (
        openai_at_work(OpenAiServer(models=OLLAMA)) as ollama,
        openai_at_work(OpenAiServer(models=[{"id": "gemma4"}])) as studio,
        open_app(given(tmp_path, ollama.base, studio.base, **named)) as app,
    ):
        assert app.settings.openai_base_url == studio.base


@pytest.mark.program
async def test_auto_takes_a_chat_model_of_the_expert_server_if_there_is_no_other(
    tmp_path: Path,
) -> None:
    model = model_on_disk(tmp_path / "models", "org/talker", 1000, "GPT2LMHeadModel")
    (model / "chat_template.jinja").write_text("{{ messages }}")
    async with serve_played(tmp_path / "models", token="hidden", workers=1) as experts:
        server = {"TROUPE_EXPERTS_URL": experts.base, "TROUPE_EXPERTS_TOKEN": "hidden"}
        auto = {"OPENAI_BASE_URL": "auto", "TROUPE_PLACES": "llm,local"}
        async with open_app(given(tmp_path, **server, **auto)) as app:
            assert app.llm is not None
            assert app.llm.name == "org/talker"
            assert not app.llm.sees_images
            prompt = Prompt((Message("user", "good day"),), max_tokens=100)
            pieces = [piece async for piece in app.llm.stream(prompt) if isinstance(piece, str)]
            used = report_choice(given(tmp_path, **auto), app.settings, app.llm.name)

    assert pieces == ["good day"]
    assert used is not None
    assert used.id == "nearby-used"


@pytest.mark.program
async def test_without_a_server_auto_sends_nothing_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with hub_at_work() as hub:
        elsewhere = {"HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base, "OPENAI_API_KEY": "sk-a"}
        settings = given(tmp_path, OPENAI_BASE_URL="auto", HF_TOKEN="hf_ann", **elsewhere)
        async with open_app(settings) as app:
            assert app.llm is None
            assert [planner.name for planner in app.tools.planners] == ["embedded"]
        code = await examine(settings)

    assert code == 1
    assert "FIX " + words("nearby-none", addresses=DEAD) in capsys.readouterr().out
    assert not hub.chat.chats


@pytest.mark.program
async def test_the_doctor_points_a_server_out_unless_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work(OpenAiServer(models=OLLAMA)) as ollama:
        found = words("nearby-found", model="qwen3:8b", address=ollama.base)
        await examine(given(tmp_path, ollama.base))
        unused = capsys.readouterr().out
        await examine(given(tmp_path, ollama.base, OPENAI_BASE_URL="auto"))
        used = capsys.readouterr().out

    assert f"OPENAI_BASE_URL={ollama.base}" in found.replace("\u2068", "")
    assert f"--  {found}\n" in unused
    assert "ok  " + words("nearby-used", model="qwen3:8b", address=ollama.base) in used
    assert found not in used


async def test_a_start_points_a_server_out_and_knows_its_own_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    ports = {"TROUPE_WEB_PORT": port, "TROUPE_HEALTH_PORT": "off"}
    page = f"http://127.0.0.1:{port}"
    async with (
        openai_at_work(OpenAiServer(models=OLLAMA)) as ollama,
        run_beside(serve(given(tmp_path, page, ollama.base, **ports))),
    ):
        told = ""
        async with asyncio.timeout(30):
            while "qwen3:8b" not in told or page not in told:
                await asyncio.sleep(0.02)
                told += capsys.readouterr().out
        own = await find_nearby([page], DIRECT)

    assert words("nearby-found", model="qwen3:8b", address=ollama.base) in told
    assert own is None


@pytest.mark.parametrize(
    "body",
    [
        "<!doctype html>",
        "[]",
        '{"data": null}',
        '{"data": [7, {"id": 7}, {"id": ""}, {}]}',
        '{"data": [{"id": "nomic-embed-text"}]}',
        "[" * 200_000,
        json.dumps({"data": [{"id": "x" * 2_000_000}]}),
    ],
)
async def test_what_lists_no_model_for_chats_is_passed_over(body: str) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(text=body)

    app = web.Application()
    app.router.add_get("/v1/models", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()

    found = await find_nearby([f"http://127.0.0.1:{runner.addresses[0][1]}"], DIRECT)

    await runner.cleanup()
    assert found is None


async def test_this_machine_is_asked_past_the_proxy(tmp_path: Path) -> None:
    proxy = read_proxy("http://127.0.0.1:9", "HTTP_PROXY")
    async with openai_at_work(OpenAiServer(models=OLLAMA)) as ollama:
        found = await find_nearby([ollama.base], Network(http=proxy))
        pointed = await point_out(given(tmp_path, ollama.base, OPENAI_BASE_URL=ollama.base))

    assert found is not None
    assert found.models == ("qwen3:8b", "llama3.2:3b")
    assert pointed is None
