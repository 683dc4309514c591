"""Stage 1 by a language model: one call, and one more with the errors where a plan makes no sense."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from pipeline.domain import (
    Model,
    Noticed,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Sentence,
    TaskKind,
)
from pipeline.errors import LlmError, LlmUnavailable, PlanError
from pipeline.lessons import alike
from pipeline.planning.choosing import Open, chosen
from pipeline.planning.instructions import CHOOSABLE, FULL
from pipeline.planning.likely import likely_by_words
from pipeline.planning.needless import needed
from pipeline.planning.prompting import plan_prompt, repair_prompt
from pipeline.planning.reading import Reading, errors_of, left_out, read_plan
from pipeline.planning.streaming import EarlyReader, broken_off, remaining
from pipeline.policy import Rules
from pipeline.ports import Catalogue, Lesson, Llm, Prompt, Records, Taught, untaught
from pipeline.shortlist import Shelf
from pipeline.table import KINDS

Likely = Callable[[Request], Sequence[TaskKind]]
"""The kinds that a request may need, the likeliest first."""

CANDIDATES = 3


@dataclass(frozen=True, slots=True)
class LlmPlanner:
    """Plans with a language model, in tasks of these kinds. `early` hands tasks over while the plan is still being written."""

    llm: Llm
    catalogue: Catalogue
    likely: Likely = likely_by_words
    early: bool = False
    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)
    choosing: bool = True
    """Whether it also picks the models, out of those that stand in the prompt."""
    taught: Taught = untaught
    """What was liked before: plans to go by, where the request is alike."""
    thorough: bool = False
    """Whether kinds that were not foreseen are worth a call of their own, for all of them together."""

    @property
    def name(self) -> str:
        return self.llm.name

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Raises LlmError, PlanError."""
        liked = alike(await self.taught(request), request)
        likely = self._likely(liked, request)
        models = {
            kind.name: await self._offered(kind, request)
            for kind in likely[:CHOOSABLE]
            if self.choosing
        }
        asked = plan_prompt(
            request,
            likely,
            models,
            room=await self.llm.room(),
            kinds=self.kinds,
            liked=liked,
        )
        if asked.cut:
            yield Noticed(Sentence("plan-request-cut"))
        reader = EarlyReader(request, self.kinds, on=self.early)
        async with aclosing(self._written(asked.prompt, reader)) as pieces:
            async for piece in pieces:
                for part in reader.feed(piece):
                    yield part
        reading = await self._understood(asked.prompt, reader, request)
        reading = needed(reading, [kind.name for kind in likely[:FULL]])
        for part in await self._with_models(tuple(remaining(reading, reader)), models, request):
            yield part
        if reading.reply and not reading.plan.tasks:
            yield Replied(reading.reply)

    def _likely(self, liked: Sequence[Lesson], request: Request) -> Sequence[TaskKind]:
        """The kinds of what was liked first, then those that the words speak for."""
        taught = [task.kind for lesson in liked for task in lesson.plan.tasks]
        names = dict.fromkeys(kind.name for kind in (*taught, *self.likely(request)))
        return [self.kinds[name] for name in names if name in self.kinds]

    async def _offered(self, kind: TaskKind, request: Request) -> Sequence[Model]:
        """The best models for a kind at the place where it would run."""
        shelf = Shelf(self.catalogue, self.rules, self.records)
        found = await shelf.shortlist(kind, request)
        return [model for model in found if model.places[0] == found[0].places[0]][:CANDIDATES]

    async def _with_models(
        self, parts: Sequence[PlanPart], models: Mapping[str, Sequence[Model]], request: Request
    ) -> Sequence[PlanPart]:
        """The same, with models for kinds that were not foreseen: one more call for all of them, if there is a choice."""
        if not (self.choosing and self.thorough) or self.early:
            return parts
        unforeseen = [
            Open(part, await self._offered(part.task.kind, request))
            for part in parts
            if isinstance(part, Proposed) and not part.model and part.task.kind.name not in models
        ]
        choosable = [one for one in unforeseen if len(one.models) > 1]
        picked = await chosen(self.llm, request, choosable) if choosable else {}
        return [
            picked.get(part.task.id, part) if isinstance(part, Proposed) else part for part in parts
        ]

    async def _written(self, prompt: Prompt, reader: EarlyReader) -> AsyncGenerator[str]:
        """The pieces of the plan. When they break off, what there is of it is kept."""
        try:
            async with aclosing(self.llm.stream(prompt)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, str):
                        yield piece
        except LlmError as error:
            if not reader.text:
                raise
            reader.broke_off = error

    async def _understood(self, prompt: Prompt, reader: EarlyReader, request: Request) -> Reading:
        """The plan; after one more turn if something in it is wrong and the second try is better."""
        try:
            first = broken_off(read_plan(reader.text, request, kinds=self.kinds), reader)
        except PlanError as error:
            return await self._second(prompt, reader, str(error.sentence.args["errors"]), request)
        if not first.wrong:
            return first
        try:
            second = await self._second(prompt, reader, errors_of(first), request)
        except (PlanError, LlmError):
            if reader.broke_off and not first.plan.tasks:
                raise
            return first
        return second if _wrongs(second) < _wrongs(first) else first

    async def _second(
        self, prompt: Prompt, reader: EarlyReader, errors: str, request: Request
    ) -> Reading:
        """What the model makes of it when its errors are quoted to it. Raises LlmError, PlanError."""
        if reader.broke_off is not None and not _passing(reader.broke_off):
            raise reader.broke_off
        again = repair_prompt(prompt, reader.text, errors, await self.llm.room())
        pieces = [piece async for piece in self.llm.stream(again) if isinstance(piece, str)]
        return read_plan("".join(pieces), request, kinds=self.kinds)


def _passing(error: LlmError) -> bool:
    """Whether what broke a plan off may be over; when the time was up, once more would take as long."""
    return isinstance(error, LlmUnavailable) and error.sentence.id != "llm-too-slow"


def _wrongs(reading: Reading) -> tuple[int, int]:
    """How bad a plan is: what was left out counts more than what was guessed."""
    return left_out(reading.repairs), len(reading.wrong)
