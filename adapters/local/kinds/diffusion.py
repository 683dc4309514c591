"""Pictures and films made by diffusers' pipelines (the extra [diffusion])."""

import inspect
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, decode_base64
from adapters.local.kinds.vision import decode_picture, read_picture, write_png
from adapters.local.loaded_models import LoadedModel
from adapters.local.models_on_disk import find_companions
from pipeline.errors import BadInput

GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
_MAX_SIDE = 1024
_SIDE_STEP = 8
_FRAMES_PER_SECOND = 8
_FINDER = "CLIPSegForImageSegmentation"
_MIN_PROBABILITY, _MIN_SHARE = 0.25, 0.5
_MASK_MARGIN = 64
"""A mask is a sixty-fourth of the picture wider on each side than the region that was found."""
_INTEGERS = {  # parameter: default, lowest, highest
    "num_inference_steps": (30, 1, 150),
    "height": (512, 64, 2048),
    "width": (512, 64, 2048),
    "num_frames": (16, 1, 257),
}
_NUMBERS = {"guidance_scale": (7.5, 0, 30), "strength": (0.8, 0.05, 1)}


@dataclass(slots=True)
class DiffusionModel:
    """A pipeline on its device; for inpainting also a model that finds things by their names."""

    pipe: Any
    device: str
    image_pipe: Any = None
    finder: LoadedModel | None = None

    @property
    def inputs(self) -> Any:
        return inspect.signature(self.pipe.__call__).parameters

    def modules(self) -> list[Any]:
        """Everything that has weights."""
        finder = self.finder.modules() if self.finder else []
        parts = self.pipe.components.values()
        return [*(part for part in parts if hasattr(part, "parameters")), *finder]

    def get_image_pipe(self) -> Any:
        """The pipeline, over the same weights, that begins with a picture."""
        from diffusers import AutoPipelineForImage2Image

        if "image" in self.inputs:
            return self.pipe
        if self.image_pipe is None:
            self.image_pipe = _silence(AutoPipelineForImage2Image.from_pipe(self.pipe))
        return self.image_pipe


def load_diffusion(path: Path, device: str) -> DiffusionModel:
    from diffusers import DiffusionPipeline

    pipe = DiffusionPipeline.from_pretrained(path, torch_dtype=_get_precision(device))
    return DiffusionModel(_silence(pipe.to(device)), device)


def load_controlnet(path: Path, device: str) -> DiffusionModel:
    """A ControlNet over the base that its card names, else over any Stable Diffusion there."""
    from diffusers import ControlNetModel, StableDiffusionControlNetPipeline

    base = next(iter(find_companions(path, "StableDiffusionPipeline")), None)
    if base is None:
        raise BadInput("local-no-base", model=path.name)
    precision = _get_precision(device)
    control = ControlNetModel.from_pretrained(path, torch_dtype=precision)
    pipe = StableDiffusionControlNetPipeline.from_pretrained(
        base.path, controlnet=control, torch_dtype=precision
    )
    return DiffusionModel(_silence(pipe.to(device)), device)


def load_editor(path: Path, device: str) -> DiffusionModel:
    """A model that edits as told, or one that inpaints, with a CLIPSeg model where there is one."""
    import transformers

    model = load_diffusion(path, device)
    entry = next(iter(find_companions(path, _FINDER)), None)
    if "mask_image" in model.inputs and entry is not None:
        finder = transformers.CLIPSegForImageSegmentation.from_pretrained(entry.path)
        processor = transformers.AutoProcessor.from_pretrained(entry.path)
        finder = finder.to(device).eval()
        model.finder = LoadedModel(finder, device, entry.path, processor=processor)
    return model


def _get_precision(device: str) -> Any:
    import torch

    return torch.float32 if device == "cpu" else torch.float16


def _silence(pipe: Any) -> Any:
    pipe.set_progress_bar_config(disable=True)
    return pipe


