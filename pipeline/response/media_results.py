"""The files that are shown with an answer, and their alternative texts."""

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
    Task,
    Text,
    Type,
    find_slots,
)
from pipeline.domain.conversions import as_text
from pipeline.text.names import make_unique
from pipeline.words import say

_MOST_CHARACTERS = 300


def collect_files(locale: str, plan: Plan, outcomes: Outcomes) -> tuple[AnswerFile, ...]:
    """The files that the run made so far, in the order of the plan, with alternative texts.

    Input files of the plan are left out, and so are control images that another task uses. Names
    are made unique, since reused results keep the names they got in earlier runs.
    """
    known = {file.attachment.hash for file in plan.files}
    names: set[str] = set()
    files: list[AnswerFile] = []
    for task in plan.tasks:
        outcome = outcomes.get(task.id)
        is_used_control = task.kind.name.endswith("-control") and task not in plan.ends
        if not isinstance(outcome, Done) or is_used_control:
            continue
        # Of a depth map only the coloured one is shown.
        is_coloured = task.kind.name == "depth-estimation" and outcome.extras
        for file in outcome.extras if is_coloured else outcome.files:
            if file.hash in known:
                continue
            known.add(file.hash)
            alt = _find_caption(file, plan, outcomes) or _describe(file, task, outcomes)
            if isinstance(alt, LocalizedText):
                alt = say(locale, alt)
            named = replace(file, name=make_unique(file.name, names))
            names.add(named.name.casefold())
            files.append(
                AnswerFile(
                    attachment=named,
                    alt=alt,
                    model=outcome.model.id,
                    kind=task.kind.name,
                    task=task.id,
                )
            )
    return tuple(files)


def _find_caption(file: Attachment, plan: Plan, outcomes: Outcomes) -> str:
    """The caption of an image from an image-to-text task of the run; "" if there is none."""
    captions = (
        as_text(find_slots(outcomes, other.id)["text"])[:_MOST_CHARACTERS]
        for other in plan.tasks
        if other.kind.name == "image-to-text" and find_slots(outcomes, other.id)
        if Media(file) in (find_slots(outcomes, ref.task).get(ref.slot) for ref in other.refs)
    )
    return next(captions, "")


def _describe(file: Attachment, task: Task, outcomes: Outcomes) -> LocalizedText | str:
    """The alternative text of a file: what was detected in it, or what it was made from."""
    values = [*find_slots(outcomes, task.id).values()]
    if Media(file) not in values:
        return file.description or file.name
    detected = [as_text(value) for value in values if isinstance(value, Boxes | Masks)]
    if detected and file.type is Type.IMAGE:
        return LocalizedText("alt-found", {"found": detected[0]})
    words = " ".join(_read(arg, outcomes) for arg in task.args.get("text", ())).strip()
    if not words:
        what = file.description or file.name
        return LocalizedText("alt-made", {"kind": task.kind.name, "what": what})
    args = {"type": file.type.value, "words": words[:_MOST_CHARACTERS]}
    if file.type in task.kind.takes[0].types:
        return LocalizedText("alt-changed", args)
    return LocalizedText("alt-spoken" if file.type is Type.AUDIO else "alt-made-from", args)


def _read(arg: Arg, outcomes: Outcomes) -> str:
    """The text of one piece of an argument."""
    if isinstance(arg, Ref):
        value = find_slots(outcomes, arg.task).get(arg.slot)
        return as_text(value) if value else ""
    return arg.text if isinstance(arg, Text) else ""
