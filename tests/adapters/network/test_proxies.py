"""Which proxy leads to an address."""

import pytest
from yarl import URL

from adapters.network.proxies import Network, is_exception_readable, read_proxy

ONE = read_proxy("http://proxy.test:3128", "HTTPS_PROXY")
OTHER = read_proxy("http://other.test:3128", "HTTP_PROXY")


@pytest.mark.parametrize("entry", ["example.com", ".example.com", "*.example.com", "EXAMPLE.com."])
@pytest.mark.parametrize(
    ("url", "is_direct"),
    [
        ("https://example.com/", True),
        ("https://a.b.example.com:8443/", True),
        ("wss://EXAMPLE.com./socket", True),
        ("https://badexample.com/", False),
        ("https://example.com.test/", False),
        ("https://example/", False),
    ],
)
def test_a_host_is_an_exception_with_all_below_it(entry: str, url: str, *, is_direct: bool) -> None:
    network = Network(https=ONE, exceptions=("other.test", entry))

    assert (network.find_proxy(URL(url)) is None) == is_direct


@pytest.mark.parametrize(
    ("entry", "url", "is_direct"),
    [
        ("*", "https://example.com/", True),
        ("example.com:8443", "https://example.com:8443/", True),
        ("example.com:8443", "https://example.com/", False),
        ("example.com:443", "https://example.com/", True),
        ("10.0.0.0/8", "https://10.1.2.3/", True),
        ("10.0.0.0/8", "https://[::ffff:10.1.2.3]/", True),
        ("10.0.0.0/8", "https://11.1.2.3/", False),
        ("10.0.0.0/8", "https://10.example.com/", False),
        ("10.1.2.3", "https://10.1.2.3:8443/", True),
        ("10.1.2.3:8443", "https://10.1.2.3:8443/", True),
        ("10.1.2.3:8443", "https://10.1.2.3/", False),
        ("fd00::/8", "https://[fd00::1]/", True),
        ("[fd00::1]:8443", "https://[fd00::1]:8443/", True),
        ("fd00::1", "https://[fd00::2]/", False),
        ("münchen.example", "https://xn--mnchen-3ya.example/", True),
    ],
)
def test_addresses_networks_and_ports_can_be_exceptions(
    entry: str, url: str, *, is_direct: bool
) -> None:
    network = Network(https=ONE, exceptions=(entry,))

    assert (network.find_proxy(URL(url)) is None) == is_direct


@pytest.mark.parametrize("scheme", ["http", "https", "ws", "wss"])
@pytest.mark.parametrize(
    "host", ["localhost", "a.localhost", "127.0.0.1", "127.8.8.8", "[::1]", "0.0.0.0"]
)
def test_this_machine_is_never_reached_through_a_proxy(scheme: str, host: str) -> None:
    network = Network(https=ONE, http=OTHER)

    assert network.find_proxy(URL(f"{scheme}://{host}:8080/")) is None


def test_each_scheme_has_its_proxy_and_sockets_have_that_of_pages() -> None:
    network = Network(https=ONE, http=OTHER)

    found = [network.find_proxy(URL(f"{s}://a.test/")) for s in ("https", "wss", "http", "ws")]

    assert found == [ONE, ONE, OTHER, OTHER]
    assert Network(https=ONE).find_proxy(URL("http://a.test/")) is None


@pytest.mark.parametrize("entry", ["10.*", "<local>", "http://example.com", "a/b", "a@b", ""])
def test_an_exception_that_matches_nothing_is_known_as_such(entry: str) -> None:
    assert not is_exception_readable(entry)
    assert Network(https=ONE, exceptions=(entry,)).find_proxy(URL("https://10.1.2.3/")) is ONE


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("proxy.test:3128", "http://proxy.test:3128"),
        ("http://proxy.test:3128/", "http://proxy.test:3128"),
        ("https://proxy.test", "https://proxy.test"),
        ("http://[::1]:3128", "http://[::1]:3128"),
        ("http://ann:p%40ss@proxy.test:3128", "http://proxy.test:3128"),
        ("ann:p@ss@proxy.test:3128", "http://proxy.test:3128"),
    ],
)
def test_the_address_of_a_proxy_is_read_and_can_be_shown(text: str, address: str) -> None:
    proxy = read_proxy(text, "ALL_PROXY")

    assert str(proxy.address) == address
    assert proxy.login == ("Basic YW5uOnBAc3M=" if "ann" in text else "")
    assert "YW5u" not in repr(proxy)


@pytest.mark.parametrize(
    "text",
    [
        "socks5://proxy.test:1080",
        "socks5h://ann:secret@proxy.test",
        "ftp://proxy.test",
        "http://proxy.test/path",
        "http://ann:sec#ret@proxy.test:3128",
        "http://",
        "http://proxy.test:99999",
    ],
)
def test_what_is_no_http_proxy_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not an ") as refused:
        read_proxy(text, "ALL_PROXY")

    assert "sec" not in str(refused.value)