def generate(model: DiffusionModel, request: InferenceRequest) -> InferenceResponse:
    """A picture or a film from a prompt, and from a picture where the kind takes one."""
    if request.kind.startswith("text-to-"):
        output = _call(model, model.pipe, request, prompt=request.text())
    else:
        image = _fit(read_picture(request))
        prompt = request.string("prompt")
        output = _call(model, model.get_image_pipe(), request, prompt=prompt, image=image)
    if hasattr(output, "frames"):
        rate = request.integer("frames_per_second", _FRAMES_PER_SECOND, 1, 60)
        return _write_mp4(output.frames[0], rate)
    return write_png(output.images[0])


def edit(model: DiffusionModel, request: InferenceRequest) -> InferenceResponse:
    """Edit a picture as told; a model that takes a mask changes only what is under it."""
    if "mask_image" not in model.inputs:
        return generate(model, request)
    from PIL import Image

    original = read_picture(request)
    image, prompt = _fit(original), request.string("prompt")
    mask = _find_mask(model, request, image)
    inputs = {"prompt": prompt, "image": image, "mask_image": mask}
    sizes = {"width": image.width, "height": image.height}
    painted = _call(model, model.pipe, request, **inputs, **sizes).images[0]
    painted, mask = painted.resize(original.size), mask.resize(original.size)
    return write_png(Image.composite(painted, original, mask))


def _call(model: DiffusionModel, pipe: Any, request: InferenceRequest, **inputs: Any) -> Any:
    """Call a pipeline with those of the inputs and parameters that its signature names."""
    import torch

    accepted = inspect.signature(pipe.__call__).parameters
    arguments = {**inputs, **_read_parameters(request)}
    if request.has_parameter("seed"):
        seed = request.integer("seed", 0, 0, 2**32)
        arguments["generator"] = torch.Generator(model.device).manual_seed(seed)
    with torch.inference_mode():
        return pipe(**{name: value for name, value in arguments.items() if name in accepted})


def _read_parameters(request: InferenceRequest) -> dict[str, Any]:
    """The parameters that are set; the others stay as the model's makers chose them."""
    parameters: dict[str, Any] = {
        name: request.integer(name, *bounds)
        for name, bounds in _INTEGERS.items()
        if request.has_parameter(name)
    }
    for name, bounds in _NUMBERS.items():
        if request.has_parameter(name):
            parameters[name] = request.number(name, *bounds)
    if negative := request.string("negative_prompt"):
        parameters["negative_prompt"] = negative
    return parameters


def _fit(image: Any) -> Any:
    """Scaled so that no side is longer than models are used to; both are multiples of eight."""
    share = min(1.0, _MAX_SIDE / max(image.size))
    sides = (max(64, round(side * share / _SIDE_STEP) * _SIDE_STEP) for side in image.size)
    return image.resize(tuple(sides))


def _find_mask(model: DiffusionModel, request: InferenceRequest, image: Any) -> Any:
    """White where to paint: the masks in the request, else where the named thing is.

    `mask_prompt` names the thing; without it the whole prompt does. Raises BadInput.
    """
    masks = request.parameters.get("mask_image")
    if masks:
        return _join_masks(masks if isinstance(masks, list) else [masks], image.size)
    thing = request.string("mask_prompt") or request.string("prompt")
    if not thing:
        raise BadInput("local-no-mask")
    if model.finder is None:
        raise BadInput("local-no-finder")
    return _find_thing(model.finder, image, thing)


def _join_masks(masks: Sequence[Any], size: tuple[int, int]) -> Any:
    from PIL import Image, ImageChops

    joined = Image.new("L", size)
    for content in masks:
        if not isinstance(content, str):
            raise BadInput("local-needs-file")
        mask = decode_picture(decode_base64(content), "L").resize(size)
        joined = ImageChops.lighter(joined, mask.point(lambda light: 255 if light >= 128 else 0))  # noqa: PLR2004
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

    arrays = [np.asarray(frame) for frame in frames]
    file = io.BytesIO()
    height, width = (side // 2 * 2 for side in arrays[0].shape[:2])
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for array in arrays:
            if array.dtype != np.uint8:
                array = (np.clip(array, 0, 1) * 255).astype(np.uint8)  # noqa: PLW2901
            picture = array[:height, :width].copy()
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return InferenceResponse(file.getvalue(), "video/mp4")
