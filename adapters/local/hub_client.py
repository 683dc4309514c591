"""How the Hub's library reaches the Hub for us, and what its failures mean."""

import errno
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
from huggingface_hub import constants, set_client_factory
from huggingface_hub.errors import (
    DisabledRepoError,
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.utils._http import default_client_factory, hf_request_event_hook
from yarl import URL

from adapters.network.certificates import load_trust
from adapters.network.proxies import Network
from pipeline.errors import FetchError, FetchUnavailable

HUB_SECONDS = 20.0
"""For a question to the Hub, and between two pieces of a file."""
_PIECE = 1 << 20
"""Bytes that are written at once, and lost when the program is killed; else 10 MB."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_BY_STATUS = {401: "pull-token-refused", 404: "pull-unknown"}


@contextmanager
def use_network(network: Network) -> Iterator[None]:
    """Let the library connect by the rule for connections, and tell nothing by itself.

    It has one client for the whole program, so this is for one at a time.
    """
    constants.DOWNLOAD_CHUNK_SIZE = _PIECE
    constants.HF_HUB_DISABLE_TELEMETRY = True  # else the first call contacts the Hub for itself
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it warns of each retry
    set_client_factory(
        lambda: httpx2.Client(
            transport=_Routes(network),
            timeout=HUB_SECONDS,
            follow_redirects=True,
            trust_env=False,
            event_hooks={"request": [hf_request_event_hook]},
        )
    )
    try:
        yield
    finally:
        set_client_factory(default_client_factory)


class _Routes(httpx2.BaseTransport):
    """Goes to each address as the rule says: through the proxy for it, or directly."""

    def __init__(self, network: Network) -> None:
        self._network, self._transports = network, dict[str, httpx2.HTTPTransport]()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        proxy = self._network.find_proxy(URL(str(request.url)))
        address = str(proxy.address) if proxy else ""
        if address not in self._transports:
            login = {"Proxy-Authorization": proxy.login} if proxy and proxy.login else {}
            self._transports[address] = httpx2.HTTPTransport(
                verify=load_trust(self._network.certificates),
                trust_env=False,
                proxy=httpx2.Proxy(address, headers=login) if proxy else None,
            )
        return self._transports[address].handle_request(request)

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()


@contextmanager
def translate_failures(model: str, *, address: str, folder: str) -> Iterator[None]:
    """Raise FetchError or FetchUnavailable, with the way out, for what goes wrong with a model."""
    try:
        yield
    except (OSError, ValueError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        translate = next(_TRANSLATIONS[cls] for cls in type(error).__mro__ if cls in _TRANSLATIONS)
        id_, args = translate(error), {"model": model, "address": address, "folder": folder}
        args |= {"problem": _name_problem(error), "page": f"{address}/{model}"}
        raise (FetchUnavailable if id_ in _PASSING else FetchError)(id_, **args) from error


def _name_problem(error: Exception) -> str:
    if isinstance(error, HfHubHTTPError):
        return f"{error.response.status_code} {error.response.reason_phrase}"
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)
    return type(error).__name__


def _translate_http(error: Exception) -> str:
    status = error.response.status_code if isinstance(error, HfHubHTTPError) else 0
    return _BY_STATUS.get(status, "pull-hub-failed")


def _translate_disk(error: Exception) -> str:
    """The library's own error, without a number, is that fewer bytes came than were told."""
    number = error.errno if isinstance(error, OSError) else None
    if number is None:
        return "pull-cut-off"
    return "pull-disk-full" if number in _FULL else "pull-unwritable"


_TRANSLATIONS: dict[type, Callable[[Exception], str]] = {
    GatedRepoError: lambda _error: "pull-gated",
    RepositoryNotFoundError: lambda _error: "pull-unknown",
    DisabledRepoError: lambda _error: "pull-unknown",
    HFValidationError: lambda _error: "pull-unknown",
    OfflineModeIsEnabled: lambda _error: "pull-offline",
    HfHubHTTPError: _translate_http,
    httpx2.HTTPError: lambda _error: "pull-unreached",
    httpx2.InvalidURL: lambda _error: "pull-unreached",
    OSError: _translate_disk,
    ValueError: lambda _error: "pull-hub-failed",  # no JSON
}
"""Error → the sentence, translated by the nearest base class."""
_PASSING = frozenset({"pull-offline", "pull-hub-failed", "pull-unreached", "pull-cut-off"})
