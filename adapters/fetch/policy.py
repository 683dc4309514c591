"""Which URLs may be fetched, by host and port and by resolved address."""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from pipeline.errors import FetchError

_PORTS = frozenset({80, 443})
_LONGEST = 8_000
_NUMERIC = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?", re.IGNORECASE)
"""Every form of an IPv4 address: decimal, octal, hexadecimal, short. aiohttp may connect to one
without asking the resolver, so it is refused here.
"""
_METADATA = frozenset({ip_address("168.63.129.16"), ip_address("100.100.100.200")})
"""Metadata servers of clouds, at addresses that look public."""
_RELAYS = ip_network("192.88.99.0/24")
_PRIVATE_NAMES = (
    *("localhost", "local", "internal", "home.arpa"),  # reserved
    *("corp", "home", "intranet", "lan", "private"),  # in use all the same (RFC 6762, appendix G)
)
_ALLOCATED = ip_network("2000::/3")
"""All public IPv6 addresses. Python's own tables are as old as Python: some miss fec0::/10."""
_NAT64 = ip_network("64:ff9b::/96")
"""The one prefix of NAT64 that has its IPv4 address at a known place (RFC 6052).

With a network's own prefix, such as one within 64:ff9b:1::/48, only that network knows where.
"""
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""What stands before an IPv4 address in an IPv6 address that is a tunnel to it (RFC 5214)."""

_Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be fetched, and timeouts in seconds.

    `hosts`: allowed names, also wildcards ("*.example.com"), with ":port" unless it is 80 or 443;
    empty allows any. `networks`: private networks that are allowed ("10.2.0.0/16").
    `allow_private`: allow every address and port, for development.
    """

    hosts: tuple[str, ...] = ()
    allow_private: bool = False
    networks: tuple[str, ...] = ()
    redirects: int = 5
    total: float = 120.0
    idle: float = 20.0
    pause: float = 0.5
    """Before a server that is away is asked again."""

    def check(self, url: URL, trusted: frozenset[str] = frozenset()) -> None:
        """Raises FetchError for a scheme, host or port that is not allowed.

        An IP address among the trusted hosts was configured on purpose, so it may be private; so
        was one with its port among `hosts`.
        """
        host = url.host or ""
        if url.scheme not in ("http", "https") or not host or len(str(url)) > _LONGEST:
            raise FetchError("fetch-not-http")
        if url.user is not None or url.password is not None:
            raise FetchError("fetch-with-password", host=host)
        address = _parse_address(host)
        if address is None and _NUMERIC.fullmatch(host):
            raise FetchError("fetch-unsafe-address", host=host)
        if address is not None:
            if is_allowed(url, trusted - {"*"}) or f"{host}:{url.port}" in self.hosts:
                return
            self.check_address(host, host)
        if self.hosts and not is_allowed(url, (*self.hosts, *trusted)):
            raise FetchError("fetch-host-not-allowed", host=host)
        listed = is_allowed(url, (entry for entry in self.hosts if _split_port(entry)[1]))
        if url.port not in _PORTS and not listed and not self.allow_private:
            raise FetchError("fetch-port-not-allowed", host=host, port=str(url.port))

    def check_address(self, text: str, host: str) -> None:
        """Raises FetchError for an address that is neither public nor allowed."""
        address = _parse_address(text)
        if address is not None and (self.allow_private or _is_public(address)):
            return
        if address is None or not any(address in ip_network(network) for network in self.networks):
            raise FetchError("fetch-unsafe-address", host=host)


def is_private_name(host: str) -> bool:
    """Whether a name belongs to a private network by its form, whatever it resolves to."""
    host = host.lower().rstrip(".")
    return "." not in host or any(host.endswith(f".{name}") for name in _PRIVATE_NAMES)


def is_address(host: str) -> bool:
    return _parse_address(host) is not None


def is_allowed(url: URL, entries: Iterable[str]) -> bool:
    """Whether an entry ("example.com", "*.example.com", "example.com:8443") matches this host."""
    host = (url.host or "").lower()
    for name, port in map(_split_port, entries):
        matches = host.endswith(name[1:]) if name.startswith("*.") else name in ("*", host)
        if matches and port in ("", str(url.port)):
            return True
    return False


def _split_port(entry: str) -> tuple[str, str]:
    """The name and port of an entry, "" for any. An IPv6 address cannot have a port here."""
    name, _, port = entry.lower().rpartition(":")
    return (name, port) if port.isdigit() and name and ":" not in name else (entry.lower(), "")


def _parse_address(text: str) -> _Address | None:
    try:
        return ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _is_public(address: _Address) -> bool:
    """Whether an address is public, and so is the IPv4 address that it leads to, if any."""
    if address in _METADATA or address in _RELAYS:
        return False
    if isinstance(address, IPv6Address):
        if (inner := _find_embedded(address)) is not None:
            return _is_public(inner)
        if address not in _ALLOCATED:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def _find_embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to: mapped, NAT64, 6to4, ISATAP."""
    number = int(address)
    if address in _NAT64 or (number >> 32) & 0xFFFF_FFFF in _ISATAP:
        return IPv4Address(number & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


class CheckedResolver(AbstractResolver):
    """Resolves and checks a name for each connection, so that DNS rebinding is no use.

    Raises FetchError if any address of the name is not allowed. `unchecked`: hosts with their
    ports that the operator has set, which may be private.
    """

    def __init__(
        self,
        resolver: AbstractResolver,
        policy: Policy,
        unchecked: frozenset[tuple[str | None, int | None]] = frozenset(),
    ) -> None:
        self._resolver = resolver
        self._policy = policy
        self._unchecked = unchecked

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        results = await self._resolver.resolve(host, port, family)
        for result in () if (host, port) in self._unchecked else results:
            self._policy.check_address(result["host"], host)
        return results

    async def close(self) -> None:
        await self._resolver.close()
