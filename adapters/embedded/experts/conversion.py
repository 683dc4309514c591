"""Files resized, cropped, turned, cut and converted by ffmpeg (GPL, a process of its own)."""

import io
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from adapters.embedded.experts.images import read_image
from adapters.embedded.experts.lexicon import Phrases, phrases, split_words
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused

_SECONDS = 240
_MOST_BYTES = "500M"
_LARGEST, _MOST_TIMES = 8000, 4.0
DEMUXERS: Mapping[str, str] = {
    "audio/wav": "wav", "audio/mpeg": "mp3", "audio/mp4": "mov", "audio/ogg": "ogg",
    "audio/flac": "flac", "audio/aac": "aac", "audio/amr": "amr", "audio/aiff": "aiff",
    "audio/webm": "matroska", "video/mp4": "mov", "video/quicktime": "mov", "video/3gpp": "mov",
    "video/webm": "matroska", "video/x-matroska": "matroska", "video/x-msvideo": "avi",
    "video/mpeg": "mpeg", "video/ogg": "ogg", "video/x-flv": "flv", "video/x-ms-wmv": "asf",
    "image/gif": "gif",
}  # fmt: skip
"""The reader is given, never guessed: playlists disguised as films would open other files."""
_MEDIA_TYPES: Mapping[str, str] = {
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg",
    "flac": "audio/flac", "m4a": "audio/mp4", "aac": "audio/aac", "mp4": "video/mp4",
    "webm": "video/webm", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "avi": "video/x-msvideo", "gif": "image/gif", "png": "image/png", "jpeg": "image/jpeg",
    "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff",
}  # fmt: skip
_KEPT = {"audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac", "audio/mp4": "m4a"}
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac")
_GIF = "fps=12,scale='min(480,iw)':-1,split[a][b];[a]palettegen[p];[b][p]paletteuse"
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2"


class Op(StrEnum):
    """One thing that can be done to a file."""

    RESIZE = "resize"
    SCALE = "scale"
    CROP = "crop"
    ASPECT = "crop to a shape"
    ROTATE = "rotate"
    FLIP = "flip"
    KEEP = "cut"
    KEEP_END = "cut from the end"
    DROP = "cut off"
    SPEED = "change speed"
    TYPE = "convert"
    POSTER = "take a still"
    SOUND = "take the sound"
    MUTE = "mute"
    SMALLER = "compress"
    VOLUME = "change volume"


@dataclass(frozen=True, slots=True)
class Edit:
    """An operation with its figures (pixels, degrees, seconds, factors) or a file type."""

    op: Op
    figures: tuple[float, ...] = ()
    ending: str = ""


def convert(args: ExpertInput, _language: str) -> WorkerResult:
    """The file after all that was asked for, and what was done. Raises BadInput, ExpertRefused."""
    blob = get_file(args, "file", Type.IMAGE, Type.AUDIO, Type.VIDEO)
    edits = parse_instruction(require_text(args, "text"))
    if not edits:
        raise ExpertRefused("embedded-no-conversion")
    ending = _choose_ending(blob, edits)
    before, after = _seek(edits), _encode(blob, edits, ending)
    if blob.type is Type.IMAGE and _MEDIA_TYPES[ending].startswith("image/"):
        timed = next((edit.op for edit in edits if edit.op in _TIMED), None)
        if timed:
            raise ExpertRefused("embedded-not-for-pictures", what=str(timed))
        file = io.BytesIO()
        read_image(blob, side=_LARGEST).save(file, "PNG")
        result = run_ffmpeg(Blob(file.getvalue(), "image/png", blob.name, blob.alt), after, ending)
    else:
        result = run_ffmpeg(blob, after, ending, before)
    return WorkerResult(slots={"file": result}, notes=tuple(map(describe_edit, edits)))


def describe_edit(edit: Edit) -> LocalizedText:
    """What was done, with its figures as they are read."""
    first, *more = [f"{figure:g}" for figure in edit.figures] or [""]
    if edit.op in (Op.RESIZE, Op.CROP):
        first = " × ".join(f"{figure:g}" for figure in edit.figures if figure)
    elif edit.op is Op.ASPECT:
        first = ":".join((first, *more))
    factor = round(100 * edit.figures[0]) if edit.figures else 100
    facts = {"one": first, "two": "".join(more), "percent": str(factor)}
    ending = edit.ending.upper()
    return LocalizedText(
        "embedded-converted",
        {"op": edit.op.name.lower(), "ending": ending, **facts},
    )


