"""What votes on runs teach: which runs may be planned after, and which of them a request is like."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.domain import FILE_TYPES, Media, Plan, Request, Run, Type
from pipeline.ports import Lesson
from pipeline.text.likeness import likeness, plain_words

REACHES = ("workspace", "channel", "off")
"""How far what is liked goes, from far to not at all."""
MOST = 100
"""How many votes, the newest, are looked at."""
_ALIKE = 0.3


@dataclass(frozen=True, slots=True)
class Voted:
    """A run, what was said of it, and whether it was asked for in the channel that is looked from."""

    run: Run
    values: tuple[int, ...]
    here: bool = True


def reach(installed: str, chosen: str) -> str:
    """How far it goes in a channel: as the installation says, or as the channel chose where that is less."""
    return max(installed, chosen or installed, key=REACHES.index)


def lessons(voted: Iterable[Voted]) -> Sequence[Lesson]:
    """The lessons of runs, the newest vote first. A 👎 ends its own run's, and that of every earlier one like it.

    So a plan that was taken over and then disliked is not taken over again.
    """
    found: list[Lesson] = []
    settled: set[object] = set()
    for one in voted:
        lesson = Lesson(one.run.id, one.run.text, one.run.sent, one.run.plan, one.here)
        signature = _signature(lesson)
        disliked = any(value < 0 for value in one.values)
        liked = any(value > 0 for value in one.values) and not disliked
        if liked and lesson.plan.tasks and signature not in settled:
            found.append(lesson)
        if liked or disliked:
            settled.add(signature)
    return found


def alike(taught: Iterable[Lesson], request: Request, *, most: int = 2) -> Sequence[Lesson]:
    """Those whose words are like the request's and whose files are there, the likest first."""
    there = {file.attachment.type for file in (*request.files, *request.context.files)}
    fitting = [lesson for lesson in taught if needed(lesson.plan) <= there]
    like = likeness(request.text)
    scored = [(like(lesson.text), lesson) for lesson in fitting]
    kept = [(score, lesson) for score, lesson in scored if score >= _ALIKE]
    kept.sort(key=lambda pair: -pair[0])
    return [lesson for _, lesson in kept[:most]]


def same(taught: Iterable[Lesson], request: Request) -> Lesson | None:
    """The one whose words, but for case, punctuation and names of files, and whose types of files are the request's."""
    words = plain_words(request.text)
    sent = sorted(file.attachment.type for file in request.files)
    there = {file.attachment.type for file in (*request.files, *request.context.files)}
    for lesson in taught:
        if plain_words(lesson.text) == words and sorted(lesson.sent) == sent and words:
            return lesson if needed(lesson.plan) <= there else None
    return None


def needed(plan: Plan) -> frozenset[Type]:
    """The types of the files that a plan begins with."""
    given = (arg for task in plan.tasks for args in task.args.values() for arg in args)
    return frozenset(arg.attachment.type for arg in given if isinstance(arg, Media)) & FILE_TYPES


def _signature(lesson: Lesson) -> object:
    kinds = frozenset(task.kind.name for task in lesson.plan.tasks)
    return plain_words(lesson.text), tuple(sorted(lesson.sent)), kinds
