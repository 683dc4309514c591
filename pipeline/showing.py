"""Which files of a run are shown with its answer, and what is in them, in words."""

from contextlib import suppress
from dataclasses import replace

from pipeline.conversions import as_text
from pipeline.domain import (
    Attachment,
    Blob,
    Boxes,
    Done,
    Labels,
    Masks,
    Media,
    Outcomes,
    Plan,
    Ref,
    Request,
    Sentence,
    Shown,
    Task,
    Text,
    Type,
)
from pipeline.errors import MediaError
from pipeline.ports import Files, MediaTools
from pipeline.text.names import apart
from pipeline.words import say

_WORDS_SHOWN = 300


def shown(request: Request, plan: Plan, outcomes: Outcomes) -> tuple[Shown, ...]:
    """The files that were made, in the order of the plan, each with its alternative text.

    What the plan was given is not given back, and control images are only shown when nothing was made with them.
    No two have the same name: what an earlier run has made may be called like what this one did.
    """
    known = _given(plan)
    names: set[str] = set()
    ends = {task.id for task in plan.ends}
    files: list[Shown] = []
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
                named = replace(file, name=apart(file.name, names))
                names.add(named.name.casefold())
                files.append(Shown(named, alt, outcome.model.id, task.kind.name, task.id))
    return tuple(files)


async def fitting(file: Shown, files: Files, media: MediaTools, max_bytes: int) -> Blob | None:
    """The file as chat platforms show or play it, in a size that they take; None where it cannot be made to fit.

    Within its size, what a person had converted keeps the type they wanted.
    """
    attachment = file.attachment
    data = await files.get(attachment.hash)
    blob = Blob(data, attachment.media_type, attachment.name, file.alt)
    if file.kind != "media-conversion" or attachment.size > max_bytes:
        with suppress(MediaError):
            blob = await media.fit(blob, max_bytes)
    return blob if len(blob.data) <= max_bytes else None


def _given(plan: Plan) -> set[str]:
    args = (arg for task in plan.tasks for args in task.args.values() for arg in args)
    return {arg.attachment.hash for arg in args if isinstance(arg, Media)}


def _files(task: Task, outcome: Done) -> list[Attachment]:
    """The results, then what was made beside them; depths are shown in colours only, the grey ones are for other tasks."""
    made = [value.attachment for value in outcome.output.slots.values() if isinstance(value, Media)]
    if task.kind.name == "depth-estimation" and outcome.extras:
        return list(outcome.extras)
    return [*made, *outcome.extras]


def _alt(task: Task, outcome: Done, plan: Plan, outcomes: Outcomes, file: Attachment) -> Sentence:
    """What is in a file, as far as it is known from how it was made and what was found in it."""
    described = _caption(task, plan, outcomes)
    words = _said(task, outcomes)
    found = next(
        (v for v in outcome.output.slots.values() if isinstance(v, Boxes | Masks)),
        None,
    )
    if found is not None and file.type is Type.IMAGE:
        return Sentence("alt-found", {"found": as_text(found)})
    if described:
        return Sentence("alt-described", {"kind": task.kind.name, "what": described})
    changed = any(file.type in slot.types for slot in task.kind.takes)
    if file.type is Type.AUDIO and words and not changed:
        return Sentence("alt-spoken", {"words": words})
    if words and changed:
        return Sentence("alt-changed", {"type": file.type.value, "words": words})
    if words:
        return Sentence("alt-made-from", {"type": file.type.value, "words": words})
    return Sentence("alt-made", {"kind": task.kind.name, "what": file.description or file.name})


def _beside(task: Task, outcome: Done, file: Attachment) -> Sentence | None:
    """What is in a file that was made beside a result, to show it."""
    if file not in outcome.extras or file.type not in (Type.IMAGE, Type.DOCUMENT):
        return None
    if file.name.endswith(".srt"):
        return Sentence("alt-subtitles")
    if task.kind.name == "depth-estimation":
        return Sentence("alt-depth")
    values = outcome.output.slots.values()
    if labels := next((as_text(value) for value in values if isinstance(value, Labels)), ""):
        return Sentence("alt-chart", {"labels": labels})
    made = next((value.attachment for value in values if isinstance(value, Media)), file)
    shown_by = {Type.TABLE: "alt-table", Type.VIDEO: "alt-poster"}
    words = {"what": made.description or made.name}
    return Sentence(shown_by[made.type], words) if made.type in shown_by else None


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