def parse_instruction(instruction: str) -> list[Edit]:
    """What an instruction asks for, in the order in which it is best done; empty for nothing."""
    words = _Instruction.read(instruction)
    shapes = sorted(_parse_shapes(words), key=lambda pair: pair[0])
    return [*_parse_cuts(words), *(edit for _, edit in shapes), *_parse_rest(words)]


@dataclass(frozen=True, slots=True)
class _Instruction:
    """The concepts of an instruction by their places, and its numbers with units ("" for none)."""

    concepts: Mapping[str, int]
    numbers: Sequence[tuple[int, float, str]]
    ratio: tuple[float, ...]
    endings: Sequence[tuple[str, bool]]
    """Each file type that is named, and whether a word like "to" stands before it."""

    @classmethod
    def read(cls, instruction: str) -> "_Instruction":
        words = split_words(instruction)
        matches = _vocabulary().find(words)
        found: dict[str, int] = {}
        numbers: list[tuple[int, float, str]] = []
        ratio: tuple[float, ...] = ()
        endings: list[tuple[str, bool]] = []
        for place, (concept, start, _) in enumerate(matches):
            section, _, name = concept.partition(".")
            if section == "number" or (not section and words[start][0].isdigit()):
                value = float(name) if section == "number" else _parse_number(words[start])
                numbers.append((place, value, ""))
                if words[start].count(":") == 1:
                    ratio = tuple(map(float, words[start].replace(",", ".").split(":")))
            elif section == "unit" and numbers and numbers[-1][0] == place - 1:
                numbers[-1] = (*numbers[-1][:2], name)
            elif section == "type":
                endings.append((name, "to" in found and found["to"] >= place - 2))
            if section == "conversion":
                found[name] = place
        return cls(found, numbers, ratio, endings)

    def has(self, *names: str) -> bool:
        return any(name in self.concepts for name in names)

    def amount(self, *units: str) -> float | None:
        """The first number with one of these units."""
        return next((value for _, value, unit in self.numbers if unit in units), None)


@cache
def _vocabulary() -> Phrases:
    known = phrases("conversion", "unit", "number")
    spellings = dict(zip(_MEDIA_TYPES, _MEDIA_TYPES, strict=True)) | {"jpg": "jpeg", "tif": "tiff"}
    types = Phrases.of((spelling, f"type.{ending}") for spelling, ending in spellings.items())
    return Phrases({**known.exact, **types.exact}, known.stems, known.longest)


def _parse_number(word: str) -> float:
    """12, 1.5, 0:05 or 1:02:03; times in seconds."""
    total = 0.0
    for part in word.replace(",", ".").split(":"):
        whole, _, rest = part.partition(".")
        total = total * 60 + float(f"{whole[:9]}.{rest.replace('.', '')[:6]}")
    return total


def _parse_cuts(words: _Instruction) -> Sequence[Edit]:
    seconds, minutes = words.amount("seconds"), words.amount("minutes")
    length = seconds if seconds is not None else 60 * minutes if minutes is not None else None
    if words.has("first") and length is not None:
        return [Edit(Op.DROP, (length,)) if words.has("drop") else Edit(Op.KEEP, (0, length))]
    if words.has("last") and length is not None:
        return [Edit(Op.KEEP_END, (length,))]
    times = [value for _, value, unit in words.numbers if unit in ("", "seconds")]
    if not words.has("keep") or words.has("drop", "crop"):
        return []
    if len(times) == 2 and times[1] > times[0]:  # noqa: PLR2004 - from, to
        return [Edit(Op.KEEP, (times[0], times[1]))]
    return [Edit(Op.KEEP, (0, seconds))] if seconds is not None and len(times) == 1 else []


def _parse_shapes(words: _Instruction) -> Sequence[tuple[int, Edit]]:
    edits = [(place, edit) for place, edit in (_parse_size(words),) if edit]
    places, angle = words.concepts, words.amount("degrees")
    turned = words.has("turn") and (words.has("left", "right", "around") or angle is not None)
    if words.has("rotate") or turned:
        bare = words.amount("") if words.has("rotate") and len(words.numbers) == 1 else None
        usual = 180.0 if words.has("around") else 90.0
        turn = next((value for value in (angle, bare) if value is not None), usual)
        turn = (-turn if words.has("left") else turn) % 360
        edits.append((places.get("rotate", places.get("turn", 0)), Edit(Op.ROTATE, (turn,))))
    if words.has("flip"):
        edits.append((places["flip"], Edit(Op.FLIP, (float(words.has("upright")),))))
    return edits


