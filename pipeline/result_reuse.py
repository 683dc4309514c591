"""Reuse of results: steps are identified by content, within a plan and across a thread's runs."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
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

_FINGERPRINT_VERSION = 1
"""Increase this when the meaning of a fingerprint changes."""
_EXPLICIT_CHOICES = frozenset({"chosen-named", "chosen-channel"})
"""Reasons of choices that the person or the channel made."""


def fingerprint(task: Task, resolve: Callable[[Ref], object], *more: str) -> str:
    """A hash of a task's kind, arguments and `more`; task numbers and file names do not count.

    `resolve` replaces a reference by the content it stands for, or by the step that makes it.
    """
    args = {
        name: [resolve(arg) if isinstance(arg, Ref) else _describe_content(arg) for arg in pieces]
        for name, pieces in task.args.items()
    }
    text = json.dumps([_FINGERPRINT_VERSION, task.kind.name, args, *more], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _describe_content(value: Value) -> object:
    """The content of a value as JSON data, without file names."""
    match value:
        case Text(text):
            return text.strip()
        case Media(attachment):
            return ["file", attachment.hash]
        case Masks(items):
            images = (item.image for item in items)
            files = [image.attachment.hash if isinstance(image, Media) else "" for image in images]
            rows = zip(items, files, strict=True)
            return ["masks", [[item.label, item.score, file] for item, file in rows]]
        case _:
            return json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class StepNames:
    """Stable names for the steps of a plan: a fingerprint and the count of equal steps before it.

    Names do not depend on task numbers or timing, so equal steps get equal names when a plan is
    written again, after a restart or from a fresh start.
    """

    _names: dict[TaskId, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def of(self, task: Task) -> str:
        """The name of a task. Must be called for the tasks in the order of the plan."""
        if task.id not in self._names:
            after = sorted(self._names[need] for need in task.after)
            key = fingerprint(task, lambda ref: [self._names[ref.task], ref.slot], *after)[:16]
            self._names[task.id] = f"task:{key}:{self._counts[key]}"
            self._counts[key] += 1
        return self._names[task.id]

    def know(self, tasks: Iterable[Task]) -> None:
        """Name tasks of earlier rounds. An equal task that comes later gets the same name."""
        for task in tasks:
            self.of(task)
        self._counts.clear()


def make_key(task: Task, done: Outcomes, language: str) -> str:
    """The cache key of a task's result: its kind, the content of its arguments and the language.

    "" for kinds whose results are never reused (`TaskKind.anew`).
    """

    def resolve(ref: Ref) -> object:
        value = find_slots(done, ref.task).get(ref.slot)
        return "" if value is None else _describe_content(value)

    return "" if task.kind.anew else fingerprint(task, resolve, language)


@dataclass(slots=True)
class EarlierResults:
    """The results of earlier runs of the thread, for reuse. Loaded once, on first use."""

    request: Request
    tools: Tools
    _sources: Mapping[str, Source] | None = None
    _first_models: dict[str, str] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self, key: str, choice: Choice) -> Done | None:
        """A result with this cache key, if its model is still allowed and suits the choice."""
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
        return replace(outcome.reuse(source), key=key)

    async def _read_sources(self) -> Mapping[str, Source]:
        async with self._reading:
            if self._sources is None:
                context, results = self.request.context, self.tools.results
                answered = context.summary or any(turn.person.is_bot for turn in context.turns)
                may_reuse = answered and not self.request.anew
                self._sources = await results.find_results(self.request.thread) if may_reuse else {}
            return self._sources

    def _is_suitable(self, outcome: Done, key: str, choice: Choice) -> bool:
        """Whether the result's model may stand in for the chosen one.

        Equal tasks with different models compare these models, so each needs its own result.
        """
        first = self._first_models.setdefault(key, choice.model.id)
        if choice.reason.id in _EXPLICIT_CHOICES or first != choice.model.id:
            return outcome.model.id == choice.model.id
        candidates, channel = self.tools.candidates, self.request.settings
        allowed = candidates.filter_allowed([outcome.model], channel)
        return any(outcome.place in model.places for model in allowed)
