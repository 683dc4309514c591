"""The live Hub as a catalogue: asked in the background, kept in the cache, and never waited for by a request."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import TTLCache
from pydantic import TypeAdapter, ValidationError

from adapters.huggingface.hub import Hub, HubSilent
from adapters.huggingface.tags import KINDS_OF, TAGS
from pipeline.background import beside
from pipeline.catalogues import ListedCatalogue
from pipeline.domain import Model, TaskKind
from pipeline.ports import Cache, Clock

log = structlog.get_logger()

LISTED = 20
"""How many of a task are known; the paper looks at the first few of them."""
_DESCRIBED = 5
_AT_ONCE = 4
_AGAIN = 120.0
_PATIENCE = 3.0
"""Seconds that a question about one model by its name may take."""
_MODELS: TypeAdapter[tuple[Model, ...]] = TypeAdapter(tuple[Model, ...])


@asynccontextmanager
async def live_catalogue(
    hub: Hub, cache: Cache, *, known: Sequence[Model], clock: Clock, keep: timedelta
) -> AsyncIterator["HubCatalogue"]:
    """The catalogue as it was kept, brought up to date in the background as long as the context is open."""
    catalogue = HubCatalogue(hub, cache, known=known, clock=clock, keep=keep)
    await catalogue.recall()
    async with beside(catalogue.keep_fresh()):
        yield catalogue


class HubCatalogue:
    """Models that a provider serves, the most downloaded first; a short list of well-known ones until the Hub first answers."""

    def __init__(
        self, hub: Hub, cache: Cache, *, known: Sequence[Model], clock: Clock, keep: timedelta
    ) -> None:
        self._hub = hub
        self._cache = cache
        self._known = ListedCatalogue(known)
        self._clock = clock
        self._keep = keep
        self._fetched: dict[str, datetime] = {}
        self._listed: dict[str, tuple[Model, ...]] = {}
        self._of_kind: Mapping[str, tuple[Model, ...]] = {}
        self._all = ListedCatalogue(())
        self._silent_until = datetime.min.replace(tzinfo=UTC)
        self._asked: TTLCache[str, Model | None] = TTLCache(500, keep.total_seconds())

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        tag = TAGS.get(kind.name)
        if tag is None or tag.name not in self._listed:
            return await self._known.candidates(kind, limit=limit)
        return self._of_kind[kind.name][:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        """The Hub itself is asked when it is in no list; a model without places is one that nobody serves."""
        for catalogue in (self._all, self._known):
            if found := await catalogue.find(model, kind=kind):
                return found
        found = await self._by_name(model)
        return _as_kind(found, kind) if found else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        found = await self._all.search(words, kind=kind, limit=limit)
        known = await self._known.search(words, kind=kind, limit=limit)
        fresh = [model for model in known if TAGS[model.kind].name not in self._listed]
        return [*found, *fresh][:limit]

    async def recall(self) -> None:
        """Take up what was kept of earlier answers."""
        for tag in KINDS_OF:
            if kept := await self._cache.get(_key(tag)):
                with suppress(ValidationError):  # of another version: asked for anew
                    self._listed[tag] = _MODELS.validate_json(kept.value)
                    self._fetched[tag] = kept.fetched_at
        self._arrange()

    async def keep_fresh(self) -> None:
        """Ask the Hub again whenever something is too old, and soon again when it is silent. Never ends."""
        while True:
            reached = await self.refresh()
            oldest = min(self._fetched.values(), default=self._clock())
            due = (oldest + self._keep - self._clock()).total_seconds()
            await asyncio.sleep(max(due, 1.0) if reached else _AGAIN)

    async def refresh(self) -> bool:
        """Ask for every task of which too little is known. False when the Hub was silent."""
        now = self._clock()
        due = [
            tag
            for tag in KINDS_OF
            if tag not in self._fetched or self._fetched[tag] + self._keep <= now
        ]
        room = asyncio.Semaphore(_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(self._renewed(tag, room)) for tag in due]
        reached = all(task.result() for task in asked)
        if due:
            log.info("asked the hub", tasks=len(due), reached=reached)
        return reached

    async def _renewed(self, tag: str, room: asyncio.Semaphore) -> bool:
        async with room:
            try:
                models = await self._hub.served(tag, limit=LISTED)
                described = [await self._described(tag, model) for model in models[:_DESCRIBED]]
            except HubSilent as silent:
                log.warning("the hub is silent", task=tag, problem=str(silent))
                return False
        await self._take(tag, (*described, *models[_DESCRIBED:]))
        return True

    async def _described(self, tag: str, model: Model) -> Model:
        """With the first prose of its card, which is only fetched for a revision not known yet."""
        before = next((old for old in self._listed.get(tag, ()) if old.id == model.id), None)
        if before and before.revision == model.revision and before.description:
            return replace(model, description=before.description)
        try:
            return replace(model, description=await self._hub.description(model.id))
        except HubSilent:  # one card matters less than the list it belongs to
            return replace(model, description=before.description if before else "")

    async def _take(self, tag: str, models: tuple[Model, ...]) -> None:
        self._listed[tag] = models
        self._fetched[tag] = self._clock()
        self._arrange()
        await self._cache.put(_key(tag), _MODELS.dump_json(models).decode())

    def _arrange(self) -> None:
        self._of_kind = {
            kind: tuple(replace(model, kind=kind) for model in models)
            for tag, models in self._listed.items()
            for kind in KINDS_OF[tag]
        }
        self._all = ListedCatalogue(model for models in self._of_kind.values() for model in models)

    async def _by_name(self, name: str) -> Model | None:
        key, now = name.casefold(), self._clock()
        if key not in self._asked and now >= self._silent_until:
            try:
                async with asyncio.timeout(_PATIENCE):
                    self._asked[key] = await self._from_hub(name)
            except (HubSilent, TimeoutError):
                self._silent_until = now + timedelta(seconds=_AGAIN)
        return self._asked.get(key)

    async def _from_hub(self, name: str) -> Model | None:
        if "/" in name:
            found = await self._hub.model(name)
            return found and replace(found, description=await self._hub.description(found.id))
        wanted = name.casefold()
        named = await self._hub.search(name, limit=10)
        parts = ((model, model.id.rpartition("/")[2].casefold()) for model in named)
        return next((model for model, part in parts if part == wanted), None)


def _key(tag: str) -> str:
    return f"hub:{tag}"


def _as_kind(model: Model, kind: str) -> Model | None:
    """The model for a kind that its task serves, too."""
    if not kind or kind == model.kind:
        return model
    return replace(model, kind=kind) if kind in KINDS_OF.get(_tag(model), ()) else None


def _tag(model: Model) -> str:
    return TAGS[model.kind].name if model.kind in TAGS else ""
