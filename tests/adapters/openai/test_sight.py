"""Whether a model sees pictures: told by the setting, the server or the name, or tried."""

from typing import Any

import pytest

from adapters.openai.catalogue import OpenAiCatalogue
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm
from adapters.openai.models import is_seeing_by_name
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import Blob
from pipeline.errors import ExpertRefused, LlmRefused
from pipeline.ports import Message, Prompt, stream_text
from pipeline.task_kinds import KINDS
from tests.adapters.openai.conftest import open_llm
from tests.fakes.jobs import job, picture
from tests.servers.openai import Fault, OpenAiServer

LOOK = Prompt((Message("user", "What is it?", (Blob(b"abc", "image/png"),)),))
OLLAMA = {"/api/ps": {"models": [{"name": "played", "context_length": 9000}]}}


def says(*inputs: str) -> list[dict[str, Any]]:
    """A list of models whose row says what the model takes."""
    return [{"id": "played", "architecture": {"input_modalities": list(inputs)}}]


@pytest.mark.parametrize(
    ("models", "pages", "sees"),
    [
        (says("text", "image"), {}, True),
        (says("text"), {}, False),
        ([{"id": "played", "capabilities": {"vision": False}}], {}, False),
        ([{"id": "played"}], {"/props": {"modalities": {"vision": True}}}, True),
        ([{"id": "played"}], {"/props": {"modalities": {"vision": False}}}, False),
        ([{"id": "played"}], OLLAMA | {"/api/show": {"capabilities": ["vision"]}}, True),
        ([{"id": "played"}], OLLAMA | {"/api/show": {"capabilities": ["tools"]}}, False),
        ([{"id": "played"}], {"/api/v0/models": {"data": [{"id": "played", "type": "vlm"}]}}, True),
        (
            [{"id": "played"}],
            {"/api/v0/models": {"data": [{"id": "played", "type": "llm"}]}},
            False,
        ),
    ],
)
async def test_what_the_server_says_counts_and_nothing_is_tried(
    server: OpenAiServer, models: list[dict[str, Any]], pages: dict[str, Any], *, sees: bool
) -> None:
    server.models, server.pages = models, pages

    async with open_llm(server) as llm:
        assert llm.sees_images is sees

    assert server.asked == []


@pytest.mark.parametrize(
    ("refuses", "looks", "sees"),
    [(set[str](), True, True), (set[str](), False, False), ({"images"}, True, False)],
)
async def test_where_nobody_says_it_a_picture_is_tried_once(
    server: OpenAiServer, refuses: set[str], *, looks: bool, sees: bool
) -> None:
    server.models, server.refuses = [{"id": "played", "max_model_len": 9000}], refuses
    server.sees = looks

    async with open_llm(server) as llm:
        assert llm.sees_images is sees
        assert await llm.room() == 9000

    assert [asked.images for asked in server.asked] == [1]


async def test_what_could_not_be_asked_is_not_taken_for_a_no(server: OpenAiServer) -> None:
    server.models = [{"id": "played"}]
    server.pages = {"/props": {"n_ctx": 20_000, "modalities": {"vision": True}}}
    server.pages_down = True

    async with open_llm(server) as llm:
        before = llm.sees_images
        server.pages_down = False
        room = await llm.room()

        assert (before, llm.sees_images, room) == (False, True, 20_000)
    assert server.asked == []


async def test_a_trial_without_an_answer_decides_nothing_and_is_repeated(
    server: OpenAiServer,
) -> None:
    server.models = [{"id": "played", "max_model_len": 9000}]
    server.goes_wrong(Fault.BUSY)

    async with open_llm(server) as llm:
        before = llm.sees_images
        await llm.room()

        assert (before, llm.sees_images) == (False, True)


async def test_trials_have_an_end(server: OpenAiServer) -> None:
    server.models = [{"id": "played", "max_model_len": 9000}]
    server.goes_wrong(Fault.BROKEN, times=9)

    async with open_llm(server) as llm:
        for _ in range(5):
            await llm.room()

        assert not llm.sees_images
    assert len(server.asked) == 3


@pytest.mark.parametrize("sees", [True, False])
async def test_the_setting_wins_over_what_the_server_says(
    server: OpenAiServer, *, sees: bool
) -> None:
    server.models = says("text") if sees else says("text", "image")

    async with open_llm(server, sees_images=sees) as llm:
        assert llm.sees_images is sees


async def test_a_model_that_sees_nothing_gets_no_picture_and_no_kind_that_needs_one(
    server: OpenAiServer,
) -> None:
    server.models = says("text")
    async with open_server(Endpoint("played", server.base)) as opened:
        catalogue = OpenAiCatalogue(opened)
        kinds = {kind.name for kind in KINDS.values() if await catalogue.candidates(kind, limit=1)}
        with pytest.raises(LlmRefused):
            await anext(OpenAiLlm(opened).stream(LOOK))
        with pytest.raises(ExpertRefused):
            await OpenAiExpert(opened).run(job("image-to-text", model="played", image=picture()))

    assert {"summarization", "document-question-answering"} <= kinds
    assert not kinds & {"image-to-text", "optical-character-recognition"}
    assert server.asked == []


@pytest.mark.parametrize("sees", [None, True])
async def test_a_model_that_is_wrongly_said_to_see_is_asked_without_pictures_from_then_on(
    server: OpenAiServer, *, sees: bool | None
) -> None:
    server.models, server.refuses = says("text", "image"), {"images"}

    async with open_llm(server, sees_images=sees) as llm:
        text = "".join([piece async for piece in stream_text(llm, LOOK)])

        assert (text, llm.sees_images) == ("Hello!", False)
    assert [asked.images for asked in server.asked] == [1, 0, 1]


async def test_a_picture_that_is_refused_once_does_not_make_the_model_blind(
    server: OpenAiServer,
) -> None:
    server.models = says("text", "image")
    server.goes_wrong(Fault.TOO_LONG)

    async with open_llm(server) as llm:
        text = "".join([piece async for piece in stream_text(llm, LOOK)])

        assert (text, llm.sees_images) == ("Hello!", True)
    assert [asked.images for asked in server.asked] == [1, 0, 1]


@pytest.mark.parametrize(
    ("model", "sees"),
    [("gpt-4.1-mini", True), ("gpt-5", True), ("o3", True), ("o3-mini", None), ("gpt-3.5", None)],
)
def test_openai_s_own_models_are_known_by_name(model: str, *, sees: bool | None) -> None:
    assert is_seeing_by_name(model) is sees
