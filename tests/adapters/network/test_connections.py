"""Connections through a real proxy with TLS, and what their failures are called."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
import trustme
from aiohttp import web

from adapters.network.certificates import check_certificates, load_trust
from adapters.network.connections import explain_failure, open_session
from adapters.network.proxies import DIRECT, Network, read_proxy
from pipeline.domain import LocalizedText
from pipeline.errors import LeaseLost
from pipeline.fencing import fence_in
from tests.servers.pages import Pages, serving
from tests.servers.proxy import ForwardProxy, proxy_at_work

LOGIN = "Basic YW5uOnBAc3M="
POSTING = replace(DIRECT, arrival_seconds=3.0)


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with serving() as pages:
        yield pages


@asynccontextmanager
async def proxied(
    pages: Pages, certificate: str = "", **options: object
) -> AsyncIterator[tuple[ForwardProxy, Network]]:
    """A proxy that leads vendor.test to the pages, and the network of who uses it."""
    names = {"vendor.test": pages.url("")}
    async with proxy_at_work(ForwardProxy(names, **options)) as proxy:  # type: ignore[arg-type]
        address = proxy.address.replace("//", "//ann:p%40ss@")
        yield (
            proxy,
            Network(
                https=read_proxy(address, "HTTPS_PROXY"),
                http=read_proxy(address, "HTTP_PROXY"),
                certificates=(certificate,) if certificate else (),
            ),
        )


async def get(network: Network, url: str, **how: str) -> bytes:
    async with (
        open_session(network, seconds=20) as session,
        session.get(url, raise_for_status=True, **how) as response,  # type: ignore[arg-type]
    ):
        return await response.read()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_pages_come_through_a_proxy_with_a_login(
    pages: Pages, certificate: str, scheme: str
) -> None:
    async with proxied(pages, certificate, login=LOGIN, scheme=scheme) as (proxy, network):
        for url in ("https://vendor.test/file.png", "http://vendor.test/file.png"):
            assert await get(network, url) == b"picture"

        assert proxy.asked == ["CONNECT vendor.test:443", "GET http://vendor.test/file.png"]
        assert proxy.logins == {LOGIN}


async def test_what_a_library_says_of_proxies_does_not_count(
    pages: Pages, certificate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    async with proxied(pages, certificate, login=LOGIN) as (proxy, network):
        exempt = replace(network, exceptions=("other.test",))

        assert await get(exempt, "https://vendor.test/file.png", proxy="http://127.0.0.1:9")
        assert await get(network, pages.url("/file.png"), proxy=proxy.address) == b"picture"

        assert proxy.asked == ["CONNECT vendor.test:443"]


async def test_a_redirect_past_the_proxy_takes_no_login_along(pages: Pages) -> None:
    seen: list[str] = []

    async def look(request: web.Request) -> web.Response:
        seen.append(request.headers.get("Proxy-Authorization", ""))
        return web.Response()

    app = web.Application()
    app.router.add_get("/", look)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with proxied(pages, login=LOGIN) as (_, network):
        there = f"http://localhost:{runner.addresses[0][1]}/"
        await get(network, f"http://vendor.test/to?url={there}")
    await runner.cleanup()

    assert seen == [""]


async def fail(network: Network, url: str = "https://vendor.test/") -> tuple[Exception, str]:
    """The error of a call, and the explanation."""
    with pytest.raises(aiohttp.ClientError) as failed:
        await get(network, url)
    reason = explain_failure(failed.value)
    assert "p@ss" not in repr(failed.value)
    assert LOGIN not in repr(failed.value)
    return failed.value, f"{reason.id} {reason.args.get('problem', '')}" if reason else ""


async def test_a_proxy_that_refuses_is_what_failed(pages: Pages, certificate: str) -> None:
    async with proxied(pages, certificate, login="Basic other") as (_, network):
        assert (await fail(network))[1] == "network-proxy-login "
    async with proxied(pages, certificate, login=LOGIN) as (proxy, network):
        proxy.refuses = 403
        assert (await fail(network))[1] == "network-proxy-failed 403 No"
        proxy.refuses = -1
        hurried = replace(network, connect_seconds=0.1)
        error, told = await fail(hurried)

    assert told == "network-proxy-failed no answer within 0.1 s"
    assert isinstance(error, aiohttp.ClientConnectorError)


async def test_a_proxy_that_is_not_there_is_what_failed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    network = Network(https=read_proxy(f"http://ann:p%40ss@127.0.0.1:{closed}", "ALL_PROXY"))

    error, told = await fail(network)

    assert told.startswith("network-proxy-failed Connect call failed")
    assert explain_failure(RuntimeError()) is None
    assert explain_failure(ExceptionGroup("", [RuntimeError(), error])) == LocalizedText(
        "network-proxy-failed",
        {
            "proxy": f"http://127.0.0.1:{closed}",
            "setting": "ALL_PROXY",
            "host": "vendor.test",
            "problem": f"Connect call failed ('127.0.0.1', {closed})",
        },
    )


async def test_a_certificate_that_nobody_knows_is_what_failed(
    pages: Pages, certificate: str
) -> None:
    async with proxied(pages, login=LOGIN) as (_, network):
        _, told = await fail(network)
    async with proxied(pages, certificate, login=LOGIN, signer=trustme.CA()) as (_, network):
        _, of_other = await fail(network)

    assert told.startswith("network-certificate ")
    assert of_other.startswith("network-certificate ")


async def test_the_authority_that_signs_is_enough_without_the_one_above_it(
    pages: Pages, tmp_path: Path
) -> None:
    signer = trustme.CA().create_child_ca()
    signer.cert_pem.write_to_path(str(tmp_path / "signer.pem"))

    async with proxied(pages, str(tmp_path / "signer.pem"), login=LOGIN, signer=signer) as (_, it):
        assert await get(it, "https://vendor.test/file.png") == b"picture"


async def test_a_server_that_never_answers_is_given_up_without_a_proxy_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]

        with pytest.raises(aiohttp.ConnectionTimeoutError):
            await get(replace(DIRECT, connect_seconds=0.1), f"https://127.0.0.1:{port}/")


async def test_the_systems_certificates_are_trusted_besides(
    certificate: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))

    alone, both = load_trust(()), load_trust((certificate, certificate))

    assert len(both.get_ca_certs()) == len(alone.get_ca_certs()) + 1


def test_files_and_folders_without_certificates_are_refused(
    certificate: str, tmp_path: Path
) -> None:
    folder, empty = tmp_path / "folder", tmp_path / "empty.pem"
    folder.mkdir()
    empty.touch()
    for path in (str(folder), str(empty), str(tmp_path / "missing.pem")):
        with pytest.raises(ValueError, match=r"PEM|rehash"):
            check_certificates(path)

    (folder / "0123abcd.0").symlink_to(certificate)
    check_certificates(str(folder))
    check_certificates(certificate)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
@pytest.mark.parametrize(("network", "milliseconds"), [(DIRECT, 0), (POSTING, 3000)])
async def test_the_kernel_gives_up_what_does_not_arrive_where_we_post(
    pages: Pages, network: Network, milliseconds: int
) -> None:
    async with (
        open_session(network, seconds=20) as session,
        session.get(pages.url("/endless")) as response,
    ):
        assert response.connection is not None
        assert response.connection.transport is not None
        own = response.connection.transport.get_extra_info("socket")
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == milliseconds


async def test_nothing_is_sent_for_a_run_that_is_lost_before_there_is_a_connection(
    pages: Pages,
) -> None:
    async def lose() -> None:
        raise LeaseLost("lease-lost")

    async with open_session(POSTING, seconds=20) as session:
        with fence_in(lose), pytest.raises(LeaseLost):
            await session.get(pages.url("/file.png"))
        assert pages.asked == []

        async with session.get(pages.url("/file.png")) as response:
            assert await response.read() == b"picture"
    with fence_in(lose):
        assert await get(DIRECT, pages.url("/file.png")) == b"picture"
