"""Control images out of models: depth, surface normals, segments, poses. Edges and lines need no model: the embedded experts draw them."""

from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.kinds.media import picture, png
from adapters.local.kinds.pictures import depth_picture
from adapters.local.table import Answer

_SURE = 0.3
_BONES = (
    (5, 6), (5, 7), (7, 9), (6, 8), (8, 10), (5, 11), (6, 12), (11, 12),
    (11, 13), (13, 15), (12, 14), (14, 16), (0, 1), (0, 2), (1, 3), (2, 4), (0, 5), (0, 6),
)  # fmt: skip
"""Which of COCO's seventeen points are joined: shoulders 5 and 6, hips 11 and 12, head 0 to 4."""


def depth(loaded: Loaded, asked: Asked) -> Answer:
    return png(depth_picture(loaded, picture(asked)).convert("RGB"))


def normals(loaded: Loaded, asked: Asked) -> Answer:
    """Which way surfaces look, from the slope of the depth: x red, y green, towards the viewer blue."""
    import numpy as np
    from PIL import Image

    near = np.asarray(depth_picture(loaded, picture(asked)).convert("L"), dtype=np.float32)
    down, across = np.gradient(near)
    steep = max(float(np.abs(across).max()), float(np.abs(down).max()), 1.0)
    towards = np.full_like(near, steep / 4)
    field = np.stack((across, down, towards), axis=-1)
    field /= np.linalg.norm(field, axis=-1, keepdims=True)
    return png(Image.fromarray(((field + 1) * 127.5).astype(np.uint8)))


def segments(loaded: Loaded, asked: Asked) -> Answer:
    """Each class in its own colour, the same in every picture (not the colours of ADE20K)."""
    import numpy as np
    from PIL import Image

    image = picture(asked)
    sheet = np.zeros((image.height, image.width, 3), dtype=np.uint8)
    places = {label: place for place, label in loaded.model.config.id2label.items()}
    for region in loaded.pipe("image-segmentation")(image):
        sheet[np.asarray(region["mask"]) > 0] = _colour(places.get(region["label"], 0))
    return png(Image.fromarray(sheet))


def _colour(number: int) -> tuple[int, int, int]:
    """Far apart around the colour wheel."""
    import colorsys

    red, green, blue = colorsys.hsv_to_rgb(number * 0.618034 % 1, 0.55 + number % 3 * 0.2, 0.9)
    return round(red * 255), round(green * 255), round(blue * 255)


def load_pose(path: Path, device: str) -> Loaded:
    import transformers as tr

    model = tr.VitPoseForPoseEstimation.from_pretrained(path).to(device).eval()
    return Loaded(model, device, path, image_processor=tr.AutoImageProcessor.from_pretrained(path))


def pose(loaded: Loaded, asked: Asked) -> Answer:
    """ViTPose looks for one person in a box; the box is the whole picture, so one person is drawn."""
    import torch
    from PIL import Image

    image = picture(asked)
    whole = [[[0.0, 0.0, float(image.width), float(image.height)]]]
    inputs = loaded.image_processor(image, boxes=whole, return_tensors="pt").to(loaded.device)
    kinds = getattr(loaded.model.config.backbone_config, "num_experts", 1)
    more = {"dataset_index": torch.zeros(1, dtype=torch.long)} if kinds > 1 else {}
    with torch.inference_mode():
        made = loaded.model(**inputs, **more)
    found = loaded.image_processor.post_process_pose_estimation(made, boxes=whole)[0][0]
    sheet = Image.new("RGB", image.size)
    _drawn(sheet, found["keypoints"].tolist(), found["scores"].tolist())
    return png(sheet)


def _drawn(sheet: Any, points: list[list[float]], scores: list[float]) -> None:
    from PIL import ImageDraw

    pen, width = ImageDraw.Draw(sheet), max(2, min(sheet.size) // 100)
    for number, (one, other) in enumerate(_BONES):
        if max(one, other) < len(points) and min(scores[one], scores[other]) >= _SURE:
            ends = [tuple(points[one][:2]), tuple(points[other][:2])]
            pen.line(ends, fill=_colour(number), width=width)
    for (x, y, *_), score in zip(points, scores, strict=True):
        if score >= _SURE:
            pen.ellipse((x - width, y - width, x + width, y + width), fill=(255, 255, 255))
