"""What people taught, read out of runs and votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, select

from adapters.store.bodies import workspace_key
from adapters.store.database import Database
from adapters.store.schema import channel_settings, feedback, inbox, runs
from adapters.store.threads import is_closed
from pipeline.codec import load
from pipeline.domain import Audience, ChannelSettings, Incoming, Run, RunId, Thread
from pipeline.lessons import MOST, Voted, lessons
from pipeline.lessons import reach as reach_of
from pipeline.ports import Lesson

_AUDIENCE = (
    select(runs.c.audience)
    .where(runs.c.channel == bindparam("channel"), runs.c.audience != Audience.UNKNOWN.value)
    .order_by(runs.c.number.desc())
    .limit(1)
)
"""Who could read along in a channel when that was last told."""
_HEARD = (
    select(inbox.c.body)
    .where(inbox.c.channel == bindparam("channel"))
    .order_by(inbox.c.number.desc())
    .limit(1)
)
_SETTINGS = select(channel_settings.c.channel, channel_settings.c.body).where(
    channel_settings.c.workspace == bindparam("workspace")
)


def _newest(place: ColumnElement[bool], limit: int) -> Select[tuple[str, str, float]]:
    """The newest votes of a place, but for those on what was asked in other threads that are closed."""
    return (
        select(feedback.c.run, feedback.c.channel, feedback.c.at)
        .join(runs, runs.c.id == feedback.c.run)
        .where(place, (runs.c.thread == bindparam("thread")) | ~is_closed(runs.c.thread))
        .order_by(feedback.c.at.desc())
        .limit(limit)
    )


_VOTED_HERE = _newest(feedback.c.channel == bindparam("channel"), MOST)
_VOTED_AROUND = _newest(feedback.c.workspace == bindparam("workspace"), 5 * MOST)
_BODIES = select(runs.c.id, runs.c.channel, runs.c.body).where(
    runs.c.id.in_(bindparam("wanted", expanding=True))
)
_VALUES = select(feedback.c.run, feedback.c.value).where(
    feedback.c.run.in_(bindparam("wanted", expanding=True))
)
_TAKE_BACK = delete(feedback).where(
    feedback.c.run.in_(bindparam("wanted", expanding=True)), feedback.c.value > 0
)


@dataclass(frozen=True, slots=True)
class SqlLessons:
    """Lessons, read anew for every question: what is forgotten, or voted down, is gone at once."""

    database: Database

    async def taught(self, thread: Thread, *, reach: str) -> Sequence[Lesson]:
        return await self.database.read(partial(_taught, thread=thread, reach=reach))

    async def unteach(self, runs: Sequence[RunId]) -> None:
        def take_back(connection: Connection) -> None:
            connection.execute(_TAKE_BACK, {"wanted": list(runs)})

        await self.database.write(take_back)


def _taught(connection: Connection, thread: Thread, reach: str) -> Sequence[Lesson]:
    order = _voted_on(connection, thread, reach)
    if not order:
        return ()
    values: dict[str, list[int]] = {run: [] for run in order}
    for row in connection.execute(_VALUES, {"wanted": order}):
        values[row.run].append(row.value)
    rows = {row.id: row for row in connection.execute(_BODIES, {"wanted": order})}
    voted = (
        Voted(found, tuple(values[run]), rows[run].channel == thread.channel.key)
        for run in order
        if (found := _run(rows[run].body))
    )
    return lessons(voted)


def _run(body: str) -> Run | None:
    """A run; one of another version of the program, with kinds that are not known here, teaches nothing."""
    try:
        return load(Run, body)
    except ValueError:
        return None


def _voted_on(connection: Connection, thread: Thread, reach: str) -> list[str]:
    """Runs whose lessons may be used in a thread, the one with the newest vote first."""
    here = thread.channel.key
    wanted = {"channel": here, "workspace": workspace_key(thread.channel), "thread": thread.key}
    around = connection.execute(_VOTED_AROUND, wanted).all()
    if not around:
        return []
    reaches: Mapping[str, str] = {
        row.channel: load(ChannelSettings, row.body).learn
        for row in connection.execute(_SETTINGS, wanted)
    }

    def of(key: str) -> str:
        return reach_of(reach, reaches.get(key, ""))

    @cache
    def shares(key: str) -> bool:
        return of(key) == "workspace" and _audience(connection, key) is Audience.WORKSPACE

    if of(here) == "off":
        return []
    votes = {*connection.execute(_VOTED_HERE, wanted), *around}
    found: dict[str, None] = {}
    for vote in sorted(votes, key=lambda vote: (-vote.at, vote.run)):
        if vote.channel == here or (shares(here) and shares(vote.channel)):
            found[vote.run] = None
        if len(found) == MOST:
            break
    return list(found)


def _audience(connection: Connection, channel: str) -> Audience:
    """Who can read along, as the newest message says, or the newest run of which it was told."""
    body = connection.scalar(_HEARD, {"channel": channel})
    try:
        heard = load(Incoming, body).heard.audience if body else Audience.UNKNOWN
    except ValueError:  # of another version of the program
        heard = Audience.UNKNOWN
    if heard is Audience.UNKNOWN:
        return Audience(connection.scalar(_AUDIENCE, {"channel": channel}) or "")
    return heard
