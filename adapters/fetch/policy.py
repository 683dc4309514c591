"""Where files may be fetched from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network

from yarl import URL

from adapters.fetch.addresses import Address, is_public, parse_address
from pipeline.errors import FetchError

_PORTS = frozenset({80, 443})
_LONGEST = 8_000
_NUMERIC = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?", re.IGNORECASE)
"""Every form of an IPv4 address that resolvers take: decimal, octal, hexadecimal, short."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be reached, and how long it may take, in seconds.

    `hosts`: names, "*.example.com" for all below one, with ":port" for another port than 80 and
    443; none means any. `networks` are reached though not public ("10.2.0.0/16").
    `allow_private`: every address and port, for development.
    """

    hosts: tuple[str, ...] = ()
    allow_private: bool = False
    networks: tuple[str, ...] = ()
    redirects: int = 5
    total: float = 120.0
    idle: float = 20.0

    def check(self, url: URL, trusted: frozenset[str] = frozenset()) -> URL:
        """The URL, if its scheme, host and port are fine. Raises FetchError.

        An address named among the trusted hosts was set on purpose, so it may be private.
        """
        host = url.host or ""
        if url.scheme not in ("http", "https") or not host or len(str(url)) > _LONGEST:
            raise FetchError("fetch-not-http")
        if url.user is not None or url.password is not None:
            raise FetchError("fetch-with-password", host=host)
        address = parse_address(host)
        if address is None and _NUMERIC.fullmatch(host):
            raise FetchError("fetch-unsafe-address", host=host)
        if address is not None and is_allowed(host, url.port, trusted - {"*"}):
            return url
        if address is not None:
            self.check_address(address, host)
        self._check_host_and_port(url, (*self.hosts, *trusted) if self.hosts else ())
        return url

    def _check_host_and_port(self, url: URL, hosts: tuple[str, ...]) -> None:
        host, port = url.host or "", url.port
        if hosts and not is_allowed(host, port, hosts):
            raise FetchError("fetch-host-not-allowed", host=host)
        named = is_allowed(host, port, (entry for entry in self.hosts if _port_of(entry)))
        if port not in _PORTS and not named and not self.allow_private:
            raise FetchError("fetch-port-not-allowed", host=host, port=str(port))

    def check_address(self, address: Address, host: str) -> None:
        """Raises FetchError for an address that is not out in the open."""
        if self.allow_private or is_public(address):
            return
        if not any(address in ip_network(network) for network in self.networks):
            raise FetchError("fetch-unsafe-address", host=host)


def is_allowed(host: str, port: int | None, entries: Iterable[str]) -> bool:
    """Whether an entry ("example.com", "*.example.com", "example.com:8443") means this host."""
    return any(_means(entry.lower(), host.lower(), port) for entry in entries)


def _means(entry: str, host: str, port: int | None) -> bool:
    wanted = _port_of(entry)
    name = entry[: -len(wanted) - 1] if wanted else entry
    if wanted and int(wanted) != port:
        return False
    return host.endswith(name[1:]) if name.startswith("*.") else name in ("*", host)


def _port_of(entry: str) -> str:
    """The port that an entry names; an IPv6 address has more colons and no port here."""
    name, colon, port = entry.rpartition(":")
    return port if colon and ":" not in name and port.isdigit() else ""
