"""Runs ffmpeg for the program: as a process in a sandbox of its own, never in a worker."""

import asyncio
import os
import re
import stat
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import ProbeResult, check_room, list_command
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
_DURATION = re.compile(r"Duration: (\d+):(\d\d):(\d\d\.\d+)")
_PLAYED = re.compile(r"time=(\d+):(\d\d):(\d\d\.\d+)")
_VIDEO = re.compile(r"Stream #.*Video: .*?, (\d{1,5})x(\d{1,5})")
_COVER = "(attached pic)"
"""How ffmpeg marks the cover of a sound, which is no film."""


class Ffmpeg:
    """Runs ffmpeg, at most twice at a time. `find_program` is called when it is needed."""

    def __init__(self, find_program: FindProgram, bounds: Bounds) -> None:
        self._find_program = find_program
        self._bounds = bounds
        self._slots = asyncio.Semaphore(_MOST_PROCESSES)

    async def is_installed(self) -> bool:
        return await asyncio.to_thread(self._find_program) is not None

    async def probe(self, blob: Blob) -> ProbeResult:
        """Read the streams of a file by decoding its first seconds. Raises MediaError."""
        async with self._slot(self._bounds.decode_timeout):
            output = (await self._run(blob, ("-t", "3"), ("-f", "null"), "out"))[1]
        video = next((line for line in output.splitlines() if _VIDEO.search(line)), "")
        size = _VIDEO.search(video) if _COVER not in video else None
        width, height = (int(size[1]), int(size[2])) if size else (0, 0)
        seconds = _find_seconds(_DURATION, output) or _find_seconds(_PLAYED, output)
        return ProbeResult(seconds, width, height, " Audio: " in output)

    async def convert(self, blob: Blob, options: Sequence[str], media_type: str) -> bytes:
        """Convert a file with these options. Raises MediaError."""
        limit = ("-t", f"{self._bounds.duration:.0f}")
        name = f"out.{find_ending(media_type)}"
        async with self._slot(self._bounds.convert_timeout):
            return (await self._run(blob, limit, (*options, "-map_metadata", "-1"), name))[0]

    @asynccontextmanager
    async def _slot(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a free slot; the timeout starts once there is one."""
        async with self._slots:
            try:
                async with asyncio.timeout(seconds):
                    yield
            except TimeoutError as late:
                raise MediaError("media-too-slow", seconds=round(seconds)) from late

    async def _run(
        self, blob: Blob, input_options: Sequence[str], options: Sequence[str], name: str
    ) -> tuple[bytes, str]:
        """Raises MediaError, and StoreUnavailable when there is no room for the file."""
        work = partial(self._run_in_folder, blob, input_options, options, name)
        return await wait_for_room(work)

    async def _run_in_folder(
        self, blob: Blob, input_options: Sequence[str], options: Sequence[str], name: str
    ) -> tuple[bytes, str]:
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
            before = ("-threads", "2", "-max_pixels", str(self._bounds.pixels), *input_options)
            command = list_command(program, before, demuxer, source, options, target)
            output = await self._run_command(command, folder.name)
            return await asyncio.to_thread(_read_made, target), output
        finally:
            await asyncio.to_thread(folder.cleanup)

    async def _run_command(self, command: Sequence[str], folder: str) -> str:
        """Run a command in the sandbox and return its standard error.

        It can write into `folder`. Whatever it began ends with it.
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
        return output.decode("utf-8", "replace")


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


def _find_seconds(pattern: re.Pattern[str], output: str) -> float:
    """The last time in the output that matches; 0 if none does."""
    hours, minutes, seconds = (pattern.findall(output) or [(0, 0, 0)])[-1]
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
