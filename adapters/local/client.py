"""The client of an expert server: how it is asked, and what it lists."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import replace

import aiohttp
import structlog
from pydantic import BaseModel, Field, TypeAdapter

from adapters.bounds import read_bounded
from adapters.local.place import LOCAL
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network, hide_login
from adapters.wire.expert import WireDialect
from adapters.wire.parameters import PICTURE
from pipeline.domain import LocalizedText, Model
from pipeline.selection.catalogues import ListedCatalogue
from pipeline.selection.health import PlaceHealth

log = structlog.get_logger()

_KNOWN = f"images {PICTURE} duration voice"
"""What is sent to every model; the server says in its reply which of them a model did not use."""
MODEL_HEADER = "serve-multiplexed-model-id"
"""Ray Serve's: by it, a cluster sends a request to where its model is loaded."""
DIALECT = WireDialect(LOCAL, lambda _job: _KNOWN, names_kind=True, model_header=MODEL_HEADER)
"""How an expert server speaks the wire format."""
_FRESH_SECONDS = 30.0
"""How long a list counts."""
_AWAY_SECONDS = 5.0
"""How long it counts that there is none."""
_MAX_LIST = 8 << 20
"""Bytes of a list that are read."""
_SECONDS = 5.0
"""For one answer of the server."""


class _ListedModel(BaseModel):
    """A model in the reply to `GET /models`; other servers may omit fields."""

    id: str
    pipeline_tag: str = ""
    kinds: list[str] = Field(default_factory=list)
    size: int = Field(default=-1, alias="bytes")
    loaded: bool = False
    revision: str = ""
    licence: str = Field(default="", alias="license")
    languages: list[str] = Field(default_factory=list)


_LIST = TypeAdapter(list[_ListedModel])


class ServedCatalogue(ListedCatalogue):
    """The models that a server lists, cached for a while; empty while it is not reached.

    `known` models supply the descriptions.
    """

    def __init__(
        self,
        base: str,
        *,
        token: str = "",
        known: Iterable[Model] = (),
        fresh_seconds: float = _FRESH_SECONDS,
        network: Network = DIRECT,
        health: PlaceHealth | None = None,
    ) -> None:
        super().__init__()
        self._address = base.rstrip("/") + "/models"
        self._token, self._network = token, network
        self._known = {model.id: model for model in known}
        self._fresh_seconds, self._fresh_until = fresh_seconds, 0.0
        self._refreshing = asyncio.Lock()
        self._health = health or PlaceHealth()

    async def renew(self) -> None:
        async with self._refreshing:
            if time.monotonic() >= self._fresh_until:
                is_fetched = await self._fetch()
                longest = self._fresh_seconds if is_fetched else _AWAY_SECONDS
                self._fresh_until = time.monotonic() + min(longest, self._fresh_seconds)

    async def _fetch(self) -> bool:
        """Fetch the list, loaded (fast) models first. False if the server is away.

        Without a connection it is empty; if the server only fails, it stays as it was.
        """
        try:
            async with (
                open_session(self._network, seconds=_SECONDS, token=self._token) as session,
                session.get(self._address, raise_for_status=True) as response,
            ):
                # A list that is too long is cut off, and so is no JSON.
                listed = _LIST.validate_json(await read_bounded(response, _MAX_LIST))
        except aiohttp.ClientConnectorError:
            log.warning("no connection to the expert server", address=hide_login(self._address))
            self.replace(())
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            log.warning("expert server not reached", exc_info=True)
        else:
            listed.sort(key=lambda model: not model.loaded)
            self.replace(model for entry in listed for model in self._to_models(entry))
            self._health.unlisted.pop(LOCAL, None)
            return True
        self._health.unlisted[LOCAL] = LocalizedText("list-unreached-local")
        return False

    def _to_models(self, listed: _ListedModel) -> list[Model]:
        """One model for each kind that it serves, its main kind first."""
        kinds = listed.kinds or [listed.pipeline_tag]
        known = self._known.get(listed.id, Model(listed.id, "", (LOCAL,)))
        model = replace(
            known,
            places=(LOCAL,),
            size=listed.size,
            licence=listed.licence or known.licence,
            revision=listed.revision or known.revision,
            languages=known.languages or tuple(listed.languages),
        )
        return [replace(model, kind=kind) for kind in kinds if kind]
