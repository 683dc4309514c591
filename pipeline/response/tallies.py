"""What can be counted, weighed and measured in a run."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pipeline.domain import (
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
    Text,
    Value,
    Vector,
)


def labels_of(
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


def ranked(found: Iterable[Value]) -> Iterator[tuple[str, ...]]:
    for value in found:
        if isinstance(value, Labels) and value.items:
            yield tuple(item.label for item in value.items)


def _frozen(counts: Mapping[str, set[int]]) -> Mapping[str, frozenset[int]]:
    return {label: frozenset(some) for label, some in counts.items()}


def counted(
    request: Request, plan: Plan, outcomes: Outcomes, found: Iterable[Value]
) -> Iterator[float]:
    """What can be counted in a run: tasks, files, things found, words of a text."""
    made = [one for outcome in outcomes.values() for one in _media(outcome)]
    yield from (1, len(plan.tasks), len(made))
    yield from Counter(file.attachment.type for file in made).values()
    yield from Counter(file.attachment.type for file in request.files).values()
    yield from Counter(type(outcome) for outcome in outcomes.values()).values()
    yield len({name for outcome in outcomes.values() for name in models_of(outcome)})
    for value in found:
        match value:
            case Labels(items) | Boxes(items) | Masks(items) | Spans(items):
                yield from (len(items), len({item.label for item in items}))
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


def measured(done: Iterable[Done], found: Iterable[Value]) -> Iterator[float]:
    for outcome in done:
        yield outcome.took
    for value in found:
        if isinstance(value, Number):
            yield value.value


def scores(found: Iterable[Value]) -> Iterator[float]:
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


def models_of(outcome: Outcome) -> Iterator[str]:
    if isinstance(outcome, Done):
        yield outcome.model.id
    if isinstance(outcome, Done | Failed):
        yield from (attempt.model for attempt in outcome.tried)
