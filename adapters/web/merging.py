"""Events that need not be told one by one."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from pipeline.domain import AnswerPart, Event, Progressed


def merge_events(events: Iterable[Event]) -> Sequence[Event]:
    """Join successive pieces of text, and keep only the latest progress of a task."""
    merged: list[Event] = []
    for kind, group in groupby(events, key=type):
        if kind is AnswerPart:
            texts = (event.text for event in group if isinstance(event, AnswerPart))
            merged.append(AnswerPart("".join(texts)))
        elif kind is Progressed:
            progress = (event for event in group if isinstance(event, Progressed))
            merged += {event.task: event for event in progress}.values()
        else:
            merged += group
    return merged
