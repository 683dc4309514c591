"""Downloads files over HTTP, trusting neither URLs nor servers."""

import asyncio
import socket
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from email.message import Message
from typing import Self
from urllib.parse import unquote

import stamina
from aiohttp import ClientError, ClientResponse, ThreadedResolver
from aiohttp.abc import AbstractResolver
from yarl import URL

from adapters.bounds import read_bounded
from adapters.fetch.policy import (
    CheckedResolver,
    Policy,
    is_address,
    is_allowed,
    is_private_name,
)
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from pipeline.domain import Blob
from pipeline.errors import FetchError, FetchUnavailable, is_passing
from pipeline.text.names import clean_file_name

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK = 200
_SERVER_ERROR = 500
"""Statuses from here on are the server's fault."""
_BUSY = frozenset({408, 425, 429})
"""Statuses below 500 of servers that may deliver a moment later."""
_TRIES = 3
_HEADERS = {"User-Agent": "Troupe", "Accept": "*/*", "Accept-Encoding": "identity"}
_MEGABYTE = 1_000_000


class HttpFetch(AbstractAsyncContextManager["HttpFetch"]):
    """Downloads files that the policy allows. Open it with `async with`."""

    def __init__(
        self,
        policy: Policy,
        *,
        network: Network = DIRECT,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._policy = policy
        self._network = network
        self._resolver = resolver

    async def __aenter__(self) -> Self:
        resolver = self._resolver or ThreadedResolver()
        proxies = [proxy.address for proxy in (self._network.https, self._network.http) if proxy]
        hosts = frozenset((address.raw_host, address.port) for address in proxies)
        self._names = CheckedResolver(resolver, self._policy) if proxies else None
        self._session = open_session(
            self._network,
            seconds=None,
            idle=self._policy.idle,
            headers=_HEADERS,
            auto_decompress=False,
            resolver=CheckedResolver(resolver, self._policy, hosts),
            use_dns_cache=False,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        """See the port. `trusted` may hold wildcards ("*.example.com").

        A server that is away or overloaded is asked again, a few times.
        """
        retrying = stamina.AsyncRetryingCaller(
            attempts=_TRIES, timeout=self._policy.total, wait_initial=self._policy.pause
        )
        return await retrying(
            is_passing, self._get, url, headers=headers, trusted=trusted, max_bytes=max_bytes
        )

    async def _get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None,
        trusted: frozenset[str],
        max_bytes: int,
    ) -> Blob:
        host = ""
        try:
            async with asyncio.timeout(self._policy.total):
                address = _parse_url(url)
                host = address.host or ""
                return await self._follow(address, headers or {}, trusted, max_bytes)
        except TimeoutError as late:
            raise FetchError("fetch-too-slow", host=host) from late
        except (ClientError, OSError, ValueError) as broken:  # a ValueError: no address of HTTP
            kind = FetchError if isinstance(broken, ValueError) else FetchUnavailable
            raise kind("fetch-unreachable", host=host) from broken

    async def _follow(
        self, url: URL, headers: Mapping[str, str], trusted: frozenset[str], max_bytes: int
    ) -> Blob:
        """Follow redirects, each under the same rules."""
        for _hop in range(self._policy.redirects + 1):
            self._policy.check(url, trusted)
            if not is_allowed(url, trusted - {"*"}):
                await self._check_name(url)
            sent = headers if is_allowed(url, trusted) else {}
            async with self._session.get(url, headers=sent, allow_redirects=False) as response:
                if response.status not in _REDIRECTS:
                    return await _receive(response, max_bytes)
                url = redirect(url, response.headers.get("Location", ""), secret=bool(headers))
        raise FetchError("fetch-too-many-redirects", host=url.host or "")

    async def _check_name(self, url: URL) -> None:
        """Where there are proxies: refuse a name that does not lead to a public address.

        A proxy resolves names itself. So a name is checked here before; one that only the proxy
        can resolve is left to it, unless it is private by its form. Raises FetchError.
        """
        host = url.raw_host or ""
        if self._names is None or is_address(host):
            return
        try:
            await self._names.resolve(host, url.port or 0, socket.AF_UNSPEC)
        except OSError:
            if is_private_name(host) and not self._policy.allow_private:
                raise FetchError("fetch-unsafe-address", host=host) from None


def redirect(url: URL, location: str, *, secret: bool) -> URL:
    """The target of a redirect. Raises FetchError if secret headers would leave HTTPS."""
    target = url.join(_parse_url(location))
    if secret and url.scheme == "https" and target.scheme != "https":
        raise FetchError("fetch-downgrade", host=url.host or "")
    return target


def _parse_url(url: str) -> URL:
    try:
        return URL(url)
    except ValueError as unreadable:
        raise FetchError("fetch-not-http") from unreadable


async def _receive(response: ClientResponse, max_bytes: int) -> Blob:
    """Read the body as the server stores it (not compressed), up to `max_bytes`."""
    host = response.url.host or ""
    limit = max(round(max_bytes / _MEGABYTE, 1), 0.1)
    too_large = FetchError("fetch-too-large", host=host, limit=limit)
    if response.status != _OK:
        is_away = response.status >= _SERVER_ERROR or response.status in _BUSY
        kind = FetchUnavailable if is_away else FetchError
        raise kind("fetch-status", host=host, status=str(response.status))
    if (response.content_length or 0) > max_bytes:
        raise too_large
    if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise FetchError("fetch-encoding", host=host)
    data = await read_bounded(response, max_bytes)
    if len(data) > max_bytes:
        raise too_large
    name = _find_name(response.headers.get("Content-Disposition", ""), response.url.path)
    return Blob(data, response.content_type, name)


def _find_name(disposition: str, path: str) -> str:
    """The server's file name, else the last part of the URL's path, cleaned."""
    header = Message()
    header["Content-Disposition"] = disposition.replace("\r", " ").replace("\n", " ")
    name = clean_file_name(header.get_filename() or "", "")
    return name or clean_file_name(unquote(path.rpartition("/")[2]))
