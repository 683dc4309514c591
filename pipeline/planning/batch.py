"""Plans out of rows that hold an LLM's raw plan, for `troupe plan --read` and the benchmarks."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from pipeline.conversions import convertible
from pipeline.domain import (
    Attachment,
    Channel,
    Context,
    FileHash,
    Media,
    NamedFile,
    Person,
    Plan,
    Ref,
    Repair,
    Request,
    RunId,
    Sentence,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Text,
    Thread,
    Type,
)
from pipeline.domain.plans import Arg
from pipeline.errors import PlanError
from pipeline.planning.mentions import FILE_NAME, MEDIA_TYPES, is_result
from pipeline.planning.names import TASKBENCH, kind_named
from pipeline.planning.needless import needed
from pipeline.planning.reading import Reading, understand, unmended
from pipeline.planning.rough import RoughPlan
from pipeline.planning.shapes import AS_IT_IS, rough_links, rough_plan
from pipeline.planning.syntax import read_rough
from pipeline.planning.values import Json, parse_object
from pipeline.table import KINDS
from pipeline.words import say


def vocabulary(name: str) -> Mapping[str, TaskKind]:
    """The kinds that plans are read in: all of ours, or those that TaskBench has names for.

    TaskBench's tables are pictures, so there a table may be one.
    """
    if name != "taskbench":
        return KINDS
    return {kind: _with_pictures(KINDS[kind]) for kind in TASKBENCH}


def _with_pictures(kind: TaskKind) -> TaskKind:
    takes = tuple(
        Slot(slot.name, (*slot.types, Type.IMAGE), slot.required, slot.many)
        if slot.type is Type.TABLE
        else slot
        for slot in kind.takes
    )
    return replace(kind, takes=takes)


def read_row(row: Mapping[str, Json], *, words: str = "") -> dict[str, Json]:
    """One row with a raw plan (`task_nodes` and `task_links`, or a text) → the plan as it is understood, as JSON.

    TaskBench's published rows are taken too: `tool_nodes`, `tool_links` and `instruction`, lists as JSON in strings.
    `words` is the vocabulary: "" or "taskbench".
    """
    began = time.perf_counter()
    kinds = vocabulary(words)
    rough = _rough(row)
    reading, problem = _read(rough, row, kinds)
    return {
        "id": row.get("id", ""),
        **as_row(reading.plan, words=words),
        "confidence": 0.0 if problem else unmended(reading.plan, reading.repairs),
        "repairs": [
            {"what": say("en", repair.what), "dropped": repair.dropped}
            for repair in (*reading.repairs, *_unlinked(rough, reading, kinds))
        ],
        "error": problem,
        **({"reply": reading.reply} if reading.reply else {}),
        "ms": round((time.perf_counter() - began) * 1000, 2),
    }


def as_row(plan: Plan, *, words: str = "") -> dict[str, Json]:
    """A plan as TaskBench writes one; with its names, where the vocabulary is "taskbench" and it has one."""
    name = TASKBENCH if words == "taskbench" else {}
    return {
        "task_nodes": [
            {"task": name.get(task.kind.name, task.kind.name), "arguments": _arguments(task, plan)}
            for task in plan.tasks
        ],
        "task_links": [
            {"source": name.get(one, one), "target": name.get(other, other)}
            for one, other in links(plan)
        ],
    }


def links(plan: Plan) -> list[tuple[str, str]]:
    """What feeds what, by the names of the kinds; pure order counts where the types would let it."""
    pairs: dict[tuple[str, str], None] = {}
    by_id = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        for need in sorted(task.needs):
            source = by_id[need]
            if need in {ref.task for ref in task.refs} or _feeds(source.kind, task.kind):
                pairs[source.kind.name, task.kind.name] = None
    return list(pairs)


def _feeds(source: TaskKind, target: TaskKind) -> bool:
    return any(
        convertible(made, taken)
        for out in source.makes
        for made in out.types
        for slot in target.takes
        for taken in slot.types
    )


def request_of(text: str, raw: str, earlier: str = "") -> Request:
    """A request as if the files that it names, or its plan does, had come with it; but for what a plan calls its results.

    The names in `earlier` are those of the thread's files from before.
    """
    there = _named(earlier)
    before = {file.name for file in there}
    files = tuple(
        file
        for file in _named(f"{text}\n{raw}")
        if file.name not in before and (file.name in text or not is_result(file.name))
    )
    thread = Thread(Channel("batch", "", ""), "")
    context = Context(older=there)
    return Request(RunId("batch"), thread, Person("", ""), text, files, context=context)


def _named(text: str) -> tuple[NamedFile, ...]:
    """The files that a text names, by their endings, each once."""
    names = dict.fromkeys(match[0].rpartition("/")[-1] for match in FILE_NAME.finditer(text))
    return tuple(
        NamedFile(name, Attachment(FileHash(name), MEDIA_TYPES[ending], name, 1))
        for name in names
        if (ending := name.rpartition(".")[2].casefold()) in MEDIA_TYPES
    )


_WRITTEN = ("plan", "text", "output", "response", "result", "prediction", "raw_plan")
"""Where a row may hold what the language model wrote."""


_NODES = ("task_nodes", "tool_nodes")
_LINKS = ("task_links", "tool_links")
_REQUESTS = ("user_request", "instruction")


def _rough(row: Mapping[str, Json]) -> RoughPlan:
    written = _first(row, _WRITTEN)
    if isinstance(written, str):
        return read_rough(written)
    return _bare(row) if written is None else rough_plan(written)


def _bare(row: Mapping[str, Json]) -> RoughPlan:
    """The plan that a row is; of what type it is says nothing of its tasks."""
    nodes, links = _first(row, _NODES), _first(row, _LINKS)
    if isinstance(links, str):
        links = parse_object(links)
    if isinstance(nodes, str):
        return replace(read_rough(nodes), links=rough_links(links))
    rest = {key: value for key, value in row.items() if key != "type"}
    return rough_plan({**rest, "task_nodes": nodes, "task_links": links}, AS_IT_IS)


def _first(row: Mapping[str, Json], keys: Iterable[str]) -> Json:
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _read(
    rough: RoughPlan, row: Mapping[str, Json], kinds: Mapping[str, TaskKind]
) -> tuple[Reading, str]:
    raw = _first(row, _WRITTEN) or row
    text = _first(row, _REQUESTS) or ""
    request = request_of(str(text), json.dumps(raw, ensure_ascii=False))
    try:
        return needed(understand(rough, request, kinds=kinds), kinds), ""
    except PlanError as error:
        return Reading(), say("en", error.sentence)


def _unlinked(
    rough: RoughPlan, reading: Reading, kinds: Mapping[str, TaskKind]
) -> Iterator[Repair]:
    """Links as written between steps that are there, over which nothing goes in the plan."""
    there = {task.kind.name for task in reading.plan.tasks}
    going = set(links(reading.plan))
    for source, target in dict.fromkeys(rough.links):
        ends = [_became(name, reading, kinds) & there for name in (source, target)]
        if all(ends) and not going & set(product(*ends)):
            told = {"source": source[:60], "target": target[:60]}
            yield Repair(Sentence("plan-link-dropped", told))


def _became(name: str, reading: Reading, kinds: Mapping[str, TaskKind]) -> set[str]:
    """The kind that a name means, and those that took its place."""
    kind = kind_named(name, kinds)
    told = (repair.what for repair in reading.repairs if repair.what.id == "plan-kind-by-type")
    became = {str(what.args["kind"]) for what in told if kind and what.args["source"] == kind.name}
    return became | ({kind.name} if kind else set())


def _arguments(task: Task, plan: Plan) -> list[Json]:
    order: dict[TaskId, int] = {one.id: at for at, one in enumerate(plan.tasks)}
    return [_written(arg, order) for args in task.args.values() for arg in args]


def _written(arg: Arg, order: Mapping[TaskId, int]) -> str:
    match arg:
        case Text(text):
            return text
        case Media(attachment):
            return attachment.name
        case Ref(task):
            return f"<node-{order[task]}>"
        case _:
            return f"{arg.value:g}"
