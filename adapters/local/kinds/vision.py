"""Pictures and films: classes, objects, regions, depth, control images, captions, questions."""

import base64
import colorsys
import io
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


def read_picture(request: InferenceRequest) -> Any:
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


def _encode_png(image: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _to_base64(image: Any) -> str:
    return base64.b64encode(_encode_png(image)).decode()


def write_png(image: Any) -> InferenceResponse:
    return InferenceResponse(_encode_png(image), "image/png")


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

    depth = np.asarray(output["depth"].convert("L"), dtype=np.float32)
    down, across = np.gradient(depth)
    steepest = max(float(np.abs(across).max()), float(np.abs(down).max()), 1.0)
    field = np.stack((across, down, np.full_like(depth, steepest / 4)), axis=-1)
    field /= np.linalg.norm(field, axis=-1, keepdims=True)
    return write_png(Image.fromarray(((field + 1) * 127.5).astype(np.uint8)))


def draw_segments(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Each class in its own colour, the same in every picture (not the colours of ADE20K)."""
    import numpy as np
    from PIL import Image

    image = read_picture(request)
    canvas = np.zeros((image.height, image.width, 3), dtype=np.uint8)
    numbers = {label: number for number, label in loaded.model.config.id2label.items()}
    for region in loaded.pipeline("image-segmentation")(image):
        canvas[np.asarray(region["mask"]) > 0] = _pick_colour(numbers.get(region["label"], 0))
    return write_png(Image.fromarray(canvas))


def _pick_colour(number: int) -> tuple[int, int, int]:
    """Colours far apart on the colour wheel."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.618034 % 1, 0.55 + number % 3 * 0.2, 0.9)
    return round(red * 255), round(green * 255), round(blue * 255)


def draw_pose(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """ViTPose finds one person in a box; the box is the whole picture, so one person is drawn."""
    import torch
    from PIL import Image

    image = read_picture(request)
    box = [[[0.0, 0.0, float(image.width), float(image.height)]]]
    inputs = loaded.image_processor(image, boxes=box, return_tensors="pt").to(loaded.device)
    experts = getattr(loaded.model.config.backbone_config, "num_experts", 1)
    options = {"dataset_index": torch.zeros(1, dtype=torch.long)} if experts > 1 else {}
    with torch.inference_mode():
        output = loaded.model(**inputs, **options)
    person = loaded.image_processor.post_process_pose_estimation(output, boxes=box)[0][0]
    canvas = Image.new("RGB", image.size)
    _draw_bones(canvas, person["keypoints"].tolist(), person["scores"].tolist())
    return write_png(canvas)


def _draw_bones(canvas: Any, points: list[list[float]], scores: list[float]) -> None:
    from PIL import ImageDraw

    pen, width = ImageDraw.Draw(canvas), max(2, min(canvas.size) // 100)
    for number, (start, end) in enumerate(_BONES):
        if max(start, end) < len(points) and min(scores[start], scores[end]) >= _MIN_POINT_SCORE:
            line = [tuple(points[start][:2]), tuple(points[end][:2])]
            pen.line(line, fill=_pick_colour(number), width=width)
    for (x, y, *_), score in zip(points, scores, strict=True):
        if score >= _MIN_POINT_SCORE:
            pen.ellipse((x - width, y - width, x + width, y + width), fill=(255, 255, 255))


def find_masks(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Regions without names, the surest first.

    transformers' own pipeline, but for its last step, which needs torchvision and so CUDA.
    """
    from PIL import Image

    pipe = loaded.pipeline("mask-generation")
    points = request.integer("points_per_side", 16, 2, 64)
    thresholds = {
        "pred_iou_thresh": request.number("pred_iou_thresh", 0.88, 0, 1),
        "stability_score_thresh": request.number("stability_score_thresh", 0.95, 0, 1),
    }
    regions: list[tuple[float, list[float], Any]] = []
    for inputs in pipe.preprocess(read_picture(request), points_per_crop=points):
        output = pipe.forward(inputs, **thresholds)
        scores, boxes = output["iou_scores"].tolist(), output["boxes"].tolist()
        regions += zip(scores, boxes, output["masks"], strict=True)
    kept: list[tuple[float, list[float], Any]] = []  # non-maximum suppression
    for region in sorted(regions, key=lambda region: -region[0]):
        if all(_measure_overlap(region[1], other[1]) <= _MAX_OVERLAP for other in kept):
            kept.append(region)
    return json_response(
        [
            {"label": "", "score": min(score, 1.0), "mask": _to_base64(Image.fromarray(mask))}
            for score, mask in ((score, _decode_runs(runs)) for score, _box, runs in kept)
        ]
    )


def _measure_overlap(one: list[float], other: list[float]) -> float:
    """Intersection over union of two boxes."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    return shared / union if union > 0 else 1.0


def _decode_runs(runs: Any) -> Any:
    """Run lengths, column by column, black and white in turn."""
    import numpy as np

    height, width = runs["size"]
    colours = np.arange(len(runs["counts"])) % 2 * 255
    flat = np.repeat(colours.astype(np.uint8), runs["counts"])
    return np.ascontiguousarray(flat.reshape(width, height).T)


def load_captioner(path: Path, device: str) -> LoadedModel:
    """BLIP, GIT, Qwen-VL … with a processor; ViT-GPT2 and TrOCR with a tokenizer."""
    if _is_encoder_decoder(path):
        parts = {"tokenizer": "AutoTokenizer", "image_processor": "AutoImageProcessor"}
        return load_by_class("VisionEncoderDecoderModel", **parts)(path, device)
    return load_by_class("AutoModelForImageTextToText", processor="AutoProcessor")(path, device)


def load_question_answerer(path: Path, device: str) -> LoadedModel:
    """BLIP writes its answer, ViLT picks one of some thousand."""
    import transformers

    classes = {"blip": "BlipForQuestionAnswering", "vilt": "ViltForQuestionAnswering"}
    model_type = transformers.AutoConfig.from_pretrained(path).model_type
    model = classes.get(model_type, "AutoModelForVisualQuestionAnswering")
    return load_by_class(model, processor="AutoProcessor")(path, device)


def load_document_reader(path: Path, device: str) -> LoadedModel:
    """Donut reads by itself; LayoutLM is given the words and their positions."""
    if not _is_encoder_decoder(path):
        return load_by_pipeline("document-question-answering")(path, device)
    loaded = load_by_class("VisionEncoderDecoderModel", processor="AutoProcessor")(path, device)
    loaded.tokenizer = loaded.processor.tokenizer
    return loaded


def _is_encoder_decoder(path: Path) -> bool:
    import transformers

    config = transformers.AutoConfig.from_pretrained(path)
    return bool(config.model_type == "vision-encoder-decoder")


def describe(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """A caption, or the text in the picture; models with a chat template are asked."""
    image = read_picture(request)
    limit, skip = request.integer("max_new_tokens", 60, 1, 512), 0
    if getattr(loaded.processor, "chat_template", None):
        question = request.string("prompt", "Describe this picture.")
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
        prepare = loaded.processor or loaded.image_processor
        inputs = prepare(images=image, return_tensors="pt")
    inputs = inputs.to(loaded.device, loaded.model.dtype)
    text = _generate(loaded, limit, skip, **inputs)[0]
    return json_response([{"generated_text": text}])


def answer_about_picture(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    import torch

    image, question = read_picture(request), request.text("question")
    inputs = loaded.processor(images=image, text=question, return_tensors="pt", truncation=True)
    inputs = inputs.to(loaded.device)
    if loaded.model.config.model_type == "vilt":
        with torch.inference_mode():
            scores, numbers = loaded.model(**inputs).logits[0].sigmoid().topk(1)
        label = loaded.model.config.id2label[numbers[0].item()]
        return json_response([{"answer": label, "score": scores[0].item()}])
    text, output = _generate(loaded, 20, 0, **inputs, **_WITH_SCORES)
    score = _measure_probability(loaded.model.text_decoder, output)
    return json_response([{"answer": text, "score": score}])


def answer_about_document(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    image, question = read_picture(request), request.text("question")
    if loaded.model.config.model_type == "vision-encoder-decoder":
        return _answer_by_donut(loaded, image, question)
    words = _read_words(image)
    if not words:
        raise BadInput("local-nothing-to-read")
    answers = loaded.pipeline("document-question-answering")(
        image=image, question=question, word_boxes=words, top_k=request.integer("top_k", 1, 1, 10)
    )
    return json_response(answers if isinstance(answers, list) else [answers])


def _answer_by_donut(loaded: LoadedModel, image: Any, question: str) -> InferenceResponse:
    """Donut writes its answer; it has no position in the document."""
    prompt = f"<s_docvqa><s_question>{question}</s_question><s_answer>"
    ids = loaded.tokenizer(prompt, add_special_tokens=False, return_tensors="pt").input_ids
    pixels = loaded.processor.image_processor(image, return_tensors="pt").pixel_values
    inputs = {
        "pixel_values": pixels.to(loaded.device, loaded.model.dtype),
        "decoder_input_ids": ids.to(loaded.device),
    }
    text, output = _generate(loaded, 60, ids.shape[1], **inputs, **_WITH_SCORES)
    score = _measure_probability(loaded.model, output)
    return json_response([{"answer": text, "score": score, "start": 0, "end": 0}])


def _generate(loaded: LoadedModel, limit: int, skip: int, **inputs: Any) -> tuple[str, Any]:
    """The text that the model writes after its first `skip` tokens, and the raw output."""
    import torch

    with torch.inference_mode():
        output = loaded.model.generate(**inputs, max_new_tokens=limit)
    tokens = (output.sequences if hasattr(output, "sequences") else output)[0]
    decoder = loaded.tokenizer or loaded.processor
    return str(decoder.decode(tokens[skip:], skip_special_tokens=True)).strip(), output


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
    words = []
    for text, corners in zip(output.txts or (), output.boxes if output.txts else (), strict=True):
        xs, ys = zip(*corners, strict=True)
        edges = (
            *(min(xs) / image.width, min(ys) / image.height),
            *(max(xs) / image.width, max(ys) / image.height),
        )
        words.append((text, [min(max(int(edge * _PAGE), 0), _PAGE) for edge in edges]))
    return words


def classify_film(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Without the pipeline, which would fetch addresses and open files by name."""
    import torch

    frames = _read_frames(
        request, request.integer("num_frames", loaded.model.config.num_frames, 1, 64)
    )
    prepare = loaded.video_processor or loaded.image_processor
    inputs = prepare(frames, return_tensors="pt").to(loaded.device, loaded.model.dtype)
    with torch.inference_mode():
        probabilities = loaded.model(**inputs).logits[0].float().softmax(-1)
    top = min(request.integer("top_k", 5, 1, 100), len(probabilities))
    scores, numbers = probabilities.topk(top)
    labels = loaded.model.config.id2label
    pairs = zip(numbers.tolist(), scores.tolist(), strict=True)
    return json_response([{"label": labels[number], "score": score} for number, score in pairs])


def _read_frames(request: InferenceRequest, count: int) -> list[Any]:
    """That many frames of a film, evenly spread over it. Raises BadInput."""
    import av

    data = request.file("video")
    try:
        total = sum(1 for _ in _decode_frames(data))
        if not total:
            raise BadInput("local-film-unreadable")
        wanted = [number * (total - 1) // max(count - 1, 1) for number in range(count)]
        frames = {
            number: frame.to_ndarray(format="rgb24")
            for number, frame in enumerate(_decode_frames(data))
            if number in set(wanted)
        }
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-film-unreadable") from error
    return [frames[number] for number in wanted]


def _decode_frames(data: bytes) -> Any:
    import av

    with av.open(io.BytesIO(data)) as container:
        for frame in container.decode(container.streams.video[0]):
            if frame.time is not None and frame.time > _MAX_FILM_SECONDS:
                return
            yield frame
