"""The live Hub as a catalogue, refreshed in the background so that requests need not wait."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import TTLCache

from adapters.huggingface.hub import Hub, HubUnavailable, Prices
from adapters.huggingface.place import HOSTED
from adapters.huggingface.tags import KINDS_OF, TAGS
from pipeline.background import run_beside
from pipeline.codec import from_plain, to_plain
from pipeline.domain import LocalizedText, Model
from pipeline.ports import Cache, Clock, Leases
from pipeline.selection.catalogues import ListedCatalogue
from pipeline.selection.curated import complete, is_unfit
from pipeline.selection.health import PlaceHealth

log = structlog.get_logger()

MAX_LISTED = 20
"""How many models of a task are listed; selection considers only the first few."""
_MAX_DESCRIBED = 5
_PARALLEL = 4
_RETRY_SECONDS = 120.0
_REFRESH_SECONDS = 600.0
"""How long a program has for it before another one asks the Hub."""
_LOOK_SECONDS = 5.0
"""Between two looks for the lists that another program fetches."""
_LEASE = "hub lists"
_FIND_SECONDS = 3.0
"""Timeout of looking up one model by name."""
_START_SECONDS = 3.0
"""How long requests wait for the first lists, at the first start of all."""
_KEY = "hub"
_BY_TAG = dict[str, tuple[Model, ...]]
_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError)
"""What a list that another version stored may raise; it is fetched again."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@asynccontextmanager
async def keep_fresh(catalogue: "HubCatalogue", leases: Leases) -> AsyncIterator["HubCatalogue"]:
    """Load the cached lists, and refresh them in the background as long as the context is open.

    Of several programs on one cache, one asks the Hub when the lists have expired.
    """
    await catalogue.load_cache()
    async with run_beside(catalogue.keep_fresh(leases)):
        yield catalogue


