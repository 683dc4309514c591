"""Parameters on the wire: which ones a model at a provider knows, and how they are written.

Some providers refuse what a model does not know and others ignore it, so only what is listed here
is sent. The rows were compiled from the providers' published schemas in November 2026.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import log

from adapters.huggingface.formats import OWN_INFERENCE, TAGS, find_task, read_argument, to_base64
from pipeline.domain import Blob
from pipeline.parameters import MEGAPIXEL, Parameters, choose_size, read_parameters
from pipeline.ports import Job
from pipeline.selection.known_models import load_known
from pipeline.text.languages import find_language

OUR_SERVER = ""
"""Stands for our expert server among the providers."""
Fields = Mapping[str, object]
_FILM_SIZES = ((832, 480), (480, 832), (624, 624))
"""What makers of videos call 16:9, 9:16 and 1:1; some take no other."""
_SAME_RATIO = 0.03
_FILM_PIXELS = 832 * 480
_FRAME_STEP = 8

_SHAPE, _LENGTH, _IMAGES = ("size", "aspect_ratio"), ("duration",), ("image",)

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

_NOISE = "seed negative_prompt guidance_scale"
_PICTURE = f"sides {_NOISE}"


def write_parameters(job: Job, provider: str) -> dict[str, object]:
    """The fields for the parameters that the job's model knows at a provider."""
    given = read_parameters(job.kind, job.args)
    fields: dict[str, object] = {}
    for names, write in _find_job_rules(job, provider):
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


def list_used(job: Job, provider: str) -> frozenset[str]:
    """The parameters that the job's model knows, and "image" if it takes several."""
    return frozenset(name for names, _ in _find_job_rules(job, provider) for name in names)


def list_known(provider: str, task: str, model: str) -> frozenset[str]:
    """The parameters that a model knows at a provider. `model`: its ids there and at the Hub."""
    return frozenset(name for names, _ in _find_rules(provider, task, model) for name in names)


def _find_job_rules(job: Job, provider: str) -> list[_Rule]:
    task = find_task(TAGS.get(job.kind.name, job.kind.name))
    return _find_rules(provider, task, " ".join((*job.model.providers[:1], job.model.id)))


@cache
def _list_rows() -> Sequence[tuple[str, str, str, str]]:
    """Patterns of provider, task and model, and what the first model that fits knows."""
    combining = load_known().combining
    return (
        (OUR_SERVER, "", "", f"images {_PICTURE} duration voice"),
        (OWN_INFERENCE, "text-to-image", "", _PICTURE),
        (OWN_INFERENCE, "image-to-image", "", "target_size negative_prompt guidance_scale"),
        ("fal-ai", "text-to-image", "klein|z-image", "sides seed"),
        ("fal-ai", "text-to-image", "qwen|diffusion|sdxl", _PICTURE),
        ("fal-ai", "text-to-image", "flux", "sides seed guidance_scale"),
        ("fal-ai", "text-to-image", "", "sides seed"),
        ("fal-ai", "image-to-image", "klein", "image_urls seed"),
        ("fal-ai", "image-to-image", "flux-?2", "image_urls target_size seed guidance_scale"),
        ("fal-ai", "image-to-image", combining, f"image_urls target_size {_NOISE}"),
        ("fal-ai", "image-to-image", "qwen|kontext", "seed guidance_scale"),
        ("fal-ai", "image-to-image", "", "seed"),
        ("fal-ai", "text-to-video", "wan.*5b", f"ratio frames_at_24 {_NOISE}"),
        ("fal-ai", "text-to-video", "wan", f"ratio frames_at_16 {_NOISE}"),
        ("fal-ai", "text-to-video", "ltx|hunyuan", "ratio seed"),
        ("fal-ai", "image-to-video", "wan.*5b", f"frames_at_24 {_NOISE}"),
        ("fal-ai", "image-to-video", "wan", f"frames_at_16 {_NOISE}"),
        ("fal-ai", "(text|image)-to-video", "", "seed"),
        ("fal-ai", "text-to-speech", "kokoro", "voice"),
        ("replicate", "text-to-image", "diffusion-3|sd-?3", "ratio seed negative_prompt cfg"),
        ("replicate", "text-to-image", "z-image|diffusion|sdxl", "sides seed guidance_scale"),
        ("replicate", "text-to-image", "qwen", "ratio seed guidance negative_prompt"),
        ("replicate", "text-to-image", "flux.*dev", "ratio seed guidance"),
        ("replicate", "text-to-image", "flux", "ratio seed"),
        ("replicate", "image-to-image", "flux-?2|klein", "input_images ratio seed"),
        ("replicate", "text-to-video", "wan", "ratio frames_at_16 seed"),
        ("replicate", "image-to-video", "wan", "frames_at_16 seed"),
        ("replicate", "text-to-speech", "kokoro", "voice"),
        ("replicate", ".*-(image|video)", "", "seed"),
        ("together", "text-to-image", "", _PICTURE),
        ("together", "image-to-image", "kontext", _PICTURE),
        ("together", "image-to-image", "", f"reference_images {_PICTURE}"),
        ("together", "(text|image)-to-video", "", f"{_PICTURE} seconds"),
        ("together|deepinfra", "text-to-speech", "", "voice"),
        ("nscale|zai-org", "text-to-image", "", "sides"),
        ("wavespeed", "text-to-image", "flux.*dev", "starred_size seed guidance_scale"),
        ("wavespeed", "text-to-image", "", "starred_size seed"),
        ("wavespeed", "image-to-image", combining, "images starred_size seed"),
        ("wavespeed", "text-to-video", "wan", "starred_size duration seed negative_prompt"),
        ("wavespeed", ".*-(image|video)", "", "seed"),
    )


def _find_rules(provider: str, task: str, model: str) -> list[_Rule]:
    """How to write what a model knows."""
    patterns = (
        known
        for providers, tasks, models, known in _list_rows()
        if re.fullmatch(providers, provider)
        and re.fullmatch(tasks or ".*", task)
        and re.search(models, model.casefold())
    )
    return [_RULES[name] for name in next(patterns, "").split()]


def _combines(job: Job, names: tuple[str, ...]) -> bool:
    return names == _IMAGES and len(job.args.get("image", ())) > 1
