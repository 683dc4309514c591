"""Makes pictures and videos with diffusers' pipelines (the extra [diffusion])."""

import inspect
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, decode_base64
from adapters.local.kinds.vision import decode_picture, read_picture, write_png
from adapters.local.model_files import HALF
from adapters.local.models_on_disk import ModelOnDisk
from pipeline.errors import BadInput

_MAX_SIDE = 1024
_SIDE_STEP = 16
"""Sides of pictures are multiples of it."""
_FILM_STEP = 32
"""Sides of films are multiples of it."""
_FRAMES_PER_SECOND = 8
_FRAME_STEP = 8
"""Models take one frame more than a multiple of four or eight."""
_ARGUMENTS = {
    "width": "width",
    "seed": "generator",
    "duration": "num_frames",
    "negative_prompt": "negative_prompt",
    "guidance_scale": "guidance_scale",
}
"""A parameter of requests → the argument that a pipeline needs for it."""
_NAMES = {"width": ("size", "aspect_ratio"), "images": ("image",)}
"""A parameter of requests → the parameters of a task that it stands for, if others."""


def load_diffusion(model: ModelOnDisk, device: str) -> Any:
    """Load a diffusers pipeline; for a ControlNet, that of its base."""
    import torch
    from diffusers import AutoPipelineForText2Image, ControlNetModel, DiffusionPipeline

    precision: dict[str, Any] = {"torch_dtype": torch.float32 if device == "cpu" else torch.float16}
    if model.base is None:
        precision |= _find_variant(model.path)
        return DiffusionPipeline.from_pretrained(model.path, **precision).to(device)
    control = ControlNetModel.from_pretrained(model.path, **precision)
    precision |= _find_variant(model.base)
    pipe = AutoPipelineForText2Image.from_pretrained(model.base, controlnet=control, **precision)
    return pipe.to(device)


def _find_variant(path: Path) -> dict[str, Any]:
    """Weights in half precision are taken where a part of a pipeline has them."""
    return {"variant": HALF} if any(path.glob(f"*/*.{HALF}*.safetensors")) else {}


def _get_parameters(pipe: Any) -> Any:
    return inspect.signature(pipe.__call__).parameters


