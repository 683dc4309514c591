"""Which proxy leads to an address, and which addresses are reached without one."""

import re
from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from yarl import URL

_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
_SECURE = frozenset({"https", "wss"})


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy."""

    address: URL
    """Without user name and password, so that it can be shown."""
    setting: str
    """The name of the setting that it comes from."""
    login: str = field(default="", repr=False)
    """The header Proxy-Authorization; "" for none."""


def read_proxy(text: str, setting: str) -> Proxy:
    """Parse the address of a proxy; the default scheme is http.

    Raises ValueError, without the text in it, if it is not the address of an HTTP proxy.
    """
    text = text.strip()
    try:
        url = URL(text if "://" in text else f"http://{text}")
    except ValueError:
        raise ValueError("not an address") from None
    if url.scheme not in ("http", "https") or not url.host or url.path != "/":
        raise ValueError("not an HTTP proxy")
    words = f"{url.user or ''}:{url.password or ''}"
    login = f"Basic {b64encode(words.encode()).decode()}" if words != ":" else ""
    return Proxy(url.origin(), setting, login)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The proxies, and what is trusted besides the system's certificates.

    `https` and `http` are for addresses with that scheme, and for wss and ws. `exceptions` are
    reached without a proxy: hosts with all below them ("example.com", ".example.com" and
    "*.example.com" mean the same), addresses, networks ("10.0.0.0/8") and "*" for everything;
    hosts and addresses may have a port. This machine is never reached through a proxy.
    """

    https: Proxy | None = None
    http: Proxy | None = None
    exceptions: tuple[str, ...] = ()
    certificates: tuple[str, ...] = ()
    """PEM files, and folders of certificates named by their hashes."""
    connect_seconds: float = 10.0
    """How long it may take to resolve a name and to connect, with proxy and TLS."""
    arrival_seconds: float | None = None
    """For places where we post: what is sent arrives in so many seconds, or never (on Linux), and
    is sent only for a run that is still ours. None for others."""

    def find_proxy(self, url: URL) -> Proxy | None:
        """The proxy for an address; None if it is reached directly."""
        proxy = self.https if url.scheme in _SECURE else self.http
        host = (url.raw_host or "").lower().rstrip(".")
        if proxy is None or _is_this_machine(host):
            return None
        if any(_covers(entry, host, url.port) for entry in self.exceptions):
            return None
        return proxy


DIRECT = Network()


def hide_login(address: str) -> str:
    """An address without its user name and password, to be shown."""
    return str(URL(address).with_user(None))


def is_exception_readable(entry: str) -> bool:
    """Whether an entry of NO_PROXY can match anything."""
    return entry == "*" or _parse(entry) is not None


def _covers(entry: str, host: str, port: int | None) -> bool:
    parsed = _parse(entry)
    if entry == "*" or parsed is None:
        return entry == "*"
    named, only_port = parsed
    if only_port not in (None, port):
        return False
    if isinstance(named, str):
        return host == named or host.endswith(f".{named}")
    address = _parse_address(host)
    return address is not None and address in named


@cache
def _parse(entry: str) -> tuple[str | IPv4Network | IPv6Network, int | None] | None:
    """The host or network of an entry, and its port if it has one; None if it is unreadable."""
    try:
        return ip_network(entry.strip("[]"), strict=False), None
    except ValueError:
        pass
    try:
        url = URL(f"http://{entry.removeprefix('*').removeprefix('.')}")
    except ValueError:
        return None
    host = (url.raw_host or "").lower().rstrip(".")
    if address := _parse_address(host):
        return ip_network(address), url.explicit_port
    is_readable = _HOST.fullmatch(host) and url.path == "/" and url.user is None
    return (host, url.explicit_port) if is_readable else None


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _parse_address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def _parse_address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
