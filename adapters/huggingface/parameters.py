"""Which parameters of media a model knows at each of the Hub's providers.

Compiled from the providers' published schemas in November 2026.
"""

import re
from collections.abc import Sequence
from functools import cache

from adapters.huggingface.tags import TAGS, find_task
from adapters.wire.parameters import NOISE, PICTURE, list_parameters
from pipeline.ports import Job
from pipeline.selection.curated import OWN_INFERENCE
from pipeline.selection.known_models import load_known


def find_known(job: Job, provider: str) -> str:
    """The rules for the parameters that the job's model knows at a provider."""
    task = find_task(TAGS.get(job.kind.name, job.kind.name))
    return _find_rules(provider, task, " ".join((*job.model.providers[:1], job.model.id)))


def list_known(provider: str, task: str, model: str) -> frozenset[str]:
    """The parameters that a model knows at a provider. `model`: its ids there and at the Hub."""
    return list_parameters(_find_rules(provider, task, model))


def _find_rules(provider: str, task: str, model: str) -> str:
    """The rules in the first row that fits; "" if none does."""
    fitting = (
        known
        for providers, tasks, models, known in _list_rows()
        if re.fullmatch(providers, provider)
        and re.fullmatch(tasks or ".*", task)
        and re.search(models, model.casefold())
    )
    return next(fitting, "")


@cache
def _list_rows() -> Sequence[tuple[str, str, str, str]]:
    """Patterns of provider, task and model, and what the first model that fits knows."""
    combining = load_known().combining
    return (
        (OWN_INFERENCE, "text-to-image", "", PICTURE),
        (OWN_INFERENCE, "image-to-image", "", "target_size negative_prompt guidance_scale"),
        ("fal-ai", "text-to-image", "klein|z-image", "sides seed"),
        ("fal-ai", "text-to-image", "qwen|diffusion|sdxl", PICTURE),
        ("fal-ai", "text-to-image", "flux", "sides seed guidance_scale"),
        ("fal-ai", "text-to-image", "", "sides seed"),
        ("fal-ai", "image-to-image", "klein", "image_urls seed"),
        ("fal-ai", "image-to-image", "flux-?2", "image_urls target_size seed guidance_scale"),
        ("fal-ai", "image-to-image", combining, f"image_urls target_size {NOISE}"),
        ("fal-ai", "image-to-image", "qwen|kontext", "seed guidance_scale"),
        ("fal-ai", "image-to-image", "", "seed"),
        ("fal-ai", "text-to-video", "wan.*5b", f"ratio frames_at_24 {NOISE}"),
        ("fal-ai", "text-to-video", "wan", f"ratio frames_at_16 {NOISE}"),
        ("fal-ai", "text-to-video", "ltx|hunyuan", "ratio seed"),
        ("fal-ai", "image-to-video", "wan.*5b", f"frames_at_24 {NOISE}"),
        ("fal-ai", "image-to-video", "wan", f"frames_at_16 {NOISE}"),
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
        ("together", "text-to-image", "", PICTURE),
        ("together", "image-to-image", "kontext", PICTURE),
        ("together", "image-to-image", "", f"reference_images {PICTURE}"),
        ("together", "(text|image)-to-video", "", f"{PICTURE} seconds"),
        ("together|deepinfra", "text-to-speech", "", "voice"),
        ("nscale|zai-org", "text-to-image", "", "sides"),
        ("wavespeed", "text-to-image", "flux.*dev", "starred_size seed guidance_scale"),
        ("wavespeed", "text-to-image", "", "starred_size seed"),
        ("wavespeed", "image-to-image", combining, "images starred_size seed"),
        ("wavespeed", "text-to-video", "wan", "starred_size duration seed negative_prompt"),
        ("wavespeed", ".*-(image|video)", "", "seed"),
    )
