"""Fetching through a proxy, which resolves names itself: what is guarded stays out of reach."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import pytest
from yarl import URL

from adapters.fetch import HttpFetch, Policy
from adapters.network.proxies import Network, read_proxy
from pipeline.errors import FetchError
from tests.adapters.fetch.test_http import FakeNames
from tests.servers.pages import Pages, serving
from tests.servers.proxy import ForwardProxy, proxy_at_work

PUBLIC = "93.184.216.34"
LIMIT = 1_000_000


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with serving() as pages:
        yield pages


class Everywhere(Mapping[str, str]):
    """Leads every name to the pages."""

    def __init__(self, pages: Pages) -> None:
        self._base = pages.url("")

    def __getitem__(self, _: str) -> str:
        return self._base

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@pytest.fixture
async def proxy(pages: Pages) -> AsyncIterator[ForwardProxy]:
    async with proxy_at_work(ForwardProxy(Everywhere(pages))) as proxy:
        yield proxy


def behind(
    proxy: ForwardProxy, known: Mapping[str, str], *exceptions: str, **policy: Any
) -> HttpFetch:
    """A fetch behind a proxy at a private address. `known`: what can be resolved here."""
    network = Network(http=read_proxy(proxy.address, "HTTP_PROXY"), exceptions=exceptions)
    addresses = {"localhost": "127.0.0.1", **known}
    names = FakeNames({name: [[address]] for name, address in addresses.items()})
    return HttpFetch(Policy(total=20, idle=10, **policy), network=network, resolver=names)


async def refuse(fetch: HttpFetch, url: str) -> str:
    with pytest.raises(FetchError) as refused:
        await fetch.get(url, max_bytes=LIMIT)
    return refused.value.sentence.id


@pytest.mark.parametrize("known", [{}, {"pictures.test": PUBLIC}])
async def test_a_public_name_or_one_that_only_the_proxy_knows_goes_through_it(
    proxy: ForwardProxy, known: Mapping[str, str]
) -> None:
    async with behind(proxy, known) as fetch:
        named = await fetch.get("http://pictures.test/file.png", max_bytes=LIMIT)
        address = await fetch.get(f"http://{PUBLIC}/file.png", max_bytes=LIMIT)

    assert named.data == address.data == b"picture"
    assert proxy.hosts == {"pictures.test", PUBLIC}


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://inside.test/",
        "http://localhost/",
        "http://intranet/",
        "http://db.internal/",
        "http://printer.local./",
        "http://wiki.corp/",
        "http://a.home.arpa/",
        "http://exempt.test/",
        "http://10.9.9.9/",
    ],
)
async def test_what_is_not_public_is_not_asked_of_the_proxy_either(
    proxy: ForwardProxy, url: str
) -> None:
    known = {"inside.test": "10.0.0.1", "exempt.test": "10.0.0.2"}
    redirect = URL("http://pictures.test/to").with_query(url=url)

    async with behind(proxy, known, "exempt.test", "10.9.0.0/16") as fetch:
        told = [await refuse(fetch, url), await refuse(fetch, str(redirect))]

    assert told == ["fetch-unsafe-address"] * 2
    assert proxy.hosts == {"pictures.test"}


async def test_a_host_that_the_operator_trusts_is_not_looked_up_before(
    proxy: ForwardProxy,
) -> None:
    trusted = frozenset({"files.test"})
    async with behind(proxy, {"files.test": "10.0.0.1"}) as fetch:
        await fetch.get("http://files.test/file.png", trusted=trusted, max_bytes=LIMIT)
        redirect = URL("http://files.test/to").with_query(url="http://other.corp/")
        with pytest.raises(FetchError):
            await fetch.get(str(redirect), trusted=trusted, max_bytes=LIMIT)

    assert proxy.hosts == {"files.test"}


async def test_the_proxy_itself_is_not_fetched_from(proxy: ForwardProxy) -> None:
    async with behind(proxy, {}, "*", hosts=(f"localhost:{proxy.port}",)) as fetch:
        told = await refuse(fetch, f"{proxy.address}/file.png")

    assert (told, proxy.asked) == ("fetch-unsafe-address", [])


async def test_a_name_may_be_private_where_the_operator_allows_it(proxy: ForwardProxy) -> None:
    async with behind(proxy, {}, allow_private=True) as fetch:
        await fetch.get("http://wiki.corp/file.png", max_bytes=LIMIT)

    assert proxy.hosts == {"wiki.corp"}
