"""What everything that fetches files does."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from adapters.fetch import HttpFetch, Policy
from pipeline.domain import Blob
from pipeline.errors import FetchError
from pipeline.ports import Fetch
from tests.fakes.outside import FakeFetch
from tests.servers.pages import serving

TOKEN = {"Authorization": "Bearer secret"}


@dataclass
class Web:
    """A fetcher, and a host that has /file.png."""

    fetch: Fetch
    root: str
    tokens: Callable[[], list[str]]


@pytest.fixture(params=["fake", "http"])
async def web(request: pytest.FixtureRequest) -> AsyncIterator[Web]:
    if request.param == "fake":
        root = "http://example.com"
        file = Blob(b"picture", "image/png", "file.png")
        fake = FakeFetch({f"{root}/file.png": file})
        yield Web(
            fake, root, lambda: [asked[1].get("Authorization", "") for asked in fake.requests]
        )
        return
    async with serving() as pages, HttpFetch(Policy(allow_private=True)) as fetch:
        yield Web(fetch, pages.url(""), lambda: [asked[2] for asked in pages.asked])


async def test_a_file_comes_with_type_and_name(web: Web) -> None:
    blob = await web.fetch.get(f"{web.root}/file.png", max_bytes=100)

    assert blob == Blob(b"picture", "image/png", "file.png")


async def test_a_token_reaches_a_trusted_host(web: Web) -> None:
    host = web.root.split("/")[2].partition(":")[0]

    await web.fetch.get(
        f"{web.root}/file.png", headers=TOKEN, trusted=frozenset({host}), max_bytes=100
    )

    assert web.tokens() == ["Bearer secret"]


async def test_a_token_does_not_reach_another_host(web: Web) -> None:
    await web.fetch.get(f"{web.root}/file.png", headers=TOKEN, max_bytes=100)

    assert web.tokens() == [""]


@pytest.mark.parametrize(("path", "limit"), [("/nothing", 100), ("/file.png", 3)])
async def test_a_file_that_is_not_there_or_too_large_is_refused(
    web: Web, path: str, limit: int
) -> None:
    with pytest.raises(FetchError):
        await web.fetch.get(f"{web.root}{path}", max_bytes=limit)
