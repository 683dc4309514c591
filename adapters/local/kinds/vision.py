"""Picture and video kinds: segmentation, depth, captions, questions, classification."""

import base64
import io
from itertools import islice
from typing import Any

from adapters.local.inference import (
    InferenceRequest,
    InferenceResponse,
    json_response,
)
from adapters.local.kinds.loading import LoadedModel
from adapters.media.bounds import Bounds
from pipeline.errors import BadInput, MediaError
from pipeline.prompts.chat_tasks import CHAT_TASKS

_MAX_FRAMES = 30 * 600


def read_picture(request: InferenceRequest) -> Any:
    """The picture, upright, in RGB. Raises BadInput."""
    return decode_picture(request.file("image"), "RGB")


def decode_picture(data: bytes, mode: str) -> Any:
    """A picture, upright, in one of Pillow's modes. Raises BadInput."""
    from adapters.media.pictures import flatten, load_upright

    try:
        picture = load_upright(data, Bounds())
    except MediaError as error:
        raise BadInput("local-picture-unreadable") from error
    return flatten(picture).convert(mode)


def write_png(image: Any) -> InferenceResponse:
    file = io.BytesIO()
    image.save(file, "PNG")
    return InferenceResponse(file.getvalue(), "image/png")


def _to_base64(image: Any) -> str:
    return base64.b64encode(write_png(image).body).decode()


def find_regions(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Semantic models give no scores."""
    regions = pipe(read_picture(request))
    return json_response([{**region, "mask": _to_base64(region["mask"])} for region in regions])


def estimate_depth(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """A depth map in grey; near is bright."""
    return json_response({"depth": _to_base64(pipe(read_picture(request))["depth"])})


def draw_depth(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Depth as a picture that a ControlNet takes."""
    return write_png(pipe(read_picture(request))["depth"].convert("RGB"))


def describe(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """A caption, or the text in the picture."""
    text, _ = _generate(loaded, request, request.option("prompt", ""))
    return json_response([{"generated_text": text}])


def answer_question(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """An answer about a picture or a page; a generated answer has no position in it."""
    text, score = _generate(loaded, request, request.text("question"))
    return json_response([{"answer": text, "score": score, "start": 0, "end": 0}])


def _generate(loaded: LoadedModel, request: InferenceRequest, prompt: str) -> tuple[str, float]:
    """The text that a model generates for a picture, and its probability."""
    model, processor, image = loaded.model, loaded.processor, read_picture(request)
    if getattr(processor, "chat_template", None):
        text_part = {"type": "text", "text": prompt or CHAT_TASKS[request.kind]}
        content = [{"type": "image", "image": image}, text_part]
        inputs = processor.apply_chat_template(
            [{"role": "user", "content": content}],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        )
    else:
        text = {"text": prompt} if prompt else {}
        inputs = processor(images=image, **text, return_tensors="pt")
    output = model.generate(
        **inputs.to(model.device, model.dtype),
        max_new_tokens=request.option("max_new_tokens", 256),
        return_dict_in_generate=True,
        output_scores=True,
    )
    (tokens,), steps = output.sequences, len(output.scores)
    text = processor.decode(tokens[-steps:], skip_special_tokens=True)
    log_probabilities = model.compute_transition_scores(
        output.sequences, output.scores, normalize_logits=True
    )
    return text.strip(), float(log_probabilities.sum().exp())


def classify_video(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Run the pipeline without its own reader, which opens URLs and reads only the first frames."""
    prepare = getattr(pipe, "video_processor", None) or pipe.image_processor
    frames = _read_frames(request.file("video"), pipe.model.config.num_frames)
    output = pipe.forward(prepare(frames, return_tensors="pt").to(pipe.model.dtype))
    return json_response(pipe.postprocess(output, top_k=request.option("top_k", 5)))


def _read_frames(data: bytes, count: int) -> list[Any]:
    """A number of frames, evenly spread over a video. Raises BadInput."""
    import av
    import numpy as np
    from transformers.pipelines.video_classification import read_video_pyav

    try:
        with av.open(io.BytesIO(data), "r") as video:
            length = sum(1 for _ in islice(video.decode(video=0), _MAX_FRAMES))
            indices = np.linspace(0, length - 1, count).astype(int)
            unique, positions = np.unique(indices, return_inverse=True)
            return list(read_video_pyav(video, unique)[positions])
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-film-unreadable") from error
