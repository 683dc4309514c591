"""Nothing is made twice: steps are known by content, within a plan and in the runs of a thread."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import structlog

from pipeline.codec import to_plain
from pipeline.domain import (
    Choice,
    Done,
    Masks,
    Media,
    Outcomes,
    Ref,
    Request,
    Source,
    Task,
    TaskId,
    Text,
    Value,
    find_slots,
)
from pipeline.errors import TroupeError
from pipeline.tools import Tools

log = structlog.get_logger()

_FORM = 1
"""Raise this when the same fingerprint would mean something else."""
_WISHED_FOR = frozenset({"chosen-named", "chosen-channel"})


def fingerprint(task: Task, resolve: Callable[[Ref], object], *more: str) -> str:
    """The same for tasks that do the same, whatever their numbers and the names of their files.

    `resolve` says what a reference stands for: the content itself, or the step that makes it.
    """
    args = {
        name: [resolve(arg) if isinstance(arg, Ref) else describe_content(arg) for arg in pieces]
        for name, pieces in task.args.items()
    }
    text = json.dumps([_FORM, task.kind.name, args, *more], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def describe_content(value: Value) -> object:
    """What is in a value, as JSON, without the names of files."""
    match value:
        case Text(text):
            return text.strip()
        case Media(attachment):
            return ["file", attachment.hash]
        case Masks(items):
            images = (item.image for item in items)
            files = [one.attachment.hash if isinstance(one, Media) else "" for one in images]
            rows = zip(items, files, strict=True)
            return ["masks", [[item.label, item.score, file] for item, file in rows]]
        case _:
            return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class StepNames:
    """Names for the steps of a plan: what each does, and how many before it do the same.

    Neither numbers nor timing count, so a plan that is written again after a restart, or starts
    over, gives the same names to the same steps.
    """

    _names: dict[TaskId, str] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)

    def of(self, task: Task) -> str:
        """The name of a task. Ask for the tasks in the order of the plan."""
        if task.id not in self._names:
            after = sorted(self._names[need] for need in task.after)
            does = fingerprint(task, lambda ref: [self._names[ref.task], ref.slot], *after)[:16]
            self._names[task.id] = f"task:{does}:{self._times[does]}"
            self._times[does] += 1
        return self._names[task.id]


def make_key(task: Task, done: Outcomes, language: str) -> str:
    """What a task is made from: its kind, its words and the content of its files.

    "" where whoever asks once more expects another result (`TaskKind.anew`).
    """

    def resolve(ref: Ref) -> object:
        value = find_slots(done, ref.task).get(ref.slot)
        return "" if value is None else describe_content(value)

    return "" if task.kind.anew else fingerprint(task, resolve, language)


@dataclass(slots=True)
class EarlierResults:
    """What a run may take from earlier runs of its thread. They are read once, if at all."""

    request: Request
    tools: Tools
    _sources: Mapping[str, Source] | None = None
    _first_models: dict[str, str] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, key: str, choice: Choice) -> Done | None:
        """What was made from the same, if its model may still be used and suits the choice."""
        try:
            source = (await self._read_sources()).get(key)
            outcome = await self.tools.results.load_outcome(source) if source else None
        except TroupeError as error:
            log.warning("earlier results not read", run=self.request.run, why=str(error))
            return None
        if not source or not isinstance(outcome, Done):
            return None
        if not self._is_suitable(outcome, key, choice):
            return None
        origin = outcome.source if outcome.source and outcome.source.run else source
        return replace(outcome, took=0.0, key=key, source=origin)

    async def _read_sources(self) -> Mapping[str, Source]:
        async with self._reading:
            if self._sources is None:
                context, results = self.request.context, self.tools.results
                answered = context.summary or any(turn.person.is_bot for turn in context.turns)
                may_reuse = answered and not self.request.anew
                self._sources = await results.find_results(self.request.thread) if may_reuse else {}
            return self._sources

    def _is_suitable(self, outcome: Done, key: str, choice: Choice) -> bool:
        """Two tasks that differ only in their models are a comparison: each wants its own."""
        first = self._first_models.setdefault(key, choice.model.id)
        if choice.reason.id in _WISHED_FOR or first != choice.model.id:
            return outcome.model.id == choice.model.id
        allowed = self.tools.candidates.filter_allowed([outcome.model], self.request)
        return any(outcome.place in model.places for model in allowed)
