"""Fetching over real sockets, from a server with bad manners."""

import asyncio
import inspect
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from adapters.fetch import HttpFetch, Policy
from adapters.fetch.http import redirect
from pipeline.errors import FetchError, is_passing
from pipeline.words import has_message, say
from tests.servers.pages import Pages, serving

HERE = Policy(hosts=(), networks=("127.0.0.1/32",), total=20, idle=10)
LIMIT = 1_000_000
TOKEN = {"Authorization": "Bearer secret"}


@dataclass
class FakeNames(AbstractResolver):
    """Answers with the addresses it is told, one list after the other, the last for ever.

    It knows no other names.
    """

    answers: dict[str, list[list[str]]]
    asked: list[str] = field(default_factory=list)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        answers = self.answers.get(host)
        if not answers:
            raise OSError(f"no such name: {host}")
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in found
        ]

    async def close(self) -> None:
        pass


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with serving() as pages:
        yield pages


def _on(pages: Pages, *hosts: str, **changes: float) -> Policy:
    """Reaches the test server and its address, and no other."""
    named = tuple(f"{host}:{pages.port}" for host in ("127.0.0.1", *hosts))
    return Policy(
        hosts=(*named, "*"),
        networks=("127.0.0.1/32",),
        total=changes.get("total", 20),
        idle=changes.get("idle", 10),
        pause=0.01,
    )


async def _refused(fetch: HttpFetch, url: str, **options: object) -> str:
    with pytest.raises(FetchError) as refused:
        await fetch.get(url, max_bytes=LIMIT, **options)  # type: ignore[arg-type]
    assert has_message(refused.value.sentence.id)
    assert "{" not in say("en", refused.value.sentence)
    return refused.value.sentence.id


async def test_a_file_comes_with_its_type_and_name(pages: Pages) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        blob = await fetch.get(pages.url("/file.png?size=large"), max_bytes=LIMIT)

    assert (blob.data, blob.media_type, blob.name) == (b"picture", "image/png", "file.png")


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="cat.png"', "cat.png"),
        ("attachment; filename*=UTF-8''K%C3%A4tzchen.png", "Kätzchen.png"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\\\Windows\\\\cat.png"', "cat.png"),
        ('attachment; filename=".."', "named"),
        ('attachment; filename="cat\u202egnp.exe"', "catgnp.exe"),
        ("attachment", "named"),
        ("}{ nonsense; filename", "named"),
        (f'attachment; filename="{"a" * 300}.png"', "a" * 97 + ".png"),
    ],
)
async def test_a_name_is_made_harmless(pages: Pages, disposition: str, name: str) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        blob = await fetch.get(
            f"{pages.url('/named')}?{_query('as', disposition)}", max_bytes=LIMIT
        )

    assert blob.name == name


def _query(name: str, value: str) -> str:
    return str(URL("/").with_query({name: value}))[2:]


@pytest.mark.parametrize("status", [204, 206, 304, 401, 403, 404, 410, 429, 500, 503])
async def test_any_other_status_than_ok_is_told(pages: Pages, status: int) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        assert await _refused(fetch, pages.url(f"/status/{status}")) == "fetch-status"


