"""ffmpeg, as a process of its own that is kept on a short lead."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.media.bounds import Bounds
from pipeline.domain import Blob
from pipeline.errors import MediaError
from pipeline.text.names import ending_of

DEMUXERS = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/mp4": "mov",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/aac": "aac",
    "audio/amr": "amr",
    "audio/aiff": "aiff",
    "audio/webm": "matroska",
    "video/mp4": "mov",
    "video/quicktime": "mov",
    "video/3gpp": "mov",
    "video/webm": "matroska",
    "video/x-matroska": "matroska",
    "video/x-msvideo": "avi",
    "video/mpeg": "mpeg",
    "video/ogg": "ogg",
    "video/x-flv": "flv",
    "video/x-ms-wmv": "asf",
    "image/gif": "gif",
}
"""The reader is told, never guessed: playlists disguised as films would open other files."""

_LIMITED = 'ulimit -v "$1"; ulimit -f "$2"; ulimit -t "$3"; shift 3; exec nice -n 5 "$@"'
_MEMORY_KIB = 4 << 20
_FILE_BLOCKS = 2 << 20
_DURATION = re.compile(r"Duration: (\d+):(\d\d):(\d\d\.\d+)")
_PLAYED = re.compile(r"time=(\d+):(\d\d):(\d\d\.\d+)")
_VIDEO = re.compile(r"Stream #.*Video: .*?, (\d{1,5})x(\d{1,5})")
_TURNED = re.compile(r"rotation of -?90")
_COVER = "(attached pic)"


@cache
def find_ffmpeg() -> str | None:
    """The ffmpeg of the extra [embedded], else the system's."""
    if find_spec("imageio_ffmpeg"):
        from imageio_ffmpeg import get_ffmpeg_exe  # noqa: PLC0415 - belongs to an extra

        with suppress(RuntimeError):
            return str(get_ffmpeg_exe())
    return shutil.which("ffmpeg")


@dataclass(frozen=True, slots=True)
class Probed:
    """What is in a film or a sound: how long in seconds (0: not told), the picture's size (0×0: none)."""

    seconds: float
    width: int
    height: int
    sound: bool


class Ffmpeg:
    """Runs ffmpeg on bytes, at most `at_once` at a time. `program` None: not installed."""

    def __init__(self, program: str | None, bounds: Bounds, *, at_once: int = 2) -> None:
        self._program = program
        self._bounds = bounds
        self._places = asyncio.Semaphore(at_once)

    @property
    def installed(self) -> bool:
        return self._program is not None

    async def probe(self, blob: Blob) -> Probed:
        """Looks into a file and plays its first seconds. Raises MediaError if that does not work."""
        async with self._at_most(self._bounds.looking):
            said = (await self._run(blob, ("-t", "3"), ("-f", "null"), "out"))[1]
        video = next((line for line in said.splitlines() if _VIDEO.search(line)), "")
        size = _VIDEO.search(video) if _COVER not in video else None
        width, height = (int(size[1]), int(size[2])) if size else (0, 0)
        if _TURNED.search(said):
            width, height = height, width
        played = _seconds(_DURATION.search(said)) or _seconds(_last(_PLAYED, said))
        return Probed(played, width, height, " Audio: " in said)

    async def make(
        self, blob: Blob, options: Sequence[str], media_type: str, *, begin: float = 0.0
    ) -> bytes:
        """The file that ffmpeg makes of another with these options. Raises MediaError."""
        before = (*(("-ss", f"{begin:.2f}") if begin else ()), "-t", f"{self._bounds.playing:.0f}")
        named = f"out.{ending_of(media_type)}"
        async with self._at_most(self._bounds.converting):
            return (await self._run(blob, before, (*options, "-map_metadata", "-1"), named))[0]

    @asynccontextmanager
    async def _at_most(self, seconds: float) -> AsyncIterator[None]:
        """A place among those at work, and a limit from when it is had."""
        async with self._places:
            try:
                async with asyncio.timeout(seconds):
                    yield
            except TimeoutError as late:
                raise MediaError("media-too-slow", seconds=round(seconds)) from late

    async def _run(
        self, blob: Blob, before: Sequence[str], options: Sequence[str], named: str
    ) -> tuple[bytes, str]:
        program, demuxer = self._program, DEMUXERS.get(blob.media_type)
        if program is None:
            raise MediaError("media-needs-ffmpeg")
        if demuxer is None:
            raise MediaError("media-unknown")
        reader = ("-protocol_whitelist", "file", "-max_pixels", str(self._bounds.pixels))
        folder = await asyncio.to_thread(TemporaryDirectory, prefix="troupe-media-")
        try:
            source, target = Path(folder.name) / "in", Path(folder.name) / named
            await asyncio.to_thread(source.write_bytes, blob.data)
            command = (program, "-hide_banner", "-nostdin", "-y", "-threads", "2", *reader)
            said = await self._finished(
                (*command, *before, "-f", demuxer, "-i", str(source), *options, str(target))
            )
            return await asyncio.to_thread(_bytes_of, target), said
        finally:
            await asyncio.to_thread(folder.cleanup)

    async def _finished(self, command: Sequence[str]) -> str:
        """What it said on standard error. Its whole group of processes is killed when we are cancelled."""
        limits = (str(_MEMORY_KIB), str(_FILE_BLOCKS), str(round(self._bounds.converting) * 4 + 60))
        process = await asyncio.create_subprocess_exec(
            *("/bin/sh", "-c", _LIMITED, "sh", *limits, *command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin"},
            start_new_session=True,
        )
        try:
            _out, said = await process.communicate()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await asyncio.shield(process.wait())
        if process.returncode:
            if b"matches no streams" in said:
                raise MediaError("media-no-such-stream")
            raise MediaError("media-broken", kind="sound or video")
        return said.decode("utf-8", "replace")


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(reversed(list(pattern.finditer(text))), None)


def _seconds(found: re.Match[str] | None) -> float:
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else 0.0
