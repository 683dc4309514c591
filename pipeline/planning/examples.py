"""Plans that were liked, as examples for a language model: short, and without a word that the request itself did not say."""

import json
from collections.abc import Sequence

from pipeline.domain import Arg, Media, Plan, Ref, Task, Text
from pipeline.ports import Lesson
from pipeline.prompts import closely, fenced

_ROOM, _FIRST = 120, 240
"""Tokens that examples may take together, about what those take in whose place they stand; the likest may take more."""
_REQUEST, _TEXT = 160, 60
_LEFT_OUT = "…"


def examples(liked: Sequence[Lesson]) -> str:
    """As data, since people wrote them; "" when none is short enough."""
    shown: list[str] = []
    for lesson in liked:
        text = "\n".join([*shown, _example(lesson)])
        if closely(text) <= (_ROOM if shown else _FIRST):
            shown.append(_example(lesson))
    return f"Liked here before, with its plan: {fenced(chr(10).join(shown))}" if shown else ""


def _example(lesson: Lesson) -> str:
    words = " ".join(lesson.text.split())[:_REQUEST]
    tasks = [_task(task, lesson.plan, words) for task in lesson.plan.tasks]
    told = json.dumps({"reply": None, "tasks": tasks}, ensure_ascii=False, separators=(",", ":"))
    return f"{words}\n{told}"


def _task(task: Task, plan: Plan, words: str) -> dict[str, object]:
    return {
        "task": task.kind.name,
        "id": task.id,
        "dep": sorted(task.needs),
        "args": [
            {"name": name, "value": _value(arg, plan, words)}
            for name, args in task.args.items()
            for arg in args
        ],
        "model": "",
    }


def _value(arg: Arg, plan: Plan, words: str) -> str:
    """What came from elsewhere than the request (an earlier answer, a file) is not told again."""
    match arg:
        case Ref(task):
            return f"<GENERATED>-{task}"
        case Media(attachment):
            files = _files(plan)
            place = [one for one in files if one.attachment.type is attachment.type].index(arg)
            return f"{attachment.type.value} {place + 1}"
        case Text(text):
            return text[:_TEXT] if text.casefold() in words.casefold() else _LEFT_OUT
        case _:
            return str(arg.value)


def _files(plan: Plan) -> list[Media]:
    given = (arg for task in plan.tasks for args in task.args.values() for arg in args)
    return list(dict.fromkeys(arg for arg in given if isinstance(arg, Media)))
