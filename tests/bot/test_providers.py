"""What is opened: our own expert server, and a planner that knows what can run."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from adapters.web.markdown_html import render_html
from bot.app import open_app
from bot.own_server import find_own_options
from bot.planners import BuiltInPlanner
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import (
    INSTALLER,
    OWNER,
    Attachment,
    Blob,
    FileHash,
    NamedFile,
    Noticed,
    Person,
    PlanPart,
    Proposed,
    Replied,
    Text,
)
from pipeline.ports import find_no_examples
from tests.adapters.local.conftest import model_on_disk
from tests.fakes.jobs import job, sheet
from tests.fakes.outside import FakeWorkers
from tests.fakes.places import HOSTED, LLM
from tests.fakes.stages import Bench, model, request
from tests.servers.hub import hub_at_work
from tests.servers.openai import openai_at_work
from tests.words import english


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"TROUPE_HOME": str(tmp_path / "home")})


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra was installed and the Hub's cache was empty."""
    for name in ("torch", "transformers"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))


async def test_without_the_extra_or_models_there_is_none(settings: Settings) -> None:
    assert await find_own_options(settings) is None


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize(
    ("more", "runs"),
    [
        ({}, 1),
        ({"TROUPE_EXPERTS": "off"}, 0),
        ({"TROUPE_EXPERTS_URL": "http://127.0.0.1:8090"}, 0),
        ({"TROUPE_PLACES": "hosted,embedded"}, 0),
    ],
)
async def test_it_runs_where_models_lie_unless_told_otherwise(
    more: dict[str, str], runs: int, tmp_path: Path
) -> None:
    model_on_disk(tmp_path / "models", "org/writer", 1000, "T5ForConditionalGeneration")

    options = await find_own_options(read_settings({"TROUPE_HOME": str(tmp_path), **more}))

    assert (options.workers if options else 0) == runs


async def test_places_that_are_set_up_and_left_out_are_known(tmp_path: Path) -> None:
    given = {"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "embedded", "HF_TOKEN": "hf_ann"}
    async with hub_at_work() as hub:
        bases = dict.fromkeys(("HF_ENDPOINT", "HF_ROUTER_URL", "OPENAI_BASE_URL"), hub.base)
        async with open_app(read_settings({**given, **bases})) as app:
            assert app.tools.closed == {HOSTED, LLM}


async def test_a_language_model_as_an_expert_has_tables_and_pictures_prepared(
    tmp_path: Path,
) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (8, 8)).save(drawn, "TIFF")
    look = job("image-to-text", model="played", image=Blob(drawn.getvalue(), "image/tiff", "a.tif"))
    people = sheet("Name,Pay", "Ann,5.5", "Bob,4")
    add = job("table-question-answering", model="played", question="All pay?", table=people)
    given = {"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "llm", "TROUPE_MODEL": "played"}
    async with openai_at_work() as llm:
        given |= {"OPENAI_BASE_URL": llm.base, "TROUPE_LLM_SEES_IMAGES": "true"}
        async with open_app(read_settings(given), FakeWorkers()) as app:
            expert = app.tools.experts[LLM]
            llm.replies = [json.dumps({"sql": 'SELECT sum("Pay") FROM t1'})]
            added = await expert.run(add)
            await expert.run(look)

    assert added.slots == {"text": Text("9.5")}
    assert "data:image/jpeg;base64," in json.dumps(llm.chats[-1].body)


async def plan_with(text: str, *kinds: str, person: Person | None = None) -> list[PlanPart]:
    """The built-in planner's plan for a picture, where models do only these kinds."""
    bench = Bench(models=[model("some", kind) for kind in kinds])
    image = NamedFile(
        "image 1",
        Attachment(hash=FileHash("a" * 64), media_type="image/png", name="photo.png", size=1),
    )
    asked = request(text, files=(image,))
    asked = replace(asked, person=person or asked.person)
    planner = BuiltInPlanner(find_no_examples, bench.tools, is_alone=True)
    return [part async for part in planner.plan(asked)]


async def test_the_built_in_planner_says_what_cannot_run_instead_of_planning_it() -> None:
    text = "describe this picture and read the description aloud"

    (neither,) = await plan_with(text)
    (first_missing,) = await plan_with(text, "text-to-speech")

    missing = [english("not-possible-here", kind=k) for k in ("image-to-text", "text-to-speech")]
    left_out = english("plan-needs-dropped", kind="text-to-speech")
    assert neither == Replied("\n".join(missing), is_refusal=True, sentence="not-possible-here")
    refusal = f"{missing[0]}\n{left_out}"
    assert first_missing == Replied(refusal, is_refusal=True, sentence="not-possible-here")


async def test_who_runs_the_program_alone_is_told_each_line_that_turns_it_on() -> None:
    owner = replace(request("").person, roles=frozenset({OWNER}))

    (missing,) = await plan_with("describe this picture", person=owner)

    assert isinstance(missing, Replied)
    settings = "HF_TOKEN=… / OPENAI_API_KEY=… / TROUPE_EXPERTS_URL"
    assert missing.text == english("not-possible-owner", kind="image-to-text", setting=settings)


async def test_who_can_set_up_more_on_the_page_is_led_there() -> None:
    installer = replace(request("").person, roles=frozenset({OWNER, INSTALLER}))

    (missing,) = await plan_with("describe this picture", person=installer)

    assert isinstance(missing, Replied)
    assert missing.text == english("not-possible-installer", kind="image-to-text")
    assert '<a href="#/setup">' in render_html(missing.text)


async def test_who_can_turn_a_language_model_on_is_told_where_one_is_missing() -> None:
    installer = replace(request("").person, roles=frozenset({OWNER, INSTALLER}))

    planner = BuiltInPlanner(find_no_examples, Bench().tools, is_alone=True)
    asked = request("what can you do?")
    (plain,) = [part async for part in planner.plan(asked)]
    (led,) = [part async for part in planner.plan(replace(asked, person=installer))]

    assert isinstance(led, Replied)
    assert isinstance(plain, Replied)
    assert led.text == f"{plain.text} {english('planner-turn-on')}"
    assert led.sentence == plain.sentence


async def test_the_built_in_planner_plans_the_rest_of_what_cannot_all_run() -> None:
    text = "read the text in this picture and translate it into Polish"

    parts = await plan_with(text, "optical-character-recognition")

    assert [part.task.kind.name for part in parts if isinstance(part, Proposed)] == [
        "optical-character-recognition"
    ]
    assert [part.notice.id for part in parts if isinstance(part, Noticed)] == ["not-possible-here"]


async def test_the_built_in_planner_plans_all_that_can_run() -> None:
    kinds = ("optical-character-recognition", "translation")

    parts = await plan_with("read the text in this picture and translate it into Polish", *kinds)

    assert [part.task.kind.name for part in parts if isinstance(part, Proposed)] == [*kinds]
    assert len(parts) == 2
