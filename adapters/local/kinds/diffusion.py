"""Makes pictures and videos with diffusers' pipelines (the extra [diffusion])."""

import inspect
import io
from collections.abc import Sequence
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, decode_base64
from adapters.local.kinds.vision import decode_picture, read_picture, write_png
from adapters.local.models_on_disk import ModelOnDisk
from pipeline.errors import BadInput

_MAX_SIDE = 1024
_SIDE_STEP = 8
_FRAMES_PER_SECOND = 8


def load_diffusion(model: ModelOnDisk, device: str) -> Any:
    """Load a diffusers pipeline; for a ControlNet, that of its base."""
    import torch
    from diffusers import AutoPipelineForText2Image, ControlNetModel, DiffusionPipeline

    precision = {"torch_dtype": torch.float32 if device == "cpu" else torch.float16}
    if model.base is None:
        return DiffusionPipeline.from_pretrained(model.path, **precision).to(device)
    control = ControlNetModel.from_pretrained(model.path, **precision)
    pipe = AutoPipelineForText2Image.from_pretrained(model.base, controlnet=control, **precision)
    return pipe.to(device)


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
        image = _fit(read_picture(request))
        output = _call(pipe, request, prompt=request.option("prompt", ""), image=image)
    if hasattr(output, "frames"):
        rate = request.option("frames_per_second", _FRAMES_PER_SECOND)
        return _write_mp4(output.frames[0], rate)
    return write_png(output.images[0])


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
    return write_png(Image.composite(painted.resize(original.size), original, mask))


def _call(pipe: Any, request: InferenceRequest, **inputs: Any) -> Any:
    """Call a pipeline with the inputs and parameters that its signature accepts."""
    import torch

    accepted, numbers = _get_parameters(pipe), request.numbers()
    arguments = {**numbers, **inputs}
    arguments["negative_prompt"] = request.option("negative_prompt", "") or None
    if "seed" in numbers:
        arguments["generator"] = torch.Generator(pipe.device).manual_seed(int(numbers["seed"]))
    with torch.inference_mode():
        return pipe(**{name: value for name, value in arguments.items() if name in accepted})


def _fit(image: Any) -> Any:
    """Shrink to the size that models are made for; both sides are multiples of eight."""
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
