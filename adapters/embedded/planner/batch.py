"""Rows of a file, planned by their words alone: for `troupe plan --batch` and benchmarks."""

import time

from adapters.embedded.planner.arguments import fill, find_material
from adapters.embedded.planner.decision import BENCH, EVERYDAY, Decision, decide, decide_bench
from adapters.embedded.planner.planner import steps_of
from adapters.embedded.planner.view import RequestView, view
from pipeline.domain import LocalizedText, Plan, Type
from pipeline.planning.batch import TASKBENCH, as_row, request_of

_SUPPOSED = ("", "image-1.png", "audio-1.wav", "video-1.mp4", "document-1.pdf", "table-1.csv")
_ALONE, _IN_VAIN = 0.01, 1.0
"""How much more words count that need no file, and how much less words that lack one."""


def plan_batch_row(
    text: str, vocabulary: str = BENCH, files: str | None = None, earlier: str = ""
) -> dict[str, object]:
    """Plan a request given by its words.

    Args:
        text: the request.
        vocabulary: "taskbench" for its 23 names or "everyday" for ours.
        files: names of the files that came with it, besides those in the words. None: it is
            planned for the file that suits its words best, or for none.
        earlier: names of the thread's files from before.

    Returns `task_nodes`, `task_links`, `confidence` and `ms`, as TaskBench writes them.
    """
    began = time.perf_counter()
    if vocabulary == BENCH:
        decision = decide_bench(text)
        row = _bare_row(decision, RequestView(text), vocabulary)
    else:
        supposed = _SUPPOSED if files is None and not earlier else (files or "",)
        views = [view(request_of(text, name, earlier)) for name in supposed]
        views = views[:1] if views[0].files else views
        _, decision, row = max((_guess(seen) for seen in views), key=lambda guess: guess[0])
    took = round((time.perf_counter() - began) * 1000, 3)
    return {**row, "confidence": round(decision.confidence, 4), "ms": took}


def _guess(seen: RequestView) -> tuple[float, Decision, dict[str, object]]:
    """How sure a plan is if these files are there, with the decision and the plan."""
    decision = decide(seen.text, seen.types)
    filled = fill(steps_of(decision), find_material(seen, decision.reading))
    if isinstance(filled, LocalizedText):
        row = _bare_row(decision, seen, EVERYDAY)
        lacks = bool(seen.files) or filled.id != "planner-lacks-text"
        return decision.confidence - _IN_VAIN * lacks, decision, row
    alone = _ALONE * (bool(filled) != bool(seen.files)) * (1 if filled else -1)
    return decision.confidence + alone, decision, as_row(Plan(tuple(filled)))


def _bare_row(decision: Decision, seen: RequestView, vocabulary: str) -> dict[str, object]:
    """What was decided, where the words need not hold all that it takes."""
    material = find_material(seen, decision.reading)
    names = TASKBENCH if vocabulary == BENCH else {kind: kind for kind in decision.kinds}
    files = [name.text.strip("'\"“”‘’") for name in decision.reading.names[:1]]  # noqa: RUF001
    nodes = []
    for step in steps_of(decision):
        types = {kind for slot in step.kind.takes for kind in slot.types}
        given = files if types - {Type.TEXT} else []
        if Type.TEXT in types or not given:
            given = [*given, material.find_text() or material.part(step.clauses)]
        given = [f"<node-{step.source}>"] if step.source >= 0 else given
        nodes.append({"task": names[step.kind.name], "arguments": given})
    links = [
        {"source": names[decision.kinds[a]], "target": names[decision.kinds[b]]}
        for a, b in decision.links
    ]
    return {"task_nodes": nodes, "task_links": links}
