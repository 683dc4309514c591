"""Sound and film cut and converted by ffmpeg (a program under the GPL, run as a process of its own)."""

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from adapters.embedded.experts.wishes import Op, Wish
from pipeline.domain import Blob, Type
from pipeline.errors import BadInput, ExpertRefused

_SECONDS = 240
_MOST_BYTES = "500M"
DEMUXERS: Mapping[str, str] = {
    "audio/wav": "wav", "audio/mpeg": "mp3", "audio/mp4": "mov", "audio/ogg": "ogg", "audio/flac": "flac",
    "audio/aac": "aac", "audio/amr": "amr", "audio/aiff": "aiff", "audio/webm": "matroska", "video/mp4": "mov",
    "video/quicktime": "mov", "video/3gpp": "mov", "video/webm": "matroska", "video/x-matroska": "matroska",
    "video/x-msvideo": "avi", "video/mpeg": "mpeg", "video/ogg": "ogg", "video/x-flv": "flv",
    "video/x-ms-wmv": "asf", "image/gif": "gif",
}  # fmt: skip
"""The reader is told, never guessed: playlists disguised as films would open other files."""
_MEDIA_TYPES: Mapping[str, str] = {
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "m4a": "audio/mp4",
    "aac": "audio/aac", "mp4": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "avi": "video/x-msvideo", "gif": "image/gif", "png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp",
    "bmp": "image/bmp", "tiff": "image/tiff",
}  # fmt: skip
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac")
_GIF = "fps=12,scale='min(480,iw)':-1,split[a][b];[a]palettegen[p];[b][p]paletteuse"


def made(blob: Blob, asked: Sequence[Wish]) -> Blob:
    """The film or sound after all that was asked for. Raises BadInput, ExpertRefused."""
    ending = _ending(blob, asked)
    return _through(blob, _opened(asked), _changed(blob, asked, ending), ending)


def sounding(blob: Blob, ending: str, *filters: str) -> Blob:
    """The sound as another type, after ffmpeg's filters. Raises BadInput, ExpertRefused."""
    return _through(blob, [], ["-vn", *(["-af", ",".join(filters)] if filters else [])], ending)


def sound_ending(blob: Blob) -> str:
    """The type that a sound has, if it can be written here, else mp3."""
    kept = {"audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac", "audio/mp4": "m4a"}
    return kept.get(blob.media_type, "mp3")


def _through(blob: Blob, before: Sequence[str], after: Sequence[str], ending: str) -> Blob:
    reader = DEMUXERS.get(blob.media_type)
    if reader is None:
        raise ExpertRefused("embedded-file-type", slot="file")
    with tempfile.TemporaryDirectory(prefix="troupe-") as folder:
        source, target = Path(folder, "in"), Path(folder, f"out.{ending}")
        source.write_bytes(blob.data)
        _run([*before, "-f", reader, "-i", str(source), *after, str(target)])
        return Blob(target.read_bytes(), _MEDIA_TYPES[ending], renamed(blob, ending), blob.alt)


def renamed(blob: Blob, ending: str) -> str:
    stem, dot, _ = blob.name.rpartition(".")
    return f"{(stem if dot else blob.name) or 'file'}.{'jpg' if ending == 'jpeg' else ending}"


