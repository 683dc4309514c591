"""Rows of a file, planned by their words alone: for `troupe plan --batch` and benchmarks."""

import time

from adapters.embedded.planner.arguments import fill, find_material
from adapters.embedded.planner.decision import BENCH, Decision, decide, decide_bench
from adapters.embedded.planner.extraction import MARKS
from adapters.embedded.planner.planner import steps_of
from adapters.embedded.planner.view import RequestView, view
from pipeline.domain import FILE_TYPES, LocalizedText, Plan, Ref, Task, TaskId, Text
from pipeline.planning.batch import as_row, request_of

_SUPPOSED = ("", "image-1.png", "audio-1.wav", "video-1.mp4", "document-1.pdf", "table-1.csv")


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
        plan = _sketch(decision, RequestView(text))
    else:
        supposed = _SUPPOSED if files is None and not earlier else (files or "",)
        views = [view(request_of(text, name, earlier)) for name in supposed]
        views = views[:1] if views[0].files else views
        _, decision, plan = max(map(_guess, views), key=lambda guess: guess[0])
    took = round((time.perf_counter() - began) * 1000, 3)
    row = as_row(plan, words=vocabulary)
    return {**row, "confidence": round(decision.confidence, 4), "ms": took}


def _guess(seen: RequestView) -> tuple[float, Decision, Plan]:
    """How sure a plan is if these files are there, with the decision and the plan."""
    decision = decide(seen.text, seen.types)
    filled = fill(steps_of(decision), find_material(seen, decision.reading))
    if isinstance(filled, LocalizedText):
        return (
            decision.confidence - (filled.id != "planner-lacks-text"),
            decision,
            _sketch(decision, seen),
        )
    return (
        decision.confidence + 0.01 * (not seen.files and bool(filled)),
        decision,
        Plan(tuple(filled)),
    )


def _sketch(decision: Decision, seen: RequestView) -> Plan:
    """What was decided, where the words need not hold all that it takes."""
    material, tasks = find_material(seen, decision.reading), dict[str, Task]()
    names = [Text(name.text.strip(MARKS)) for name in decision.reading.names[:1]]
    for number, step in enumerate(steps_of(decision), 1):
        kind = step.kind
        links = [(decision.kinds[a], decision.kinds[b]) for a, b in decision.links]
        sources = [tasks[source] for source, target in links if target == kind.name]
        refs = [Ref(source.id, source.kind.makes[0].name) for source in sources]
        said = Text(material.find_text() or material.part(step.clauses))
        given = names if names and kind.takes[0].type in FILE_TYPES else [said]
        tasks[kind.name] = Task(TaskId(number), kind, {kind.takes[0].name: tuple(refs or given)})
    return Plan(tuple(tasks.values()))