@pytest.mark.program
@pytest.mark.parametrize(("status", "tries"), [(404, 1), (403, 1), (429, 3), (500, 3), (503, 3)])
async def test_a_server_that_may_deliver_a_moment_later_is_asked_again(
    pages: Pages, status: int, tries: int
) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        with pytest.raises(FetchError) as refused:
            await fetch.get(pages.url(f"/status/{status}"), max_bytes=LIMIT)

    assert len(pages.asked) == tries
    assert is_passing(refused.value) == (tries > 1)


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://127.0.0.2/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://168.63.129.16/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://[::1]/",
        "http://[::]/",
        "http://[fe80::1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff02::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:7f00:2]/",
        "http://[::7f00:2]/",
        "http://[2002:a00:1::]/",
        "http://[64:ff9b::a00:1]/",
        "http://[64:ff9b:1::a00:1]/",
        "http://[64:ff9b:1:7f00:0:200:808:808]/",
        "http://[64:ff9b:1:7f:0:2:808:808]/",
        "http://[64:ff9b:1::808:808]/",
        "http://[2606:4700::5efe:a00:1]/",
        "http://[2606:4700::200:5efe:7f00:2]/",
        "http://[fec0::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[2001:0:1:2:3:4:f5ff:fffe]/",
        "http://2130706434/",
        "http://0x7f000002/",
        "http://0177.0.0.2/",
        "http://127.2/",
        "http://0x7f.0.0.2/",
    ],
)
async def test_an_address_that_is_not_public_is_refused_however_it_is_written(url: str) -> None:
    async with HttpFetch(HERE) as fetch:
        assert await _refused(fetch, url) == "fetch-unsafe-address"


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"],
)
def test_a_public_address_is_reached_also_through_a_gateway(address: str) -> None:
    Policy().check_address(address, "public.test")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://example.com/a", "fetch-not-http"),
        ("file:///etc/passwd", "fetch-not-http"),
        ("data:text/plain,hello", "fetch-not-http"),
        ("gopher://example.com/", "fetch-not-http"),
        ("/etc/passwd", "fetch-not-http"),
        ("", "fetch-not-http"),
        (f"https://example.com/{'a' * 9_000}", "fetch-not-http"),
        ("http://example.com:22/", "fetch-port-not-allowed"),
        ("http://user:word@example.com/", "fetch-with-password"),
        ("http://user@example.com/", "fetch-with-password"),
        ("http://[broken/", "fetch-not-http"),
        ("http://example.com:99999/", "fetch-not-http"),
    ],
)
async def test_an_unfit_url_is_refused(url: str, sentence: str) -> None:
    async with HttpFetch(HERE) as fetch:
        assert await _refused(fetch, url) == sentence


@pytest.mark.parametrize(
    ("url", "reached"),
    [
        ("http://files.example.com/", True),
        ("http://a.b.cdn.example.com/", True),
        ("http://cdn.example.com/", False),
        ("http://evilcdn.example.com/", False),
        ("http://files.example.com.evil.test/", False),
        ("http://example.com/", False),
    ],
)
def test_only_hosts_on_the_list_are_reached(url: str, reached: bool) -> None:  # noqa: FBT001
    policy = Policy(hosts=("files.example.com", "*.cdn.example.com"))
    address = URL(url)

    if reached:
        policy.check(address)
    else:
        with pytest.raises(FetchError) as refused:
            policy.check(address)
        assert refused.value.sentence.id == "fetch-host-not-allowed"


@pytest.mark.parametrize(
    ("url", "reached"),
    [
        ("http://127.0.0.1:8123/", True),
        ("http://127.0.0.1:8124/", False),
        ("http://127.0.0.1/", False),
        ("http://localhost:8123/", False),
    ],
)
def test_a_private_address_is_reached_only_if_listed_with_its_port(
    url: str,
    reached: bool,  # noqa: FBT001
) -> None:
    policy = Policy(hosts=("*", "127.0.0.1:8123"))
    address = URL(url)

    if reached:
        policy.check(address)
    else:
        with pytest.raises(FetchError):
            policy.check(address)


async def test_a_name_that_leads_to_a_private_address_is_refused(pages: Pages) -> None:
    names = FakeNames({"inside.test": [["10.0.0.1"]], "both.test": [["127.0.0.1", "10.0.0.1"]]})

    async with HttpFetch(_on(pages, "both.test"), resolver=names) as fetch:
        assert await _refused(fetch, "http://inside.test/") == "fetch-unsafe-address"
        url = pages.url("/file.png", "both.test")
        assert await _refused(fetch, url) == "fetch-unsafe-address"

    assert pages.asked == []


async def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(pages: Pages) -> None:
    names = FakeNames({"rebinds.test": [["127.0.0.1"], ["127.0.0.2"]]})

    async with HttpFetch(_on(pages, "rebinds.test"), resolver=names) as fetch:
        blob = await fetch.get(pages.url("/file.png", "rebinds.test"), max_bytes=LIMIT)

    assert blob.data == b"picture"
    assert names.asked == ["rebinds.test"]


async def test_a_redirect_to_a_private_address_is_refused(pages: Pages) -> None:
    names = FakeNames({"rebinds.test": [["127.0.0.1"], ["10.0.0.1"]], "in.test": [["10.0.0.1"]]})
    targets = [
        "http://127.0.0.2/",
        "http://169.254.169.254/",
        "http://in.test/",
        "file:///etc/passwd",
    ]

    async with HttpFetch(_on(pages), resolver=names) as fetch:
        told = [await _refused(fetch, f"{pages.url('/to')}?{_query('url', to)}") for to in targets]

    assert told == ["fetch-unsafe-address"] * 3 + ["fetch-not-http"]


