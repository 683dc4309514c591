"""Pictures and films made by diffusers' pipelines (the extra [diffusion])."""

import inspect
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, decode_base64
from adapters.local.kinds.vision import decode_picture, read_picture, write_png
from adapters.local.loaded_models import LoadedModel, load_by_class
from adapters.local.models_on_disk import find_companion
from pipeline.errors import BadInput

GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
_MAX_SIDE = 1024
_SIDE_STEP = 8
_FRAMES_PER_SECOND = 8
_MIN_PROBABILITY, _MIN_SHARE = 0.25, 0.5
_MASK_MARGIN = 64
"""A mask is a sixty-fourth of the picture wider on each side than the region that was found."""
_BOUNDS: dict[str, tuple[type, float, float]] = {
    "num_inference_steps": (int, 1, 150),
    "height": (int, 64, 2048),
    "width": (int, 64, 2048),
    "num_frames": (int, 1, 257),
    "guidance_scale": (float, 0, 30),
    "strength": (float, 0.05, 1),
}


def load_diffusion(path: Path, device: str) -> LoadedModel:
    from diffusers import DiffusionPipeline

    return _finish(DiffusionPipeline.from_pretrained(path, **_get_precision(device)), path, device)


def load_controlnet(path: Path, device: str) -> LoadedModel:
    """A ControlNet over the base that its card names, else over any Stable Diffusion there."""
    from diffusers import ControlNetModel, StableDiffusionControlNetPipeline

    base = find_companion(path, "StableDiffusionPipeline")
    if base is None:
        raise BadInput("local-no-base", model=path.name)
    precision = _get_precision(device)
    control = ControlNetModel.from_pretrained(path, **precision)
    pipe = StableDiffusionControlNetPipeline.from_pretrained(base, controlnet=control, **precision)
    return _finish(pipe, path, device)


def load_editor(path: Path, device: str) -> LoadedModel:
    """A model that edits as told, or one that inpaints, with a CLIPSeg model where there is one."""
    loaded = load_diffusion(path, device)
    finder = find_companion(path, "CLIPSegForImageSegmentation")
    if "mask_image" in _get_inputs(loaded.model) and finder is not None:
        loaded.companion = load_by_class("CLIPSegForImageSegmentation", "processor")(finder, device)
    return loaded


def _get_precision(device: str) -> dict[str, Any]:
    import torch

    return {"torch_dtype": torch.float32 if device == "cpu" else torch.float16}


def _finish(pipe: Any, path: Path, device: str) -> LoadedModel:
    pipe.set_progress_bar_config(disable=True)
    return LoadedModel(pipe.to(device), device, path)


def _get_inputs(pipe: Any) -> Any:
    return inspect.signature(pipe.__call__).parameters


