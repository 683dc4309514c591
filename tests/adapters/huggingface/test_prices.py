"""What the router says that language models cost, and what a call did."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface.catalogue import HubCatalogue
from adapters.huggingface.hosted import open_hosted_expert
from adapters.huggingface.hub import HubUnavailable, open_hub
from pipeline.domain import Model, ModelCall, Price
from pipeline.metering import meter_calls
from pipeline.task_kinds import KINDS
from tests.fakes.jobs import job
from tests.fakes.persistence import FakeCache
from tests.fakes.places import HOSTED
from tests.servers.hub import HubServer, hub_at_work, row

WRITE = KINDS["text-generation"]
CHAT = Model("org/chat", WRITE.name, (HOSTED,), providers=("together:org/chat", "nscale:org/chat"))
TOLD = {
    "data": [
        {
            "id": "org/chat",
            "providers": [
                {
                    "provider": "together",
                    "status": "live",
                    "pricing": {"input": 0.2, "output": 0.8},
                },
                {"provider": "novita", "pricing": {"input": 0.1, "output": 0.1}},
                {"provider": "nscale", "status": "live"},
            ],
        },
        {"id": "org/free"},
    ]
}


@asynccontextmanager
async def catalogue(server: HubServer) -> AsyncIterator[HubCatalogue]:
    async with open_hub(server.base, router=server.base) as hub:
        yield HubCatalogue(
            hub,
            FakeCache(),
            known=(),
            clock=lambda: datetime.now(UTC),
            keep=timedelta(hours=1),
        )


async def test_models_say_what_their_own_providers_take() -> None:
    rows = [row("org/chat", "text-generation", "together", "nscale", task="conversational")]
    async with hub_at_work(HubServer(rows, prices=TOLD)) as server, catalogue(server) as priced:
        found_by_name = await priced.find("org/chat")
        assert await priced.refresh()
        (found,) = await priced.candidates(WRITE, limit=5)

    assert found.prices == {"together": Price(0.2, 0.8)}
    assert found_by_name is not None
    assert not found_by_name.prices


@pytest.mark.parametrize("prices", [{}, [], "no", {"data": [{"id": 3, "providers": [4]}]}])
async def test_a_router_that_tells_rubbish_tells_no_prices(prices: object) -> None:
    async with (
        hub_at_work(HubServer(prices=prices)) as server,
        open_hub(server.base, router=server.base) as hub,
    ):
        with pytest.raises(HubUnavailable):
            await hub.fetch_prices()


async def test_a_router_that_is_not_there_tells_no_prices() -> None:
    async with open_hub("http://127.0.0.1:9", router="http://127.0.0.1:9") as hub:
        with pytest.raises(HubUnavailable):
            await hub.fetch_prices()


async def test_a_call_costs_its_tokens_at_its_providers_price_and_the_meter_is_told() -> None:
    one, calls = job("text-generation", text="a poem"), list[ModelCall]()
    dear = replace(CHAT, prices={"together": Price(0.2, 0.8)})
    async with (
        hub_at_work() as server,
        HttpFetch(Policy(allow_private=True)) as fetch,
        open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001) as expert,
    ):
        with meter_calls(calls.append):
            made = await expert.run(replace(one, model=dear))
            unknown = await expert.run(replace(one, model=CHAT))

    assert made.cost == pytest.approx((0.2 * 1000 + 0.8 * 500) / 1e6)
    assert unknown.cost is None
    assert [(call.prompt_tokens, call.completion_tokens, call.cost) for call in calls] == [
        (1000, 500, made.cost),
        (1000, 500, None),
    ]
