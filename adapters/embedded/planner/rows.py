"""Rows of a file, planned by their words alone: for `troupe plan --batch` and benchmarks."""

# ruff: noqa: RUF001 - quotation marks as people write them

import time

from adapters.embedded.planner import materials
from adapters.embedded.planner.deciding import BENCH, Decision, decide, decide_bench, mind
from adapters.embedded.planner.filling import Wanted, fill
from adapters.embedded.planner.lacking import Lacking
from adapters.embedded.planner.planner import wanted
from adapters.embedded.planner.view import View, view
from adapters.embedded.planner.words import language_in
from pipeline.domain import Plan
from pipeline.planning.batch import as_row, request_of
from pipeline.planning.names import TASKBENCH


def plan_batch_row(
    text: str, vocabulary: str = BENCH, files: str = "", earlier: str = ""
) -> dict[str, object]:
    """A request given by its words alone → `task_nodes`, `task_links`, `confidence`, `ms`, as TaskBench writes them.

    `vocabulary` is "taskbench" for its 23 names or "everyday" for ours, where the files that are named in the words or
    in `files` count as sent, and those named in `earlier` as the thread's from before.
    """
    thinking = mind(vocabulary)
    began = time.perf_counter()
    if vocabulary == BENCH:
        decision = decide_bench(text, thinking)
        row = _bare_row(decision, View(text), vocabulary)
    else:
        seen = view(request_of(text, files, earlier))
        decision = decide(seen, thinking)
        made = fill(wanted(decision), materials.material(seen, decision.reading))
        row = (
            _bare_row(decision, seen, vocabulary)
            if isinstance(made, Lacking)
            else as_row(Plan(tuple(made)))
        )
    took = round((time.perf_counter() - began) * 1000, 3)
    return {**row, "confidence": round(decision.confidence, 4), "ms": took}


def _bare_row(decision: Decision, seen: View, vocabulary: str) -> dict[str, object]:
    """What was decided, where the words need not hold all that it takes."""
    steps = wanted(decision, vocabulary)
    found = materials.material(seen, decision.reading)
    names = [_named(step.kind.name, vocabulary) for step in steps]
    nodes = [
        {"task": name, "arguments": [*_said(step, found), *_language(step, found, vocabulary)]}
        for name, step in zip(names, steps, strict=True)
    ]
    order = {kind: at for at, kind in enumerate(step.kind.name for step in steps)}
    links = [
        {
            "source": names[order[decision.kinds[source]]],
            "target": names[order[decision.kinds[target]]],
        }
        for source, target in decision.links
    ]
    return {"task_nodes": nodes, "task_links": links}


def _named(kind: str, vocabulary: str) -> str:
    return TASKBENCH[kind] if vocabulary == BENCH else kind


def _language(step: Wanted, found: materials.Material, vocabulary: str) -> list[str]:
    """The language of a translation, which TaskBench's arguments do not hold."""
    code = language_in(found.part(step.clauses)) or language_in(found.view.text)
    return [code] if code and vocabulary != BENCH and step.kind.name == "translation" else []


def _said(step: Wanted, found: materials.Material) -> list[str]:
    """Arguments as TaskBench writes them: the step before, or files and texts of the request."""
    if step.source >= 0:
        return [f"<node-{step.source}>"]
    files = [name.text.strip("'\"“”‘’") for name in found.reading.names]
    types = {kind.value for slot in step.kind.takes for kind in slot.types}
    arguments = files[:1] if types - {"text"} else []
    if "text" in types or not arguments:
        arguments += [found.given_text or found.part(step.clauses)]
    return arguments
