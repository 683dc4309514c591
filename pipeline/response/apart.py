"""What tells a task from others of its kind: its file, its question, its words."""

from pipeline.domain import Arg, Media, Number, Plan, Ref, Request, Sentence, Task, Text
from pipeline.text.names import in_a_line

_LONGEST = 60


def apart(task: Task, plan: Plan, request: Request) -> str:
    """In a line, what a task works on and others of its kind do not; "" where it is alone or nothing tells them apart."""
    others = [one for one in plan.tasks if one.kind == task.kind and one.id != task.id]
    told = [
        said
        for slot, args in task.args.items()
        if (said := _said(args, request))
        and any(_said(one.args.get(slot, ()), request) != said for one in others)
    ]
    return ", ".join(told)


def which(task: Task, plan: Plan, request: Request) -> str | Sentence:
    """A kind of task as an argument of a sentence, with what tells this one from others of it."""
    kind, what = task.kind.name, apart(task, plan, request)
    return Sentence("respond-which", {"kind": kind, "what": what}) if what else kind


def _said(args: tuple[Arg, ...], request: Request) -> str:
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    told: list[str] = []
    for arg in args:
        match arg:
            case Media(attachment):
                told.append(names.get(attachment.hash, attachment.name))
            case Text(text):
                line = in_a_line(text)
                told.append(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")
            case Number(value):
                told.append(f"{value:g}")
            case Ref():
                pass
    return ", ".join(told)
