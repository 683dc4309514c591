"""What votes on runs teach: which plans may serve as examples, and for which requests."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.domain import Arg, Media, Plan, Ref, Request, Run, Task, Text
from pipeline.ports import PlanExample
from pipeline.prompts import fence, tokens
from pipeline.text.likeness import compare_to, split_words

REACHES = ("workspace", "channel", "off")
"""How far what is liked goes, from far to not at all."""
MOST = 100
"""How many votes, the newest, are looked at."""
_ALIKE = 0.3
_EXAMPLES = 600
"""Tokens that the examples in a prompt may take together."""
_EXAMPLE_REQUEST, _EXAMPLE_TEXT = 160, 60
"""Characters of an example that are shown."""
_LEFT_OUT = "…"


@dataclass(frozen=True, slots=True)
class VotedRun:
    """A run, the votes on it, and whether it belongs to the channel that asks."""

    run: Run
    values: tuple[int, ...]
    here: bool = True


def limit_reach(installed: str, chosen: str) -> str:
    """How far learning reaches in a channel: as installed, or less if the channel says so."""
    return max(installed, chosen or installed, key=REACHES.index)


def select_examples(voted: Iterable[VotedRun]) -> Sequence[PlanExample]:
    """The plans of liked runs, the newest vote first.

    A 👎 takes back the plan of its own run and of every earlier run like it, so that a plan
    which was reused and then disliked is not reused again.
    """
    found: list[PlanExample] = []
    settled: set[object] = set()
    for one in voted:
        run = one.run
        kinds = frozenset(task.kind.name for task in run.plan.tasks)
        signature = split_words(run.text), tuple(sorted(run.sent)), kinds
        disliked = min(one.values, default=0) < 0
        liked = max(one.values, default=0) > 0 and not disliked
        if liked and run.plan.tasks and signature not in settled:
            found.append(PlanExample(run.id, run.text, run.sent, run.plan, one.here))
        if liked or disliked:
            settled.add(signature)
    return found


def find_similar(
    taught: Iterable[PlanExample], request: Request, *, most: int = 2
) -> Sequence[PlanExample]:
    """Those whose words are like the request's and whose files are there, the likest first."""
    like = compare_to(request.text)
    scored = [(like(lesson.text), lesson) for lesson in taught if _has_files(request, lesson)]
    kept = sorted((pair for pair in scored if pair[0] >= _ALIKE), key=lambda pair: -pair[0])
    return [lesson for _, lesson in kept[:most]]


def find_same(taught: Iterable[PlanExample], request: Request) -> PlanExample | None:
    """The example with the words and the types of files of the request.

    Case, punctuation and names of files do not count.
    """
    words = split_words(request.text)
    sent = sorted(file.attachment.type for file in request.files)
    for lesson in taught:
        if split_words(lesson.text) == words and sorted(lesson.sent) == sent and words:
            return lesson if _has_files(request, lesson) else None
    return None


def _has_files(request: Request, lesson: PlanExample) -> bool:
    """Whether there are files of the types that a plan begins with."""
    needed = {file.attachment.type for file in lesson.plan.files}
    return needed <= {file.attachment.type for file in request.known_files}


def format_examples(liked: Iterable[PlanExample]) -> str:
    """Plans that people liked, as data, without a word that their request did not say.

    Those that are too long are left out; "" when none is left.
    """
    shown: list[str] = []
    for example in liked:
        text = "\n".join([*shown, _format_example(example)])
        if tokens(text) <= _EXAMPLES:
            shown.append(_format_example(example))
    return f"Liked here before, with its plan: {fence(chr(10).join(shown))}" if shown else ""


def _format_example(example: PlanExample) -> str:
    words = " ".join(example.text.split())[:_EXAMPLE_REQUEST]
    tasks = [_format_task(task, example.plan, words) for task in example.plan.tasks]
    plan = json.dumps({"reply": None, "tasks": tasks}, ensure_ascii=False, separators=(",", ":"))
    return f"{words}\n{plan}"


def _format_task(task: Task, plan: Plan, words: str) -> dict[str, object]:
    return {
        "task": task.kind.name,
        "id": task.id,
        "dep": sorted(task.needs),
        "args": [
            {"name": name, "value": _format_value(arg, plan, words)}
            for name, args in task.args.items()
            for arg in args
        ],
        "model": "",
    }


def _format_value(arg: Arg, plan: Plan, words: str) -> str:
    """What came from elsewhere than the request (an earlier answer, a file) is not shown again."""
    match arg:
        case Ref(task):
            return f"<GENERATED>-{task}"
        case Media(attachment):
            same_type = [one for one in plan.files if one.attachment.type is attachment.type]
            return f"{attachment.type.value} {same_type.index(arg) + 1}"
        case Text(text):
            return text[:_EXAMPLE_TEXT] if text.casefold() in words.casefold() else _LEFT_OUT
        case _:
            return str(arg.value)
