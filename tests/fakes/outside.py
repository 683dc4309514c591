"""Fakes of worker processes and of fetching."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from pipeline.domain import Blob
from pipeline.errors import FetchError
from pipeline.queues import FIRST, Ticket

T = TypeVar("T")


@dataclass
class FakeWorkers:
    """Runs work at once, in this process, and records the functions' names."""

    done: list[str] = field(default_factory=list)

    async def run(
        self,
        work: Callable[..., T],
        *args: object,
        ticket: Ticket = FIRST,
        seconds: float | None = None,
    ) -> T:
        self.done.append(getattr(work, "__name__", repr(work)))
        return work(*args)


@dataclass
class FakeFetch:
    """Serves a few URLs. Records requests with the headers sent: none to untrusted hosts."""

    files: Mapping[str, Blob] = field(default_factory=dict)
    requests: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        host = urlsplit(url).hostname or ""
        self.requests.append((url, dict(headers or {}) if host in trusted else {}))
        if url not in self.files:
            raise FetchError("fetch-status", host=host, status="404")
        if len(self.files[url].data) > max_bytes:
            raise FetchError("fetch-too-large", host=host, limit=max_bytes)
        return self.files[url]
