"""Pictures and films that are made: diffusers' pipelines (the extra [diffusion])."""

import inspect
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.media import mp4, picture, png
from adapters.local.shelf import Shelf, root_of
from adapters.local.table import Answer
from pipeline.errors import BadInput

_LONGEST_SIDE = 1024
_STEP = 8
_USUAL_RATE = 8


@dataclass(slots=True)
class Painter:
    """A pipeline on its device, and others over the same weights."""

    pipe: Any
    device: str
    others: dict[str, Any] = field(default_factory=dict)

    def modules(self) -> list[Any]:
        """Whatever has weights."""
        return [part for part in self.pipe.components.values() if hasattr(part, "parameters")]

    def restyling(self) -> Any:
        """The pipeline that begins with a picture."""
        from diffusers import AutoPipelineForImage2Image

        if "image" in inspect.signature(self.pipe.__call__).parameters:
            return self.pipe
        if "restyling" not in self.others:
            self.others["restyling"] = _quiet(AutoPipelineForImage2Image.from_pipe(self.pipe))
        return self.others["restyling"]


def load(path: Path, device: str) -> Painter:
    from diffusers import DiffusionPipeline

    pipe = DiffusionPipeline.from_pretrained(path, torch_dtype=_precision(device))
    return Painter(_quiet(pipe.to(device)), device)


def load_guided(path: Path, device: str) -> Painter:
    """A ControlNet, over the model that its card names as its base, or over any Stable Diffusion that is there."""
    from diffusers import ControlNetModel, StableDiffusionControlNetPipeline

    shelf = Shelf([root_of(path)])
    bases = [entry for entry in shelf.all() if entry.cls == "StableDiffusionPipeline"]
    named = shelf.base_of(path)
    base = next((entry for entry in bases if entry.id == named), bases[0] if bases else None)
    if base is None:
        raise BadInput("local-no-base", model=path.name)
    precision = _precision(device)
    control = ControlNetModel.from_pretrained(path, torch_dtype=precision)
    pipe = StableDiffusionControlNetPipeline.from_pretrained(
        base.path, controlnet=control, torch_dtype=precision
    )
    return Painter(_quiet(pipe.to(device)), device)


def paint(painter: Painter, asked: Asked) -> Answer:
    return png(made(painter.pipe, painter, asked, prompt=asked.text()).images[0])


def restyle(painter: Painter, asked: Asked) -> Answer:
    image = fitting(picture(asked))
    found = made(painter.restyling(), painter, asked, prompt=asked.word("prompt"), image=image)
    return png(found.images[0])


def guided(painter: Painter, asked: Asked) -> Answer:
    """The picture is the control image; the size of what is made is its own."""
    image = fitting(picture(asked))
    found = made(painter.pipe, painter, asked, prompt=asked.word("prompt"), image=image)
    return png(found.images[0])


def shoot(painter: Painter, asked: Asked) -> Answer:
    return _film(made(painter.pipe, painter, asked, prompt=asked.text()), asked)


def animate(painter: Painter, asked: Asked) -> Answer:
    image = fitting(picture(asked))
    found = made(painter.pipe, painter, asked, prompt=asked.word("prompt"), image=image)
    return _film(found, asked)


def _film(found: Any, asked: Asked) -> Answer:
    import numpy as np

    frames = [np.asarray(frame) for frame in found.frames[0]]
    rate = asked.whole("frames_per_second", _USUAL_RATE, 1, 60)
    return mp4([frame if frame.dtype == np.uint8 else _bytes(frame) for frame in frames], rate)


def _bytes(frame: Any) -> Any:
    import numpy as np

    return (np.clip(frame, 0, 1) * 255).astype(np.uint8)


def made(pipe: Any, painter: Painter, asked: Asked, **given: Any) -> Any:
    """Each pipeline takes what its signature names; what the caller did not say is as the model's makers have it."""
    import torch

    takes = inspect.signature(pipe.__call__).parameters
    wishes = {**given, **_wishes(asked)}
    if asked.given("seed"):
        seed = asked.whole("seed", 0, 0, 2**32)
        wishes["generator"] = torch.Generator(painter.device).manual_seed(seed)
    with torch.inference_mode():
        return pipe(**{name: value for name, value in wishes.items() if name in takes})


def _wishes(asked: Asked) -> dict[str, Any]:
    whole = {
        "num_inference_steps": (30, 1, 150),
        "height": (512, 64, 2048),
        "width": (512, 64, 2048),
        "num_frames": (16, 1, 257),
    }
    figures = {"guidance_scale": (7.5, 0, 30), "strength": (0.8, 0.05, 1)}
    return {
        **{name: asked.whole(name, *bounds) for name, bounds in whole.items() if asked.given(name)},
        **{
            name: asked.figure(name, *bounds)
            for name, bounds in figures.items()
            if asked.given(name)
        },
        **(
            {"negative_prompt": asked.word("negative_prompt")}
            if asked.given("negative_prompt")
            else {}
        ),
    }


def fitting(image: Any) -> Any:
    """No side longer than a model is used to, both multiples of eight."""
    share = min(1.0, _LONGEST_SIDE / max(image.size))
    sides = (max(_STEP * 8, round(side * share / _STEP) * _STEP) for side in image.size)
    return image.resize(tuple(sides))


def _precision(device: str) -> Any:
    import torch

    return torch.float32 if device == "cpu" else torch.float16


def _quiet(pipe: Any) -> Any:
    pipe.set_progress_bar_config(disable=True)
    return pipe
