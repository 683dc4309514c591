"""A conversation as it is handed on: what was asked and answered, with models and licences."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from pipeline.domain import AnswerFile, Attachment, Done, LocalizedText, Run, RunId, TaskId
from pipeline.ports import Store

_AT_ONCE = 50
"""Runs that are in memory together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageStep:
    """A step that was done: its kind, by which model, with which licence ("": not known).

    `number` is its place in the plan, as on the page.
    """

    number: int
    task: TaskId
    kind: str
    model: str
    licence: str
    place: str
    took: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A message and its answer; `answer` is "" if there is none. Times are None if not known."""

    run: RunId
    text: str
    sent: tuple[Attachment, ...]
    sent_at: datetime | None
    answer: str
    made: tuple[AnswerFile, ...]
    answered_at: datetime | None
    steps: tuple[PassageStep, ...]
    notices: tuple[LocalizedText, ...]

    def origin(self, file: AnswerFile) -> PassageStep | None:
        """The step that made a file of the answer."""
        return next((step for step in self.steps if step.task == file.task), None)


async def read_passages(store: Store, runs: Sequence[RunId]) -> AsyncIterator[Passage]:
    """The passages of these runs, in this order; those that were forgotten are left out."""
    for start in range(0, len(runs), _AT_ONCE):
        wanted = runs[start : start + _AT_ONCE]
        records = {record.id: record for record in await store.load_all(wanted)}
        messages = [record.message for record in records.values()]
        turns = {turn.key: turn for turn in await store.find_turns([*messages, *records])}
        for run in wanted:
            if (record := records.get(run)) is None:
                continue
            asked, told = turns.get(record.message), turns.get(run)
            answer = record.answer
            yield Passage(
                run=run,
                text=record.text,
                sent=tuple(file.attachment for file in (asked.files if asked else ())),
                sent_at=asked.at if asked else None,
                answer=answer.text if answer else told.text if told else "",
                made=answer.files if answer else (),
                answered_at=told.at if told else None,
                steps=tuple(_list_steps(record)),
                notices=answer.notices if answer else (),
            )


def _list_steps(record: Run) -> Iterator[PassageStep]:
    for number, task in enumerate(record.plan.tasks, 1):
        outcome = record.outcomes.get(task.id)
        if isinstance(outcome, Done):
            yield PassageStep(
                number=number,
                task=task.id,
                kind=task.kind.name,
                model=outcome.model.id,
                licence=outcome.model.licence,
                place=outcome.place.name,
                took=outcome.took,
            )
