"""Hugging Face's router: which model and provider are chosen, for words and for pictures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from adapters.openai.catalogue import OpenAiCatalogue
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, Server, open_server
from pipeline.domain import Blob, Price
from pipeline.errors import ExpertRefused, ExpertUnavailable, LlmRefused, LlmUnavailable
from pipeline.ports import Message, Prompt
from pipeline.selection.known_models import load_known
from pipeline.task_kinds import KINDS
from tests.fakes.jobs import job, picture
from tests.servers.openai import Fault, RouterServer, offer, openai_at_work, served

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False, "required": []}
PLAN = Prompt(
    (Message("user", "Hi"),), schema=SCHEMA, temperature=0.0, effort="low", cache_key="v1"
)
LOOK = Prompt((Message("user", "What is it?", (Blob(b"abc", "image/png"),)),))
GPT_OSS, GEMMA = "openai/gpt-oss-120b", "google/gemma-4-31B-it"


@pytest.fixture
async def router() -> AsyncIterator[RouterServer]:
    played = RouterServer()
    async with openai_at_work(played):
        yield played


@asynccontextmanager
async def opened(router: RouterServer, **options: Any) -> AsyncIterator[Server]:
    first, *others = load_known().router
    endpoint = Endpoint(first, router.base, key="hf_secret", alternatives=tuple(others))
    async with open_server(replace(endpoint, **{"seconds": 5, **options})) as server:
        yield server


async def hear(llm: OpenAiLlm, prompt: Prompt = PLAN) -> str:
    return "".join([piece async for piece in llm.stream(prompt) if isinstance(piece, str)])


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([served(GPT_OSS, offer("a", (2, 2)), offer("b", (1, 3)))], f"{GPT_OSS}:b"),
        ([served(GPT_OSS, offer("a", None), offer("b", (9, 9)))], f"{GPT_OSS}:b"),
        ([served(GPT_OSS, offer("a", (1, 1), status="error"), offer("b"))], f"{GPT_OSS}:b"),
        ([served(GPT_OSS, offer("a", structured=False)), served(GEMMA, offer("b"))], f"{GEMMA}:b"),
        ([served(GPT_OSS, offer("a", structured=None))], f"{GPT_OSS}:a"),
        ([served(GEMMA, offer("a", (9, 9))), served("x/cheap", offer("a"))], f"{GEMMA}:a"),
        ([served("x/other", offer("a"))], GPT_OSS),
        ([{"id": GPT_OSS, "providers": "none"}, {"id": 7, "providers": [{}, 3]}], GPT_OSS),
    ],
)
async def test_the_first_model_that_is_served_with_schemas_is_chosen_where_it_is_cheapest(
    router: RouterServer, rows: list[dict[str, Any]], chosen: str
) -> None:
    router.models = rows

    async with opened(router) as server:
        assert server.model == chosen


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([served("x/often", offer("a"), offer("b")), served("x/cheap", offer("a"))], "x/often:a"),
        ([served("x/one", offer("a")), served("x/cheap", offer("a", (0.1, 0.1)))], "x/cheap:a"),
        ([served("x/loose", offer("a", structured=False)), served("x/b", offer("a"))], "x/b:a"),
        ([served("x/safeguard-20b", offer("a")), served("x/dear", offer("a", (9, 9)))], "x/dear:a"),
        ([served("forbidden/one", offer("a"))], GPT_OSS),
        ([served(GEMMA, offer("a")), served("x/b", offer("a"), offer("b"))], f"{GEMMA}:a"),
    ],
)
async def test_where_no_known_model_is_served_the_commonest_that_may_be_used_is_chosen(
    router: RouterServer, rows: list[dict[str, Any]], chosen: str
) -> None:
    router.models = rows

    async with opened(router, may_use=lambda model: model.startswith("x/")) as server:
        assert server.model == chosen


async def test_pictures_go_to_an_unknown_model_if_only_that_one_sees(router: RouterServer) -> None:
    router.models = [served(GPT_OSS, offer("a")), served("x/eyes", offer("b"), sees=True)]

    async with opened(router, may_use=lambda _model: True) as server:
        assert (server.model, server.seeing_model) == (f"{GPT_OSS}:a", "x/eyes:b")


async def test_a_plan_is_asked_for_at_a_provider_that_takes_its_schema(
    router: RouterServer,
) -> None:
    async with opened(router) as server:
        llm = OpenAiLlm(server)
        reply = await hear(llm)
        room = await llm.room()

    assert (reply, llm.name, room) == ("Hello!", f"{GPT_OSS}:cerebras", 131_072)
    (asked,) = router.asked
    assert asked.key == "hf_secret"
    assert asked.body["model"] == f"{GPT_OSS}:cerebras"
    assert asked.body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (asked.body["reasoning_effort"], asked.body["temperature"]) == ("low", 1.0)


async def test_a_prompt_with_a_picture_goes_to_the_model_that_sees(router: RouterServer) -> None:
    async with opened(router) as server:
        llm = OpenAiLlm(server)

        assert llm.sees_images
        assert await hear(llm, LOOK) == "Hello!"

    assert [asked.body["model"] for asked in router.asked] == [f"{GEMMA}:cerebras"]


async def test_kinds_with_pictures_are_offered_through_the_model_that_sees(
    router: RouterServer,
) -> None:
    async with opened(router) as server:
        catalogue, expert = OpenAiCatalogue(server), OpenAiExpert(server)
        (writer,) = await catalogue.candidates(KINDS["summarization"], limit=9)
        (viewer,) = await catalogue.candidates(KINDS["image-to-text"], limit=9)
        made = await expert.run(job("image-to-text", model=viewer.id, image=picture()))
        with pytest.raises(ExpertRefused):
            await expert.run(job("image-to-text", model=writer.id, image=picture()))

    assert (writer.id, writer.prices) == (f"{GPT_OSS}:cerebras", {"": Price(0.25, 0.69)})
    assert (viewer.id, viewer.prices) == (f"{GEMMA}:cerebras", {"": Price(0.2, 0.6)})
    assert made.slots
    assert [asked.body["model"] for asked in router.asked] == [viewer.id]


async def test_where_no_model_sees_no_kind_with_pictures_is_offered(router: RouterServer) -> None:
    router.models = [served(GPT_OSS, offer("cerebras"))]

    async with opened(router) as server:
        assert not await OpenAiCatalogue(server).candidates(KINDS["image-to-text"], limit=9)
        with pytest.raises(LlmRefused):
            await hear(OpenAiLlm(server), LOOK)

    assert router.asked == []


async def test_no_model_gets_pictures_where_the_setting_says_so(router: RouterServer) -> None:
    async with opened(router, sees_images=False) as server:
        assert (server.model, server.seeing_model) == (f"{GPT_OSS}:cerebras", "")


@pytest.mark.parametrize(
    ("model", "chosen", "sees"),
    [
        ("moonshotai/Kimi-K3", "moonshotai/Kimi-K3:together", True),
        ("openai/gpt-oss-120b:groq", "openai/gpt-oss-120b:groq", False),
        ("google/gemma-4-31B-it:fastest", "google/gemma-4-31B-it:fastest", True),
        ("x/gone", "x/gone", False),
    ],
)
async def test_a_model_that_is_set_is_taken_and_no_other(
    router: RouterServer, model: str, chosen: str, *, sees: bool
) -> None:
    async with opened(router, model=model, alternatives=()) as server:
        assert (server.model, bool(server.seeing_model)) == (chosen, sees)


async def test_kimi_k3_is_sent_no_temperature(router: RouterServer) -> None:
    async with opened(router, model="moonshotai/Kimi-K3", alternatives=()) as server:
        await hear(OpenAiLlm(server))

    (asked,) = router.asked
    assert "temperature" not in asked.body
    assert asked.body["reasoning_effort"] == "low"


async def test_a_field_that_a_provider_does_not_know_is_dropped_for_it(
    router: RouterServer,
) -> None:
    router.models = [served("zai-org/GLM-5.2", offer("cerebras"))]
    async with opened(router) as server:
        assert await hear(OpenAiLlm(server)) == await hear(OpenAiLlm(server)) == "Hello!"

    sent = ["chat_template_kwargs" in asked.body for asked in router.asked]
    assert sent == [True, False, False]
    assert router.asked[-1].body["reasoning_effort"] == "none"


async def test_a_schema_that_the_provider_refuses_is_given_up(router: RouterServer) -> None:
    async with opened(router, model="openai/gpt-oss-20b", alternatives=()) as server:
        assert await hear(OpenAiLlm(server)) == "Hello!"
        assert await hear(OpenAiLlm(server)) == "Hello!"

    formats = [asked.body["response_format"]["type"] for asked in router.asked]
    assert formats[-2:] == ["json_object", "json_object"]


async def test_only_providers_that_are_allowed_are_used(router: RouterServer) -> None:
    async with opened(router, providers=("novita",)) as server:
        allowed = server.model, server.seeing_model
    async with opened(router, providers=("nobody",)) as server:
        nowhere = server.model
        with pytest.raises(LlmRefused):
            await hear(OpenAiLlm(server))

    assert allowed == (f"{GEMMA}:novita", f"{GEMMA}:novita")
    assert nowhere == f"{GPT_OSS}:nobody"
    assert len(router.asked) == 1


async def test_a_list_that_could_not_be_had_is_asked_for_again(router: RouterServer) -> None:
    router.down = True
    async with opened(router) as server:
        before = server.model, server.seeing_model
        router.down = False
        await OpenAiLlm(server).room()

        assert before == (GPT_OSS, "")
        assert (server.model, server.seeing_model) == (f"{GPT_OSS}:cerebras", f"{GEMMA}:cerebras")


@pytest.mark.parametrize("fault", [Fault.BUSY_LONG, Fault.LOADING_LONG, Fault.GONE])
async def test_where_a_provider_fails_another_one_answers_and_is_kept(
    router: RouterServer, fault: Fault
) -> None:
    router.goes_wrong(fault)
    async with opened(router) as server:
        llm = OpenAiLlm(server)

        assert [await hear(llm), await hear(llm)] == ["Hello!", "Hello!"]

    other = f"{GPT_OSS}:fireworks-ai"
    assert [asked.body["model"] for asked in router.asked] == [f"{GPT_OSS}:cerebras", other, other]
    assert router.listed == 2


async def test_what_was_said_is_not_said_again_by_another_provider(router: RouterServer) -> None:
    router.goes_wrong(Fault.DROPS_LATE)
    async with opened(router) as server:
        llm = OpenAiLlm(server)
        with pytest.raises(LlmUnavailable):
            await hear(llm)
        await llm.room()

        assert llm.name == f"{GPT_OSS}:fireworks-ai"
    assert len(router.asked) == 1


async def test_two_providers_that_fail_are_enough(router: RouterServer) -> None:
    router.goes_wrong(Fault.BUSY_LONG, times=9)
    async with opened(router) as server:
        with pytest.raises(LlmUnavailable):
            await hear(OpenAiLlm(server))

    assert len(router.asked) == 2


async def test_where_there_is_no_other_provider_the_failure_is_told_and_the_same_one_kept(
    router: RouterServer,
) -> None:
    router.models = [served(GPT_OSS, offer("cerebras"))]
    router.goes_wrong(Fault.BUSY_LONG)
    async with opened(router) as server:
        llm = OpenAiLlm(server)
        with pytest.raises(LlmUnavailable):
            await hear(llm)

        assert await hear(llm) == "Hello!"


async def test_an_expert_s_call_is_left_to_the_run_when_it_fails(router: RouterServer) -> None:
    router.goes_wrong(Fault.BUSY_LONG)
    async with opened(router) as server:
        with pytest.raises(ExpertUnavailable):
            await OpenAiExpert(server).run(job("summarization", model=server.model, text="Hi"))

    assert len(router.asked) == 1


async def test_an_account_without_credit_is_told_and_the_provider_kept(
    router: RouterServer,
) -> None:
    router.has_credit = False
    async with opened(router) as server:
        llm = OpenAiLlm(server)
        with pytest.raises(LlmRefused) as raised:
            await hear(llm)
        await llm.room()

    assert raised.value.sentence.id == "llm-credit-used-up"
    assert len(router.asked) == router.listed == 1
