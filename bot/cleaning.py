"""Deletes what is past its time, and files that nothing refers to."""

from datetime import UTC, datetime, timedelta

import structlog

from bot.app import App

log = structlog.get_logger()

_READ_AGAIN = ("discord", "slack")
"""Platforms that tell what was written before the bot was called."""
_UNREFERRED = timedelta(hours=1)
"""How long an unreferenced file is kept: the message of an upload may still come."""


async def prune(app: App) -> None:
    """Delete data past its retention time."""
    store = app.ports.persistence.store
    await store.prune(older_than=find_cutoff(app, datetime.now(UTC)))
    await store.drop_overheard(_READ_AGAIN, listen=app.settings.troupe_listen)
    log.debug("pruned", kept_days=app.settings.troupe_retention_days)


async def sweep(app: App) -> int:
    """Delete files that nothing refers to. Returns how many there were."""
    moment = datetime.now(UTC) - _UNREFERRED
    old = await app.tools.files.hashes(older_than=moment)
    unused = tuple(old - await app.ports.persistence.store.file_hashes())
    await app.tools.files.discard(unused, older_than=moment)
    return len(unused)


def find_cutoff(app: App, now: datetime) -> datetime:
    """The moment before which everything is deleted."""
    return now - timedelta(days=app.settings.troupe_retention_days)
