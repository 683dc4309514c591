"""What providers take for language models, as the router lists it. For pictures, sounds and films it lists none."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import aiohttp
import structlog
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from yarl import URL

from adapters.huggingface.exchange import exchanged
from pipeline.background import beside
from pipeline.domain import Model, Place, Price, TaskKind
from pipeline.errors import ExpertError
from pipeline.ports import Catalogue, Job

log = structlog.get_logger()

_SECONDS = 20.0
_MOST = 16 * 1024 * 1024
_EVERY, _AGAIN = 6 * 3600.0, 300.0


class _Pricing(BaseModel):
    """US dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class _Provider(BaseModel):
    provider: str
    pricing: _Pricing | None = None


class _Listed(BaseModel):
    id: str
    providers: list[_Provider] = []


class _List(BaseModel):
    data: list[_Listed]


_LIST = TypeAdapter(_List)
Prices = Mapping[str, Mapping[str, Price]]
"""Model → provider → price."""


@dataclass
class PricedCatalogue:
    """A catalogue whose models say what they cost, as far as the router told it."""

    catalogue: Catalogue
    prices: Prices = field(default_factory=dict)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return [self._priced(m) for m in await self.catalogue.candidates(kind, limit=limit)]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        found = await self.catalogue.find(model, kind=kind)
        return self._priced(found) if found else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        found = await self.catalogue.search(words, kind=kind, limit=limit)
        return [self._priced(model) for model in found]

    def _priced(self, model: Model) -> Model:
        known = self.prices.get(model.id)
        if not known or Place.HOSTED not in model.places:
            return model
        names = {one.partition(":")[0] for one in model.providers}
        told = {provider: price for provider, price in known.items() if provider in names}
        return replace(model, prices=told) if told else model


@asynccontextmanager
async def priced_catalogue(
    catalogue: Catalogue, router: str, *, token: str = ""
) -> AsyncIterator[PricedCatalogue]:
    """The catalogue, its prices asked for in the background as long as the context is open."""
    priced = PricedCatalogue(catalogue)
    async with (
        aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=_SECONDS),
            headers={"Authorization": f"Bearer {token}"} if token else {},
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as session,
        beside(_keep_fresh(priced, session, router)),
    ):
        yield priced


async def _keep_fresh(priced: PricedCatalogue, session: aiohttp.ClientSession, router: str) -> None:
    while True:
        found = await listed(session, router)
        if found is not None:
            priced.prices = found
        await asyncio.sleep(_AGAIN if found is None else _EVERY)


async def listed(session: aiohttp.ClientSession, router: str) -> Prices | None:
    """The router's prices; None when it did not tell them."""
    url = URL(f"{router.rstrip('/')}/v1/models")
    try:
        body = await exchanged(session, "GET", url, model="", most=_MOST)
        rows = await asyncio.to_thread(_LIST.validate_json, body.data)
    except (ExpertError, ValidationError) as error:
        log.info("no prices", why=type(error).__name__)
        return None
    return {row.id: _prices(row) for row in rows.data}


def _prices(row: _Listed) -> Mapping[str, Price]:
    return {
        one.provider: Price(one.pricing.input, one.pricing.output)
        for one in row.providers
        if one.pricing is not None
    }


def cost(said: Mapping[str, object], job: Job, provider: str) -> float | None:
    """What a call cost, by the tokens that the provider counted; None where one of the two is not told."""
    price, usage = job.model.prices.get(provider), said.get("usage")
    if price is None or not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    told = [count for count in counts if isinstance(count, int) and count >= 0]
    return price.of(*told) if len(told) == len(counts) else None
