"""Temperature, effort and cache key: what each family of models is sent, and what is given up."""

from typing import Any

import pytest

from adapters.openai.llm import OpenAiLlm
from pipeline.errors import LlmGarbled
from pipeline.ports import Message, Prompt
from tests.adapters.openai.conftest import open_llm
from tests.servers.openai import OpenAiServer

PLAN = Prompt((Message("user", "Hi"),), temperature=0.0, effort="low", cache_key="v1")
FIELDS = ("temperature", "top_p", "reasoning_effort", "chat_template_kwargs")
HIDDEN = {"chat_template_kwargs": {"enable_thinking": False}, "reasoning_effort": "none"}


async def hear(llm: OpenAiLlm, prompt: Prompt = PLAN) -> str:
    return "".join([piece async for piece in llm.stream(prompt) if isinstance(piece, str)])


@pytest.mark.parametrize(
    ("model", "low", "medium"),
    [
        ("played", {"temperature": 0.0}, {"temperature": 0.0}),
        (
            "openai/gpt-oss-120b:cerebras",
            {"temperature": 1.0, "reasoning_effort": "low"},
            {"temperature": 1.0, "reasoning_effort": "medium"},
        ),
        ("moonshotai/Kimi-K3", {"reasoning_effort": "low"}, {"reasoning_effort": "high"}),
        (
            "moonshotai/Kimi-K2.6",
            {"temperature": 0.6, "chat_template_kwargs": {"thinking": False}},
            {"temperature": 1.0},
        ),
        (
            "qwen3:8b",
            {"temperature": 0.7, "top_p": 0.8, **HIDDEN},
            {"temperature": 0.6, "top_p": 0.95},
        ),
        ("Qwen/Qwen3-4B-Instruct-2507", {"temperature": 0.0}, {"temperature": 0.0}),
        (
            "zai-org/GLM-5.2",
            {"temperature": 1.0, "top_p": 0.95, **HIDDEN},
            {"temperature": 1.0, "top_p": 0.95},
        ),
        (
            "zai-org/GLM-5.3",
            {"temperature": 1.0, "top_p": 0.95, "reasoning_effort": "low"},
            {"temperature": 1.0, "top_p": 0.95, "reasoning_effort": "high"},
        ),
        ("google/gemma-4-31B-it", {"temperature": 0.0}, {"temperature": 0.0}),
        ("gpt-4.1-mini", {"temperature": 0.0}, {"temperature": 0.0}),
        ("gpt-5-mini", {"reasoning_effort": "low"}, {"reasoning_effort": "medium"}),
        ("deepseek-r1", {}, {}),
    ],
)
async def test_each_family_gets_the_temperature_and_the_switch_it_understands(
    server: OpenAiServer, model: str, low: dict[str, Any], medium: dict[str, Any]
) -> None:
    async with open_llm(server, model=model, sees_images=False) as llm:
        await hear(llm)
        await hear(llm, Prompt(PLAN.messages, temperature=0.0, effort="medium"))

    sent = [
        {name: asked.body[name] for name in FIELDS if name in asked.body} for asked in server.asked
    ]
    assert sent == [low, medium]


async def test_nothing_is_sent_that_was_not_asked_for(server: OpenAiServer) -> None:
    async with open_llm(server, model="qwen3:8b", sees_images=False) as llm:
        await hear(llm, Prompt(PLAN.messages))

    assert not {*FIELDS, "prompt_cache_key"} & server.asked[0].body.keys()


async def test_the_cache_key_is_sent_to_openai_only(
    server: OpenAiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base)  # what the SDK takes for OpenAI's own

    async with open_llm(server, base_url="") as openai, open_llm(server) as other:
        await hear(openai)
        await hear(other)

    assert [asked.body.get("prompt_cache_key") for asked in server.asked] == ["v1", None]


@pytest.mark.parametrize(
    ("refuses", "calls"),
    [
        ({"temperature"}, 2),
        ({"reasoning_effort", "chat_template_kwargs"}, 3),
        ({"chat_template_kwargs", "reasoning_effort", "temperature"}, 4),
    ],
)
async def test_what_a_model_refuses_is_dropped_and_not_sent_to_it_again(
    server: OpenAiServer, refuses: set[str], calls: int
) -> None:
    server.refuses = refuses
    async with open_llm(server, model="qwen3:8b", sees_images=False) as llm:
        first, second = await hear(llm), await hear(llm)

    assert first == second == "Hello!"
    assert len(server.asked) == calls + 1
    assert not refuses & server.asked[-1].body.keys()
    assert {*HIDDEN, "temperature"} - refuses <= server.asked[-1].body.keys()


async def test_a_model_that_only_thought_gets_more_tokens_and_less_effort_once(
    server: OpenAiServer,
) -> None:
    server.thinks = 3000
    prompt = Prompt(PLAN.messages, max_tokens=2048, effort="medium")
    async with open_llm(server, model="openai/gpt-oss-20b", sees_images=False) as llm:
        reply = await hear(llm, prompt)

    assert reply == "Hello!"
    sent = [(asked.limit, asked.body["reasoning_effort"]) for asked in server.asked]
    assert sent == [(2048, "medium"), (8192, "low")]


async def test_a_model_that_thinks_without_end_is_asked_twice(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.thinks = 100_000

    with pytest.raises(LlmGarbled):
        await hear(llm)

    assert len(server.asked) == 2
