"""Which files of a run are shown with its answer, and what is in them, in words."""

from dataclasses import replace

from pipeline.domain import (
    AnswerFile,
    Arg,
    Attachment,
    Boxes,
    Done,
    LocalizedText,
    Masks,
    Media,
    Outcomes,
    Plan,
    Ref,
    Request,
    Task,
    Text,
    Type,
    find_slots,
)
from pipeline.domain.conversions import as_text
from pipeline.text.names import make_unique
from pipeline.words import say

_WORDS_SHOWN = 300


def collect_files(request: Request, plan: Plan, outcomes: Outcomes) -> tuple[AnswerFile, ...]:
    """The files that were made, in the order of the plan, each with its alternative text.

    What the plan was given is not given back; control images are shown only when unused.
    No two have the same name: what an earlier run has made may be called like what this one did.
    """
    known = {file.attachment.hash for file in plan.files}
    names: set[str] = set()
    files: list[AnswerFile] = []
    for task in plan.tasks:
        outcome = outcomes.get(task.id)
        is_used_control = task.kind.name.endswith("-control") and task not in plan.ends
        if not isinstance(outcome, Done) or is_used_control:
            continue
        for file in _list_files(task, outcome):
            if file.hash in known:
                continue
            known.add(file.hash)
            alt = _find_caption(file, plan, outcomes) or _describe(file, task, outcomes)
            if isinstance(alt, LocalizedText):
                alt = say(request.person.locale, alt)
            named = replace(file, name=make_unique(file.name, names))
            names.add(named.name.casefold())
            files.append(AnswerFile(named, alt, outcome.model.id, task.kind.name, task.id))
    return tuple(files)


def _list_files(task: Task, outcome: Done) -> list[Attachment]:
    """The results, then what was made beside them; depths are shown in colours only."""
    made = [value.attachment for value in outcome.output.slots.values() if isinstance(value, Media)]
    if task.kind.name == "depth-estimation" and outcome.extras:
        made = []
    return [*made, *outcome.extras]


def _find_caption(file: Attachment, plan: Plan, outcomes: Outcomes) -> str:
    """What another task of the run said is in a picture; "" if none did."""
    captions = (
        as_text(find_slots(outcomes, other.id)["text"])[:_WORDS_SHOWN]
        for other in plan.tasks
        if other.kind.name == "image-to-text" and find_slots(outcomes, other.id)
        if Media(file) in (find_slots(outcomes, ref.task).get(ref.slot) for ref in other.refs)
    )
    return next(captions, "")


def _describe(file: Attachment, task: Task, outcomes: Outcomes) -> LocalizedText | str:
    """What is in a file, as far as it is known from how it was made and what was found in it."""
    values = [*find_slots(outcomes, task.id).values()]
    if Media(file) not in values:
        return file.description or file.name
    found = [as_text(value) for value in values if isinstance(value, Boxes | Masks)]
    if found and file.type is Type.IMAGE:
        return LocalizedText("alt-found", {"found": found[0]})
    words = " ".join(_read(arg, outcomes) for arg in task.args.get("text", ())).strip()
    if not words:
        what = file.description or file.name
        return LocalizedText("alt-made", {"kind": task.kind.name, "what": what})
    args = {"type": file.type.value, "words": words[:_WORDS_SHOWN]}
    if file.type in task.kind.takes[0].types:
        return LocalizedText("alt-changed", args)
    return LocalizedText("alt-spoken" if file.type is Type.AUDIO else "alt-made-from", args)


def _read(arg: Arg, outcomes: Outcomes) -> str:
    """The words in a piece of an argument."""
    if isinstance(arg, Ref):
        made = find_slots(outcomes, arg.task).get(arg.slot)
        return as_text(made) if made else ""
    return arg.text if isinstance(arg, Text) else ""
