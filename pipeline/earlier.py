"""The same thing is not made twice: what a task is made from, and what earlier runs of the thread made from the same."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from pipeline.content import content, fingerprint
from pipeline.domain import (
    Choice,
    Done,
    Outcomes,
    Ref,
    Request,
    Source,
    Step,
    Task,
    TaskId,
)
from pipeline.errors import TroupeError
from pipeline.tools import Tools

log = structlog.get_logger()

_WISHED = frozenset({"chosen-named", "chosen-channel"})
_AGAIN = re.compile(
    r"\b(?:again|once more|redo|afresh|nochmals?|noch einmal|noch mal|erneut|otra vez|de nuevo|nuevamente"
    r"|encore une fois|de nouveau|à nouveau)\b|再次|重新|再来|再做|もう一度|もう1度|再度|やり直",
    re.IGNORECASE,
)
"""Words of those who are not content with what there is already."""


def content_key(task: Task, done: Outcomes, language: str) -> str:
    """What a task is made from: its kind, the words and the content of the files it is given; never their names.

    "" where the same is to be made anew every time.
    """

    def handed_on(ref: Ref) -> object:
        outcome = done[ref.task]
        assert isinstance(outcome, Done), "a task is only given what was done"
        return content(outcome.output.slots[ref.slot]) if ref.slot in outcome.output.slots else ""

    return "" if task.kind.anew else fingerprint(task, handed_on, language)


@dataclass(slots=True)
class Earlier:
    """What a run may take from the earlier runs of its thread. They are only asked when there were any, once."""

    request: Request
    tools: Tools
    _known: Mapping[str, Source] | None = None
    _first: dict[str, str] = field(default_factory=dict)
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def result(self, key: str, choice: Choice) -> Done | None:
        """What was made from the same by a model that may be used here still, and is not another than the one wished for."""
        try:
            source = (await self._made()).get(key)
            made = await self.tools.results.outcome(source) if source else None
        except TroupeError as error:
            log.warning("earlier results not read", run=self.request.run, why=str(error))
            return None
        if source is None or not isinstance(made, Done) or not self._suits(made, key, choice):
            return None
        before = made.source if made.source and made.source.run else source
        return replace(made, took=0.0, key=key, source=before)

    async def _made(self) -> Mapping[str, Source]:
        async with self._asking:
            if self._known is None:
                fresh = self.request.anew or not _follows(self.request)
                self._known = {} if fresh else await self.tools.results.made(self.request.thread)
            return self._known

    def _suits(self, made: Done, key: str, choice: Choice) -> bool:
        """Two tasks that differ only in their models are a comparison: each wants its own."""
        first = self._first.setdefault(key, choice.model.id)
        if choice.reason.id in _WISHED or first != choice.model.id:
            return made.model.id == choice.model.id
        allowed = self.tools.shelf.allowed([made.model], self.request)
        return any(made.place in model.places for model in allowed)


def _follows(request: Request) -> bool:
    """Whether something was answered in the thread before, and nobody wants it done again."""
    context = request.context
    answered = bool(context.summary) or any(turn.person.is_bot for turn in context.turns)
    return answered and not _AGAIN.search(request.text)


@dataclass(slots=True)
class Twins:
    """Tasks of one plan that do the same as one before them: the same kind, the same model, the same given. `of` has the first of each."""

    of: dict[TaskId, TaskId] = field(default_factory=dict)
    _known: dict[str, TaskId] = field(default_factory=dict)

    def meet(self, step: Step) -> None:
        """A task of the plan, after all that it needs."""
        task = step.task
        if task.kind.anew:
            return
        model = step.choice.model.id if step.choice else ""
        key = fingerprint(task, lambda ref: [self.of.get(ref.task, ref.task), ref.slot], model)
        first = self._known.setdefault(key, task.id)
        if first != task.id:
            self.of[task.id] = first

    def part(self, gone: TaskId) -> None:
        """A task that was taken back is nobody's first any more."""
        self._known = {key: first for key, first in self._known.items() if first != gone}


async def spared(steps: Sequence[Step], request: Request, tools: Tools) -> Outcomes:
    """The tasks that will take what an earlier run of the thread made, and what that is; as far as their inputs are known beforehand."""
    earlier, known = Earlier(request, tools), dict[TaskId, Done]()
    for step in steps:
        if step.choice is None or not known.keys() >= step.task.needs:
            continue
        key = content_key(step.task, known, request.person.locale)
        if key and (made := await earlier.result(key, step.choice)):
            known[step.task.id] = made
    return dict(known)
