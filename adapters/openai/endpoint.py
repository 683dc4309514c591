"""An endpoint and the connection to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from openai import AsyncOpenAI

_CONNECT = 5.0
_AT_ONCE = httpx2.Limits(max_connections=200, max_keepalive_connections=16, keepalive_expiry=60.0)
"""Between the plan and the answer of a request there may be a minute in which experts are at work.

Few are kept: for each call the client looks at every one that is kept.
"""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is reached. No base URL means OpenAI's own; `context` 0 asks the endpoint.

    `seconds` is the deadline of one call with its repeats, `backoff` the first wait between them.
    """

    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    context: int = 0
    sees_images: bool = True
    tries: int = 4
    backoff: float = 0.5


@asynccontextmanager
async def connected(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    """One client for all calls; it repeats nothing by itself."""
    timeout = httpx2.Timeout(endpoint.seconds, connect=min(_CONNECT, endpoint.seconds))
    async with httpx2.AsyncClient(timeout=timeout, limits=_AT_ONCE) as http:
        yield AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url or None,
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )
