"""Pictures: classes, things, regions, depth."""

from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.kinds.media import picture, png64
from adapters.local.table import Answer, as_json


def classes(loaded: Loaded, asked: Asked) -> Answer:
    top = asked.whole("top_k", 5, 1, 1000)
    return as_json(loaded.pipe("image-classification")(picture(asked), top_k=top))


def any_classes(loaded: Loaded, asked: Asked) -> Answer:
    """Classes that the caller names."""
    template = asked.word("hypothesis_template", "This is a photo of {}.")
    found = loaded.pipe("zero-shot-image-classification")(
        picture(asked),
        candidate_labels=asked.texts("candidate_labels"),
        hypothesis_template=template if "{}" in template else "This is a photo of {}.",
    )
    return as_json(found)


def things(loaded: Loaded, asked: Asked) -> Answer:
    threshold = asked.figure("threshold", 0.5, 0, 1)
    return as_json(loaded.pipe("object-detection")(picture(asked), threshold=threshold))


def any_things(loaded: Loaded, asked: Asked) -> Answer:
    """Things that the caller names."""
    found = loaded.pipe("zero-shot-object-detection")(
        picture(asked),
        candidate_labels=asked.texts("candidate_labels"),
        threshold=asked.figure("threshold", 0.1, 0, 1),
    )
    return as_json(found)


def regions(loaded: Loaded, asked: Asked) -> Answer:
    """Semantic models are not asked how sure they are: no score then."""
    found = [
        {"label": region["label"], "mask": png64(region["mask"]), **_score(region)}
        for region in loaded.pipe("image-segmentation")(picture(asked))
    ]
    return as_json(found)


def _score(region: Any) -> dict[str, float]:
    return {} if region["score"] is None else {"score": float(region["score"])}


def depth(loaded: Loaded, asked: Asked) -> Answer:
    """Near is bright, as the model's maker has it."""
    return as_json({"depth": png64(depth_picture(loaded, picture(asked)))})


def depth_picture(loaded: Loaded, image: Any) -> Any:
    return loaded.pipe("depth-estimation")(image)["depth"]
