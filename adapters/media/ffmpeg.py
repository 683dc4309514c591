"""Runs ffmpeg as a process with limited resources, and chooses its options."""

import asyncio
import errno
import os
import re
import shutil
import stat
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.media.bounds import Bounds
from adapters.workers.programs import kill_group, start_program
from pipeline.domain import Blob, FileDescription, Type
from pipeline.errors import NO_ROOM, MediaError
from pipeline.outage import wait_for_room
from pipeline.text.names import CONTAINERS, find_ending

FindProgram = Callable[[], str | None]
"""Returns the path of a program, None if it is not installed."""
_MOST_PROCESSES = 2
_MEMORY_BYTES = 4 << 30
_FILE_BYTES = 1 << 30
_SAID = 1 << 16
"""Bytes that are kept of the beginning, and of the end, of what ffmpeg says."""
_DURATION = re.compile(r"Duration: (\d+):(\d\d):(\d\d\.\d+)")
_PLAYED = re.compile(r"time=(\d+):(\d\d):(\d\d\.\d+)")
_VIDEO = re.compile(r"Stream #.*Video: .*?, (\d{1,5})x(\d{1,5})")
_COVER = "(attached pic)"


@cache
def find_ffmpeg() -> str | None:
    """The path of ffmpeg: from the extra [embedded], else the system's. None if not installed.

    Blocks: the extra runs the program to see whether it works.
    """
    if find_spec("imageio_ffmpeg"):
        from imageio_ffmpeg import get_ffmpeg_exe

        with suppress(RuntimeError):
            return str(get_ffmpeg_exe())
    return shutil.which("ffmpeg")


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The streams of a file: seconds (0: unknown), size of the picture (0×0: none), sound."""

    seconds: float
    width: int
    height: int
    sound: bool


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
        safety = ("-protocol_whitelist", "file", "-max_pixels", str(self._bounds.pixels))
        folder = await asyncio.to_thread(TemporaryDirectory, prefix="troupe-media-")
        try:
            source, target = Path(folder.name) / "in", Path(folder.name) / name
            await asyncio.to_thread(source.write_bytes, blob.data)
            command = (program, "-hide_banner", "-nostdin", "-y", "-threads", "2", *safety)
            output = await self._run_command(
                (*command, *input_options, "-f", demuxer, "-i", str(source), *options, str(target)),
                folder.name,
            )
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
            if NO_ROOM in output:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
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


PLAYED_INLINE = frozenset({"audio/mpeg", "audio/ogg", "video/mp4"})
_SOUND = ("-map", "0:a:0", "-vn")
_MP3 = (*_SOUND, "-c:a", "libmp3lame")
_FILM = ("-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn", "-map_chapters", "-1", "-threads", "2")
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1"
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
_OPTIONS = {
    "audio/wav": (*_SOUND, "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le"),
    "audio/mpeg": (*_MP3, "-q:a", "4"),
    "video/mp4": (*_FILM, "-vf", _EVEN, *_H264, "-crf", "23", "-c:a", "aac", "-b:a", "128k"),
    "image/png": (
        *("-map", "0:V:0", "-frames:v", "1", "-vf"),
        "scale=w='min(1280,iw*sar)':h=-2,setsar=1,thumbnail=50",
    ),
}
"""The PNG is the most representative of the first 50 frames."""

_LEAST_AUDIO, _MOST_AUDIO = 16_000, 160_000
_LEAST_VIDEO = 60_000
_SHARES = (0.93, 0.75, 0.55)
_HEIGHTS = ((1_500_000, 720), (600_000, 480), (250_000, 360), (0, 240))


def describe_probed(file: FileDescription, probed: ProbeResult) -> FileDescription:
    """Describe a sound or video with its length. Raises MediaError if it has no stream.

    A video container without a picture is a sound, such as a voice message.
    """
    length = f", {probed.seconds:.1f} s" if probed.seconds else ""
    if probed.width and file.media_type.startswith("video/"):
        size = f"{probed.width}×{probed.height}"
        return FileDescription(file.media_type, f"video, {size}{length}", probed.seconds)
    if not probed.sound:
        raise MediaError("media-broken", kind="sound or video")
    media_type = _SOUND_IN.get(CONTAINERS[file.media_type], file.media_type)
    return FileDescription(media_type, f"sound{length}", probed.seconds)


_SOUND_IN = {
    "asf": "audio/x-ms-wma",
    "matroska": "audio/webm",
    "mov": "audio/mp4",
    "ogg": "audio/ogg",
}


def conversion_options(blob: Blob, media_type: str) -> tuple[str, ...]:
    """The options that convert a sound or film to a media type. Raises MediaError."""
    is_shown = blob.type is Type.VIDEO or media_type.startswith("audio/")
    if media_type not in _OPTIONS or not is_shown:
        raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)
    return _OPTIONS[media_type]


def metadata_options(words: str) -> tuple[str, ...]:
    """The options that write a comment and copy the streams unchanged."""
    label = ("-metadata", f"comment={words}", "-metadata", "encoder=Troupe")
    return ("-map", "0", "-c", "copy", "-movflags", "+faststart", *label)


SHRUNK = {Type.AUDIO: "audio/mpeg", Type.VIDEO: "video/mp4"}
"""Types that play everywhere and compress well."""


def plan_bitrates(max_bytes: int, probed: ProbeResult) -> Iterator[tuple[int, int]]:
    """Bit rates to try, for sound and picture (0: there is none), lower each time.

    Yields nothing if the size is too small for the length.
    """
    for share in _SHARES:
        total = int(max_bytes * 8 * share / max(probed.seconds, 0.1))
        if probed.width:
            sound = min(max(total // 6, 24_000), 128_000) if probed.sound else 0
            if total - sound >= _LEAST_VIDEO:
                yield sound, total - sound
        elif total >= _LEAST_AUDIO:
            yield min(total, _MOST_AUDIO), 0


def shrink_options(blob: Blob, sound: int, picture: int) -> tuple[str, ...]:
    """The options that encode a file at these bit rates, as a type in `SHRUNK`."""
    if blob.type is Type.AUDIO:
        low = ("-ac", "1", "-ar", "24000") if sound < _MOST_AUDIO // 3 else ()
        return (*_MP3, *low, "-b:a", str(sound))
    height = next(height for least, height in _HEIGHTS if picture >= least)
    scaled = f"scale=-2:'trunc(min({height},ih)/2)*2',setsar=1"
    rates = ("-b:v", str(picture), "-maxrate", str(picture), "-bufsize", str(picture * 2))
    return (*_FILM, "-vf", scaled, *_H264, *rates, "-b:a", str(sound))
