"""The expert server speaks chat completions for its models that talk."""

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.local.chat import find_context
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.errors import LlmRefused
from pipeline.ports import Message, Prompt, Usage
from tests.adapters.local.conftest import Begin, Client, model_on_disk, until, until_waiting

NAME = "org/talker"
ASKED: dict[str, Any] = {"model": NAME, "messages": [{"role": "user", "content": "good day"}]}


@pytest.fixture
async def talking(client: Client) -> Client:
    path = client.add(NAME, cls="GPT2LMHeadModel")
    config = {"architectures": ["GPT2LMHeadModel"], "n_positions": 1024}
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    return client


async def _ask(client: Client, **fields: Any) -> tuple[int, Any]:
    url = f"{client.base}/v1/chat/completions"
    async with client.session.post(url, json={**ASKED, **fields}) as response:
        if response.content_type == "application/json":
            return response.status, await response.json()
        return response.status, await response.text()


async def test_only_models_with_a_template_are_listed_with_their_context(talking: Client) -> None:
    talking.add("org/writer", cls="GPT2LMHeadModel")
    talking.add("org/other")

    listed = await talking.get("/v1/models")

    (row,) = listed["data"]
    assert (row["id"], row["context_length"]) == (NAME, 1024)
    assert row["architecture"]["input_modalities"] == ["text"]


async def test_a_conversation_is_answered(talking: Client) -> None:
    status, answer = await _ask(talking, max_tokens=100, temperature=0.2)

    assert status == 200
    (choice,) = answer["choices"]
    assert choice["message"] == {"role": "assistant", "content": "good day"}
    assert choice["finish_reason"] == "stop"
    assert answer["usage"]["total_tokens"] == 16


async def test_a_reply_that_is_cut_says_so(talking: Client) -> None:
    _, answer = await _ask(talking, max_completion_tokens=4)

    assert answer["choices"][0]["message"]["content"] == "good"
    assert answer["choices"][0]["finish_reason"] == "length"


async def test_a_stream_ends_with_its_reason_its_usage_and_the_mark(talking: Client) -> None:
    status, text = await _ask(talking, stream=True, stream_options={"include_usage": True})

    assert status == 200
    events = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    said, end, usage = map(json.loads, events[:-1])
    assert events[-1] == "[DONE]"
    assert said["choices"][0]["delta"]["content"] == "good day"
    assert end["choices"][0]["finish_reason"] == "stop"
    assert usage["usage"]["completion_tokens"] == 8


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"tools": []}, "tools"),
        ({"reasoning_effort": "low"}, "reasoning_effort"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "image_url"),
        ({"messages": []}, "messages"),
        ({"temperature": 9}, "temperature"),
    ],
)
async def test_what_it_cannot_do_is_refused_by_its_name(
    talking: Client, fields: dict[str, Any], named: str
) -> None:
    status, answer = await _ask(talking, **fields)

    assert status == 422
    assert named in answer["error"]["message"]


async def test_a_prompt_that_is_too_long_is_refused_and_not_cut(talking: Client) -> None:
    long = [{"role": "user", "content": "good " * 500}]

    status, answer = await _ask(talking, messages=long)

    assert status == 422
    assert "context length" in answer["error"]["message"]


async def test_our_client_asks_for_what_it_takes_and_knows_what_is_too_long(
    talking: Client,
) -> None:
    async with open_server(Endpoint(NAME, f"{talking.base}/v1")) as server:
        llm = OpenAiLlm(server)
        short = Prompt((Message("user", "good day"),), schema={"type": "object"}, max_tokens=50)
        long = Prompt((Message("user", "good " * 500),), max_tokens=50)
        said = [piece async for piece in llm.stream(short)]
        with pytest.raises(LlmRefused) as caught:
            _ = [piece async for piece in llm.stream(long)]

    assert said == ["good day", Usage(8, 8)]
    assert (await llm.room(), llm.sees_images) == (1024, False)
    assert caught.value.sentence.id == "llm-too-long"


@pytest.mark.parametrize("name", ["org/none", "org/other"])
async def test_a_model_that_does_not_talk_is_not_there(talking: Client, name: str) -> None:
    talking.add("org/other")

    status, _ = await _ask(talking, model=name)

    assert status == 404


async def test_the_token_is_needed_here_too(begin: Begin) -> None:
    client = await begin(token="hidden")

    status, _ = await _ask(client)

    assert status == 401


async def test_who_leaves_stops_the_model(talking: Client) -> None:
    waiting = {"messages": [{"role": "user", "content": "wait"}]}
    url = f"{talking.base}/v1/chat/completions"
    asking = asyncio.create_task(talking.session.post(url, json={**ASKED, **waiting}))  # noqa: TID251 - cancelled below
    await until(talking.folder / NAME / "begun")

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    await until(talking.folder / NAME / "stopped")
    await until_waiting(talking.pool, 0)


async def test_a_body_that_is_no_json_is_refused(talking: Client) -> None:
    url = f"{talking.base}/v1/chat/completions"
    async with aiohttp.ClientSession() as session, session.post(url, data=b"{") as response:
        assert response.status == 422


@pytest.mark.parametrize(
    ("config", "size"),
    [
        ({"max_position_embeddings": 512}, 512),
        ({"text_config": {"max_position_embeddings": 4096}}, 4096),
        ({"n_positions": True}, 0),
        ([], 0),
    ],
)
def test_the_context_is_what_the_configuration_tells(
    tmp_path: Path, config: object, size: int
) -> None:
    path = model_on_disk(tmp_path, "any", 10, "Any")
    (path / "config.json").write_text(json.dumps(config))

    assert find_context(path) == size
