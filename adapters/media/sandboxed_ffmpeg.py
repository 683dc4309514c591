"""Runs ffmpeg for the program: as a process in a sandbox of its own, never in a worker."""

import asyncio
import os
import stat
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import check_room, list_command
from adapters.workers.programs import kill_group, start_program
from pipeline.domain import Blob
from pipeline.errors import MediaError
from pipeline.outage import wait_for_room
from pipeline.text.names import CONTAINERS, find_ending

FindProgram = Callable[[], str | None]
"""Returns the path of a program, None if it is not installed."""
_MOST_PROCESSES = 2
"""The most processes at a time, besides those in workers."""
_MEMORY_BYTES = 4 << 30
_FILE_BYTES = 1 << 30
"""Bytes of a result."""
_SAID = 1 << 16
"""Bytes that are kept of the beginning, and of the end, of what ffmpeg says."""


class Ffmpeg:
    """Runs ffmpeg, at most twice at a time. `find_program` is called when it is needed."""

    def __init__(self, find_program: FindProgram, bounds: Bounds) -> None:
        self._find_program = find_program
        self._bounds = bounds
        self._slots = asyncio.Semaphore(_MOST_PROCESSES)

    async def convert(self, blob: Blob, options: Sequence[str], media_type: str) -> bytes:
        """Convert a file with these options. Raises MediaError.

        Raises StoreUnavailable when there is no room for the file.
        """
        name = f"out.{find_ending(media_type)}"
        work = partial(self._run_in_folder, blob, options, name)
        seconds = self._bounds.convert_timeout  # counted once there is a free slot
        async with self._slots:
            try:
                async with asyncio.timeout(seconds):
                    return await wait_for_room(work)
            except TimeoutError as late:
                raise MediaError("media-too-slow", seconds=round(seconds)) from late

    async def _run_in_folder(self, blob: Blob, options: Sequence[str], name: str) -> bytes:
        program = await asyncio.to_thread(self._find_program)
        demuxer = CONTAINERS.get(blob.media_type)
        if program is None:
            raise MediaError("media-needs-ffmpeg")
        if demuxer is None:
            raise MediaError("media-unknown")
        folder = await asyncio.to_thread(TemporaryDirectory, prefix="troupe-media-")
        try:
            source, target = Path(folder.name) / "in", Path(folder.name) / name
            await asyncio.to_thread(source.write_bytes, blob.data)
            limits = (*("-max_pixels", self._bounds.pixels), *("-t", round(self._bounds.duration)))
            before, after = ("-threads", "2", *map(str, limits)), (*options, "-map_metadata", "-1")
            command = list_command(program, before, demuxer, source, after, target)
            await self._run_command(command, folder.name)
            return await asyncio.to_thread(_read_made, target)
        finally:
            await asyncio.to_thread(folder.cleanup)

    async def _run_command(self, command: Sequence[str], folder: str) -> None:
        """Run a command in the sandbox, where it can write into `folder`.

        Whatever it began ends with it.
        """
        seconds = round(self._bounds.convert_timeout) * 4 + 60
        process = await start_program(
            command, folder, AS=_MEMORY_BYTES, FSIZE=_FILE_BYTES, CPU=seconds
        )
        try:
            assert process.stderr is not None
            output = await _read_ends(process.stderr)
            await process.wait()
        finally:
            kill_group(process)
            await asyncio.shield(process.wait())
        if process.returncode:
            if b"matches no streams" in output:
                raise MediaError("media-no-such-stream")
            check_room(output)
            raise MediaError("media-broken", kind="sound or video")


async def _read_ends(said: asyncio.StreamReader) -> bytes:
    """The beginning and the end of what a program says: a hostile file can make it say much."""
    begun, latest = b"", b""
    while piece := await said.read(_SAID):
        room = _SAID - len(begun)
        begun, latest = begun + piece[:room], (latest + piece[room:])[-_SAID:]
    return begun + latest


def _read_made(path: Path) -> bytes:
    """What the program made; nothing if that is no file.

    The program may have been taken over, and have left a link to our files, or a pipe.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        return b""
    with os.fdopen(opened, "rb") as file:
        return file.read(_FILE_BYTES)
