"""What the record of a run holds that an answer may say: words, numbers, labels, names."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.conversions import as_text
from pipeline.domain import (
    Arg,
    Attachment,
    Boxes,
    Done,
    Failed,
    Labels,
    Masks,
    Media,
    Number,
    Outcome,
    Outcomes,
    Plan,
    Request,
    Spans,
    Stopped,
    Text,
    Type,
    Value,
    Vector,
)
from pipeline.response.edits import MARK
from pipeline.response.numbers import shares_in, values
from pipeline.response.spelled import counted_in
from pipeline.response.vocabulary import normal
from pipeline.words import say, title

_MARKED = re.compile(rf"\S*{re.escape(MARK)}")


@dataclass(frozen=True, slots=True)
class Record:
    """What a run knows. `words` is all that was said in it, normalised; labels are in small letters."""

    asked: str
    told: tuple[str, ...]
    """People's and experts' own words."""
    texts: tuple[str, ...]
    words: str
    names: frozenset[str]
    """Files, models and kinds of tasks, as they are called."""
    numbers: frozenset[float]
    percents: frozenset[float]
    """Numbers that are shares of a hundred."""
    stated: frozenset[float]
    """Numbers in what was told and said before."""
    measured: frozenset[float]
    """Numbers that may be rounded."""
    scores: frozenset[float]
    counts: Mapping[str, frozenset[int]]
    shares: Mapping[str, frozenset[float]]
    labelled: bool
    """Whether an expert gave labels."""
    done: int
    """How many tasks were done."""
    made: frozenset[Type]
    """The types of the files that the run made."""

    def says(self, words: str) -> bool:
        """Whether these words stand somewhere in it."""
        wanted = normal(words)
        return bool(wanted) and f" {wanted} " in self.words

    def holds(self, exactly: str) -> bool:
        """Whether a text of it holds this, letter by letter."""
        wanted = exactly.casefold()
        return any(wanted in text.casefold() for text in self.texts)


def record(request: Request, plan: Plan, outcomes: Outcomes) -> Record:
    """The record of a run."""
    done = [outcome for outcome in outcomes.values() if isinstance(outcome, Done)]
    found = [value for outcome in done for value in outcome.output.slots.values()]
    names = frozenset(_names(request, plan, outcomes))
    told = (request.text, *(value.text for value in found if isinstance(value, Text)))
    thread = tuple(_in_thread(request))
    said = [
        request.text,
        *thread,
        *_said(request, plan, outcomes),
        *map(_words, found),
    ]
    texts = tuple(dict.fromkeys([*said, *names]))
    counts, shares = _labels(found)
    return Record(
        request.text,
        told,
        texts,
        f" {' | '.join(map(normal, texts))} ",
        names,
        values(said) | counted_in(said) | frozenset(_counted(request, plan, outcomes, found)),
        shares_in(said),
        values((*told, *thread)),
        frozenset(_measured(done, found)),
        frozenset(_scores(found)),
        counts,
        shares,
        labelled=any(isinstance(value, Labels | Boxes | Masks) for value in found),
        done=len(done),
        made=frozenset(file.type for file in made_files(done)),
    )


def attachments(request: Request, outcomes: Outcomes) -> Iterator[Attachment]:
    """Every file of a run and its thread."""
    for file in (*request.context.files, *request.files):
        yield file.attachment
    yield from made_files(outcomes.values())


def made_files(outcomes: Iterable[Outcome]) -> Iterator[Attachment]:
    """Every file that tasks made."""
    for outcome in outcomes:
        if isinstance(outcome, Done):
            yield from outcome.extras
            for value in outcome.output.slots.values():
                if isinstance(value, Media):
                    yield value.attachment


def _names(request: Request, plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    for file in (*request.context.files, *request.files):
        yield file.name
    for attachment in attachments(request, outcomes):
        yield attachment.name
    for unused in request.unused:
        yield unused.name
    for task in plan.tasks:
        yield from (task.kind.name, title("en", task.kind.name))
        yield title(request.person.locale, task.kind.name)
    for outcome in outcomes.values():
        yield from _models(outcome)


def _models(outcome: Outcome) -> Iterator[str]:
    if isinstance(outcome, Done):
        yield outcome.model.id
    if isinstance(outcome, Done | Failed):
        yield from (attempt.model for attempt in outcome.tried)


def _said(request: Request, plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    locale = request.person.locale
    for attachment in attachments(request, outcomes):
        yield attachment.description
    for task in plan.tasks:
        yield from (_argument(arg) for args in task.args.values() for arg in args)
    for outcome in outcomes.values():
        match outcome:
            case Done():
                yield outcome.output.note
            case Failed(reason) | Stopped(reason):
                yield from (say("en", reason), say(locale, reason))
            case _:
                pass
    for unused in request.unused:
        yield say(locale, unused.reason)


def _in_thread(request: Request) -> Iterator[str]:
    """What was said before, but for what was marked in it."""
    for text in (request.context.summary, *(turn.text for turn in request.context.turns)):
        yield _MARKED.sub(" ", text)


def _argument(arg: Arg) -> str:
    match arg:
        case Text(text):
            return text
        case Number(value):
            return f"{value:g}"
        case _:
            return ""


def _words(value: Value) -> str:
    match value:
        case Labels(items):
            return ", ".join(item.label for item in items)
        case Media():
            return ""
        case _:
            return as_text(value)


def _labels(
    found: Iterable[Value],
) -> tuple[Mapping[str, frozenset[int]], Mapping[str, frozenset[float]]]:
    counts: dict[str, set[int]] = defaultdict(set)
    shares: dict[str, set[float]] = defaultdict(set)
    for value in found:
        if isinstance(value, Boxes | Masks):
            for label, count in Counter(item.label.casefold() for item in value.items).items():
                counts[label].add(count)
        if isinstance(value, Boxes | Masks | Labels | Spans):
            for item in value.items:
                if item.score is not None:
                    shares[item.label.casefold()].add(item.score)
    return _frozen(counts), {label: frozenset(some) for label, some in shares.items()}


def _frozen(counts: Mapping[str, set[int]]) -> Mapping[str, frozenset[int]]:
    return {label: frozenset(some) for label, some in counts.items()}


def _counted(
    request: Request, plan: Plan, outcomes: Outcomes, found: Iterable[Value]
) -> Iterator[float]:
    """What can be counted in a run: tasks, files, things found, words of a text."""
    made = [one for outcome in outcomes.values() for one in _media(outcome)]
    yield from (1, len(plan.tasks), len(made))
    yield from Counter(file.attachment.type for file in made).values()
    yield from Counter(file.attachment.type for file in request.files).values()
    yield from Counter(type(outcome) for outcome in outcomes.values()).values()
    yield len({name for outcome in outcomes.values() for name in _models(outcome)})
    for value in found:
        match value:
            case Labels(items) | Boxes(items) | Masks(items) | Spans(items):
                yield len(items)
                yield from Counter(item.label for item in items).values()
            case Vector(entries):
                yield len(entries)
            case _:
                pass
        if isinstance(value, Boxes):
            for box in value.items:
                yield from (box.xmin, box.ymin, box.xmax, box.ymax)
                yield from (box.xmax - box.xmin, box.ymax - box.ymin)


def _media(outcome: Outcome) -> list[Media]:
    slots = outcome.output.slots.values() if isinstance(outcome, Done) else ()
    return [value for value in slots if isinstance(value, Media)]


def _measured(done: Iterable[Done], found: Iterable[Value]) -> Iterator[float]:
    for outcome in done:
        yield outcome.took
    for value in found:
        if isinstance(value, Number):
            yield value.value


def _scores(found: Iterable[Value]) -> Iterator[float]:
    for value in found:
        match value:
            case Text(_, score) if score is not None:
                yield score
            case Labels(items) | Boxes(items) | Spans(items):
                yield from (item.score for item in items)
            case Masks(items):
                yield from (item.score for item in items if item.score is not None)
            case _:
                pass
