"""Files resized, cropped, turned, cut and converted by ffmpeg (GPL, a process of its own).

Runs in a worker.
"""

import errno
import io
import math
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from adapters.media.bounds import Bounds
from pipeline.domain import Blob, Type
from pipeline.errors import NO_ROOM, BadInput, ExpertRefused
from pipeline.text.names import CONTAINERS

_SECONDS = 240
_MOST_BYTES = "500M"
_LARGEST = 8000
MEDIA_TYPES: Mapping[str, str] = {
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "m4a": "audio/mp4", "aac": "audio/aac", "mp4": "video/mp4",
    "webm": "video/webm", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "avi": "video/x-msvideo", "gif": "image/gif", "png": "image/png", "jpeg": "image/jpeg",
    "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff",
}  # fmt: skip
_KEPT = {"audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac", "audio/mp4": "m4a"}
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac",
         "-movflags", "+faststart")  # fmt: skip
_GIF = "fps=12,scale='min(480,iw)':-1,split[a][b];[a]palettegen[p];[b][p]paletteuse"
_IN_H264 = ("mp4", "mov", "mkv")
_ANIMATION = "image/apng"
_READERS: Mapping[str, str] = {"image/png": "png_pipe", _ANIMATION: "apng"}
_MOVING: Mapping[str, Sequence[str]] = {
    "webp": ("-c:v", "libwebp_anim", "-loop", "0"),
    "png": ("-f", "apng", "-plays", "0"),
}
"""Types of pictures that can hold an animation, besides GIF."""
_UNMOVED = frozenset({"image/jpeg", "image/bmp", "image/tiff"})
_MOST_FRAMES = "20"
_SEVERAL = ("-fps_mode", "vfr")
"""Of a result that is several files."""
_STILL = ("-frames:v", "1", "-update", "1")
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2"


class Edit(NamedTuple):
    """An operation with its figures (pixels, degrees, seconds, factors) or a file type."""

    op: str
    figures: tuple[float, ...] = ()
    ending: str = ""


def edit(blob: Blob, edits: Sequence[Edit], *, is_animated: bool = False) -> list[Blob]:
    """The file after all edits: one, or the frames of a film. Raises BadInput, ExpertRefused."""
    from adapters.media.pictures import flatten, load_upright, to_animation

    if blob.type is Type.AUDIO and any(each.op in SHAPING - {"speed"} for each in edits):
        raise ExpertRefused("embedded-no-conversion")
    ending = _choose_ending(blob, edits)
    if any(max(each.figures) > _MOST.get(each.op, math.inf) for each in edits if each.figures):
        raise ExpertRefused("embedded-picture-too-large")
    seeks = (_SEEKS[each.op](*each.figures) for each in edits if each.op in _SEEKS)
    before = next(seeks, ())
    if blob.type is Type.IMAGE and is_animated and can_move(MEDIA_TYPES[ending]):
        data = to_animation(blob.data, Bounds())
        blob = Blob(data, _ANIMATION, blob.name, alt=blob.alt)
    elif blob.type is Type.IMAGE and MEDIA_TYPES[ending].startswith("image/"):
        if any(each.op in _TIMED for each in edits):
            raise ExpertRefused("embedded-not-for-pictures")
        file = io.BytesIO()
        picture = flatten(load_upright(blob.data, Bounds(), _LARGEST)).convert("RGB")
        picture.thumbnail((_LARGEST, _LARGEST))
        picture.save(file, "PNG")
        blob = Blob(file.getvalue(), "image/png", blob.name, alt=blob.alt)
    return _run_ffmpeg(blob, _encode(blob, edits, ending), ending, before)


def can_move(media_type: str) -> bool:
    """Whether a file of this type can hold an animation."""
    return media_type not in _UNMOVED


def _choose_ending(blob: Blob, edits: Sequence[Edit]) -> str:
    """The type that was named, else the file's own where it fits what was asked for."""
    ops = {edit.op for edit in edits}
    if "type" in ops:
        return edits[-1].ending
    if blob.type is Type.IMAGE:
        return next((end for end, kind in MEDIA_TYPES.items() if kind == blob.media_type), "png")
    if ops & {"poster", "frames"}:
        return "png"
    if blob.type is Type.AUDIO or "sound" in ops:
        return "mp3" if "smaller" in ops else choose_sound_ending(blob)
    return "mp4"


def choose_sound_ending(blob: Blob) -> str:
    """The type that a sound has, if it can be written here, else mp3."""
    return _KEPT.get(blob.media_type, "mp3")


def run_ffmpeg(blob: Blob, after: Sequence[str], ending: str, before: Sequence[str] = ()) -> Blob:
    """A file through ffmpeg, with arguments before and after it. Raises BadInput, ExpertRefused."""
    return _run_ffmpeg(blob, after, ending, before)[0]