def _parse_size(words: _Instruction) -> tuple[int, Edit | None]:
    pairs = zip(words.numbers, words.numbers[1:], strict=False)
    size = next(((at, a, b) for (at, a, unit), (to, b, _) in pairs if unit == "times"), None)
    crops = words.has("crop")
    if size:
        return size[0], Edit(Op.CROP if crops else Op.RESIZE, size[1:])
    if words.ratio and (crops or words.has("shape")):
        return words.concepts.get("crop", 0), Edit(Op.ASPECT, words.ratio)
    if crops and words.has("square"):
        return words.concepts["crop"], Edit(Op.ASPECT, (1, 1))
    for at, value, unit in words.numbers:
        if unit in ("pixels", "tall"):
            return at, Edit(Op.RESIZE, (0, value) if unit == "tall" else (value, 0))
        if unit == "percent":
            return at, Edit(Op.SCALE, (value / 100,))
    return (words.concepts["half"], Edit(Op.SCALE, (0.5,))) if words.has("half") else (0, None)


def _parse_rest(words: _Instruction) -> Sequence[Edit]:
    times = words.amount("times")
    simple: Mapping[str, Edit] = {
        "faster": Edit(Op.SPEED, (times or 2.0,)),
        "slower": Edit(Op.SPEED, (1 / max(times or 2.0, 0.1),)),
        "mute": Edit(Op.MUTE),
        "sound": Edit(Op.SOUND),
        "poster": Edit(Op.POSTER, (words.amount("", "seconds") or 0.0,)),
        "smaller": Edit(Op.SMALLER),
        "louder": Edit(Op.VOLUME, (2.0,)),
        "quieter": Edit(Op.VOLUME, (0.5,)),
    }
    edits = [edit for name, edit in simple.items() if words.has(name)]
    named = [ending for ending, to in words.endings if to]
    every = {ending for ending, _ in words.endings}
    ending = named[-1] if named else next(iter(every)) if len(every) == 1 else ""
    return [*edits, Edit(Op.TYPE, (), ending)] if ending else edits


def choose_sound_ending(blob: Blob) -> str:
    """The type that a sound has, if it can be written here, else mp3."""
    return _KEPT.get(blob.media_type, "mp3")


def _choose_ending(blob: Blob, edits: Sequence[Edit]) -> str:
    """The type that was named, else the file's own where it fits what was asked for."""
    ops = {edit.op for edit in edits}
    named = next((edit.ending for edit in edits if edit.op is Op.TYPE), "")
    if named:
        return named
    if blob.type is Type.IMAGE:
        own = next((end for end, kind in _MEDIA_TYPES.items() if kind == blob.media_type), "png")
        return "jpeg" if Op.SMALLER in ops else own
    if Op.POSTER in ops:
        return "png"
    if blob.type is Type.AUDIO or Op.SOUND in ops:
        return choose_sound_ending(blob) if Op.SMALLER not in ops else "mp3"
    return "mp4"