def generate(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """A picture or a film from a prompt, and from a picture where the kind takes one."""
    from diffusers import AutoPipelineForImage2Image

    if request.kind.startswith("text-to-"):
        output = _call(loaded, loaded.model, request, prompt=request.text())
    else:
        pipe = loaded.model
        if "image" not in _get_inputs(pipe):  # another pipeline over the same weights
            pipe = AutoPipelineForImage2Image.from_pipe(pipe)
            pipe.set_progress_bar_config(disable=True)
        image = _fit(read_picture(loaded, request))
        output = _call(loaded, pipe, request, prompt=request.string("prompt"), image=image)
    if hasattr(output, "frames"):
        rate = request.integer("frames_per_second", _FRAMES_PER_SECOND, 1, 60)
        return _write_mp4(output.frames[0], rate)
    return write_png(output.images[0])


def edit(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Edit a picture as told; a model that takes a mask changes only what is under it."""
    if "mask_image" not in _get_inputs(loaded.model):
        return generate(loaded, request)
    from PIL import Image

    original = read_picture(loaded, request)
    image, prompt = _fit(original), request.string("prompt")
    mask = _find_mask(loaded, request, image)
    inputs = {"prompt": prompt, "image": image, "mask_image": mask}
    sizes = {"width": image.width, "height": image.height}
    painted = _call(loaded, loaded.model, request, **inputs, **sizes).images[0]
    painted, mask = painted.resize(original.size), mask.resize(original.size)
    return write_png(Image.composite(painted, original, mask))


def _call(loaded: LoadedModel, pipe: Any, request: InferenceRequest, **inputs: Any) -> Any:
    """Call a pipeline with those of the inputs and parameters that its signature names."""
    import torch

    accepted = _get_inputs(pipe)
    arguments = inputs | {
        name: of(request.number(name, low, low, high))
        for name, (of, low, high) in _BOUNDS.items()
        if request.has_parameter(name)
    }
    if negative := request.string("negative_prompt"):
        arguments["negative_prompt"] = negative
    if request.has_parameter("seed"):
        seed = request.integer("seed", 0, 0, 2**32)
        arguments["generator"] = torch.Generator(loaded.device).manual_seed(seed)
    with torch.inference_mode():
        return pipe(**{name: value for name, value in arguments.items() if name in accepted})


def _fit(image: Any) -> Any:
    """Scaled so that no side is longer than models are used to; both are multiples of eight."""
    share = min(1.0, _MAX_SIDE / max(image.size))
    sides = (max(64, round(side * share / _SIDE_STEP) * _SIDE_STEP) for side in image.size)
    return image.resize(tuple(sides))


def _find_mask(loaded: LoadedModel, request: InferenceRequest, image: Any) -> Any:
    """White where to paint: the masks in the request, else where the named thing is.

    `mask_prompt` names the thing; without it the whole prompt does. Raises BadInput.
    """
    masks = request.parameters.get("mask_image")
    if masks:
        return _join_masks(masks if isinstance(masks, list) else [masks], image.size)
    thing = request.string("mask_prompt") or request.string("prompt")
    if not thing:
        raise BadInput("local-no-mask")
    if loaded.companion is None:
        raise BadInput("local-no-finder")
    return _find_thing(loaded.companion, image, thing)


def _join_masks(masks: Sequence[Any], size: tuple[int, int]) -> Any:
    from PIL import Image, ImageChops

    joined = Image.new("L", size)
    for content in masks:
        if not isinstance(content, str):
            raise BadInput("local-needs-file")
        mask = decode_picture(decode_base64(content), "L").resize(size)
        joined = ImageChops.lighter(joined, mask.point([0] * 128 + [255] * 128))
    return joined


def _find_thing(finder: LoadedModel, image: Any, thing: str) -> Any:
    """A mask of where the thing most likely is, a little wider."""
    import numpy as np
    import torch
    from PIL import Image, ImageFilter

    inputs = finder.processor(text=[thing], images=[image], return_tensors="pt", truncation=True)
    with torch.inference_mode():
        logits = finder.model(**inputs.to(finder.device)).logits
    probability = logits.reshape(logits.shape[-2:]).sigmoid().float().cpu().numpy()
    if probability.max() < _MIN_PROBABILITY:
        raise BadInput("local-thing-not-found", thing=thing)
    white = (probability > _MIN_SHARE * probability.max()).astype(np.uint8) * 255
    mask = Image.fromarray(white).resize(image.size)
    return mask.filter(ImageFilter.MaxFilter(max(image.size) // _MASK_MARGIN * 2 + 1))


def _write_mp4(frames: Sequence[Any], rate: int) -> InferenceResponse:
    """A film in H.264; both sides are made even."""
    import av
    import numpy as np

    film = np.asarray(frames)
    height, width = (side // 2 * 2 for side in film.shape[1:3])
    if film.dtype != np.uint8:
        film = (film.clip(0, 1) * 255).astype(np.uint8)
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in np.ascontiguousarray(film[:, :height, :width]):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return InferenceResponse(file.getvalue(), "video/mp4")