def _run_ffmpeg(
    blob: Blob, after: Sequence[str], ending: str, before: Sequence[str] = ()
) -> list[Blob]:
    """A file through ffmpeg, with arguments before and after it: a file, or the frames of one.

    Raises BadInput, ExpertRefused.
    """
    from imageio_ffmpeg import get_ffmpeg_exe

    reader = _READERS.get(blob.media_type) or CONTAINERS.get(blob.media_type)
    if reader is None:
        raise ExpertRefused("embedded-file-type", slot="file")
    with tempfile.TemporaryDirectory(prefix="troupe-") as folder:
        several = "-%02d" if _SEVERAL[0] in after else ""
        source, target = Path(folder, "in"), Path(folder, f"out{several}.{ending}")
        source.write_bytes(blob.data)
        command = [
            *(get_ffmpeg_exe(), "-hide_banner", "-nostdin", "-v", "error", "-y"),
            *("-protocol_whitelist", "file,pipe", "-timelimit", str(_SECONDS)),
            *("-abort_on", "empty_output", *before, "-f", reader, "-i", str(source), *after),
            *("-fs", _MOST_BYTES, "-map_metadata", "-1", str(target)),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own arguments
        except subprocess.CalledProcessError as error:
            if -error.returncode == signal.SIGXCPU:
                raise BadInput("embedded-too-long") from error
            if NO_ROOM in error.stderr:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
            sentences = (_PROBLEMS[words] for words in _PROBLEMS if words in error.stderr)
            raise BadInput(next(sentences, "embedded-film-unreadable")) from error
        stem, dot, _ = blob.name.rpartition(".")
        stem, last = (stem if dot else blob.name) or "file", "jpg" if ending == "jpeg" else ending
        return [
            Blob(
                path.read_bytes(),
                MEDIA_TYPES[ending],
                f"{stem}{path.stem[3:]}.{last}",
                alt=blob.alt,
            )
            for path in sorted(Path(folder).glob("out*"))
        ]


def _encode(blob: Blob, edits: Sequence[Edit], ending: str) -> list[str]:
    """The filters and codecs, given after the file."""
    family, ops = MEDIA_TYPES[ending].partition("/")[0], {edit.op for edit in edits}
    pictures = [_FILTERS[edit.op](*edit.figures) for edit in edits if edit.op in _FILTERS]
    sounds = [_SOUNDS[edit.op](*edit.figures) for edit in edits if edit.op in _SOUNDS]
    audio = ["-af", ",".join(sounds)] if sounds else []
    if family == "audio":
        kept = ["-c:a", "copy"] if ops == {"strip"} else audio
        return ["-vn", *kept, *(["-b:a", "64k"] if "smaller" in ops else [])]
    if blob.type is Type.AUDIO:
        raise ExpertRefused("embedded-file-type", slot="file")
    if family == "image":
        return ["-an", *_encode_picture(blob, edits, pictures, ending)]
    if ops == {"strip"}:
        return ["-c", "copy"]
    codecs = [*_H264, "-crf", "34" if "smaller" in ops else "23"] if ending in _IN_H264 else []
    sound = ["-an"] if "mute" in ops else audio
    return [*sound, "-vf", ",".join([*pictures, _EVEN]), *codecs]


def _encode_picture(
    blob: Blob, edits: Sequence[Edit], filters: Sequence[str], ending: str
) -> Sequence[str]:
    """A still, an animation, or the frames of one."""
    moves = blob.type is Type.VIDEO or blob.media_type == _ANIMATION
    intervals = [edit.figures[0] for edit in edits if edit.op == "frames"]
    chain = ",".join(filters) or "null"
    if moves and intervals:
        return ["-vf", f"fps=1/{intervals[0]:g},{chain}", *_SEVERAL, "-frames:v", _MOST_FRAMES]
    if moves and ending in _MOVING and not any(edit.op == "poster" for edit in edits):
        return ["-vf", chain, *_MOVING[ending]]
    if moves and ending == "gif":
        return ["-filter_complex", ",".join([*filters, _GIF])]
    return ["-vf", chain, "-q:v", "2", *_STILL]


def _scale(width: float, height: float) -> str:
    fit = ":force_original_aspect_ratio=decrease" if width and height else ""
    return f"scale={width or -1:g}:{height or -1:g}{fit}"


def _rotate(degrees: float) -> str:
    straight = {0.0: "null", 90.0: "transpose=1", 180.0: "hflip,vflip", 270.0: "transpose=2"}
    turn = f"{degrees:g}*PI/180"
    free = f"rotate={turn}:ow=rotw({turn}):oh=roth({turn}):fillcolor=white"
    return straight.get(degrees, free)


_PROBLEMS: Mapping[bytes, str] = {
    b"is empty": "embedded-nothing-left",
    b"not contain any stream": "embedded-no-sound",
}
"""Words of ffmpeg's, and what they mean here."""


_FILTERS: Mapping[str, Callable[..., str]] = {
    "resize": _scale,
    "scale": lambda n: f"scale=max(1\\,round(iw*{n:g})):max(1\\,round(ih*{n:g}))",
    "crop": lambda width, height: f"crop='min(iw,{width:g})':'min(ih,{height:g})'",
    "aspect": lambda a, b: f"crop='min(iw,ih*{a:g}/{b:g})':'min(ih,iw*{b:g}/{a:g})'",
    "rotate": _rotate,
    "flip": lambda upright: "vflip" if upright else "hflip",
    "speed": lambda factor: f"setpts=PTS/{factor:g}",
}
_SOUNDS: Mapping[str, Callable[..., str]] = {
    "speed": lambda factor: f"rubberband=tempo={factor:g}",
    "louder": lambda: "volume=2,alimiter=limit=0.95:level=false",
    "quieter": lambda: "volume=0.5",
}
_MOST: Mapping[str, float] = {"resize": 8000, "crop": 8000, "scale": 4}
"""The largest figures: pixels and factors."""
_SEEKS: Mapping[str, Callable[..., Sequence[str]]] = {
    "keep": lambda start, end: ("-ss", f"{start:g}", "-t", f"{end - start:g}"),
    "keep_end": lambda length: ("-sseof", f"-{length:g}"),
    "drop": lambda length: ("-ss", f"{length:g}"),
    "poster": lambda moment: ("-ss", f"{moment:g}"),
}
"""Where to begin and to end, given before the file."""
_TIMED = {*_SEEKS, *_SOUNDS, "sound", "mute"}
SHAPING = frozenset(_FILTERS)
"""Edits of what is seen."""
