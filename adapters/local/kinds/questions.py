"""Questions on texts and tables."""

from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.table import Answer, as_json
from pipeline.errors import BadInput

_WINDOW, _OVERLAP = 384, 96


def found_in_text(loaded: Loaded, asked: Asked) -> Answer:
    """The likeliest stretch of the text, which may be longer than the model can read at once."""
    question, context = asked.text("question"), asked.text("context")
    longest = asked.whole("max_answer_len", 15, 1, 200)
    top = asked.whole("top_k", 1, 1, 20)
    answers = [
        {"answer": context[start:end], "score": score, "start": start, "end": end}
        for score, start, end in _spans(loaded, question, context, longest)
    ]
    answers.sort(key=lambda answer: -float(str(answer["score"])))
    unlike = {(answer["start"], answer["end"]): answer for answer in reversed(answers)}
    return as_json(sorted(unlike.values(), key=lambda answer: -float(str(answer["score"])))[:top])


def _spans(
    loaded: Loaded, question: str, context: str, longest: int
) -> list[tuple[float, int, int]]:
    """The best few of each window: probability, first and last character."""
    import torch

    room = min(loaded.tokenizer.model_max_length, _WINDOW)
    windows = loaded.tokenizer(
        question,
        context,
        truncation="only_second",
        max_length=room,
        stride=min(_OVERLAP, room // 4),
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        padding=True,
        return_tensors="pt",
    )
    windows.pop("overflow_to_sample_mapping", None)
    places = windows.pop("offset_mapping").tolist()
    belongs = [windows.sequence_ids(window) for window in range(len(places))]
    with torch.inference_mode():
        made = loaded.model(**windows.to(loaded.device))
    found = []
    for window, offsets in enumerate(places):
        mask = torch.tensor([owner == 1 for owner in belongs[window]])
        starts, ends = (
            logits[window].float().cpu().masked_fill(~mask, -1e4).softmax(-1)
            for logits in (made.start_logits, made.end_logits)
        )
        found += _best(starts, ends, offsets, longest)
    return found


def _best(starts: Any, ends: Any, offsets: list[Any], longest: int) -> list[tuple[float, int, int]]:
    import torch

    pairs = torch.triu(starts[:, None] * ends[None, :]).tril(longest - 1)
    scores, places = pairs.flatten().topk(min(20, pairs.numel()))
    size = len(offsets)
    return [
        (score, offsets[place // size][0], offsets[place % size][1])
        for score, place in zip(scores.tolist(), places.tolist(), strict=True)
        if score > 0
    ]


def found_in_table(loaded: Loaded, asked: Asked) -> Answer:
    """The specification says `question`, the Hub's client says `query`."""
    import pandas as pd

    question = asked.text("question" if asked.has("question") else "query")
    table = asked.inputs.get("table")
    if not _columns(table):
        raise BadInput("local-needs-table")
    texts = {name: [str(cell) for cell in cells] for name, cells in table.items()}
    found = loaded.pipe("table-question-answering")(
        table=pd.DataFrame(texts), query=question, truncation="drop_rows_to_fit"
    )
    coordinates = [list(map(int, place)) for place in found.get("coordinates", ())]
    return as_json([{"cells": [], **found, "coordinates": coordinates}])


def _columns(table: Any) -> bool:
    return (
        isinstance(table, dict)
        and bool(table)
        and all(isinstance(cells, list) for cells in table.values())
        and len({len(cells) for cells in table.values()}) == 1
    )
