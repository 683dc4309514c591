"""Connections by the rule: the only place that opens clients, and what their failures mean."""

import asyncio
import socket
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import aiohttp
from aiohttp import AddrInfoType, ClientHandlerType, ClientRequest, hdrs
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from adapters.network.certificates import load_trust
from adapters.network.proxies import Network, Proxy
from pipeline.domain import LocalizedText
from pipeline.fencing import check_fence

PROXY_LOGIN = 407


class ProxyFailed(aiohttp.ClientProxyConnectionError):
    """The proxy was not reached, or did not connect us. `status` is its reply, 0 for none."""

    def __init__(
        self, key: ConnectionKey, proxy: Proxy, *, status: int = 0, problem: str = ""
    ) -> None:
        super().__init__(key, OSError(0, problem))
        self.proxy, self.status, self.problem = proxy, status, problem

    def __str__(self) -> str:
        return f"{self.proxy.address} does not connect to {self.host}: {self.problem}"


def open_session(
    network: Network,
    *,
    seconds: float | None,
    idle: float | None = None,
    token: str = "",
    headers: Mapping[str, str] | None = None,
    auto_decompress: bool = True,
    **connector: Any,  # noqa: ANN401 - aiohttp's own
) -> aiohttp.ClientSession:
    """A client that keeps no cookies.

    `seconds`: for a whole request; None if its caller sets a limit. `idle`: between two pieces of
    a response. `token`: sent with each request. `connector`: options of aiohttp's connector.
    """
    login: Mapping[str, str] = {hdrs.AUTHORIZATION: f"Bearer {token}"} if token else {}
    return aiohttp.ClientSession(
        connector=Connector(network, **connector),
        timeout=aiohttp.ClientTimeout(total=seconds, sock_read=idle),
        headers={**login, **(headers or {})},
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=auto_decompress,
        middlewares=(partial(_check_login, network),),
    )


async def _check_login(
    network: Network, req: ClientRequest, send: ClientHandlerType
) -> aiohttp.ClientResponse:
    """Without a tunnel, a proxy that wants a login says so as if it was the server."""
    response = await send(req)
    proxy = network.find_proxy(req.url)
    if proxy and response.status == PROXY_LOGIN and not req.is_ssl():
        response.close()
        raise ProxyFailed(req.connection_key, proxy, status=PROXY_LOGIN)
    return response


class Connector(aiohttp.TCPConnector):
    """Connects as the rule says, whatever the library that asks for a connection says.

    So the rule holds in libraries, too, of which some know no proxy, some no exceptions, and some
    read the environment themselves.
    """

    def __init__(self, network: Network, **options: Any) -> None:  # noqa: ANN401 - aiohttp's own
        seconds = network.arrival_seconds
        factory = None if seconds is None else partial(_open_socket, seconds)
        super().__init__(ssl=load_trust(network.certificates), socket_factory=factory, **options)
        self._network = network

    async def connect(
        self,
        req: ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own
    ) -> Connection:
        proxy = self._network.find_proxy(req.url)
        if proxy is None:
            req.update_proxy(None, None, None)
        elif not proxy.login:
            req.update_proxy(proxy.address, None, None)
        else:
            login = {hdrs.PROXY_AUTHORIZATION: proxy.login}
            req.update_proxy(proxy.address, None, login)
            if not req.is_ssl():  # no tunnel: the request itself goes to the proxy
                req.headers.update(login)
        connection = await super().connect(req, traces, timeout)
        if self._network.arrival_seconds is not None:
            try:
                await check_fence()  # again: limits and the way here may have taken long
            except BaseException:
                connection.release()
                raise
        return connection

    async def _create_connection(
        self,
        req: ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - as above
    ) -> ResponseHandler:
        """Bound the whole way to a connection, and say when the proxy is what failed."""
        seconds, proxy = self._network.connect_seconds, self._network.find_proxy(req.url)
        try:
            async with asyncio.timeout(seconds):
                return await super()._create_connection(req, traces, timeout)
        except aiohttp.ClientConnectorCertificateError:
            raise
        except (aiohttp.ClientError, OSError) as error:
            if proxy is None:
                raise
            status, problem = 0, f"{error}"
            if isinstance(error, aiohttp.ClientHttpProxyError):
                status, problem = error.status, f"{error.status} {error.message}"
            elif isinstance(error, aiohttp.ClientConnectorError):
                problem = str(error.os_error.strerror or error.os_error)
            elif isinstance(error, TimeoutError):
                problem = f"no answer within {seconds:g} s"
            # Without the cause: its `repr` shows the header with the login.
            raise ProxyFailed(req.connection_key, proxy, status=status, problem=problem) from None


def _open_socket(arrival_seconds: float, address: AddrInfoType) -> socket.socket:
    """A socket that gives up what nobody acknowledges for so long, also after it was closed."""
    family, kind, protocol, _, _ = address
    opened = socket.socket(family, kind, protocol)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        milliseconds = round(arrival_seconds * 1000)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    return opened


def explain_failure(error: BaseException) -> LocalizedText | None:
    """Why a call failed, if the proxy or a certificate is the reason: for operators, with the fix.

    The reason may be the cause of `error`, or in its group.
    """
    for each in _list_causes(error):
        if isinstance(each, ProxyFailed):
            facts = {"proxy": str(each.proxy.address), "setting": each.proxy.setting}
            if each.status == PROXY_LOGIN:
                return LocalizedText("network-proxy-login", facts)
            facts |= {"host": each.host, "problem": each.problem}
            return LocalizedText("network-proxy-failed", facts)
        if isinstance(each, aiohttp.ClientConnectorCertificateError):
            reason = each.certificate_error
            problem = getattr(reason, "verify_message", "") or str(reason)
            return LocalizedText("network-certificate", {"host": each.host, "problem": problem})
    return None


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _list_causes(inner)
        error = error.__cause__ or error.__context__