async def test_redirects_are_followed_but_not_for_ever(pages: Pages) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        blob = await fetch.get(f"{pages.url('/to')}?url=/file.png", max_bytes=LIMIT)
        assert await _refused(fetch, pages.url("/round")) == "fetch-too-many-redirects"

    assert (blob.data, blob.name) == (b"picture", "file.png")
    assert len(pages.asked) == 2 + 6


async def test_a_token_goes_to_trusted_hosts_only(pages: Pages) -> None:
    names = FakeNames({"ours.test": [["127.0.0.1"]], "theirs.test": [["127.0.0.1"]]})
    theirs = _query("url", pages.url("/file.png", "theirs.test"))

    async with HttpFetch(_on(pages, "ours.test", "theirs.test"), resolver=names) as fetch:
        await fetch.get(
            f"{pages.url('/to', 'ours.test')}?{theirs}",
            headers=TOKEN,
            trusted=frozenset({"ours.test"}),
            max_bytes=LIMIT,
        )

    assert pages.asked == [
        ("ours.test", "/to", "Bearer secret"),
        ("theirs.test", "/file.png", ""),
    ]


def test_a_redirect_never_takes_a_secret_off_a_protected_connection() -> None:
    protected = URL("https://example.com/a")

    with pytest.raises(FetchError) as refused:
        redirect(protected, "http://example.com/b", secret=True)

    assert refused.value.sentence.id == "fetch-downgrade"
    assert redirect(protected, "/b", secret=True) == URL("https://example.com/b")
    assert redirect(protected, "http://example.com/b", secret=False).scheme == "http"


async def test_a_size_that_is_claimed_or_comes_is_limited(pages: Pages) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        assert await _refused(fetch, pages.url("/claims")) == "fetch-too-large"
        assert await _refused(fetch, pages.url("/endless")) == "fetch-too-large"
        await pages.left.wait()


async def test_a_packed_file_is_refused(pages: Pages) -> None:
    async with HttpFetch(_on(pages)) as fetch:
        assert await _refused(fetch, pages.url("/packed")) == "fetch-encoding"


async def test_a_server_that_drips_or_falls_silent_is_given_up(pages: Pages) -> None:
    async with HttpFetch(_on(pages, total=0.3)) as fetch:
        assert await _refused(fetch, pages.url("/drip")) == "fetch-too-slow"
    async with HttpFetch(_on(pages, idle=0.1)) as fetch:
        assert await _refused(fetch, pages.url("/silent")) == "fetch-too-slow"


@pytest.mark.program
async def test_a_server_that_breaks_off_or_is_not_there_is_told(pages: Pages) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]

    async with HttpFetch(Policy(allow_private=True, pause=0.01)) as fetch:
        assert await _refused(fetch, pages.url("/breaks")) == "fetch-unreachable"
        assert await _refused(fetch, f"http://127.0.0.1:{closed}/") == "fetch-unreachable"


async def test_cancelling_closes_the_connection(pages: Pages) -> None:
    async with HttpFetch(_on(pages)) as fetch, asyncio.TaskGroup() as group:
        getting = group.create_task(fetch.get(pages.url("/endless"), max_bytes=1 << 40))
        await pages.pouring.wait()
        getting.cancel()

        await pages.left.wait()


def test_every_error_of_the_http_client_is_mapped() -> None:
    raised = {
        name
        for name, error in inspect.getmembers(aiohttp, inspect.isclass)
        if issubclass(error, Exception) and not issubclass(error, Warning)
        if not issubclass(error, (TimeoutError, aiohttp.ClientError, OSError, ValueError))
    }

    assert raised == {"EofStream", "WebSocketError", "WSMessageTypeError"}, "of other uses"


async def test_a_private_address_that_is_itself_trusted_was_set_on_purpose(pages: Pages) -> None:
    here = frozenset({f"127.0.0.1:{pages.port}"})
    async with HttpFetch(Policy()) as fetch:
        found = await fetch.get(pages.url("/file.png"), trusted=here, max_bytes=LIMIT)

        assert found.data
        with pytest.raises(FetchError):
            await fetch.get(pages.url("/file.png"), trusted=frozenset({"*"}), max_bytes=LIMIT)
