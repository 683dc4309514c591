"""Parameters of media on the wire: how each is written for a server that knows it.

A server's parameters are names of rules in a text, such as "sides seed". Servers refuse what they
do not know, or ignore it without a word, so only what is among them is sent.
"""

from collections.abc import Callable, Iterator, Mapping
from math import log

from adapters.wire.formats import read_argument, to_base64
from pipeline.domain import Blob
from pipeline.parameters import MEGAPIXEL, Parameters, choose_size, read_parameters
from pipeline.ports import Job
from pipeline.selection.known_models import load_known
from pipeline.text.languages import find_language

Fields = Mapping[str, object]
_FILM_SIZES = ((832, 480), (480, 832), (624, 624))
"""What makers of videos call 16:9, 9:16 and 1:1; some take no other."""
_SAME_RATIO = 0.03
_FILM_PIXELS = 832 * 480
_FRAME_STEP = 8

_SHAPE = ("size", "aspect_ratio")
_LENGTH = ("duration",)
_IMAGES = ("image",)

_Rule = tuple[tuple[str, ...], Callable[[Job, Parameters], Fields]]
"""The parameters that a rule is for, and how it writes those that are given."""


def _write_sides(job: Job, given: Parameters) -> dict[str, int]:
    is_film = job.kind.name.endswith("-video")
    size = choose_size(given, pixels=_FILM_PIXELS if is_film else MEGAPIXEL)
    assert size is not None
    if is_film and "size" not in given:
        ratio = size[0] / size[1]
        alike = (film for film in _FILM_SIZES if abs(log(film[0] / film[1] / ratio)) < _SAME_RATIO)
        size = next(alike, size)
    return {"width": size[0], "height": size[1]}


def _write_starred_size(job: Job, given: Parameters) -> Fields:
    return {"size": "*".join(map(str, _write_sides(job, given).values()))}


def _copy(name: str, field: str = "") -> _Rule:
    return (name,), lambda _, given: {field or name: given[name]}


def _count_frames(rate: int) -> _Rule:
    """The length at a frame rate. Models take one frame more than a multiple of four or eight."""

    def write(_job: Job, given: Parameters) -> Fields:
        steps = round(float(given["duration"]) * rate / _FRAME_STEP)
        return {"num_frames": _FRAME_STEP * steps + 1}

    return _LENGTH, write


def _list_images(field: str) -> _Rule:
    """All images, in place of the first."""

    def write(job: Job, _given: Parameters) -> Fields:
        images = (image for image in job.args["image"] if isinstance(image, Blob))
        return {field: [f"data:{image.media_type};base64,{to_base64(image)}" for image in images]}

    return _IMAGES, write


_RULES: Mapping[str, _Rule] = {
    "sides": (_SHAPE, _write_sides),
    "target_size": (_SHAPE, lambda job, given: {"target_size": _write_sides(job, given)}),
    "starred_size": (_SHAPE, _write_starred_size),
    "ratio": _copy("aspect_ratio"),
    "guidance": _copy("guidance_scale", "guidance"),
    "cfg": _copy("guidance_scale", "cfg"),
    "seconds": (_LENGTH, lambda _, given: {"seconds": f"{given['duration']:g}"}),
    "frames_at_16": _count_frames(16),
    "frames_at_24": _count_frames(24),
    **{name: _copy(name) for name in ("seed", "negative_prompt", "guidance_scale", "voice")},
    "duration": _copy("duration"),
    **{
        name: _list_images(name)
        for name in ("image_urls", "input_images", "reference_images", "images")
    },
}

NOISE = "seed negative_prompt guidance_scale"
PICTURE = f"sides {NOISE}"
"""The rules that most models of pictures know."""


def write_parameters(job: Job, known: str) -> dict[str, object]:
    """The fields for the parameters of a job that are among the known ones."""
    given = read_parameters(job.kind, job.args)
    fields: dict[str, object] = {}
    for names, write in _find_rules(known):
        if any(name in given for name in names) or _combines(job, names):
            fields |= write(job, given)
    for name, voices in load_known().voices.items():
        if name in job.model.id.casefold():
            fields.setdefault("voice", _choose_voice(job, voices))
    return fields


def _choose_voice(job: Job, voices: Mapping[str, str]) -> str:
    """A voice for the language that is named, else that of the text; else the model's usual one."""
    code = find_language(read_argument(job, "language")) or job.text_language
    return voices.get(code, voices["en"])


def list_parameters(known: str) -> frozenset[str]:
    """The names of the known parameters, and "image" if a model takes several."""
    return frozenset(name for names, _ in _find_rules(known) for name in names)


def _find_rules(known: str) -> Iterator[_Rule]:
    return (_RULES[name] for name in known.split())


def _combines(job: Job, names: tuple[str, ...]) -> bool:
    return names == _IMAGES and len(job.args.get("image", ())) > 1
