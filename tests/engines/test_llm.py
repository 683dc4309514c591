"""What every language model does, at servers that others wrote: the contract of `Llm`."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from adapters.openai.doctor import examine
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, Server, open_server
from pipeline.errors import LlmCutShort, LlmError, LlmRefused, LlmUnavailable
from pipeline.planning.prompt import Abilities, stable_block
from pipeline.ports import Message, Prompt, Usage
from pipeline.prompts.schemas import enum, strict_object
from pipeline.text.lenient_json import load_object
from tests.engines.servers import CONTEXT, ENGINES, KEY, Running, engine_at_work, find_port
from tests.fakes.jobs import picture

pytestmark = pytest.mark.limit(200)
ASKED = Prompt((Message("system", "Be brief."), Message("user", "Hi")), max_tokens=40)


@pytest.fixture(scope="module", params=ENGINES, ids=lambda engine: engine.name)
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("engine")
    with engine_at_work(request.param, folder) as running:
        yield running


@pytest.fixture
async def server(engine: Running) -> AsyncIterator[Server]:
    async with open_server(Endpoint(engine.model, engine.base, key=KEY, seconds=60)) as opened:
        yield opened


async def hear(llm: OpenAiLlm, prompt: Prompt = ASKED) -> tuple[str, Usage | None]:
    """The words and the usage, also of a reply that is cut: random models do not end."""
    words, usage = "", None
    try:
        async for piece in llm.stream(prompt):
            if isinstance(piece, Usage):
                usage = piece
            else:
                words += piece
    except LlmCutShort:
        pass
    return words, usage


async def test_the_pieces_make_the_answer_and_usage_is_told(
    server: Server, engine: Running
) -> None:
    words, usage = await hear(OpenAiLlm(server))

    assert words
    if engine.engine.name == "litellm":
        assert words == "Hello there!"
    assert usage is not None
    assert min(usage.prompt_tokens, usage.completion_tokens) > 0


async def test_its_model_is_listed_and_its_size_is_what_it_tells(
    server: Server, engine: Running
) -> None:
    llm = OpenAiLlm(server)

    assert llm.name == engine.model
    assert not server.is_unlisted(llm.name)
    assert await llm.room() > 0
    if engine.engine.name == "llama.cpp":
        assert await llm.room() == CONTEXT


async def test_a_model_that_sees_nothing_is_not_shown_pictures(server: Server) -> None:
    looked = Prompt((Message("user", "What is it?", (picture(),)),))

    assert not OpenAiLlm(server).sees_images
    with pytest.raises(LlmRefused):
        await anext(OpenAiLlm(server).stream(looked))


async def test_a_model_that_is_not_there_is_told_at_once(engine: Running) -> None:
    async with open_server(Endpoint("wrong-model", engine.base, key=KEY, seconds=60)) as opened:
        assert opened.is_unlisted("wrong-model")
        if engine.engine.name == "llama.cpp":  # it takes any name for its one model
            assert (await hear(OpenAiLlm(opened)))[0]
            return
        with pytest.raises(LlmRefused) as refused:
            await hear(OpenAiLlm(opened))

    assert refused.value.sentence.id == "llm-model-gone"


async def test_a_prompt_that_is_too_long_is_told_as_that(server: Server, engine: Running) -> None:
    if engine.engine.name != "llama.cpp":
        pytest.skip("its model takes any length")
    long = Prompt((Message("user", "x" * 5 * CONTEXT),), max_tokens=40)

    with pytest.raises(LlmRefused) as refused:
        await hear(OpenAiLlm(server), long)

    assert refused.value.sentence.id == "llm-too-long"


async def test_a_schema_is_kept_to_or_left_out_without_a_failure(
    server: Server, engine: Running
) -> None:
    schema = strict_object(answer=enum("yes", "no"))
    asked = replace(ASKED, schema=schema, max_tokens=100, temperature=1.0, effort="low")

    words, _ = await hear(OpenAiLlm(server), asked)

    assert words
    if engine.engine.name == "llama.cpp":
        assert load_object(words) in ({"answer": "yes"}, {"answer": "no"})


async def test_a_planning_prompt_is_taken_with_all_its_options(server: Server) -> None:
    block = stable_block(Abilities())
    text = block.messages[0].text[:1_000]
    asked = replace(block, messages=(Message("system", text), Message("user", "Hi")), max_tokens=60)

    words, _ = await hear(OpenAiLlm(server), asked)

    assert words


async def test_the_doctor_understands_it(engine: Running) -> None:
    endpoint = Endpoint(engine.model, engine.base, key=KEY, seconds=100)
    block = stable_block(Abilities(), short=True)
    short = replace(block, messages=(Message("system", block.messages[0].text[:300]),))

    findings = [each async for each in examine(endpoint, "OPENAI_API_KEY", short)]

    told = [each.what.id for each in findings]
    assert told[0] == "doctor-llm-good"
    assert "doctor-llm-blind" in told
    assert all(each.good for each in findings)


async def test_what_goes_wrong_is_one_of_our_errors(engine: Running) -> None:
    nobody = f"http://127.0.0.1:{find_port()}/v1"
    async with open_server(Endpoint(engine.model, nobody, key=KEY, seconds=1)) as opened:
        with pytest.raises(LlmUnavailable):
            await hear(OpenAiLlm(opened))
    if engine.engine.name == "litellm":
        async with open_server(
            Endpoint(engine.model, engine.base, key="sk-wrong", seconds=20)
        ) as other:
            with pytest.raises(LlmError):
                await hear(OpenAiLlm(other))


async def test_a_call_that_is_cancelled_leaves_the_server_free(server: Server) -> None:
    llm = OpenAiLlm(server)
    async with asyncio.timeout(30):
        stream = llm.stream(replace(ASKED, max_tokens=2_000))
        await anext(stream)
        await stream.aclose()

        assert (await hear(llm))[0]
