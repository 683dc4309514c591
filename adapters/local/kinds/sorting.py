"""Texts: classes, entities, gaps, embeddings."""

import json
import re
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.table import Answer, as_json
from pipeline.errors import BadInput

_GAP = re.compile(r"\[MASK\]|<mask>|_{3,}", re.IGNORECASE)
_ENDLESS = 100_000


def classes(loaded: Loaded, asked: Asked) -> Answer:
    top = asked.whole("top_k", 100, 1, 1000)
    return as_json(loaded.pipe("text-classification")(asked.text(), top_k=top, truncation=True))


def any_classes(loaded: Loaded, asked: Asked) -> Answer:
    """Classes that the caller names."""
    template = asked.word("hypothesis_template", "This example is {}.")
    found = loaded.pipe("zero-shot-classification")(
        asked.text(),
        candidate_labels=asked.texts("candidate_labels"),
        multi_label=asked.parameters.get("multi_label") is True,
        hypothesis_template=template if "{}" in template else "This example is {}.",
    )
    pairs = zip(found["labels"], found["scores"], strict=True)
    return as_json([{"label": label, "score": score} for label, score in pairs])


def entities(loaded: Loaded, asked: Asked) -> Answer:
    """Long texts are read in overlapping stretches."""
    strategy = asked.word("aggregation_strategy", "simple")
    longest = loaded.tokenizer.model_max_length
    stride = {"stride": longest // 4} if strategy != "none" and longest < _ENDLESS else {}
    found = loaded.pipe("token-classification")(
        asked.text(), aggregation_strategy=strategy, **stride
    )
    return as_json([{**entity, "score": float(entity["score"])} for entity in found])


def gaps(loaded: Loaded, asked: Asked) -> Answer:
    """However the gap is written, the model sees its own word for it."""
    gap = loaded.tokenizer.mask_token
    text = _GAP.sub(lambda _found: gap, asked.text())
    if gap not in text:
        raise BadInput("local-no-gap", gap=gap)
    top = asked.whole("top_k", 5, 1, 100)
    found = loaded.pipe("fill-mask")(text, top_k=top, tokenizer_kwargs={"truncation": True})
    return as_json(found)


def vector(loaded: Loaded, asked: Asked) -> Answer:
    """One vector for each text."""
    texts = asked.inputs if isinstance(asked.inputs, list) else [asked.text()]
    if not all(isinstance(text, str) for text in texts):
        raise BadInput("local-needs-texts", name="inputs")
    return as_json(_embedded(loaded, texts, unit=asked.parameters.get("normalize") is True))


def likeness(loaded: Loaded, asked: Asked) -> Answer:
    """The cosine of each text with the first."""
    source, others = asked.text("source_sentence"), asked.texts("sentences")
    first, *rest = _embedded(loaded, [source, *others], unit=True)
    return as_json([sum(a * b for a, b in zip(first, one, strict=True)) for one in rest])


def _embedded(loaded: Loaded, texts: list[str], *, unit: bool) -> list[list[float]]:
    """Pooled as the model's makers say: the mean over the tokens, or the first token."""
    import torch

    inputs = loaded.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    inputs = inputs.to(loaded.device)
    with torch.inference_mode():
        states = loaded.model(**inputs).last_hidden_state.float()
    if _first_token_counts(loaded):
        pooled = states[:, 0]
    else:
        mask = inputs["attention_mask"].unsqueeze(-1)
        pooled = (states * mask).sum(1) / mask.sum(1).clamp(min=1)
    made: Any = torch.nn.functional.normalize(pooled, dim=-1) if unit else pooled
    rows: list[list[float]] = made.tolist()
    return rows


def _first_token_counts(loaded: Loaded) -> bool:
    file = loaded.path / "1_Pooling" / "config.json"
    return file.is_file() and json.loads(file.read_text()).get("pooling_mode_cls_token") is True
