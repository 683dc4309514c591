"""Files resized, cropped, turned, cut and converted by ffmpeg (GPL, a process of its own)."""

import errno
import io
import math
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from adapters.embedded.experts.images import note_frames, read_image
from adapters.embedded.experts.lexicon import Phrases, phrases, split_words
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from adapters.media.bounds import Bounds
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import NO_ROOM, BadInput, ExpertRefused
from pipeline.text.names import CONTAINERS

_SECONDS = 240
_MOST_BYTES = "500M"
_LARGEST, _LONGEST = 8000, 1_000
_MEDIA_TYPES: Mapping[str, str] = {
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
_UNMOVED = frozenset({"jpeg", "bmp", "tiff"})
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


_OF_PICTURES: Mapping[str, Edit] = {
    "smaller": Edit("scale", (0.5,)),
    "thumbnail": Edit("resize", (320, 320)),
}
"""What some operations do to a picture: fewer bytes in the same size would look like nothing."""
_OF_FILMS: Mapping[str, Edit] = {"thumbnail": Edit("poster", (0,))}


def convert(args: ExpertInput, _language: str) -> WorkerResult:
    """The file after all that was asked for, and what was done. Raises BadInput, ExpertRefused."""
    from adapters.media.pictures import to_animation

    blob = get_file(args, "file", Type.IMAGE, Type.AUDIO, Type.VIDEO)
    edits = parse_instruction(require_text(args, "text"))
    if blob.type is Type.AUDIO and any(
        edit.op in _FILTERS and edit.op != "speed" for edit in edits
    ):
        raise ExpertRefused("embedded-no-conversion")
    notes = note_frames(blob) if blob.type is Type.IMAGE else ()
    meanings = _OF_PICTURES if blob.type is Type.IMAGE and not notes else _OF_FILMS
    edits = [meanings.get(edit.op, edit) for edit in edits]
    if not edits:
        raise ExpertRefused("embedded-no-conversion")
    ending = _choose_ending(blob, edits)
    if any(max(edit.figures) > _MOST.get(edit.op, math.inf) for edit in edits if edit.figures):
        raise ExpertRefused("embedded-picture-too-large")
    seeks = (_SEEKS[edit.op](*edit.figures) for edit in edits if edit.op in _SEEKS)
    before = next(seeks, ())
    done = tuple(map(describe_edit, edits))
    is_still = blob.type is Type.IMAGE and (not notes or ending in _UNMOVED)
    if notes and not is_still:
        moving = Blob(to_animation(blob.data, Bounds()), _ANIMATION, blob.name, blob.alt)
        files = _run_ffmpeg(moving, _encode(moving, edits, ending), ending, before)
        notes = ()
    elif is_still and _MEDIA_TYPES[ending].startswith("image/"):
        if any(edit.op in _TIMED for edit in edits):
            raise ExpertRefused("embedded-not-for-pictures")
        file = io.BytesIO()
        read_image(blob, side=_LARGEST).save(file, "PNG")
        still = Blob(file.getvalue(), "image/png", blob.name, blob.alt)
        files = _run_ffmpeg(still, _encode(still, edits, ending), ending)
    else:
        files = _run_ffmpeg(blob, _encode(blob, edits, ending), ending, before)
    return WorkerResult(slots={"file": files[0]}, extras=tuple(files[1:]), notes=(*done, *notes))


def describe_edit(edit: Edit) -> LocalizedText:
    """What was done, with its figures as they are read."""
    one, *more = [f"{figure:g}" for figure in edit.figures if figure or edit.op == "keep"] or [""]
    facts = {"one": one, "two": "".join(more), "ending": edit.ending.upper()}
    if edit.op in _FILTERS:
        facts["one"] = (":" if edit.op == "aspect" else " × ").join((one, *more))
        facts["percent"] = f"{100 * sum(edit.figures[:1]):g}"
    return LocalizedText("embedded-converted", {"op": edit.op, "percent": "", **facts})


def parse_instruction(instruction: str) -> list[Edit]:
    """What an instruction asks for, in its order; empty for nothing."""
    tokens = _normalize(instruction)
    hits: list[tuple[int, Edit]] = []
    for rules in _RULES:
        for op, pattern, figures in rules:
            if hit := re.search(pattern.replace("N", r"(\d[\d.:]*)"), tokens):
                made = tuple(figures(*map(_parse_number, hit.groups())))
                hits.append((hit.start(hit.lastindex or 0), Edit(op, made)))
                break
    sized = {edit.op for _, edit in hits} & {"resize", "scale"}
    ordered = (edit for _, edit in sorted(hits, key=lambda hit: hit[0]))
    edits = [edit for edit in ordered if not (sized and edit.op in _OF_PICTURES)]
    types = re.findall(r"(\bto (?:\S+ )?)?\.([a-z]\w+)", tokens)
    named = [ending for to, ending in types if to]
    every = {ending for _, ending in types}
    ending = named[-1] if named else every.pop() if len(every) == 1 else ""
    return [*edits, Edit("type", (), ending)] if ending else edits


def _normalize(instruction: str) -> str:
    """The known words of an instruction by their concepts, its numbers, units and file types."""
    words = split_words(instruction[:_LONGEST])
    tokens = [""]
    for concept, start, _ in _vocabulary().find(words):
        section, _, name = concept.partition(".")
        if section == "unit" and tokens[-1][:1].isdigit():
            if name == "minutes":
                tokens[-1] = f"{60 * _parse_number(tokens[-1]):g}"
            tokens.append(_UNITS[name])
        elif section in ("conversion", "number"):
            tokens.append(name)
        elif section == "type":
            tokens.append(f".{name}")
        elif words[start][0].isdigit():
            tokens.append(words[start].replace(",", "."))
    return " ".join(tokens)


@cache
def _vocabulary() -> Phrases:
    known = phrases("conversion", "unit", "number")
    spellings = dict(zip(_MEDIA_TYPES, _MEDIA_TYPES, strict=True)) | {"jpg": "jpeg", "tif": "tiff"}
    types = Phrases.of((spelling, f"type.{ending}") for spelling, ending in spellings.items())
    return Phrases({**known.meanings, **types.meanings})


def _parse_number(word: str) -> float:
    """12, 1.5, 0:05 or 1:02:03; times in seconds."""
    total = 0.0
    for part in word.split(":"):
        whole, _, rest = part.partition(".")
        total = total * 60 + float(f"0{whole[:9]}.{rest.replace('.', '')[:6]}")
    return total


_UNITS: Mapping[str, str] = {
    "seconds": "s", "minutes": "s", "pixels": "px", "tall": "tall", "percent": "%",
    "degrees": "°", "times": "x",
}  # fmt: skip
_KEEP = r"^(?!.*\b(?:drop|crop)\b)(?=.*\bkeep\b)"
_TURN = r"(?:rotate|turn)\b"
_RULES: Sequence[Sequence[tuple[str, str, Callable[..., Sequence[float]]]]] = (
    (
        ("drop", r"^(?=.*\bdrop\b).*\bfirst N s", lambda end: (end,)),
        ("keep", r"\bfirst N s", lambda end: (0, end)),
        ("keep_end", r"\blast N s", lambda length: (length,)),
        ("keep", rf"{_KEEP}.*?N(?: s)?(?: to)? N", lambda *ends: sorted(ends)),
        ("keep", rf"{_KEEP}.*?N s", lambda end: (0, end)),
    ),
    (
        ("crop", r"^(?=.*\bcrop\b).*?N x N", lambda *sides: sides),
        ("resize", r"N x N", lambda *sides: sides),
        ("aspect", r"^(?=.*\b(?:crop|shape)\b).*?([1-9]\d*):([1-9]\d*)", lambda *sides: sides),
        ("aspect", r"\bcrop\b.*\bsquare\b|\bsquare\b.*\bcrop\b", lambda: (1, 1)),
        ("resize", r"N px", lambda width: (width, 0)),
        ("resize", r"N tall", lambda height: (0, height)),
        ("scale", r"N %", lambda percent: (percent / 100,)),
        ("scale", r"\bhalf\b", lambda: (0.5,)),
        ("scale", r"\bdouble\b", lambda: (2,)),
    ),
    (
        ("rotate", rf"^(?=.*\b{_TURN})(?=.*\bleft\b).*?N °", lambda angle: (-angle % 360,)),
        ("rotate", rf"^(?=.*\b{_TURN}).*?N °", lambda angle: (angle % 360,)),
        ("rotate", rf"\b{_TURN}.*\baround\b|\baround\b.*\b{_TURN}", lambda: (180,)),
        ("rotate", rf"\b{_TURN}.*\bleft\b|\bleft\b.*\b{_TURN}", lambda: (270,)),
        ("rotate", r"\brotate N$", lambda angle: (angle % 360,)),
        ("rotate", rf"\brotate\b|\b{_TURN}.*\bright\b|\bright\b.*\b{_TURN}", lambda: (90,)),
    ),
    (
        ("flip", r"\bflip\b.*\bupright\b|\bupright\b.*\bflip\b", lambda: (1,)),
        ("flip", r"\bflip\b", lambda: (0,)),
    ),
    (
        ("speed", r"N x faster", lambda times: (times,)),
        ("speed", r"\bfaster\b", lambda: (2,)),
        ("speed", r"N x slower", lambda times: (1 / max(times, 0.1),)),
        ("speed", r"\bslower\b", lambda: (0.5,)),
    ),
    (
        ("thumbnail", r"\bthumbnail\b", tuple),
        ("frames", r"\bposter\b.*?\bevery N s", lambda seconds: (max(seconds, 0.04),)),
        ("frames", r"\bevery N s.*?\bposter\b", lambda seconds: (max(seconds, 0.04),)),
        ("frames", r"\bevery (?:s )?poster\b", lambda: (1,)),
        ("poster", r"\bposter\b.*?N", lambda moment: (moment,)),
        ("poster", r"\bposter\b", lambda: (0,)),
    ),
    (("sound", r"\bsound\b", tuple),),
    (("strip", r"\bmetadata\b", tuple),),
    (("mute", r"\bmute\b", tuple),),
    (("smaller", r"\bsmaller\b", tuple),),
    (("louder", r"\blouder\b", tuple), ("quieter", r"\bquieter\b", tuple)),
)
"""Operations, their patterns in a normalized instruction (N: a number), and their figures.

Of each group the first that matches counts.
"""


_PROBLEMS: Mapping[bytes, str] = {
    b"is empty": "embedded-nothing-left",
    b"not contain any stream": "embedded-no-sound",
}
"""Words of ffmpeg's, and what they mean here."""


def choose_sound_ending(blob: Blob) -> str:
    """The type that a sound has, if it can be written here, else mp3."""
    return _KEPT.get(blob.media_type, "mp3")


def _choose_ending(blob: Blob, edits: Sequence[Edit]) -> str:
    """The type that was named, else the file's own where it fits what was asked for."""
    ops = {edit.op for edit in edits}
    if "type" in ops:
        return edits[-1].ending
    if blob.type is Type.IMAGE:
        return next((end for end, kind in _MEDIA_TYPES.items() if kind == blob.media_type), "png")
    if ops & {"poster", "frames"}:
        return "png"
    if blob.type is Type.AUDIO or "sound" in ops:
        return "mp3" if "smaller" in ops else choose_sound_ending(blob)
    return "mp4"


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
            Blob(path.read_bytes(), _MEDIA_TYPES[ending], f"{stem}{path.stem[3:]}.{last}", blob.alt)
            for path in sorted(Path(folder).glob("out*"))
        ]


def _encode(blob: Blob, edits: Sequence[Edit], ending: str) -> list[str]:
    """The filters and codecs, given after the file."""
    family, ops = _MEDIA_TYPES[ending].partition("/")[0], {edit.op for edit in edits}
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
