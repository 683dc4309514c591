"""The `Catalogue` port at Acme."""

import time

import aiohttp
from pydantic import BaseModel

from adapters.bounds import read_bounded
from pipeline.domain import Model
from pipeline.selection.catalogues import ListedCatalogue
from tests.samples.acme.place import ACME

_FRESH_SECONDS = 60.0
"""How long a list counts."""
_MAX_BYTES = 1 << 20
"""Of the list."""


class _Row(BaseModel):
    id: str
    tasks: tuple[str, ...]
    about: str = ""


class _List(BaseModel):
    models: tuple[_Row, ...]


class AcmeCatalogue(ListedCatalogue):
    """The models that Acme lists; while it is away, those that it listed last."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        super().__init__()
        self._session, self._base = session, base
        self._fresh_until = 0.0

    async def renew(self) -> None:
        if time.monotonic() < self._fresh_until:
            return
        self._fresh_until = time.monotonic() + _FRESH_SECONDS
        try:
            async with self._session.get(f"{self._base}/models", raise_for_status=True) as response:
                listed = _List.model_validate_json(await read_bounded(response, _MAX_BYTES))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return
        self.replace(
            Model(row.id, kind, (ACME,), description=row.about)
            for row in listed.models
            for kind in row.tasks
        )
