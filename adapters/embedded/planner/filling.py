"""Turns steps into tasks, or says what a request lacks for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from adapters.embedded.experts.conversion import parse_instruction
from adapters.embedded.experts.images import find_filters
from adapters.embedded.planner import extraction
from adapters.embedded.planner.arguments import FINDERS, JOINS, Filling, find_values
from adapters.embedded.planner.decision import OWN_WORDS
from adapters.embedded.planner.references import find_absent_type, find_meant, find_named
from adapters.embedded.planner.steps import PlannedStep
from adapters.embedded.planner.tagging import TaggedText, tag
from adapters.embedded.planner.view import RequestView
from pipeline.domain import (
    FILE_TYPES,
    Arg,
    LocalizedText,
    Ref,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Text,
    Type,
)
from pipeline.domain.conversions import WITH_A_TASK
from pipeline.planning.type_fit import find_output
from pipeline.task_kinds import KINDS

_READERS: Mapping[str, Callable[[str], object]] = {
    "image-to-image": find_filters,
    "media-conversion": parse_instruction,
}
"""What reads the instruction of a kind: nothing for words that ask for nothing."""

Args = dict[str, tuple[Arg, ...]]


def fill(steps: Sequence[PlannedStep], seen: RequestView) -> list[Task] | LocalizedText:
    """The tasks, each after those it takes from; else what to ask the person for.

    A task stands once for each file where there are several.
    """
    if missing := _find_absent(steps, seen):
        return missing
    made = _fill_steps(steps, seen)
    newest = (*seen.before, *seen.files)[-1:]
    if not isinstance(made, LocalizedText) or not newest or seen.said:
        return made
    reader = WITH_A_TASK.get((newest[0].type, Type.TEXT))
    if made.args["slot"] not in ("text", "context") or not reader:
        return made
    first = [replace(step, source=max(step.source + 1, 0)) for step in steps]
    read = _fill_steps([PlannedStep(KINDS[reader]), *first], seen)
    return made if isinstance(read, LocalizedText) else read


def _find_absent(steps: Sequence[PlannedStep], seen: RequestView) -> LocalizedText | None:
    """What to say to a request that speaks of a file which is not there."""
    unquoted = seen.unquoted
    is_new = extraction.unsaid_words(unquoted) and all(s.kind.name in OWN_WORDS for s in steps)
    if not steps or seen.about or is_new:  # something new may speak of files nobody sees
        return None
    for name in seen.reading.names if not seen.files else ():
        before = tag(seen.reading.text[: name.start])
        is_target = before.before(len(before.words), "target")
        if not is_target and not find_named(seen.before, tag(name.text)):
            own = name.text.strip(extraction.MARKS)
            return LocalizedText("planner-absent-name", {"name": own})
    made = {slot.type for step in steps for slot in step.kind.makes}
    gone = find_absent_type(unquoted, {*seen.all_types, *(made & FILE_TYPES)})
    if not gone or seen.quotes or (gone in (Type.DOCUMENT, Type.TABLE) and seen.said):
        return None
    return LocalizedText("planner-lacks-file", {"type": gone.value})


def _fill_steps(steps: Sequence[PlannedStep], seen: RequestView) -> list[Task] | LocalizedText:
    made: list[list[Task]] = []
    tasks: list[Task] = []
    for step in steps:
        said = seen.part(step.clauses) if len(steps) > 1 else seen.tagged
        sources: Sequence[Task | None] = made[step.source] if step.source >= 0 else [None]
        if len(steps) > 1 and _names_others(said, step.kind, sources, seen):
            sources = [None]
        made.append([])
        split = [] if step.source >= 0 else _split_by_files(step, seen)
        wishes = split or [said if said.whole else seen.tagged]
        pairs = [(wish, source) for wish in wishes for source in sources]
        for wish, source in pairs[:1] if step.kind.name in JOINS else pairs:
            filling = Filling(step=step, said=wish, made=made, seen=seen, each=bool(split))
            filled = _fill_slots(filling, source)
            if isinstance(filled, LocalizedText):
                return filled
            for args in filled:
                tasks.append(Task(TaskId(len(tasks) + 1), step.kind, args))
                made[-1].append(tasks[-1])
    return tasks


def _names_others(
    said: TaggedText, kind: TaskKind, sources: Sequence[Task | None], seen: RequestView
) -> bool:
    """Whether a step's own words name files other than those that the step before works on."""
    used = {file.attachment for task in sources if task for file in task.files}
    types = {type_ for slot in kind.takes for type_ in slot.types}
    files = [file for file in (*seen.before, *seen.files) if file.type in types]
    return bool(used) and any(
        f.attachment not in used for f in find_meant(files, said, seen.files) or ()
    )


def _split_by_files(step: PlannedStep, seen: RequestView) -> list[TaggedText]:
    """The words for each file, where each has a wish of its own: "sketch image 1, grey image 2"."""
    understand = _READERS.get(step.kind.name)
    files, groups, meant = (*seen.before, *seen.files), list[list[int]](), list[str]()
    for clause in step.clauses if understand else ():
        found = find_meant(files, seen.part((clause,)), seen.files, bare=True)
        if found or not groups:
            groups.append([])
            meant += [file.name for file in found or ()]
        groups[-1].append(clause)
    wishes = [seen.part(group) for group in groups]
    clear = understand and all(understand(seen.strip_names(wish.whole)) for wish in wishes)
    return wishes if clear and len(wishes) == len(meant) == len({*meant}) else []


def _fill_slots(filling: Filling, source: Task | None) -> list[Args] | LocalizedText:
    """The arguments of a step, once for each file and question; else what to ask for."""
    step, filled = filling.step, list[Args]([{}])
    for slot in step.kind.takes:
        taken = source and slot.name not in FINDERS and step.kind.name not in JOINS
        output = find_output(source.kind, slot) if source and taken else None
        if source and output:
            told = step.is_instructed and slot.name == "text"
            words = (Text(filling.said.whole),) if told else ()
            values: list[tuple[Arg, ...]] = [(*words, Ref(source.id, output.name))]
            source = None
        else:
            values = find_values(filling, slot)
        if not values and slot.required:
            return _ask(slot, filling.said)
        filled = [{**args, slot.name: value} for args in filled for value in values] or filled
    return filled


def _ask(slot: Slot, said: TaggedText) -> LocalizedText:
    """What the person is asked for: of the types that would do the one whose words were said."""
    hints = (kind for kind in slot.types if said.has(f"hint.{kind.value}"))
    lacks = "planner-lacks-file" if slot.type in FILE_TYPES else "planner-lacks-text"
    return LocalizedText(lacks, {"type": next(hints, slot.type).value, "slot": slot.name})
