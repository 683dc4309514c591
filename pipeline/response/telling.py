"""What an answer must tell, whoever writes it: what went wrong, what was empty, what is not sure, where experts disagree."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from pipeline.conversions import as_text
from pipeline.domain import (
    Boxes,
    Done,
    Failed,
    Labels,
    Masks,
    Media,
    Outcomes,
    Plan,
    Request,
    Sentence,
    Skipped,
    Spans,
    Stopped,
    Sureness,
    Task,
    Text,
    Value,
    how_sure,
)
from pipeline.response.admitting import admits
from pipeline.response.apart import which
from pipeline.response.labels import counts_in, names, names_exactly, names_side
from pipeline.response.numbers import values
from pipeline.response.vocabulary import (
    NOTHING,
    PERCENT,
    UNSURE,
    normal,
)
from pipeline.words import say

_NOTHING_THERE = frozenset({"embedded-no-text", "embedded-nothing-heard", "embedded-no-answer"})
"""What was looked for is not there: that is a result, not a breakdown."""
_SHORTEST = 4
_BESIDE = frozenset({"labels", "question", "language"})
"""Arguments that are not what a task looks at."""
_ASKED = frozenset(
    {"question-answering", "document-question-answering", "table-question-answering"}
)
_SHORT = 40
_CHECKABLE = re.compile(r"\d|\b[A-ZÄÖÜ]\w{2,}")
_NEAR = 0.01
"""How near a rounded number must be."""
_NAME = re.compile(r"\b[A-ZÄÖÜ]\w{3,}")
_FIGURE = re.compile(r"\d+")


def to_be_told(text: str, request: Request, plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    """The sentences that an answer lacks."""
    locale = request.person.locale
    wrong = [
        (task, one) for task in plan.tasks if (one := went_wrong(task, plan, outcomes, request))
    ]
    for task, problem in wrong:
        told = say(locale, problem)
        if told in text or (problem.id == "respond-none" and NOTHING.search(text)):
            continue
        if not admits(text, task, request, [one for one, _ in wrong], outcomes):
            yield told
    for task in plan.ends:
        yield from _lacking(text, task, outcomes, locale)
    for sentence, sides in disagreements(plan, outcomes):
        if not all(names_side(text, side) for side in sides) and say(locale, sentence) not in text:
            yield say(locale, sentence)


PROBLEMS = (
    "not-possible-here",
    "not-possible-nobody",
    "not-possible-rules",
    "respond-failed",
    "respond-skipped",
    "respond-stopped",
)
"""The sentences that a task was not done."""


def went_wrong(task: Task, plan: Plan, outcomes: Outcomes, request: Request) -> Sentence | None:
    """That a task was not done, and why; of several of a kind, which."""
    kind = which(task, plan, request)
    match outcomes.get(task.id):
        case Failed(reason) if reason.id.startswith("not-possible-"):
            return reason
        case Failed(reason):
            nothing = reason.id in _NOTHING_THERE
            told = "respond-none" if nothing else "respond-failed"
            return Sentence(told, {"kind": kind, "reason": reason})
        case Skipped(because_of):
            because = next((one.kind.name for one in plan.tasks if one.id == because_of), "")
            return Sentence(
                "respond-skipped", {"kind": kind, "because": because or str(because_of)}
            )
        case Stopped():
            return Sentence("respond-stopped", {"kind": kind})
        case Done():
            return None
        case None:
            return Sentence("respond-stopped", {"kind": kind})


def is_empty(value: Value) -> bool:
    match value:
        case Labels(items) | Boxes(items) | Masks(items) | Spans(items):
            return not items
        case Text(text):
            return not text.strip()
        case _:
            return False


def sureness(task: Task, value: Value) -> Sureness | None:
    """How sure the expert is of what it says first; None when it does not say."""
    score = _score(value)
    return None if score is None else how_sure(score, task.kind.name)


def _score(value: Value) -> float | None:
    match value:
        case Text(_, score):
            return score
        case Labels(items) if items:
            return items[0].score
        case _:
            return None


def main_value(task: Task, outcomes: Outcomes) -> Value | None:
    """What a finished task found, if it found anything but files."""
    outcome = outcomes.get(task.id)
    slots = outcome.output.slots.values() if isinstance(outcome, Done) else ()
    return next((value for value in slots if not isinstance(value, Media)), None)


def disagreements(plan: Plan, outcomes: Outcomes) -> Iterator[tuple[Sentence, tuple[str, str]]]:
    """Where two experts say different things of the same: the sentence, and what each says."""
    said = [
        (task, value) for task in plan.tasks if (value := main_value(task, outcomes)) is not None
    ]
    for (first, one), (second, other) in combinations(said, 2):
        sides = _sides(one, other)
        if sides and sides[0].casefold() != sides[1].casefold() and _same(first, second):
            names = {"first": first.kind.name, "second": second.kind.name}
            if first.kind == second.kind:
                names = {"first": _model(first, outcomes), "second": _model(second, outcomes)}
            yield Sentence("respond-disagree", {**names, "one": sides[0], "other": sides[1]}), sides


def _model(task: Task, outcomes: Outcomes) -> str:
    outcome = outcomes[task.id]
    return outcome.model.id if isinstance(outcome, Done) else task.kind.name


def _sides(one: Value, other: Value) -> tuple[str, str] | None:
    """What two values say where they can be compared."""
    match one, other:
        case Labels(items), Labels(others) if items and others:
            shared = {item.label.casefold() for item in items} & {
                o.label.casefold() for o in others
            }
            comparable = shared or len(items) == len(others) == 1
            return (items[0].label, others[0].label) if comparable else None
        case (Boxes() | Masks()) as found, (Boxes() | Masks()) as others:
            return _counts(found, others)
        case (Boxes() | Masks()) as found, Text(text):
            return _counted(found, text)
        case Text(text), (Boxes() | Masks()) as found:
            sides = _counted(found, text)
            return (sides[1], sides[0]) if sides else None
        case _:
            return None


def _counts(one: Boxes | Masks, other: Boxes | Masks) -> tuple[str, str] | None:
    first, second = [item.label for item in one.items], [item.label for item in other.items]
    for label in first:
        if label in second and first.count(label) != second.count(label):
            return f"{first.count(label)} {label}", f"{second.count(label)} {label}"
    return None


def _counted(found: Boxes | Masks, text: str) -> tuple[str, str] | None:
    """A bare number as an answer beside things that were counted, all of one name."""
    labels = {item.label for item in found.items}
    if not _FIGURE.fullmatch(text.strip()) or len(labels) != 1:
        return None
    return str(len(found.items)), text.strip()


def _same(first: Task, second: Task) -> bool:
    """Whether two tasks look at the same: a file, else what another task made, else a text."""
    return any(a & b for a, b in zip(_about(first), _about(second), strict=True))


def _about(task: Task) -> tuple[frozenset[str], ...]:
    pieces = [arg for slot, args in task.args.items() if slot not in _BESIDE for arg in args]
    return (
        frozenset(arg.attachment.hash for arg in pieces if isinstance(arg, Media)),
        frozenset(f"{ref.task}.{ref.slot}" for ref in task.refs),
        frozenset(arg.text for arg in pieces if isinstance(arg, Text)),
    )


def _lacking(text: str, task: Task, outcomes: Outcomes, locale: str) -> Iterable[str]:
    value = main_value(task, outcomes)
    kind = task.kind.name
    if value is None:
        return
    if is_empty(value):
        told = say(locale, Sentence("respond-empty", {"kind": kind}))
        if told not in text and not NOTHING.search(text):
            yield told
        return
    asked = kind in _ASKED and isinstance(value, Text) and not _answer_told(text, value.text)
    if asked or not _labels_told(text, value):
        yield say(locale, Sentence("respond-itself", {"kind": kind, "found": as_text(value)}))
    score = _score(value)
    if score is not None and sureness(task, value) is Sureness.NOT and not _doubts(text, score):
        yield say(locale, Sentence("respond-doubt", {"kind": kind}))


def _labels_told(text: str, value: Value) -> bool:
    """Whether what an expert named first, or any thing it found, is named."""
    match value:
        case Labels(items):
            return names(text, items[0].label, [item.label for item in items[1:]])
        case Boxes(items):
            named = any(names_exactly(text, item.label) for item in items)
            counts = {float(count) for count in Counter(item.label for item in items).values()}
            return named or bool(counts & counts_in(text))
        case _:
            return True


def _answer_told(text: str, answer: str) -> bool:
    """Whether a short answer that can be checked (a number, a name) is told, in whatever words are around it."""
    if len(answer) > _SHORT or not _CHECKABLE.search(answer):
        return True
    if numbers := values([answer]):
        named = any(word in text for word in _NAME.findall(answer))
        told = counts_in(text)
        return named or any(abs(one - other) <= _NEAR * one for one in numbers for other in told)
    said = f" {normal(text)} "
    return any(f" {word} " in said for word in normal(answer).split() if len(word) >= _SHORTEST - 1)


def _doubts(text: str, score: float) -> bool:
    percent = re.search(rf"\b{100 * score:.0f}(?:[.,]\d+)?{PERCENT.pattern}", text, re.IGNORECASE)
    return bool(percent or UNSURE.search(text))
