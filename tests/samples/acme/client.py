"""The connections to Acme."""

from contextlib import AbstractAsyncContextManager

import aiohttp

from adapters.network.connections import open_session
from adapters.network.proxies import Network


def open_client(key: str, network: Network) -> AbstractAsyncContextManager[aiohttp.ClientSession]:
    """Open what the expert and the catalogue call Acme with."""
    return open_session(network, seconds=None, token=key)
