"""One writer that merges what is wanted at the same time into one transaction, and readers beside it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection

from adapters.store.faults import FAULTS, translated
from pipeline.background import beside

T = TypeVar("T")
Item = TypeVar("Item")
Work = Callable[[Connection], T]
"""Something to do within a transaction. It may be run twice, when others in the same transaction failed."""

Together = Callable[[Connection, Sequence[Item]], Sequence[T]]
"""The same done for many at once, in few statements: a result for each."""

_AT_ONCE = 256


class Transactions(Protocol):
    """A database as its driver offers it."""

    async def read(self, work: Work[T]) -> T: ...

    async def commit(self, work: Work[T], *, durable: bool) -> T:
        """Do it in a transaction. Raises what it raises; then nothing is done."""
        ...


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A piece of writing that somebody waits for."""

    together: Together[Any, Any]
    item: object
    durable: bool
    then: Callable[[], None] | None
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
        except FAULTS as error:
            raise translated(error) from error

    async def write(
        self, work: Work[T], *, durable: bool = False, then: Callable[[], None] | None = None
    ) -> T:
        """As `merge`, for what has nothing in common with the rest."""
        return cast("T", await self.merge(_each, work, durable=durable, then=then))

    async def merge(
        self,
        together: Together[Item, T],
        item: Item,
        *,
        durable: bool = False,
        then: Callable[[], None] | None = None,
    ) -> T:
        """Do the same for this item as for others at the same time.

        Committed when it returns: safe from a killed program, and where `durable`, from a power cut too.
        `then` is called when it is committed, also where nobody waits for that any more.
        Raises RequestError when the database cannot be used.
        """
        if self._closing:
            raise RuntimeError("the store is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wanted.append(_Wanted(together, item, durable, then, done))
        self._wake.set()
        try:
            return await done
        except FAULTS as error:
            raise translated(error) from error

    async def keep_writing(self) -> None:
        """Commit what is wanted until closed, and then what is left."""
        while self._wanted or not self._closing:
            if not self._wanted:
                self._wake.clear()
                await self._wake.wait()
                continue
            group = [self._wanted.popleft() for _ in range(min(len(self._wanted), _AT_ONCE))]
            await self._commit(group)

    def close(self) -> None:
        self._closing = True
        self._wake.set()

    async def _commit(self, group: Sequence[_Wanted]) -> None:
        durable = any(wanted.durable for wanted in group)
        try:
            results = await self._transactions.commit(partial(_all, group=group), durable=durable)
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for it
            if len(group) == 1:
                _end(group[0].done, error)
                return
            # One of them failed: each alone, so that it fails alone.
            for wanted in group:
                await self._commit([wanted])
            return
        for wanted, result in zip(group, results, strict=True):
            if wanted.then is not None:
                wanted.then()
            _end(wanted.done, result)


@asynccontextmanager
async def writing(transactions: Transactions) -> AsyncIterator[Database]:
    """A database whose writer runs as long as the context is open; what was asked for is written at the end."""
    database = Database(transactions)
    async with beside(database.keep_writing(), end=database.close):
        yield database


def _each(connection: Connection, works: Sequence[Work[Any]]) -> list[Any]:
    return [work(connection) for work in works]


def _all(connection: Connection, group: Sequence[_Wanted]) -> list[object]:
    """What is of the same kind is done together, kinds in the order in which they were first wanted."""
    kinds: dict[Together[Any, Any], list[int]] = {}
    for place, wanted in enumerate(group):
        kinds.setdefault(wanted.together, []).append(place)
    results: list[object] = [None] * len(group)
    for together, places in kinds.items():
        done = together(connection, [group[place].item for place in places])
        for place, result in zip(places, done, strict=True):
            results[place] = result
    return results


def _end(done: asyncio.Future[Any], result: object) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
