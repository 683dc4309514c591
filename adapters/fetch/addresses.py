"""Which addresses are out in the open Internet."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_METADATA = frozenset({ip_address("168.63.129.16"), ip_address("100.100.100.200")})
"""Public by their number, yet answered inside a cloud with what only its machines should know."""
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_COMPATIBLE = ip_network("::/96")
_RELAYS = ip_network("192.88.99.0/24")

Address = IPv4Address | IPv6Address


def parse_address(text: str) -> Address | None:
    """The address that a host is, if it is one in its usual writing."""
    try:
        return ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Reachable for everybody, and not another address in disguise that is not."""
    if address in _METADATA or address in _RELAYS:
        return False
    if isinstance(address, IPv6Address) and (inner := _carried(address)):
        return is_public(inner)
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def _carried(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for: mapped, compatible, 6to4, Teredo, NAT64."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in _COMPATIBLE or any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None
