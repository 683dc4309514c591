"""What the router says that language models cost, and what a call did."""

import asyncio
from dataclasses import replace

import aiohttp
import pytest

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface import open_hosted_expert, open_priced_catalogue
from adapters.huggingface.catalogue import PricedCatalogue, fetch_prices
from pipeline.domain import Model, Place, Price
from pipeline.selection import ListedCatalogue
from pipeline.task_kinds import KINDS
from tests.fakes.jobs import job
from tests.servers.hub import HubServer, hub_at_work

WRITE = KINDS["text-generation"]
CHAT = Model(
    "org/chat", WRITE.name, (Place.HOSTED,), providers=("together:org/chat", "nscale:org/chat")
)
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


async def test_models_say_what_their_own_providers_take() -> None:
    async with hub_at_work(HubServer(prices=TOLD)) as server:
        catalogue = ListedCatalogue([CHAT])
        async with open_priced_catalogue(catalogue, server.base) as priced, asyncio.timeout(5):
            while not priced.prices:  # noqa: ASYNC110 - asked in the background
                await asyncio.sleep(0.01)
            (found,) = await priced.candidates(WRITE, limit=5)

            assert found.prices == {"together": Price(0.2, 0.8)}
            assert await priced.find("org/chat") == found
            assert list(await priced.search("chat")) == [found]
            assert await priced.find("org/unknown") is None


@pytest.mark.parametrize("prices", [{}, [], "no", {"data": [{"id": 3}]}])
async def test_a_router_that_tells_rubbish_tells_no_prices(prices: object) -> None:
    async with hub_at_work(HubServer(prices=prices)) as server, aiohttp.ClientSession() as session:
        assert await fetch_prices(session, server.base) is None


async def test_a_router_that_is_not_there_tells_no_prices() -> None:
    async with aiohttp.ClientSession() as session:
        assert await fetch_prices(session, "http://127.0.0.1:9") is None


async def test_a_call_costs_its_tokens_at_the_price_of_its_provider() -> None:
    one = job("text-generation", text="a poem")
    dear = replace(CHAT, prices={"together": Price(0.2, 0.8)})
    async with (
        hub_at_work() as server,
        HttpFetch(Policy(allow_private=True)) as fetch,
        open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001) as expert,
    ):
        made = await expert.run(replace(one, model=dear))
        unknown = await expert.run(replace(one, model=CHAT))

    assert made.cost == pytest.approx((0.2 * 1000 + 0.8 * 500) / 1e6)
    assert unknown.cost is None


async def test_a_model_that_is_not_hosted_has_no_price() -> None:
    local = replace(CHAT, places=(Place.LOCAL,))
    priced = PricedCatalogue(ListedCatalogue([local]), {"org/chat": {"together": Price(1, 1)}})

    assert await priced.find("org/chat") == local
