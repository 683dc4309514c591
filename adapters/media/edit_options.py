"""The options of ffmpeg for edits: filters, sizes, times and codecs."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from adapters.media.encoding import H264
from adapters.media.ffmpeg import SEVERAL
from pipeline.domain import Blob, Type
from pipeline.errors import ExpertRefused

MEDIA_TYPES: Mapping[str, str] = {
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "m4a": "audio/mp4", "aac": "audio/aac", "mp4": "video/mp4",
    "webm": "video/webm", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "avi": "video/x-msvideo", "gif": "image/gif", "png": "image/png", "jpeg": "image/jpeg",
    "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff",
}  # fmt: skip
"""By the ending that says what a result is to be."""
_GIF = "fps=12,scale='min(480,iw)':-1,split[a][b];[a]palettegen[p];[b][p]paletteuse"
_IN_H264 = ("mp4", "mov", "mkv")
ANIMATION = "image/apng"
_MOVING: Mapping[str, Sequence[str]] = {
    "webp": ("-c:v", "libwebp_anim", "-loop", "0"),
    "png": ("-f", "apng", "-plays", "0"),
}
"""Types of pictures that can hold an animation, besides GIF."""
_MOST_FRAMES = "20"
"""Pictures of one film."""
_STILL = ("-frames:v", "1", "-update", "1")
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2"


class Edit(NamedTuple):
    """An operation with its figures (pixels, degrees, seconds, factors) or a file type."""

    op: str
    figures: tuple[float, ...] = ()
    ending: str = ""


def _scale(width: float, height: float) -> str:
    fit = ":force_original_aspect_ratio=decrease" if width and height else ""
    return f"scale={width or -1:g}:{height or -1:g}{fit}"


def _rotate(degrees: float) -> str:
    straight = {0.0: "null", 90.0: "transpose=1", 180.0: "hflip,vflip", 270.0: "transpose=2"}
    turn = f"{degrees:g}*PI/180"
    free = f"rotate={turn}:ow=rotw({turn}):oh=roth({turn}):fillcolor=white"
    return straight.get(degrees, free)


FILTERS: Mapping[str, Callable[..., str]] = {
    "resize": _scale,
    "scale": lambda n: f"scale=max(1\\,round(iw*{n:g})):max(1\\,round(ih*{n:g}))",
    "crop": lambda width, height: f"crop='min(iw,{width:g})':'min(ih,{height:g})'",
    "aspect": lambda a, b: f"crop='min(iw,ih*{a:g}/{b:g})':'min(ih,iw*{b:g}/{a:g})'",
    "rotate": _rotate,
    "flip": lambda upright: "vflip" if upright else "hflip",
    "speed": lambda factor: f"setpts=PTS/{factor:g}",
}
SOUNDS: Mapping[str, Callable[..., str]] = {
    "speed": lambda factor: f"rubberband=tempo={factor:g}",
    "louder": lambda: "volume=2,alimiter=limit=0.95:level=false",
    "quieter": lambda: "volume=0.5",
}
MOST: Mapping[str, float] = {"resize": 8000, "crop": 8000, "scale": 4}
"""The largest figures: pixels and factors."""
SEEKS: Mapping[str, Callable[..., Sequence[str]]] = {
    "keep": lambda start, end: ("-ss", f"{start:g}", "-t", f"{end - start:g}"),
    "keep_end": lambda length: ("-sseof", f"-{length:g}"),
    "drop": lambda length: ("-ss", f"{length:g}"),
    "poster": lambda moment: ("-ss", f"{moment:g}"),
}
"""Where to begin and to end, given before the file."""
SHAPING = frozenset(FILTERS)
"""Edits of what is seen."""
UNFIT: Mapping[Type, frozenset[str]] = {
    Type.IMAGE: frozenset({*SEEKS, *SOUNDS, "sound", "mute"}),
    Type.AUDIO: SHAPING - {"speed"},
    Type.VIDEO: frozenset(),
}
"""The files that can be edited, and the edits that make nothing of them."""


def encode_edits(blob: Blob, edits: Sequence[Edit], ending: str) -> list[str]:
    """The filters and codecs, given after the file."""
    family, ops = MEDIA_TYPES[ending].partition("/")[0], {edit.op for edit in edits}
    pictures = [FILTERS[edit.op](*edit.figures) for edit in edits if edit.op in FILTERS]
    sounds = [SOUNDS[edit.op](*edit.figures) for edit in edits if edit.op in SOUNDS]
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
    codecs = (
        [*H264, "-c:a", "aac", "-crf", "34" if "smaller" in ops else "23"]
        if ending in _IN_H264
        else []
    )
    sound = ["-an"] if "mute" in ops else audio
    return [*sound, "-vf", ",".join([*pictures, _EVEN]), *codecs]


def _encode_picture(
    blob: Blob, edits: Sequence[Edit], filters: Sequence[str], ending: str
) -> Sequence[str]:
    """A still, an animation, or the frames of one."""
    moves = blob.type is Type.VIDEO or blob.media_type == ANIMATION
    intervals = [edit.figures[0] for edit in edits if edit.op == "frames"]
    chain = ",".join(filters) or "null"
    if moves and intervals:
        return ["-vf", f"fps=1/{intervals[0]:g},{chain}", *SEVERAL, "-frames:v", _MOST_FRAMES]
    if moves and ending in _MOVING and not any(edit.op == "poster" for edit in edits):
        return ["-vf", chain, *_MOVING[ending]]
    if moves and ending == "gif":
        return ["-filter_complex", ",".join([*filters, _GIF])]
    return ["-vf", chain, "-q:v", "2", *_STILL]
