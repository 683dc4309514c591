"""Which language model plans and answers, with which keys."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from bot.app import open_app
from bot.ask import ask_once
from bot.logs import begin_logging
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import LocalizedText
from pipeline.task_kinds import KINDS
from tests.e2e.visitor import planned
from tests.fakes.jobs import picture
from tests.fakes.places import LLM
from tests.servers.hub import HubServer, hub_at_work
from tests.servers.openai import Fault as OpenAiFault
from tests.servers.openai import OpenAiServer, offer, openai_at_work, served
from tests.words import english

GPT_OSS, GEMMA = "openai/gpt-oss-120b:cerebras", "google/gemma-4-31B-it:cerebras"


@pytest.fixture(autouse=True)
def _logs_elsewhere() -> Iterator[None]:
    """As the command line does, so that logs are not part of the output."""
    before = structlog.get_config()
    begin_logging("error")
    yield
    structlog.configure(**before)


@pytest.fixture
async def hub() -> AsyncIterator[HubServer]:
    async with hub_at_work() as hub:
        yield hub


def given(home: Path, hub: HubServer, **more: str) -> Settings:
    """Settings of somebody who has nothing but a token of the Hub."""
    token = {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
    return read_settings({"TROUPE_HOME": str(home), **token, **more})


async def test_a_token_alone_makes_the_router_plan_and_answer_and_look(
    tmp_path: Path, hub: HubServer
) -> None:
    async with open_app(given(tmp_path, hub)) as app:
        assert app.llm is not None
        assert (app.llm.name, app.llm.sees_images) == (GPT_OSS, True)
        assert LLM in app.tools.experts
        for kind, model in (("translation", GPT_OSS), ("image-to-text", GEMMA)):
            models = await app.tools.candidates.catalogue.candidates(KINDS[kind], limit=9)
            assert model in [each.id for each in models]

    await ask_once(given(tmp_path, hub), "hello there", (), as_json=False)

    asked = hub.chat.chats[0]
    assert (asked.body["model"], asked.key) == (GPT_OSS, "hf_ann")


@pytest.mark.program
async def test_pictures_go_to_the_model_that_sees_in_the_whole_of_a_request(
    tmp_path: Path, hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(picture().data)
    plan = json.dumps([planned(0, "image-to-text", image="photo.png")])
    hub.chat.reply = lambda asked: plan if "response_format" in asked.body else "A red field."

    await ask_once(given(tmp_path, hub), "describe this", (photo,), as_json=True)

    answer = json.loads(capsys.readouterr().out)
    (outcome,) = answer["outcomes"]
    assert (answer["message"], outcome["place"], outcome["model"]) == ("A red field.", "llm", GEMMA)
    models = {(asked.body["model"], asked.images > 0) for asked in hub.chat.chats}
    assert (GEMMA, True) in models
    assert (GPT_OSS, True) not in models


async def test_without_credit_the_built_in_planner_steps_in_and_says_so(
    tmp_path: Path, hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.chat.has_credit = False

    code = await ask_once(given(tmp_path, hub), "hello", (), as_json=False)

    told = capsys.readouterr().out
    assert code == 0
    assert english("llm-credit-used-up", model=GPT_OSS) in told


async def test_the_router_plans_while_the_endpoint_before_it_has_no_credit(
    tmp_path: Path, hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as own:
        own.goes_wrong(OpenAiFault.QUOTA, times=9)
        settings = given(tmp_path, hub, OPENAI_API_KEY="sk-ann", OPENAI_BASE_URL=own.base)

        code = await ask_once(settings, "hello there", (), as_json=False)

        assert len(own.chats) == 1
    assert code == 0
    assert {(asked.body["model"], asked.key) for asked in hub.chat.chats} == {(GPT_OSS, "hf_ann")}
    assert english("llm-credit-used-up", model="gpt-4.1-mini") not in capsys.readouterr().out


async def test_a_key_that_is_refused_is_told_and_no_reason_to_ask_the_router(
    tmp_path: Path, hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as own:
        own.goes_wrong(OpenAiFault.KEY, times=9)
        settings = given(tmp_path, hub, OPENAI_API_KEY="sk-ann", OPENAI_BASE_URL=own.base)

        await ask_once(settings, "hello there", (), as_json=False)

    assert hub.chat.chats == []
    assert english("llm-key-refused", model="gpt-4.1-mini") in capsys.readouterr().out


async def test_after_a_refusal_nothing_is_planned_that_only_this_endpoint_can_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as own:
        own.models.append({"id": "gpt-image-1"})
        own.goes_wrong(OpenAiFault.KEY, times=9)
        home, base = str(tmp_path), own.base
        settings = read_settings({"TROUPE_HOME": home, "OPENAI_BASE_URL": base})

        await ask_once(settings, "draw a picture of a red fox", (), as_json=True)

    answer = json.loads(capsys.readouterr().out)
    reason = LocalizedText("llm-key-refused", {"model": "gpt-4.1-mini"})
    assert answer["outcomes"] == []
    assert answer["message"] == english("not-possible-now", kind="text-to-image", reason=reason)


async def test_an_endpoint_of_its_own_comes_before_the_router(
    tmp_path: Path, hub: HubServer
) -> None:
    async with (
        openai_at_work() as own,
        open_app(given(tmp_path, hub, OPENAI_BASE_URL=own.base)) as app,
    ):
        assert app.llm is not None
        assert app.llm.name == "gpt-4.1-mini"

    assert hub.chat.listed == 0


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"TROUPE_CONTROLLER": "off"}, ""),
        ({"TROUPE_PLACES": "local,embedded"}, ""),
        ({"TROUPE_ALLOW_MODELS": "facebook/*"}, ""),
        ({"TROUPE_DENY_MODELS": "openai/*"}, GEMMA),
        ({"TROUPE_PROVIDERS": "novita"}, "google/gemma-4-31B-it:novita"),
        ({"TROUPE_MODEL": "moonshotai/Kimi-K3"}, "moonshotai/Kimi-K3:together"),
    ],
)
async def test_settings_say_which_model_of_the_router_plans_if_any(
    tmp_path: Path, hub: HubServer, more: dict[str, str], name: str
) -> None:
    async with open_app(given(tmp_path, hub, **more)) as app:
        assert (app.llm.name if app.llm else "") == name
        assert (LLM in app.tools.experts) is bool(name)


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "x/new:a"),
        ({"TROUPE_DENY_MODELS": "x/*"}, "y/new:a"),
        ({"TROUPE_MODEL": "z/old"}, "z/old"),
    ],
)
async def test_a_router_that_serves_only_new_models_plans_with_one_that_is_allowed(
    tmp_path: Path, hub: HubServer, more: dict[str, str], name: str
) -> None:
    hub.chat.models = [served("x/new", offer("a"), offer("b")), served("y/new", offer("a"))]

    async with open_app(given(tmp_path, hub, **more)) as app:
        assert app.llm is not None
        assert app.llm.name == name


@pytest.mark.parametrize(("more", "name"), [({}, "qwen3"), ({"TROUPE_MODEL": "old"}, "old")])
async def test_a_server_of_ones_own_plans_with_what_it_has_unless_a_model_is_set(
    tmp_path: Path, more: dict[str, str], name: str
) -> None:
    async with openai_at_work(OpenAiServer(models=[{"id": "qwen3"}])) as own:
        settings = {"TROUPE_HOME": str(tmp_path), "OPENAI_BASE_URL": own.base, **more}
        async with open_app(read_settings(settings)) as app:
            assert app.llm is not None
            assert app.llm.name == name


async def test_an_endpoint_that_does_not_plan_still_runs_tasks(
    tmp_path: Path, hub: HubServer
) -> None:
    async with openai_at_work() as own:
        settings = given(tmp_path, hub, OPENAI_BASE_URL=own.base, TROUPE_CONTROLLER="off")
        async with open_app(settings) as app:
            assert app.llm is None
            assert LLM in app.tools.experts


@pytest.mark.parametrize(
    ("value", "sees"), [("auto", "auto"), ("true", True), ("false", False), ("", "auto")]
)
def test_whether_the_model_sees_is_found_out_unless_it_is_set(value: str, sees: object) -> None:
    settings = read_settings({"TROUPE_LLM_SEES_IMAGES": value} if value else {})

    assert settings.troupe_llm_sees_images == sees
