"""One writer that merges what is wanted at the same time into one transaction, and readers beside it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from adapters.store.faults import translated

T = TypeVar("T")
Work = Callable[[Connection], T]
"""Something to do within a transaction. It may be run twice, when others in the same transaction failed."""

_AT_ONCE = 256


class Transactions(Protocol):
    """A database as its driver offers it."""

    async def read(self, work: Work[T]) -> T: ...

    async def commit(self, works: Sequence[Work[object]], *, durable: bool) -> list[object]:
        """Do all in one transaction. Raises what one of them raises; then nothing is done."""
        ...


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A piece of writing that somebody waits for."""

    work: Work[object]
    durable: bool
    done: asyncio.Future[Any]


class Database:
    """Reads and writes. Everything written while a transaction is being committed goes into the next one, together."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._wanted: deque[_Wanted] = deque()
        self._wake = asyncio.Event()
        self._closing = False

    async def read(self, work: Work[T]) -> T:
        """Raises RequestError when the database cannot be used."""
        try:
            return await self._transactions.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise translated(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Committed when it returns: safe from a killed program, and where `durable`, from a power cut too.

        Raises RequestError when the database cannot be used.
        """
        if self._closing:
            raise RuntimeError("the store is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wanted.append(_Wanted(work, durable, done))
        self._wake.set()
        try:
            return await done
        except (SQLAlchemyError, OSError) as error:
            raise translated(error) from error

    async def keep_writing(self) -> None:
        """Commit what is wanted until closed, and then what is left."""
        while self._wanted or not self._closing:
            if not self._wanted:
                self._wake.clear()
                await self._wake.wait()
                continue
            together = [self._wanted.popleft() for _ in range(min(len(self._wanted), _AT_ONCE))]
            await self._commit(together)

    def close(self) -> None:
        self._closing = True
        self._wake.set()

    async def _commit(self, together: Sequence[_Wanted]) -> None:
        works = [wanted.work for wanted in together]
        durable = any(wanted.durable for wanted in together)
        try:
            results = await self._transactions.commit(works, durable=durable)
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for it
            if len(together) == 1:
                _end(together[0].done, error)
                return
            # One of them failed: each alone, so that it fails alone.
            for wanted in together:
                await self._commit([wanted])
            return
        for wanted, result in zip(together, results, strict=True):
            _end(wanted.done, result)


@asynccontextmanager
async def writing(transactions: Transactions) -> AsyncIterator[Database]:
    """A database whose writer runs as long as the context is open; what was asked for is written at the end."""
    database = Database(transactions)
    raised: BaseException | None = None
    async with asyncio.TaskGroup() as group:
        group.create_task(database.keep_writing())
        try:
            yield database
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - carried past the group, which would wrap it
            raised = error
        database.close()
    if raised is not None:
        raise raised


def all_of(connection: Connection, works: Sequence[Work[object]]) -> list[object]:
    return [work(connection) for work in works]


def _end(done: asyncio.Future[Any], result: object) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(cast("Any", result))