def generate(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Make a picture or video from a prompt, and from a picture if the kind takes one."""
    from diffusers import AutoPipelineForImage2Image

    if request.kind.startswith("text-to-"):
        output = _call(pipe, request, prompt=request.text())
    else:
        if "image" not in _get_parameters(pipe):  # another pipeline with the same weights
            pipe = AutoPipelineForImage2Image.from_pipe(pipe)
        image = _read_images(pipe, request)
        output = _call(pipe, request, prompt=request.option("prompt", ""), image=image)
    if hasattr(output, "frames"):
        response = _write_mp4(output.frames[0], _get_rate(request))
    else:
        response = write_png(output.images[0])
    return replace(response, unused=_list_unused(pipe, request))


def edit(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Edit a picture by a prompt; a model that takes a mask changes only what it covers."""
    if "mask_image" not in _get_parameters(pipe):
        return generate(pipe, request)
    from PIL import Image

    original = read_picture(request)
    image, mask = _fit(original), _read_mask(request, original.size)
    inputs = {"prompt": request.option("prompt", ""), "image": image, "mask_image": mask}
    sizes = {"width": image.width, "height": image.height}
    painted = _call(pipe, request, **inputs, **sizes).images[0]
    response = write_png(Image.composite(painted.resize(original.size), original, mask))
    return replace(response, unused=_list_unused(pipe, request, "width"))


def _call(pipe: Any, request: InferenceRequest, **inputs: Any) -> Any:
    """Call a pipeline with the inputs and parameters that its signature accepts."""
    import torch

    accepted, numbers = _get_parameters(pipe), request.numbers()
    if "duration" in numbers:
        steps = round(numbers["duration"] * _get_rate(request) / _FRAME_STEP)
        numbers["num_frames"] = _FRAME_STEP * steps + 1
    for side in {"width", "height"} & numbers.keys():
        step = _FILM_STEP if "num_frames" in accepted else _SIDE_STEP
        numbers[side] = max(1, round(numbers[side] / step)) * step
    if "guidance_scale" in numbers and _has_other_guidance(accepted):
        numbers["true_cfg_scale"] = numbers.pop("guidance_scale")
    arguments = {**numbers, **inputs}
    arguments["negative_prompt"] = request.option("negative_prompt", "") or None
    if "seed" in numbers:
        arguments["generator"] = torch.Generator(pipe.device).manual_seed(int(numbers["seed"]))
    with torch.inference_mode():
        return pipe(**{name: value for name, value in arguments.items() if name in accepted})


def _get_rate(request: InferenceRequest) -> int:
    return request.option("frames_per_second", _FRAMES_PER_SECOND)


def _list_unused(pipe: Any, request: InferenceRequest, *more: str) -> frozenset[str]:
    """The parameters in a request that a pipeline does not take, and `more`, as tasks name them."""
    accepted = _get_parameters(pipe)
    unused = {sent for sent, argument in _ARGUMENTS.items() if argument not in accepted} | {*more}
    if not _combines(pipe):
        unused.add("images")
    if "true_cfg_scale" in accepted and accepted["true_cfg_scale"].default == 1:
        unused.add("negative_prompt")
    given = unused & request.parameters.keys()
    return frozenset(name for sent in given for name in _NAMES.get(sent, (sent,)))


def _has_other_guidance(accepted: Any) -> bool:
    """Whether guidance goes by another name: of Qwen's pipelines, `guidance_scale` does nothing."""
    names = {"true_cfg_scale", "guidance_scale"} & accepted.keys()
    return len(names) > 1 and accepted["guidance_scale"].default is None


def _combines(pipe: Any) -> bool:
    """Whether a pipeline makes one picture of several."""
    return type(pipe).__name__.startswith(("Flux2", "QwenImageEditPlus"))


def _read_images(pipe: Any, request: InferenceRequest) -> Any:
    """The picture, or all of several for a pipeline that combines them. Raises BadInput."""
    images = request.parameters.get("images")
    if not _combines(pipe) or not isinstance(images, list):
        return _fit(read_picture(request))
    return [_fit(decode_picture(decode_base64(str(image)), "RGB")) for image in images]


def _fit(image: Any) -> Any:
    """Shrink to the size that models are made for; both sides are multiples of 16."""
    share = min(1.0, _MAX_SIDE / max(image.size))
    sides = (max(64, round(side * share / _SIDE_STEP) * _SIDE_STEP) for side in image.size)
    return image.resize(tuple(sides))


def _read_mask(request: InferenceRequest, size: tuple[int, int]) -> Any:
    """The mask, white where to paint; several are combined. Raises BadInput."""
    from PIL import Image, ImageChops

    masks = request.parameters.get("mask_image")
    if not masks:
        raise BadInput("local-no-mask")
    joined = Image.new("L", size)
    for content in masks if isinstance(masks, list) else [masks]:
        if not isinstance(content, str):
            raise BadInput("local-needs-file")
        mask = decode_picture(decode_base64(content), "L").resize(size)
        joined = ImageChops.lighter(joined, mask.point([0] * 128 + [255] * 128))
    return joined


def _write_mp4(frames: Sequence[Any], rate: int) -> InferenceResponse:
    """Encode frames as H.264, cropped to even sides."""
    import av
    import numpy as np

    video = np.asarray(frames)
    height, width = (side // 2 * 2 for side in video.shape[1:3])
    if video.dtype != np.uint8:
        video = (video.clip(0, 1) * 255).astype(np.uint8)
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in np.ascontiguousarray(video[:, :height, :width]):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return InferenceResponse(file.getvalue(), "video/mp4")
