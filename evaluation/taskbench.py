"""Plans in TaskBench's format: ours as rows of JSON, and others as ours before parsing."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluation.rows import REQUESTS, Labelled, Row, find_list, read_links, request_of
from pipeline.domain import Arg, Media, Plan, Ref, Repair, Replied, Slot, TaskId, TaskKind, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import PlanError
from pipeline.planning.type_fit import is_suitable
from pipeline.planning.validate import ValidatedPlan, count_dropped, normalize_kind, read_plan
from pipeline.task_kinds import KINDS
from pipeline.text.lenient_json import load_object
from pipeline.words import say

_TASKBENCH_KINDS = (
    "audio-classification audio-to-audio automatic-speech-recognition conversational"
    " depth-estimation document-question-answering image-classification image-segmentation"
    " image-to-image image-to-text object-detection question-answering sentence-similarity"
    " summarization tabular-classification text-generation text-to-image text-to-speech"
    " text-to-video token-classification translation visual-question-answering"
)
TASKBENCH: Mapping[str, str] = {
    **{
        kind: "-to-".join(part.replace("-", " ").title() for part in kind.split("-to-"))
        for kind in _TASKBENCH_KINDS.split()
    },
    "image-text-to-image": "Image Editing",
}
"""Kind → its name in TaskBench."""
_TEXT_FIELDS = ("plan", "text", "output", "response", "result", "prediction", "raw_plan")
"""The fields that may hold the text of a language model."""
_NODES = ("task_nodes", "tool_nodes")

_OTHER_NAMES: Mapping[str, str] = {
    "audio-enhancement": "audio-to-audio",
    "conversational-response-modeling": "conversational",
    "image-captioning": "image-to-text",
    "image-editing": "image-text-to-image",
    "image-enhancement": "image-to-image",
    "image-generation": "text-to-image",
    "named-entity-recognition": "token-classification",
    "ocr": "optical-character-recognition",
    "table-classification": "tabular-classification",
    "text-summarization": "summarization",
    "text-to-text": "text2text-generation",
    "text-translation": "translation",
    "video-generation": "text-to-video",
}
"""Names that language models write for TaskBench's tools."""
_NEAREST: Mapping[str, str] = {
    "image-to-video": "text-to-video",
    "optical-character-recognition": "image-to-text",
    "text-classification": "token-classification",
    "text2text-generation": "text-generation",
}
"""Substitutes for kinds that TaskBench has no tool for."""


def use_taskbench_names(rows: Sequence[Labelled]) -> bool:
    names = {name for row in rows for name in row.nodes}
    return len(names & {*TASKBENCH.values()}) > len(names & TASKBENCH.keys())


def as_row(plan: Plan, *, words: str) -> dict[str, object]:
    """A plan in TaskBench's format; if `words` is "taskbench", also with its names of kinds."""
    name = TASKBENCH if words == "taskbench" else {}
    order = {task.id: index for index, task in enumerate(plan.tasks)}
    return {
        "task_nodes": [
            {
                "task": name.get(task.kind.name, task.kind.name),
                "arguments": [
                    _format_arg(arg, order) for args in task.args.values() for arg in args
                ],
            }
            for task in plan.tasks
        ],
        "task_links": [
            {"source": name.get(source, source), "target": name.get(target, target)}
            for source, target in find_links(plan)
        ],
    }


def find_links(plan: Plan) -> list[tuple[str, str]]:
    """The links between tasks, as pairs of kinds; `after` counts if the types fit."""
    pairs: dict[tuple[str, str], None] = {}
    by_id = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        for need in sorted(task.needs):
            source = by_id[need]
            types = [type_ for out in source.kind.makes for type_ in out.types]
            can_feed = any(is_suitable(types, slot) for slot in task.kind.takes)
            if can_feed or need in {ref.task for ref in task.refs}:
                pairs[source.kind.name, task.kind.name] = None
    return list(pairs)


def _format_arg(arg: Arg, order: Mapping[TaskId, int]) -> str:
    match arg:
        case Media(attachment):
            return attachment.name
        case Ref(task):
            return f"<node-{order[task]}>"
        case _:
            return as_text(arg)


def list_vocabulary(name: str) -> Mapping[str, TaskKind]:
    """The kinds allowed in plans: all of ours, or those that TaskBench has names for.

    TaskBench's tables are pictures, so its table inputs also take images.
    """
    if name != "taskbench":
        return KINDS
    return {kind: _allow_pictures(KINDS[kind]) for kind in TASKBENCH}


