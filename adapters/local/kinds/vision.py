"""Pictures and films: regions, depth, control images, captions, questions."""

import base64
import io
from itertools import takewhile
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.loaded_models import LoadedModel, load_by_class, load_by_pipeline
from pipeline.errors import BadInput

_MAX_PIXELS = 64_000_000
_MAX_FILM_SECONDS = 10 * 60
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "DIB", "TIFF", "AVIF", "JPEG2000", "ICO")
"""No format whose decoder runs another program (EPS)."""
_MAX_OVERLAP = 0.7
_MIN_POINT_SCORE = 0.3
_PAGE = 1000
_WITH_SCORES = {"return_dict_in_generate": True, "output_scores": True}
_BONES = (
    (5, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 11), (6, 12), (11, 12),
    (11, 13), (13, 15), (12, 14), (14, 16), (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (0, 6),
)  # fmt: skip
"""Which of COCO's seventeen points are joined: shoulders 5 and 6, hips 11 and 12, head 0 to 4."""


def read_picture(_loaded: LoadedModel | None, request: InferenceRequest) -> Any:
    """The picture, upright, in RGB. Raises BadInput."""
    return decode_picture(request.file("image"), "RGB")


def decode_picture(data: bytes, mode: str) -> Any:
    """A picture, upright, in one of Pillow's modes. Raises BadInput."""
    from PIL import Image, ImageOps

    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
        if image.width * image.height > _MAX_PIXELS:
            raise BadInput("local-picture-unreadable")
        return ImageOps.exif_transpose(image).convert(mode)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadInput("local-picture-unreadable") from error


def write_png(image: Any) -> InferenceResponse:
    file = io.BytesIO()
    image.save(file, "PNG")
    return InferenceResponse(file.getvalue(), "image/png")


def _to_base64(image: Any) -> str:
    return base64.b64encode(write_png(image).body).decode()


def write_regions(output: Any) -> InferenceResponse:
    """Semantic models give no scores."""
    return json_response(
        [
            {"label": region["label"], "mask": _to_base64(region["mask"])}
            | ({} if region["score"] is None else {"score": float(region["score"])})
            for region in output
        ]
    )


def write_depth(output: Any) -> InferenceResponse:
    """Near is bright, as the models' makers have it."""
    return json_response({"depth": _to_base64(output["depth"])})


def write_depth_picture(output: Any) -> InferenceResponse:
    return write_png(output["depth"].convert("RGB"))


def write_normals(output: Any) -> InferenceResponse:
    """Surface normals from the slope of the depth: x red, y green, towards the viewer blue."""
    import numpy as np
    from PIL import Image

    down, across = np.gradient(np.asarray(output["depth"].convert("L"), dtype=np.float32))
    steepest = max(float(np.abs(across).max()), float(np.abs(down).max()), 1.0)
    field = np.stack((across, down, np.full_like(down, steepest / 4)), axis=-1)
    field /= np.linalg.norm(field, axis=-1, keepdims=True)
    return write_png(Image.fromarray(((field + 1) * 127.5).astype(np.uint8)))


def draw_segments(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Each class in its own colour, the same in every picture (not the colours of ADE20K)."""
    from PIL import Image

    image = read_picture(loaded, request)
    canvas = Image.new("RGB", image.size)
    numbers = {label: number for number, label in loaded.model.config.id2label.items()}
    for region in loaded.pipeline("image-segmentation")(image):
        canvas.paste(_pick_colour(numbers.get(region["label"], 0)), mask=region["mask"])
    return write_png(canvas)


def _pick_colour(number: int) -> str:
    """Colours far apart on the colour wheel."""
    return f"hsv({number * 222 % 360}, {55 + number % 3 * 20}%, 90%)"


def draw_pose(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """ViTPose finds one person in a box; the box is the whole picture, so one person is drawn."""
    import torch
    from PIL import Image, ImageDraw

    image = read_picture(loaded, request)
    box = [[[0.0, 0.0, float(image.width), float(image.height)]]]
    inputs = loaded.image_processor(image, boxes=box, return_tensors="pt")
    if getattr(loaded.model.config.backbone_config, "num_experts", 1) > 1:
        inputs["dataset_index"] = torch.zeros(1, dtype=torch.long)
    with torch.inference_mode():
        output = loaded.model(**inputs.to(loaded.device))
    person = loaded.image_processor.post_process_pose_estimation(output, boxes=box)[0][0]
    scores = person["scores"].tolist()
    points = [(x, y) for x, y, *_ in person["keypoints"].tolist()]
    canvas = Image.new("RGB", image.size)
    pen, width = ImageDraw.Draw(canvas), max(2, min(image.size) // 100)
    for number, bone in enumerate(_BONES):
        if max(bone) < len(points) and min(scores[end] for end in bone) >= _MIN_POINT_SCORE:
            pen.line([points[end] for end in bone], fill=_pick_colour(number), width=width)
    for point, score in zip(points, scores, strict=True):
        if score >= _MIN_POINT_SCORE:
            pen.circle(point, width, fill="white")
    return write_png(canvas)


def find_masks(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Regions without names, the surest first.

    transformers' own pipeline, but for its last step, which needs torchvision and so CUDA.
    """
    from PIL import Image
    from transformers.models.sam.image_processing_pil_sam import _rle_to_mask

    pipe = loaded.pipeline("mask-generation")
    points = request.option("points_per_side", 16)
    thresholds = {
        "pred_iou_thresh": request.option("pred_iou_thresh", 0.88),
        "stability_score_thresh": request.option("stability_score_thresh", 0.95),
    }
    regions: list[tuple[float, list[float], Any]] = []
    for inputs in pipe.preprocess(read_picture(loaded, request), points_per_crop=points):
        output = pipe.forward(inputs, **thresholds)
        scores, boxes = output["iou_scores"].tolist(), output["boxes"].tolist()
        regions += zip(scores, boxes, output["masks"], strict=True)
    kept: list[tuple[float, list[float], Any]] = []  # non-maximum suppression
    for region in sorted(regions, key=lambda region: -region[0]):
        if all(_measure_overlap(region[1], other[1]) <= _MAX_OVERLAP for other in kept):
            kept.append(region)
    masks = [(score, Image.fromarray(_rle_to_mask(runs)).convert("L")) for score, _, runs in kept]
    return json_response(
        [{"label": "", "score": min(score, 1), "mask": _to_base64(mask)} for score, mask in masks]
    )


def _measure_overlap(one: list[float], other: list[float]) -> float:
    """Intersection over union of two boxes."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    return shared / union if union > 0 else 1.0


load_captioner = load_by_class(
    "AutoModelForImageTextToText", "tokenizer", "image_processor", "processor"
)


def load_document_reader(path: Path, device: str) -> LoadedModel:
    """Donut reads by itself; LayoutLM is given the words and their positions."""
    import transformers

    donut = transformers.AutoConfig.from_pretrained(path).model_type == "vision-encoder-decoder"
    load = load_captioner if donut else load_by_pipeline("document-question-answering")
    return load(path, device)


def describe(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """A caption, or the text in the picture; models with a chat template are asked."""
    image = read_picture(loaded, request)
    limit, skip = request.option("max_new_tokens", 60), 0
    if getattr(loaded.processor, "chat_template", None):
        question = request.option("prompt", "Describe this picture.")
        content = [{"type": "image", "image": image}, {"type": "text", "text": question}]
        inputs = loaded.processor.apply_chat_template(
            [{"role": "user", "content": content}],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        )
        limit, skip = 256, inputs["input_ids"].shape[1]
    else:
        inputs = loaded.image_processor(image, return_tensors="pt")
    inputs = inputs.to(loaded.device, loaded.model.dtype)
    text, _ = loaded.generate(inputs, skip=skip, max_new_tokens=limit)
    return json_response([{"generated_text": text}])


def answer_about_picture(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """BLIP writes its answer, ViLT picks one of some thousand."""
    import torch

    image, question = read_picture(loaded, request), request.text("question")
    inputs = loaded.processor(images=image, text=question, return_tensors="pt", truncation=True)
    inputs = inputs.to(loaded.device)
    if loaded.model.config.model_type == "vilt":
        with torch.inference_mode():
            scores, numbers = loaded.model(**inputs).logits[0].sigmoid().topk(1)
        label = loaded.model.config.id2label[numbers[0].item()]
        return json_response([{"answer": label, "score": scores[0].item()}])
    text, output = loaded.generate(inputs, max_new_tokens=20, **_WITH_SCORES)
    score = _measure_probability(loaded.model.text_decoder, output)
    return json_response([{"answer": text, "score": score}])


def answer_about_document(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    image, question = read_picture(loaded, request), request.text("question")
    if loaded.model.config.model_type == "vision-encoder-decoder":
        return _answer_by_donut(loaded, image, question)
    words = _read_words(image)
    if not words:
        raise BadInput("local-nothing-to-read")
    answers = loaded.pipeline("document-question-answering")(
        image=image, question=question, word_boxes=words, top_k=request.option("top_k", 1)
    )
    return json_response(answers if isinstance(answers, list) else [answers])


def _answer_by_donut(loaded: LoadedModel, image: Any, question: str) -> InferenceResponse:
    """Donut writes its answer; it has no position in the document."""
    prompt = f"<s_docvqa><s_question>{question}</s_question><s_answer>"
    ids = loaded.tokenizer(prompt, add_special_tokens=False, return_tensors="pt").input_ids
    inputs = loaded.image_processor(image, return_tensors="pt").to(loaded.model.dtype)
    inputs["decoder_input_ids"] = ids
    skip = ids.shape[1]
    text, output = loaded.generate(inputs, skip=skip, max_new_tokens=60, **_WITH_SCORES)
    score = _measure_probability(loaded.model, output)
    return json_response([{"answer": text, "score": score, "start": 0, "end": 0}])


def _measure_probability(model: Any, output: Any) -> float:
    """The probability of all generated tokens together."""
    steps = model.compute_transition_scores(output.sequences, output.scores, normalize_logits=True)
    return float(steps[0][steps[0] > float("-inf")].sum().exp())


def _read_words(image: Any) -> list[tuple[str, list[int]]]:
    """The words of a page and their boxes, in thousandths of the page."""
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise BadInput("local-no-reader") from error
    import numpy as np

    output: Any = RapidOCR(params={"Global.log_level": "critical"})(np.array(image))
    if not output.txts:
        return []
    boxes = np.concatenate([np.min(output.boxes, axis=1), np.max(output.boxes, axis=1)], axis=1)
    boxes = boxes / (image.size * 2) * _PAGE
    return list(zip(output.txts, boxes.clip(0, _PAGE).astype(int).tolist(), strict=True))


def classify_film(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """The pipeline without its first step, which would fetch addresses and open files by name."""
    pipe = loaded.pipeline("video-classification")
    prepare = getattr(pipe, "video_processor", None) or pipe.image_processor
    count = request.option("num_frames", loaded.model.config.num_frames)
    frames = _read_frames(request.file("video"), count)
    output = pipe.forward(prepare(frames, return_tensors="pt").to(loaded.model.dtype))
    return json_response(pipe.postprocess(output, top_k=request.option("top_k", 5)))


def _read_frames(data: bytes, count: int) -> list[Any]:
    """That many frames of a film, evenly spread over it. Raises BadInput."""
    import av
    import numpy as np
    from transformers.pipelines.video_classification import read_video_pyav

    try:
        with av.open(io.BytesIO(data)) as film:
            frames = takewhile(
                lambda one: (one.time or 0) < _MAX_FILM_SECONDS, film.decode(video=0)
            )
            wanted = np.linspace(0, sum(1 for _ in frames) - 1, count).astype(int)
            numbers, places = np.unique(wanted, return_inverse=True)
            return list(read_video_pyav(film, numbers)[places])
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-film-unreadable") from error
