"""Servers of language models that run on this machine, such as Ollama, found by asking."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
from pydantic_core import from_json
from yarl import URL

from adapters.bounds import read_bounded
from adapters.model_list import read_rows
from adapters.network.connections import open_session
from adapters.network.proxies import Network
from pipeline.bounds import check_parts
from pipeline.selection.curated import is_chat_model

_SECONDS = 2.0
_MAX_LIST = 1 << 20
_OK = 200


@dataclass(frozen=True, slots=True)
class NearbyServer:
    """A server with language models. `address` is what OPENAI_BASE_URL needs."""

    address: str
    models: tuple[str, ...]
    """Those for chats, at least one."""


async def find_nearby(
    addresses: Sequence[str], network: Network, *, key: str = "", wanted: str = ""
) -> NearbyServer | None:
    """The first server at these addresses that has a model for chats; None if there is none.

    `wanted`: a model; servers that have it come first.
    """
    found = await list_nearby(addresses, network, key=key)
    return min(found, key=lambda server: wanted not in server.models, default=None)


async def list_nearby(
    addresses: Sequence[str], network: Network, *, key: str = ""
) -> Sequence[NearbyServer]:
    """The servers at these addresses that have a model for chats.

    What is no list of models, as from a page of ours at the same port, is passed over. Takes some
    seconds at most.
    """
    async with (
        open_session(network, seconds=_SECONDS, token=key) as session,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(_ask(session, address)) for address in addresses]
    return [server for task in tasks if (server := task.result()) is not None]


async def _ask(session: aiohttp.ClientSession, address: str) -> NearbyServer | None:
    url = URL(address)
    base = url if url.path.strip("/") else url / "v1"
    try:
        async with session.get(base / "models", allow_redirects=False) as response:
            body = await read_bounded(response, _MAX_LIST)
    except (aiohttp.ClientError, OSError):
        return None
    models = _list_models(body) if response.status == _OK else ()
    return NearbyServer(str(base), models) if models else None


def _list_models(body: bytes) -> tuple[str, ...]:
    """The models for chats in a list of models; empty for anything else."""
    try:
        check_parts(body)
        document = from_json(body)
    except ValueError:
        return ()
    names = (row.get("id") for row in read_rows(document))
    return tuple(name for name in names if isinstance(name, str) and is_chat_model(name))