def _run(arguments: Sequence[str]) -> None:
    from imageio_ffmpeg import get_ffmpeg_exe

    fixed = ("-hide_banner", "-nostdin", "-v", "error", "-y", "-protocol_whitelist", "file,pipe")
    limits = ("-timelimit", str(_SECONDS), "-abort_on", "empty_output")
    *rest, target = arguments
    command = [
        get_ffmpeg_exe(),
        *fixed,
        *limits,
        *rest,
        "-fs",
        _MOST_BYTES,
        "-map_metadata",
        "-1",
        target,
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603 - our own arguments
    except subprocess.TimeoutExpired as error:
        raise BadInput("embedded-too-long") from error
    except subprocess.CalledProcessError as error:
        empty = b"is empty" in error.stderr
        raise BadInput("embedded-nothing-left" if empty else "embedded-film-unreadable") from error


def _ending(blob: Blob, asked: Sequence[Wish]) -> str:
    """The type that was named, else the one that fits what was asked; sound and film keep theirs where they can."""
    ops = {wish.op for wish in asked}
    named = next((wish.ending for wish in asked if wish.op is Op.TYPE), "")
    if named:
        return named
    if Op.POSTER in ops:
        return "png"
    if blob.type is Type.AUDIO or Op.SOUND in ops:
        return sound_ending(blob) if Op.SMALLER not in ops else "mp3"
    return "gif" if blob.media_type == "image/gif" else "mp4"


def _opened(asked: Sequence[Wish]) -> list[str]:
    """Where to begin and to end, said before the file."""
    for wish in asked:
        match wish.op, wish.figures:
            case Op.KEEP, (start, end):
                return ["-ss", f"{start:g}", "-t", f"{end - start:g}"]
            case Op.KEEP_END, (length,):
                return ["-sseof", f"-{length:g}"]
            case Op.DROP | Op.POSTER, (start,):
                return ["-ss", f"{start:g}"]
            case _:
                pass
    return []


def _changed(blob: Blob, asked: Sequence[Wish], ending: str) -> list[str]:
    family = _MEDIA_TYPES[ending].partition("/")[0]
    pictures = [text for wish in asked if (text := _on_film(wish))]
    sounds = [text for wish in asked if (text := _on_sound(wish))]
    smaller = any(wish.op is Op.SMALLER for wish in asked)
    heard = ["-af", ",".join(sounds)] if sounds else []
    if family == "audio":
        return ["-vn", *heard, *(["-b:a", "64k"] if smaller else [])]
    if blob.type is Type.AUDIO:
        raise ExpertRefused("embedded-file-type", slot="file")
    if ending == "gif":
        return ["-an", "-filter_complex", ",".join([*pictures, _GIF])]
    seen = ["-vf", ",".join(pictures)] if pictures else []
    if family == "image":
        return ["-an", *seen, "-frames:v", "1", "-update", "1"]
    silent = any(wish.op is Op.MUTE for wish in asked)
    codecs = _H264 if ending in ("mp4", "mov", "mkv") else ()
    even = [] if seen else ["-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2"]
    quality = ["-crf", "34" if smaller else "23"] if codecs else []
    start = ["-movflags", "+faststart"] if ending in ("mp4", "mov") else []
    return [*(["-an"] if silent else heard), *seen, *even, *codecs, *quality, *start]


def _on_film(wish: Wish) -> str:
    described = _FILM.get(wish.op)
    return described(*wish.figures) if described else ""


def _on_sound(wish: Wish) -> str:
    match wish.op, wish.figures:
        case Op.SPEED, (factor,):
            return _tempo(factor)
        case Op.VOLUME, (factor,):
            return f"volume={factor:g}"
        case _:
            return ""


def _tempo(factor: float) -> str:
    """Ffmpeg slows to a half at most in one go."""
    steps = []
    while factor < 0.5:  # noqa: PLR2004
        steps.append("atempo=0.5")
        factor *= 2
    return ",".join([*steps, f"atempo={min(factor, 100):g}"])


def _resized(width: float, height: float) -> str:
    if width and height:
        return (
            f"scale={width:g}:{height:g}:force_original_aspect_ratio=decrease:force_divisible_by=2"
        )
    return f"scale={width // 2 * 2:g}:-2" if width else f"scale=-2:{height // 2 * 2:g}"


def _shaped(across: float, down: float) -> str:
    wide = f"trunc(min(iw,ih*{across:g}/{down:g})/2)*2"
    return f"crop='{wide}':'trunc(min(ih,iw*{down:g}/{across:g})/2)*2'"


def _turned(degrees: float) -> str:
    straight = {90.0: "transpose=1", 180.0: "hflip,vflip", 270.0: "transpose=2"}
    return straight.get(degrees) or f"rotate={degrees:g}*PI/180:fillcolor=white"


_FILM: Mapping[Op, Callable[..., str]] = {
    Op.RESIZE: _resized,
    Op.SCALE: lambda factor: f"scale=trunc(iw*{factor:g}/2)*2:trunc(ih*{factor:g}/2)*2",
    Op.CROP: lambda width, height: (
        f"crop='min(iw,{width // 2 * 2:g})':'min(ih,{height // 2 * 2:g})'"
    ),
    Op.ASPECT: _shaped,
    Op.ROTATE: _turned,
    Op.FLIP: lambda upright: "vflip" if upright else "hflip",
    Op.SPEED: lambda factor: f"setpts=PTS/{factor:g}",
}
