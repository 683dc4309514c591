"""Opens the store for files at its place."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import stamina

from adapters.files.local import LocalFiles
from adapters.files.places import Bucket, FilesPlace
from adapters.files.store import FileStore
from pipeline.errors import SettingsError
from pipeline.outage import Outage

_WAIT_MAX = 2.0
"""Seconds between two looks whether the server of a bucket has started."""


@asynccontextmanager
async def open_files(
    place: FilesPlace, outage: Outage, *, starting: float = 0.0
) -> AsyncIterator[FileStore]:
    """Open and test a store. Raises SettingsError, which says what to do.

    `outage`: of everything that is stored. `starting`: for how many seconds a bucket that is not
    reached is waited for, as it may be starting, too.
    """
    if not isinstance(place, Bucket):
        local = LocalFiles(place, outage=outage)
        await local.prepare()
        yield local
        return
    from adapters.files.bucket import open_bucket  # noqa: PLC0415 - only where there is one

    async with open_bucket(place, outage) as files:
        retrying = stamina.AsyncRetryingCaller(
            attempts=None, timeout=starting or None, wait_max=_WAIT_MAX
        )
        await (retrying(_is_unreached, files.prepare) if starting else files.prepare())
        yield files


def _is_unreached(error: Exception) -> bool:
    return isinstance(error, SettingsError) and error.sentence.id == "files-bucket-unreached"
