"""What an endpoint says that its models cost."""

from contextlib import aclosing
from typing import Any

import pytest

from adapters.model_list import parse_price
from adapters.openai.catalogue import OpenAiCatalogue, cost_of
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import Model, ModelCall, Price, Text
from pipeline.errors import LlmRefused
from pipeline.metering import meter_calls
from pipeline.ports import Job, Message, Prompt, Usage, stream_text
from pipeline.task_kinds import KINDS
from tests.servers.openai import Fault, OpenAiServer

WRITE = KINDS["text-generation"]


@pytest.mark.parametrize(
    ("row", "price"),
    [
        ({"pricing": {"prompt": "0.0000002", "completion": "0.0000008"}}, Price(0.2, 0.8)),
        ({"pricing": {"input": 0.25, "output": 0.69}}, Price(0.25, 0.69)),
        ({"pricing": {"prompt": "-1", "completion": "-1"}}, None),
        ({"pricing": {"prompt": "free"}}, None),
        ({"pricing": "much"}, None),
        ({"pricing": {"prompt": "inf", "completion": "nan"}}, None),
        ({}, None),
    ],
)
def test_a_price_is_read_where_one_is_told_and_never_guessed(
    row: dict[str, Any], price: Price | None
) -> None:
    assert parse_price(row) == price


def test_tokens_that_were_not_counted_cost_nothing_that_is_known() -> None:
    assert cost_of(Price(1, 1), Usage()) is None
    assert cost_of(None, Usage(1, 1)) is None
    assert cost_of(Price(1, 3), Usage(1_000_000, 1_000_000)) == 4


async def test_the_endpoints_own_model_says_its_price_and_calls_what_they_cost(
    server: OpenAiServer,
) -> None:
    server.models = [{"id": "played", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}]
    endpoint = Endpoint("played", server.base)
    async with open_server(endpoint) as opened:
        (model,) = await OpenAiCatalogue(opened).candidates(WRITE, limit=1)
        made = await OpenAiExpert(opened).run(job(model))

    assert model.prices == {"": Price(1.0, 2.0)}
    assert made.cost is not None
    assert made.cost > 0


async def test_a_call_that_only_thought_costs_as_well_as_the_one_that_follows(
    server: OpenAiServer,
) -> None:
    server.models = [{"id": "played", "pricing": {"prompt": "0.000001", "completion": "0"}}]
    server.thinks, server.counts = 5000, lambda _text: 1_000_000
    async with open_server(Endpoint("played", server.base, sees_images=False)) as opened:
        (model,) = await OpenAiCatalogue(opened).candidates(WRITE, limit=1)
        made = await OpenAiExpert(opened).run(job(model))

    assert len(server.asked) == 2
    assert made.cost == 2


async def test_the_meter_is_told_what_each_call_used_and_why_it_failed(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    calls: list[ModelCall] = []
    asked = Prompt((Message("user", "Hi"),))

    with meter_calls(calls.append):
        _ = [piece async for piece in stream_text(llm, asked)]
        server.goes_wrong(Fault.KEY)
        with pytest.raises(LlmRefused):
            _ = [piece async for piece in stream_text(llm, asked)]

    good, bad = calls
    assert good.prompt_tokens == server.asked[0].tokens
    assert (good.completion_tokens, good.error) == (len("Hello!") // 4, "")
    assert (bad.prompt_tokens, bad.error) == (-1, "llm-key-refused")


async def test_the_meter_is_told_of_a_call_that_nobody_waited_for(llm: OpenAiLlm) -> None:
    calls: list[ModelCall] = []

    with meter_calls(calls.append):
        async with aclosing(stream_text(llm, Prompt((Message("user", "Hi"),)))) as pieces:
            await anext(pieces)

    assert [call.error for call in calls] == ["cancelled"]


def job(model: Model) -> Job:
    return Job(WRITE, model, {"text": (Text("a poem"),)})
