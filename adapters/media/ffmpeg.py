"""ffmpeg, as a process of its own that is kept on a short lead, and the options it is given."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.media.bounds import Bounds
from pipeline.domain import Blob, Type
from pipeline.errors import MediaError
from pipeline.ports import FileDescription
from pipeline.text.names import find_ending

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
class ProbeResult:
    """What is in a video or a sound: seconds (0: unknown), size of the picture (0×0: none)."""

    seconds: float
    width: int
    height: int
    sound: bool


class Ffmpeg:
    """Runs ffmpeg on bytes, at most `at_once` at a time. `program` None: not is_installed."""

    def __init__(self, program: str | None, bounds: Bounds, *, at_once: int = 2) -> None:
        self._program = program
        self._bounds = bounds
        self._places = asyncio.Semaphore(at_once)

    @property
    def is_installed(self) -> bool:
        return self._program is not None

    async def probe(self, blob: Blob) -> ProbeResult:
        """Look into a file and play its first seconds. Raises MediaError."""
        async with self._slot(self._bounds.looking):
            output = (await self._run(blob, ("-t", "3"), ("-f", "null"), "out"))[1]
        video = next((line for line in output.splitlines() if _VIDEO.search(line)), "")
        size = _VIDEO.search(video) if _COVER not in video else None
        width, height = (int(size[1]), int(size[2])) if size else (0, 0)
        played = _seconds(_DURATION, output) or _seconds(_PLAYED, output)
        return ProbeResult(played, width, height, " Audio: " in output)

    async def make(self, blob: Blob, options: Sequence[str], media_type: str) -> bytes:
        """The file that ffmpeg makes of another with these options. Raises MediaError."""
        before = ("-t", f"{self._bounds.playing:.0f}")
        named = f"out.{find_ending(media_type)}"
        async with self._slot(self._bounds.converting):
            return (await self._run(blob, before, (*options, "-map_metadata", "-1"), named))[0]

    @asynccontextmanager
    async def _slot(self, seconds: float) -> AsyncIterator[None]:
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
            output = await self._run_command(
                (*command, *before, "-f", demuxer, "-i", str(source), *options, str(target))
            )
            return await asyncio.to_thread(_read_if_exists, target), output
        finally:
            await asyncio.to_thread(folder.cleanup)

    async def _run_command(self, command: Sequence[str]) -> str:
        """Its standard error. Its process group is killed when we are cancelled."""
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
            _out, output = await process.communicate()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await asyncio.shield(process.wait())
        if process.returncode:
            if b"matches no streams" in output:
                raise MediaError("media-no-such-stream")
            raise MediaError("media-broken", kind="sound or video")
        return output.decode("utf-8", "replace")


def _read_if_exists(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _seconds(pattern: re.Pattern[str], output: str) -> float:
    """The last time in the output; 0 without one."""
    hours, minutes, seconds = (pattern.findall(output) or [(0, 0, 0)])[-1]
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


PLAYED_INLINE = frozenset({"audio/mpeg", "audio/ogg", "video/mp4"})
_SOUND = ("-map", "0:a:0", "-vn")
_SOUNDS = {
    "audio/wav": ("-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le"),
    "audio/mpeg": ("-c:a", "libmp3lame", "-q:a", "4"),
    "audio/ogg": ("-c:a", "libopus", "-b:a", "64k"),
    "audio/mp4": ("-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart"),
    "audio/flac": ("-c:a", "flac"),
}
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1"
_FILM = ("-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn", "-map_chapters", "-1", "-threads", "2")
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
_VP9 = ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-pix_fmt", "yuv420p")
_FILMS = {
    "video/mp4": (*_FILM, "-vf", _EVEN, *_H264, "-crf", "23", "-c:a", "aac", "-b:a", "128k"),
    "video/webm": (*_FILM, "-vf", _EVEN, *_VP9, "-crf", "34", "-b:v", "0", "-c:a", "libopus"),
    "image/gif": (
        *("-map", "0:V:0", "-t", "15", "-vf"),
        "fps=10,scale='min(480,iw)':-2:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse",
    ),
    "image/png": (
        *("-map", "0:V:0", "-frames:v", "1", "-vf"),
        "scale=w='min(1280,iw*sar)':h=-2,setsar=1,thumbnail=50",
    ),
}
"""The still picture is the most telling of the first fifty."""

_SMALLEST_SOUND, _DEAREST_SOUND = 16_000, 160_000
_SMALLEST_FILM = 60_000
_CAUTION = (0.93, 0.75, 0.55)
_HEIGHTS = ((1_500_000, 720), (600_000, 480), (250_000, 360), (0, 240))


def describe_probed(found: FileDescription, probed: ProbeResult) -> FileDescription:
    """What was found, with its length and size. Raises MediaError where nothing plays.

    Voice messages come in the same containers as videos.
    """
    length = f", {probed.seconds:.1f} s" if probed.seconds else ""
    if probed.width and found.media_type.startswith("video/"):
        return FileDescription(found.media_type, f"video, {probed.width}×{probed.height}{length}")
    if not probed.sound:
        raise MediaError("media-broken", kind="sound or video")
    demuxer = DEMUXERS[found.media_type]
    media_type = _SOUND_IN.get(demuxer, found.media_type)
    return FileDescription(media_type, f"sound{length}")


_SOUND_IN = {"mov": "audio/mp4", "matroska": "audio/webm", "ogg": "audio/ogg"}


def conversion_options(blob: Blob, media_type: str) -> tuple[str, ...]:
    """How ffmpeg makes a media type of this. Raises MediaError where that makes no sense."""
    if media_type in _SOUNDS and blob.type in (Type.AUDIO, Type.VIDEO):
        return (*_SOUND, *_SOUNDS[media_type])
    if media_type in _FILMS and blob.type is not Type.AUDIO:
        return _FILMS[media_type]
    raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)


def metadata_options(words: str) -> tuple[str, ...]:
    """How ffmpeg writes a label, copying what plays as it is."""
    label = ("-metadata", f"comment={words}", "-metadata", "encoder=Troupe")
    return ("-map", "0", "-c", "copy", "-movflags", "+faststart", *label)


SHRUNK = {Type.AUDIO: "audio/mpeg", Type.VIDEO: "video/mp4"}
"""What plays everywhere and shrinks well."""


def plan_bitrates(max_bytes: int, probed: ProbeResult) -> Iterator[tuple[int, int]]:
    """Bits per second for the sound and for the moving picture (0: there is none).

    They should fit, and are lower each time; none where too few bits are left.
    """
    for share in _CAUTION:
        total = int(max_bytes * 8 * share / max(probed.seconds, 0.1))
        if probed.width:
            sound = min(max(total // 6, 24_000), 128_000) if probed.sound else 0
            if total - sound >= _SMALLEST_FILM:
                yield sound, total - sound
        elif total >= _SMALLEST_SOUND:
            yield min(total, _DEAREST_SOUND), 0


def shrink_options(blob: Blob, media_type: str, sound: int, picture: int) -> tuple[str, ...]:
    """How ffmpeg makes a file of so many bits per second."""
    if blob.type is Type.AUDIO:
        codec = _SOUNDS.get(media_type, ())[:2] or _SOUNDS["audio/mpeg"][:2]
        low = ("-ac", "1", "-ar", "24000") if sound < _DEAREST_SOUND // 3 else ()
        return (*_SOUND, *codec, *low, "-b:a", str(sound))
    height = next(height for least, height in _HEIGHTS if picture >= least)
    scaled = f"scale=-2:'trunc(min({height},ih)/2)*2',setsar=1"
    codec = _VP9 if media_type == "video/webm" else _H264
    rates = ("-b:v", str(picture), "-maxrate", str(picture), "-bufsize", str(picture * 2))
    return (*_FILM, "-vf", scaled, *codec, *rates, "-b:a", str(sound))
