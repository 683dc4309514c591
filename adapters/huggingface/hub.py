"""The Hub's API by plain GETs of our own: its client library blocks the loop and knows no deadline."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import quote

import aiohttp
from yarl import URL

from adapters.huggingface import listing
from adapters.huggingface.cards import first_prose
from pipeline.domain import Model
from pipeline.errors import ExpertRefused

T = TypeVar("T")
_EXPAND = (
    "cardData",
    "disabled",
    "downloads",
    "gated",
    "inferenceProviderMapping",
    "likes",
    "pipeline_tag",
    "private",
    "safetensors",
    "sha",
    "tags",
)
_MAX_LIST = 8 * 1024 * 1024
_MAX_CARD = 256 * 1024
_SECONDS = 10.0
_MOVES, _MOVED_ON = 3, 308
_MOVED = frozenset({301, 302, 307, 308})
_MISSING = frozenset({401, 403, 404, 410})
"""What the Hub answers for models that are not there, or not for us."""


class HubSilent(Exception):
    """The Hub was not reached, or did not answer what can be read."""


@asynccontextmanager
async def hub(endpoint: str, *, token: str = "") -> AsyncIterator["Hub"]:
    """The Hub at an address, with one pool of connections."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=_SECONDS, sock_connect=5),
        headers={"Authorization": f"Bearer {token}"} if token else {},
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        yield Hub(session, endpoint)


class Hub:
    """Questions to the Hub. Each raises HubSilent."""

    def __init__(self, session: aiohttp.ClientSession, endpoint: str) -> None:
        self._session = session
        self._endpoint = endpoint.rstrip("/")

    async def served(self, tag: str, *, limit: int) -> Sequence[Model]:
        """Models of a task that some provider serves, the most downloaded first."""
        found = await self._list(pipeline_tag=tag, inference_provider="all", limit=str(limit))
        return [model for model in found if model.places]

    async def search(self, words: str, *, limit: int) -> Sequence[Model]:
        """Models whose name has the words, served or not, the most downloaded first."""
        return await self._list(search=words, limit=str(limit))

    async def model(self, id_: str) -> Model | None:
        """None: there is none of this name."""
        body = await self._get(f"/api/models/{quote(id_, safe='/')}", _MAX_LIST, {})
        return None if body is None else await self._read(listing.single, body)

    async def description(self, id_: str) -> str:
        """The first prose of its card; "" where there is none."""
        body = await self._get(f"/{quote(id_, safe='/')}/raw/main/README.md", _MAX_CARD)
        return await asyncio.to_thread(_prose, body or b"")

    async def _list(self, **asked: str) -> Sequence[Model]:
        body = await self._get("/api/models", _MAX_LIST, {"sort": "downloads", **asked})
        return await self._read(listing.listed, body or b"[]")

    async def _read(self, read: Callable[[bytes], T], body: bytes) -> T:
        try:
            return await asyncio.to_thread(read, body)
        except (ValueError, ExpertRefused) as error:
            raise HubSilent("the Hub answered what cannot be read") from error

    async def _get(
        self, path: str, most: int, asked: Mapping[str, str] | None = None
    ) -> bytes | None:
        """The body, None where there is nothing. A question to the API (`asked`) must be answered whole, a page may be cut."""
        url = URL(f"{self._endpoint}{path}", encoded=True)
        query = () if asked is None else (*asked.items(), *(("expand", name) for name in _EXPAND))
        try:
            status, body = await self._answer(url.extend_query(query), most)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise HubSilent("the Hub was not reached") from error
        if status in _MISSING:
            return None
        if status != 200:  # noqa: PLR2004 - OK
            raise HubSilent(f"the Hub answered {status}")
        if len(body) > most and asked is not None:
            raise HubSilent("the Hub answered more than can be read")
        return body[:most]

    async def _answer(self, url: URL, most: int) -> tuple[int, bytes]:
        """Status and body. A model that was renamed is followed to its new name, at the Hub only."""
        for _ in range(_MOVES):
            async with self._session.get(url, allow_redirects=False) as response:
                moved = response.headers.get("Location", "") if response.status in _MOVED else ""
                there = url.join(URL(moved, encoded=True)) if moved else None
                if there is None or there.origin() != url.origin():
                    return response.status, await _bounded(response, most)
            url = there if there.query_string else there.with_query(url.query)
        return _MOVED_ON, b""


async def _bounded(response: aiohttp.ClientResponse, most: int) -> bytes:
    """At most one byte more than `most`, or a piece of it."""
    body = bytearray()
    async for piece in response.content.iter_any():
        body += piece
        if len(body) > most:
            break
    return bytes(body)


def _prose(body: bytes) -> str:
    return first_prose(body.decode("utf-8", "replace"))
