"""Which files of a run are shown with its answer, and what is in them, in words."""

from dataclasses import replace

from pipeline.domain import (
    AnswerFile,
    Attachment,
    Boxes,
    Done,
    Labels,
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
    known = _given(plan)
    names: set[str] = set()
    ends = {task.id for task in plan.ends}
    files: list[AnswerFile] = []
    for task in plan.tasks:
        outcome = outcomes.get(task.id)
        if not isinstance(outcome, Done):
            continue
        if task.kind.name.endswith("-control") and task.id not in ends:
            continue
        for file in _files(task, outcome):
            if file.hash not in known:
                known.add(file.hash)
                told = _beside(task, outcome, file) or _alt(task, outcome, plan, outcomes, file)
                alt = say(request.person.locale, told)
                named = replace(file, name=make_unique(file.name, names))
                names.add(named.name.casefold())
                files.append(AnswerFile(named, alt, outcome.model.id, task.kind.name, task.id))
    return tuple(files)


def _given(plan: Plan) -> set[str]:
    args = (arg for task in plan.tasks for args in task.args.values() for arg in args)
    return {arg.attachment.hash for arg in args if isinstance(arg, Media)}


def _files(task: Task, outcome: Done) -> list[Attachment]:
    """The results, then what was made beside them; depths are shown in colours only."""
    made = [value.attachment for value in outcome.output.slots.values() if isinstance(value, Media)]
    if task.kind.name == "depth-estimation" and outcome.extras:
        return list(outcome.extras)
    return [*made, *outcome.extras]


def _alt(
    task: Task, outcome: Done, plan: Plan, outcomes: Outcomes, file: Attachment
) -> LocalizedText:
    """What is in a file, as far as it is known from how it was made and what was found in it."""
    described = _caption(task, plan, outcomes)
    words = _said(task, outcomes)
    found = next(
        (v for v in outcome.output.slots.values() if isinstance(v, Boxes | Masks)),
        None,
    )
    if found is not None and file.type is Type.IMAGE:
        return LocalizedText("alt-found", {"found": as_text(found)})
    if described:
        return LocalizedText("alt-described", {"kind": task.kind.name, "what": described})
    changed = any(file.type in slot.types for slot in task.kind.takes)
    if file.type is Type.AUDIO and words and not changed:
        return LocalizedText("alt-spoken", {"words": words})
    if words and changed:
        return LocalizedText("alt-changed", {"type": file.type.value, "words": words})
    if words:
        return LocalizedText("alt-made-from", {"type": file.type.value, "words": words})
    return LocalizedText(
        "alt-made", {"kind": task.kind.name, "what": file.description or file.name}
    )


def _beside(task: Task, outcome: Done, file: Attachment) -> LocalizedText | None:
    """What is in a file that was made beside a result, to show it."""
    if file not in outcome.extras or file.type not in (Type.IMAGE, Type.DOCUMENT):
        return None
    if file.name.endswith(".srt"):
        return LocalizedText("alt-subtitles")
    if task.kind.name == "depth-estimation":
        return LocalizedText("alt-depth")
    values = outcome.output.slots.values()
    if labels := next((as_text(value) for value in values if isinstance(value, Labels)), ""):
        return LocalizedText("alt-chart", {"labels": labels})
    made = next((value.attachment for value in values if isinstance(value, Media)), file)
    shown_by = {Type.TABLE: "alt-table", Type.VIDEO: "alt-poster"}
    words = {"what": made.description or made.name}
    return LocalizedText(shown_by[made.type], words) if made.type in shown_by else None


def _caption(task: Task, plan: Plan, outcomes: Outcomes) -> str:
    """What a later task of the same run said is in the picture that this one made."""
    for other in plan.tasks:
        uses = any(ref.task == task.id for ref in other.refs)
        outcome = outcomes.get(other.id)
        if uses and other.kind.name == "image-to-text" and isinstance(outcome, Done):
            return as_text(outcome.output.slots["text"])[:_WORDS_SHOWN]
    return ""


def _said(task: Task, outcomes: Outcomes) -> str:
    """The words a task was given."""
    words = []
    for arg in task.args.get("text", ()):
        match arg:
            case Text(text):
                words.append(text)
            case Ref(earlier, slot):
                outcome = outcomes.get(earlier)
                if isinstance(outcome, Done) and slot in outcome.output.slots:
                    words.append(as_text(outcome.output.slots[slot]))
            case _:
                pass
    return " ".join(words).strip()[:_WORDS_SHOWN]