class HubCatalogue(ListedCatalogue):
    """Models that providers serve, the most downloaded first, with prices if known.

    Until the Hub first answers, those of the `known` models are used that its own inference serves.
    """

    def __init__(
        self,
        hub: Hub,
        cache: Cache,
        *,
        known: Sequence[Model],
        clock: Clock,
        keep: timedelta,
        health: PlaceHealth | None = None,
    ) -> None:
        super().__init__()
        self._health = health or PlaceHealth()
        self._hub = hub
        self._cache = cache
        self._clock = clock
        self._keep = keep
        self._known = known
        self._prices: Prices = {}
        self._fetched_at = _NEVER
        self._by_tag: dict[str, tuple[Model, ...]] = {}
        self._index()
        self._unavailable_until = _NEVER
        self._by_name: TTLCache[str, Model | None] = TTLCache(500, keep.total_seconds())
        self._starting: asyncio.Event | None = None
        """Set once the first lists are there, or it is known that they cannot be had."""

    async def renew(self) -> None:
        """Wait for the first lists: what no known model does counts as impossible until then."""
        if self._starting is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_START_SECONDS):
                    await self._starting.wait()
            self._starting = None

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        """Look up a model in the lists, then at the Hub. Without places, nobody serves it."""
        if listed := await super().find(model, kind=kind):
            return listed
        at_hub = await self._find_at_hub(model)
        if at_hub is None:
            return None
        served = (at_hub.kind, *KINDS_OF.get(TAGS.get(at_hub.kind, ""), ()))
        priced = replace(self._add_prices(at_hub), kind=kind or at_hub.kind)
        return priced if priced.kind in served else None

    async def load_cache(self) -> None:
        """Load the lists from the cache."""
        await self._load_newer()
        if not self._by_tag:
            self._starting = asyncio.Event()

    async def _load_newer(self) -> None:
        """Load the lists that another program has fetched since ours, if there are any."""
        cached = await self._cache.get(_KEY)
        if cached is not None and cached.fetched_at > self._fetched_at:
            with suppress(*_UNREADABLE):
                self._by_tag = from_plain(_BY_TAG, json.loads(cached.value))
                self._fetched_at = cached.fetched_at
                self._index()

    async def keep_fresh(self, leases: Leases) -> None:
        """Refresh expired lists; retry soon if the Hub is down. Never returns."""
        if self._starting is not None:
            await self._list_unknown(self._starting)
        while True:
            rest = await self._refresh_in_turn(leases)
            await asyncio.sleep(rest)

    async def _refresh_in_turn(self, leases: Leases) -> float:
        """Refresh expired lists, unless another program does. Returns for how long to rest."""
        await self._load_newer()
        if self._clock() >= self._fetched_at + self._keep:
            if not await leases.acquire(_LEASE, _REFRESH_SECONDS):
                return _LOOK_SECONDS
            if not await self.refresh():
                await leases.acquire(_LEASE, _RETRY_SECONDS)  # nobody asks the Hub sooner
                return _RETRY_SECONDS
            await leases.release(_LEASE)
        due = (self._fetched_at + self._keep - self._clock()).total_seconds()
        return max(due, 1.0)

    async def _list_unknown(self, starting: asyncio.Event) -> None:
        """First list the tasks that no known model does: all lists take many times as long."""
        known = {TAGS[model.kind] for model in self._known if model.providers}

        async def list_most_used(tag: str) -> None:
            try:
                self._by_tag[tag] = (await self._hub.list_served(tag, limit=MAX_LISTED)).models
            except HubUnavailable:
                self._note_outage()

        async with asyncio.TaskGroup() as group:
            for tag in KINDS_OF.keys() - known:
                group.create_task(list_most_used(tag))
        self._index()
        starting.set()

    async def refresh(self) -> bool:
        """Fetch all lists if they have expired. False if any request failed."""
        now = self._clock()
        if now < self._fetched_at + self._keep:
            return True
        with suppress(HubUnavailable):  # prices are optional
            self._prices = await self._hub.fetch_prices()
        slots = asyncio.Semaphore(_PARALLEL)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._refresh_tag(tag, slots)) for tag in KINDS_OF]
        for tag, models in self._by_tag.items():
            self._by_tag[tag] = tuple(map(self._add_prices, models))
        self._index()
        if problems := [problem for task in tasks if (problem := task.result())]:
            log.warning("hub unavailable", lists=len(problems), problem=problems[0])
            return False
        self._health.unlisted.pop(HOSTED, None)
        self._fetched_at = now
        await self._cache.put(_KEY, json.dumps(to_plain(self._by_tag, _BY_TAG)))
        log.info("hub catalogue refreshed")
        return True

    async def _refresh_tag(self, tag: str, slots: asyncio.Semaphore) -> str:
        """What went wrong; "" for nothing."""
        async with slots:
            try:
                problem = await self._list_models(tag)
            except HubUnavailable as error:
                self._note_outage()
                problem = str(error)
        return problem and f"{tag}: {problem}"

    def _note_outage(self) -> None:
        """Until all lists are there, what is not listed is not impossible."""
        self._health.unlisted[HOSTED] = LocalizedText("list-unreached-hub")

    async def _list_models(self, tag: str) -> str:
        """List the served models of a task: the most downloaded, and all curated ones.

        The best of those that the table does not know are described. Returns what is still missing;
        what was listed before stays. Raises HubUnavailable.
        """
        before = {model.id: model for model in self._by_tag.get(tag, ())}
        listing = await self._hub.list_served(tag, limit=MAX_LISTED)
        if listing.dropped:
            log.warning("rows of the hub cannot be read", task=tag, rows=listing.dropped)
        models = {model.id: model for model in listing.models}
        curated = dict.fromkeys(m.id for m in self._known if TAGS[m.kind] == tag)
        problem = ""
        for id_ in [id_ for id_ in curated if id_ not in models]:
            try:
                live = await self._hub.find(id_)
            except HubUnavailable as error:
                live, problem = before.get(id_), str(error)
            if live and live.places and TAGS.get(live.kind) == tag:
                models[live.id] = live
        known = {model.id for model in self._known}
        unknown = [m for m in models.values() if m.id not in known and not is_unfit(m)]
        for model in unknown[:_MAX_DESCRIBED]:
            models[model.id] = await self._describe(model, before.get(model.id))
        self._by_tag[tag] = tuple(models.values())
        return problem

    def _add_prices(self, model: Model) -> Model:
        known = self._prices.get(model.id, {})
        names = {provider.partition(":")[0] for provider in model.providers}
        prices = {provider: price for provider, price in known.items() if provider in names}
        return replace(model, prices=prices)

    async def _describe(self, model: Model, before: Model | None = None) -> Model:
        """Add the first paragraph of the model's card; the one known before if the Hub is away."""
        try:
            return replace(model, description=await self._hub.describe(model.id))
        except HubUnavailable:
            return replace(model, description=before.description) if before else model

    def _index(self) -> None:
        listed = [
            complete(replace(model, kind=kind))
            for tag, models in self._by_tag.items()
            for kind in KINDS_OF.get(tag, ())
            for model in models
        ]
        known = [m for m in self._known if m.providers and TAGS[m.kind] not in self._by_tag]
        self.replace([*listed, *known])

    async def _find_at_hub(self, name: str) -> Model | None:
        key, now = name.casefold(), self._clock()
        if key not in self._by_name and now >= self._unavailable_until:
            try:
                async with asyncio.timeout(_FIND_SECONDS):
                    self._by_name[key] = await self._ask_hub(name)
            except (HubUnavailable, TimeoutError):
                self._unavailable_until = now + timedelta(seconds=_RETRY_SECONDS)
        return self._by_name.get(key)

    async def _ask_hub(self, name: str) -> Model | None:
        if "/" in name:
            model = await self._hub.find(name)
            return model and await self._describe(model)
        key = name.casefold()
        models = await self._hub.search(name, limit=10)
        return next((m for m in models if m.id.rpartition("/")[2].casefold() == key), None)
