"""The models that an expert server has: what it lists itself, never what it might have."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import structlog
from pydantic import BaseModel, Field, TypeAdapter

from pipeline.catalogues import ListedCatalogue
from pipeline.domain import Model, Place, TaskKind

log = structlog.get_logger()
_FRESH = 30.0
_SOON = 3.0
_PATIENCE = 5.0


class _Listed(BaseModel):
    """A model as `GET /models` gives it; other servers than ours give less."""

    id: str
    pipeline_tag: str = ""
    kinds: list[str] = Field(default_factory=list)
    size: int = Field(default=-1, alias="bytes")
    loaded: bool = False
    revision: str = ""
    licence: str = Field(default="", alias="license")
    languages: list[str] = Field(default_factory=list)


_LIST = TypeAdapter(list[_Listed])
Ready = Callable[[], Awaitable[bool]]
"""Whether the server can be asked now; may wait a little for it."""


@asynccontextmanager
async def served_catalogue(
    base: str, *, token: str = "", known: Iterable[Model] = (), ready: Ready | None = None
) -> AsyncIterator["ServedCatalogue"]:
    """A catalogue of the server at an address. `known` models lend their descriptions."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=_PATIENCE),
        headers={"Authorization": f"Bearer {token}"} if token else {},
    ) as session:
        yield ServedCatalogue(session, base, {model.id: model for model in known}, ready)


class ServedCatalogue:
    """What the server listed half a minute ago at most; nothing while it has never been reached."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base: str,
        known: Mapping[str, Model],
        ready: Ready | None = None,
    ) -> None:
        self._session = session
        self._address = base.rstrip("/") + "/models"
        self._known = known
        self._ready = ready
        self._models = ListedCatalogue(())
        self._until = 0.0
        self._asking = asyncio.Lock()

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return await (await self._all()).candidates(kind, limit=limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        return await (await self._all()).find(model, kind=kind)

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        return await (await self._all()).search(words, kind=kind, limit=limit)

    async def _all(self) -> ListedCatalogue:
        async with self._asking:
            if time.monotonic() >= self._until:
                ready = self._ready is None or await self._ready()
                self._models = await self._listed() if ready else ListedCatalogue(())
                self._until = time.monotonic() + (_FRESH if ready else _SOON)
            return self._models

    async def _listed(self) -> ListedCatalogue:
        """Models that are loaded come first: they answer at once. Those of before when the server is not reached."""
        try:
            async with self._session.get(self._address) as response:
                response.raise_for_status()
                listed = _LIST.validate_json(await response.read())
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            log.warning("expert server not reached", exc_info=True)
            return self._models
        listed.sort(key=lambda model: not model.loaded)
        return ListedCatalogue(model for one in listed for model in self._models_of(one))

    def _models_of(self, listed: _Listed) -> list[Model]:
        """One for each kind that it serves, its own first."""
        kinds = listed.kinds or [listed.pipeline_tag]
        known = self._known.get(listed.id, Model(listed.id, "", (Place.LOCAL,)))
        model = replace(
            known,
            places=(Place.LOCAL,),
            size=listed.size,
            licence=listed.licence or known.licence,
            revision=listed.revision or known.revision,
            languages=tuple(listed.languages) or known.languages,
        )
        return [replace(model, kind=kind) for kind in kinds if kind]
