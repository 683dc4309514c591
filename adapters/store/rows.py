"""Rows that are only put, each table's in its one way: of everything put at the same time, a statement for each table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, Insert, Table, bindparam, delete

from adapters.store.schema import (
    attempts,
    catalogue,
    channel_settings,
    deliveries,
    events,
    file_uses,
    journal,
    outcomes,
    runs,
    threads,
    turns,
)
from adapters.store.summaries import let_go
from adapters.store.threads import later
from adapters.store.upserts import kept_first, replaced

Row = Mapping[str, object]

_WAYS: Mapping[Table, Callable[[Connection], Insert]] = {
    threads: later,
    turns: partial(replaced, table=turns, key="key"),
    runs: partial(replaced, table=runs, key="id"),
    outcomes: partial(replaced, table=outcomes),
    attempts: partial(kept_first, table=attempts),
    events: partial(kept_first, table=events),
    journal: partial(kept_first, table=journal),
    deliveries: partial(replaced, table=deliveries),
    channel_settings: partial(replaced, table=channel_settings),
    catalogue: partial(replaced, table=catalogue),
    file_uses: partial(kept_first, table=file_uses),
}
"""How each table takes rows; what others refer to comes first."""

_UNUSE = delete(file_uses).where(file_uses.c.owner == bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows by table. Those in `anew` do not use any more the files that they used before."""

    of: Mapping[Table, Sequence[Row]]
    anew: tuple[str, ...] = ()

    def __or__(self, other: "Rows") -> "Rows":
        tables = {*self.of, *other.of}
        together = {table: (*self.of.get(table, ()), *other.of.get(table, ())) for table in tables}
        return Rows(together, (*self.anew, *other.anew))


def put(connection: Connection, many: Sequence[Rows]) -> Sequence[None]:
    anew = [{"wanted": owner} for rows in many for owner in rows.anew]
    if anew:
        connection.execute(_UNUSE, anew)
        connection.execute(let_go([row["wanted"] for row in anew]))
    for table, way in _WAYS.items():
        rows = [row for one in many for row in one.of.get(table, ())]
        if rows:
            connection.execute(way(connection), rows)
    return [None] * len(many)
