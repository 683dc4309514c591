"""Names looked up once per connection: what was checked is what is connected to."""

import socket
from typing import Protocol

from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.fetch.addresses import parse_address
from adapters.fetch.policy import Policy
from pipeline.errors import FetchError


class Names(Protocol):
    """What looks names up (aiohttp's resolvers do)."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]: ...
    async def close(self) -> None: ...


class CheckedNames(AbstractResolver):
    """Hands on addresses only if every one of them may be reached."""

    def __init__(self, names: Names, policy: Policy) -> None:
        self._names = names
        self._policy = policy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._names.resolve(host, port, family)
        for each in found:
            address = parse_address(each["host"])
            if address is None:
                raise FetchError("fetch-unsafe-address", host=host)
            self._policy.check_address(address, host)
        return found

    async def close(self) -> None:
        await self._names.close()