def _allow_pictures(kind: TaskKind) -> TaskKind:
    def widen(slot: Slot) -> Slot:
        is_table = slot.type is Type.TABLE
        return replace(slot, types=(*slot.types, Type.IMAGE)) if is_table else slot

    return replace(kind, takes=tuple(map(widen, kind.takes)))


def read_row(row: Row, *, words: str = "") -> dict[str, object]:
    """Parse the raw plan in a row; returns it as JSON.

    The plan is in `task_nodes` and `task_links` (or `tool_…`, also as JSON in strings), or is a
    text under one of several names. `words` is the vocabulary: "" or "taskbench".
    """
    began = time.perf_counter()
    kinds = list_vocabulary(words)
    text = _to_plan(row, kinds)
    raw = json.dumps(_find_first(row, _TEXT_FIELDS) or row, ensure_ascii=False)
    request = request_of(str(_find_first(row, REQUESTS) or ""), raw)
    try:
        reading, problem = read_plan(text, request, kinds), ""
    except PlanError as error:
        reading, problem = ValidatedPlan(), say("en", error.sentence)
    replies = [part.text for part in reading.parts if isinstance(part, Replied)]
    return {
        "id": row.get("id", ""),
        **as_row(reading.plan, words=words),
        "confidence": 0.0 if problem else score_untouched(reading.plan, reading.repairs),
        "repairs": [
            {"what": say("en", repair.what), "dropped": repair.dropped}
            for repair in reading.repairs
        ],
        "error": problem,
        **({"reply": replies[0]} if replies else {}),
        "ms": round((time.perf_counter() - began) * 1000, 2),
    }


def score_untouched(plan: Plan, repairs: Sequence[Repair]) -> float:
    """The share of a plan's steps that were neither repaired nor dropped, from 0 to 1."""
    steps = {task.id for task in plan.tasks}
    repaired = {repair.task for repair in repairs if repair.task in steps}
    lost = count_dropped(repairs)
    if not steps and not lost:
        return 1.0
    return round((len(steps) - len(repaired)) / max(1, len(steps) + lost), 4)


def _to_plan(row: Row, kinds: Mapping[str, TaskKind]) -> str:
    """Convert the plan of a row to our JSON."""
    written = _find_first(row, _TEXT_FIELDS) or ""
    source: object = written
    if isinstance(written, str):
        source = load_object(written[written.index("{") :]) if "{" in written else row
    source = source if isinstance(source, Mapping) else row
    nodes = find_list(source, _NODES)
    if not nodes:
        return written if isinstance(written, str) else json.dumps(written)
    tasks = [_to_task(node, index, kinds) for index, node in enumerate(nodes)]
    for link in read_links(source):
        _add_prerequisites(tasks, *(_to_kind(name, kinds) for name in link))
    return json.dumps({"tasks": tasks}, ensure_ascii=False)


def _find_first(row: Row, names: Iterable[str]) -> object:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _to_task(node: object, id_: int, kinds: Mapping[str, TaskKind]) -> dict[str, Any]:
    node = node if isinstance(node, Mapping) else {"task": node, "arguments": []}
    args = node.get("arguments")
    values = [{"value": _to_value(arg)} for arg in (args if isinstance(args, list) else [args])]
    kind = _to_kind(str(node.get("task", "")), kinds)
    return {"task": kind, "id": id_, "dep": [], "args": values}


def _to_kind(name: str, kinds: Mapping[str, TaskKind]) -> str:
    """Our name for a tool; the name unchanged if there is none."""
    plain = normalize_kind(name)
    ours = _OTHER_NAMES.get(plain, plain)
    return next((kind for kind in (ours, _NEAREST.get(ours, "")) if kind in kinds), name)


def _to_value(value: object) -> object:
    """Convert an argument. Where it has a name but no value, the name is the value."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("name"))
    return value.replace("<node-", "<GENERATED>-") if isinstance(value, str) else value


def _add_prerequisites(tasks: Sequence[dict[str, Any]], source: str, target: str) -> None:
    """Add a link between names: the nearest source before the target, else after it."""
    sources = [task["id"] for task in tasks if task["task"] == source]
    for task in tasks:
        if task["task"] == target:
            before = [id_ for id_ in sources if id_ < task["id"]]
            after = [id_ for id_ in sources if id_ > task["id"]]
            task["dep"] += before[-1:] or after[:1]
