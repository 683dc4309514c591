"""Files fetched over HTTP, with suspicion."""

import asyncio
import zlib
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from aiohttp import (
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    ThreadedResolver,
)
from yarl import URL

from adapters.fetch.names import file_name
from adapters.fetch.policy import Policy, is_allowed
from adapters.fetch.resolver import CheckedNames, Names
from pipeline.domain import Blob
from pipeline.errors import FetchError

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK = 200
_CONNECTING = 10.0
_HEADERS = {"User-Agent": "Troupe", "Accept": "*/*", "Accept-Encoding": "identity"}
_MEGABYTE = 1_000_000


class HttpFetch:
    """The one way to the bytes behind a URL. Open it with `async with`."""

    def __init__(self, policy: Policy, *, names: Names | None = None) -> None:
        self._policy = policy
        self._names = names

    async def __aenter__(self) -> Self:
        checked = CheckedNames(self._names or ThreadedResolver(), self._policy)
        self._session = ClientSession(
            connector=TCPConnector(resolver=checked, use_dns_cache=False),
            headers=_HEADERS,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(sock_connect=_CONNECTING, sock_read=self._policy.idle),
            auto_decompress=False,
            trust_env=False,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        """See the port. `trusted` may name all hosts below one ("*.example.com")."""
        address = _parsed(url)
        host = address.host or ""
        try:
            async with asyncio.timeout(self._policy.total):
                return await self._follow(address, headers or {}, trusted, max_bytes)
        except TimeoutError as late:
            raise FetchError("fetch-too-slow", host=host) from late
        except (ClientError, OSError, ValueError, zlib.error) as broken:
            raise FetchError("fetch-unreachable", host=host) from broken

    async def _follow(
        self, url: URL, headers: Mapping[str, str], trusted: frozenset[str], max_bytes: int
    ) -> Blob:
        """From one redirect to the next, each under the same rules."""
        for _hop in range(self._policy.redirects + 1):
            self._policy.check(url, trusted)
            secret = headers if is_allowed(url.host or "", url.port, trusted) else {}
            async with self._session.get(url, headers=secret, allow_redirects=False) as response:
                if response.status not in _REDIRECTS:
                    return await _received(response, max_bytes)
                url = onward(url, response.headers.get("Location", ""), secret=bool(headers))
        raise FetchError("fetch-too-many-redirects", host=url.host or "")


def onward(url: URL, location: str, *, secret: bool) -> URL:
    """Where a redirect leads. Raises FetchError where a secret would lose its protection."""
    target = url.join(_parsed(location))
    if secret and url.scheme == "https" and target.scheme != "https":
        raise FetchError("fetch-downgrade", host=url.host or "")
    return target


def _parsed(url: str) -> URL:
    try:
        return URL(url)
    except ValueError as unreadable:
        raise FetchError("fetch-not-http") from unreadable


async def _received(response: ClientResponse, max_bytes: int) -> Blob:
    host = response.url.host or ""
    if response.status != _OK:
        raise FetchError("fetch-status", host=host, status=str(response.status))
    body = _Body(response.headers.get("Content-Encoding", ""), max_bytes, host)
    if (response.content_length or 0) > max_bytes:
        body.refuse()
    async for piece in response.content.iter_any():
        body.add(piece)
    name = file_name(response.headers.get("Content-Disposition", ""), response.url.path)
    return Blob(body.whole(), response.content_type, name)


class _Body:
    """What has come so far, unpacked, never more than may come."""

    def __init__(self, encoding: str, max_bytes: int, host: str) -> None:
        self._limit, self._host = max_bytes, host
        self._pieces = bytearray()
        self._unpack = None
        match encoding.strip().lower():
            case "" | "identity":
                pass
            case "gzip" | "x-gzip" | "deflate":
                self._unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
            case _:
                raise FetchError("fetch-encoding", host=host)

    def add(self, piece: bytes) -> None:
        room = self._limit - len(self._pieces) + 1
        self._pieces += self._unpack.decompress(piece, room) if self._unpack else piece
        if len(self._pieces) > self._limit:
            self.refuse()

    def refuse(self) -> None:
        limit = max(round(self._limit / _MEGABYTE, 1), 0.1)
        raise FetchError("fetch-too-large", host=self._host, limit=limit)

    def whole(self) -> bytes:
        if self._unpack and not self._unpack.eof:
            raise FetchError("fetch-unreachable", host=self._host)
        return bytes(self._pieces)