def run_ffmpeg(blob: Blob, after: Sequence[str], ending: str, before: Sequence[str] = ()) -> Blob:
    """A file through ffmpeg, with arguments before and after it. Raises BadInput, ExpertRefused."""
    from imageio_ffmpeg import get_ffmpeg_exe

    reader = "png_pipe" if blob.media_type == "image/png" else DEMUXERS.get(blob.media_type)
    if reader is None:
        raise ExpertRefused("embedded-file-type", slot="file")
    with tempfile.TemporaryDirectory(prefix="troupe-") as folder:
        source, target = Path(folder, "in"), Path(folder, f"out.{ending}")
        source.write_bytes(blob.data)
        command = [
            *(get_ffmpeg_exe(), "-hide_banner", "-nostdin", "-v", "error", "-y"),
            *("-protocol_whitelist", "file,pipe", "-timelimit", str(_SECONDS)),
            *("-abort_on", "empty_output", *before, "-f", reader, "-i", str(source), *after),
            *("-fs", _MOST_BYTES, "-map_metadata", "-1", str(target)),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603 - our own arguments
        except subprocess.TimeoutExpired as error:
            raise BadInput("embedded-too-long") from error
        except subprocess.CalledProcessError as error:
            empty = b"is empty" in error.stderr
            name = "embedded-nothing-left" if empty else "embedded-film-unreadable"
            raise BadInput(name) from error
        stem, dot, _ = blob.name.rpartition(".")
        name = f"{(stem if dot else blob.name) or 'file'}.{'jpg' if ending == 'jpeg' else ending}"
        return Blob(target.read_bytes(), _MEDIA_TYPES[ending], name, blob.alt)


def _seek(edits: Sequence[Edit]) -> list[str]:
    """Where to begin and to end, given before the file."""
    for edit in edits:
        match edit.op, edit.figures:
            case Op.KEEP, (start, end):
                return ["-ss", f"{start:g}", "-t", f"{end - start:g}"]
            case Op.KEEP_END, (length,):
                return ["-sseof", f"-{length:g}"]
            case Op.DROP | Op.POSTER, (start,):
                return ["-ss", f"{start:g}"]
            case _:
                pass
    return []


def _encode(blob: Blob, edits: Sequence[Edit], ending: str) -> list[str]:
    """The filters and codecs, given after the file."""
    family = _MEDIA_TYPES[ending].partition("/")[0]
    pictures = [_FILM[edit.op](*edit.figures) for edit in edits if edit.op in _FILM]
    sounds = [_SOUND[edit.op](*edit.figures) for edit in edits if edit.op in _SOUND]
    smaller = any(edit.op is Op.SMALLER for edit in edits)
    audio = ["-af", ",".join(sounds)] if sounds else []
    if family == "audio":
        return ["-vn", *audio, *(["-b:a", "64k"] if smaller else [])]
    if blob.type is Type.AUDIO:
        raise ExpertRefused("embedded-file-type", slot="file")
    if family == "image" and (ending != "gif" or blob.type is Type.IMAGE):
        filters = ["-vf", ",".join(pictures)] if pictures else []
        return ["-an", *filters, "-q:v", "8" if smaller else "2", "-frames:v", "1", "-update", "1"]
    if ending == "gif":
        return ["-an", "-filter_complex", ",".join([*pictures, _GIF])]
    silent = any(edit.op is Op.MUTE for edit in edits)
    filters = ["-vf", ",".join([*pictures, _EVEN])]
    codecs = [*_H264, "-crf", "34" if smaller else "23"] if ending in ("mp4", "mov", "mkv") else []
    start = ["-movflags", "+faststart"] if ending in ("mp4", "mov") else []
    return [*(["-an"] if silent else audio), *filters, *codecs, *start]


def _check_size(*sides: float) -> None:
    if max(sides) > _LARGEST:
        raise ExpertRefused("embedded-picture-too-large")


def _resize(width: float, height: float) -> str:
    _check_size(width, height)
    if width and height:
        return f"scale={width:g}:{height:g}:force_original_aspect_ratio=decrease"
    return f"scale={width or -1:g}:{height or -1:g}"


def _scale(factor: float) -> str:
    _check_size(factor * _LARGEST / _MOST_TIMES)
    return f"scale=max(1\\,round(iw*{factor:g})):max(1\\,round(ih*{factor:g}))"


def _reshape(across: float, down: float) -> str:
    down, across = max(down, 1), max(across, 1)
    return f"crop='min(iw,ih*{across:g}/{down:g})':'min(ih,iw*{down:g}/{across:g})'"


def _rotate(degrees: float) -> str:
    straight = {0.0: "null", 90.0: "transpose=1", 180.0: "hflip,vflip", 270.0: "transpose=2"}
    turn = f"{degrees:g}*PI/180"
    free = f"rotate={turn}:ow=rotw({turn}):oh=roth({turn}):fillcolor=white"
    return straight.get(degrees) or free


def _tempo(factor: float) -> str:
    """Ffmpeg slows to a half at most in one go."""
    steps = []
    while factor < 0.5:  # noqa: PLR2004
        steps.append("atempo=0.5")
        factor *= 2
    return ",".join([*steps, f"atempo={min(factor, 100):g}"])


_FILM: Mapping[Op, Callable[..., str]] = {
    Op.RESIZE: _resize,
    Op.SCALE: _scale,
    Op.CROP: lambda width, height: f"crop='min(iw,{width:g})':'min(ih,{height:g})'",
    Op.ASPECT: _reshape,
    Op.ROTATE: _rotate,
    Op.FLIP: lambda upright: "vflip" if upright else "hflip",
    Op.SPEED: lambda factor: f"setpts=PTS/{factor:g}",
}
_SOUND: Mapping[Op, Callable[..., str]] = {
    Op.SPEED: _tempo,
    Op.VOLUME: lambda factor: f"volume={factor:g}",
}
_TIMED = frozenset(
    {Op.KEEP, Op.KEEP_END, Op.DROP, Op.SPEED, Op.POSTER, Op.SOUND, Op.MUTE, Op.VOLUME},
)
