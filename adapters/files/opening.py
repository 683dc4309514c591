"""Opens the store for files at its place."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import stamina

from adapters.files.local import LocalFiles
from adapters.files.places import Bucket, FilesPlace
from adapters.files.store import FileStore
from adapters.files.two_places import FilesInTwoPlaces
from pipeline.errors import SettingsError
from pipeline.outage import Outage

_WAIT_MAX = 2.0
"""Seconds between two looks whether the server of a bucket has started."""


@asynccontextmanager
async def open_files(
    place: FilesPlace,
    outage: Outage,
    *,
    starting: float = 0.0,
    is_ours: bool = True,
    old: FilesPlace | None = None,
) -> AsyncIterator[FileStore]:
    """Open and test a store. Raises SettingsError, which says what to do.

    `outage`: of everything that is stored. `starting`: for how many seconds a bucket that is not
    reached is waited for, as it may be starting, too. Without `is_ours` nothing is tested, made or
    cleared away. `old`: where some files still are.
    """
    async with AsyncExitStack() as stack:
        files: FileStore
        if isinstance(place, Bucket):
            from adapters.files.bucket import open_bucket  # noqa: PLC0415 - only where there is one

            files = await stack.enter_async_context(open_bucket(place, outage))
        else:
            files = LocalFiles(place, outage=outage)
        if is_ours:
            retrying = stamina.AsyncRetryingCaller(
                attempts=None, timeout=starting or None, wait_max=_WAIT_MAX
            )
            await (retrying(_is_unreached, files.prepare) if starting else files.prepare())
        if old is not None and old != place:
            opening = open_files(old, outage, is_ours=False)
            files = FilesInTwoPlaces(files, await stack.enter_async_context(opening))
        yield files


def _is_unreached(error: Exception) -> bool:
    return isinstance(error, SettingsError) and error.sentence.id == "files-bucket-unreached"
