"""Stage 1 with a language model: one streamed call, and a second if the plan has errors."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ValidationError

from pipeline.domain import (
    LocalizedText,
    Model,
    Noticed,
    PlanPart,
    Proposed,
    Replanned,
    Replied,
    Request,
    TaskId,
    TaskKind,
)
from pipeline.errors import LlmError, LlmUnavailable, PlanError
from pipeline.feedback import find_similar
from pipeline.planning.parse import load_object
from pipeline.planning.prompt import (
    CHOOSABLE,
    describe_model,
    plan_prompt,
    repair_prompt,
)
from pipeline.planning.validate import PlanReader, ValidatedPlan, read_plan
from pipeline.ports import (
    Catalogue,
    FindExamples,
    Llm,
    Message,
    PlanExample,
    Prompt,
    Records,
    find_no_examples,
    stream_text,
)
from pipeline.prompts import cut_middle, fence, render
from pipeline.prompts.schemas import INTEGER, TEXT, array, strict_object
from pipeline.selection import Candidates, Rules
from pipeline.task_kinds import KINDS

RankKinds = Callable[[Request], Sequence[TaskKind]]
"""Returns the kinds that a request may need, most likely first."""

_MODELS_OFFERED = 3
_REQUEST_TOKENS, _CHOICE_TOKENS = 600, 1024
_LONGEST_REASON = 120


@dataclass(frozen=True, slots=True)
class LlmPlanner:
    """Plans with a language model.

    A task is proposed as soon as its JSON is complete and valid. If the plan has errors, the model
    is asked again; if the second plan is better, the plan starts over (`Replanned`).
    """

    llm: Llm
    catalogue: Catalogue
    likely: RankKinds = lambda _request: tuple(KINDS.values())
    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)
    choosing: bool = True
    """Let the language model choose models from those in the prompt."""
    find_examples: FindExamples = find_no_examples
    """Finds liked plans to show for similar requests."""
    thorough: bool = False
    """Choose models in a separate call; no task starts before that call has returned."""

    @property
    def name(self) -> str:
        return self.llm.name

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Raises LlmError, PlanError."""
        liked = find_similar(await self.find_examples(request), request)
        likely = self._rank_kinds(liked, request)
        is_thorough = self.choosing and self.thorough
        offered = likely[:CHOOSABLE] if self.choosing and not is_thorough else ()
        models = {kind.name: await self._find_models(kind, request) for kind in offered}
        room = await self.llm.room()
        planning = plan_prompt(request, likely, models, room=room, kinds=self.kinds, liked=liked)
        if planning.cut:
            yield Noticed(LocalizedText("plan-request-cut"))
        held: list[Proposed] = []
        async with aclosing(self._read(planning.prompt, request)) as parts:
            async for part in parts:
                if isinstance(part, Proposed) and is_thorough:
                    held.append(part)
                    continue
                if isinstance(part, Replanned):
                    held = []
                yield part
        for proposed in await self._choose_models(held, request):
            yield proposed

    def _rank_kinds(self, liked: Sequence[PlanExample], request: Request) -> Sequence[TaskKind]:
        """The kinds in liked plans first, then those likely for the request."""
        liked_kinds = [task.kind for example in liked for task in example.plan.tasks]
        names = dict.fromkeys(kind.name for kind in (*liked_kinds, *self.likely(request)))
        return [self.kinds[name] for name in names if name in self.kinds]

    async def _find_models(self, kind: TaskKind, request: Request) -> Sequence[Model]:
        """The best models for a kind, at the place of the very best."""
        candidates = Candidates(self.catalogue, self.rules, self.records)
        models = await candidates.shortlist(kind, request)
        at_first_place = [model for model in models if model.places[0] == models[0].places[0]]
        return at_first_place[:_MODELS_OFFERED]

    async def _read(self, prompt: Prompt, request: Request) -> AsyncGenerator[PlanPart]:
        """Yield tasks while they are streamed, then the rest of the better plan."""
        reader, proposed = PlanReader(request, self.kinds), list[PlanPart]()
        stream_error: LlmError | None = None
        try:
            async with aclosing(self._write(prompt, reader)) as parts:
                async for part in parts:
                    proposed = [] if isinstance(part, Replanned) else [*proposed, part]
                    yield part
        except LlmError as error:
            if not reader.text:
                raise
            stream_error = error  # keep the tasks that arrived before it
        plan, is_second = await self._finish(prompt, reader, stream_error, request)
        if is_second and proposed:
            proposed = []
            yield Replanned()
        for part in plan.parts:
            if part not in proposed:
                yield part
        if plan.reply and not plan.plan.tasks:
            yield Replied(plan.reply)

    async def _write(self, prompt: Prompt, reader: PlanReader) -> AsyncGenerator[PlanPart]:
        async with aclosing(stream_text(self.llm, prompt)) as pieces:
            async for piece in pieces:
                for part in reader.feed(piece):
                    yield part

    async def _finish(
        self, prompt: Prompt, reader: PlanReader, stream_error: LlmError | None, request: Request
    ) -> tuple[ValidatedPlan, bool]:
        """The plan, or a better second one, asked for with the errors; and whether it is that."""
        first: ValidatedPlan | None = None
        try:
            first = reader.finish(interrupted=stream_error is not None)
            if not first.errors:
                return first, False
            errors = first.describe_errors()
        except PlanError as error:
            errors = str(error.sentence.args["errors"])
        try:
            if stream_error and _is_final(stream_error):
                raise stream_error
            again = repair_prompt(prompt, reader.text, errors, await self.llm.room())
            text = "".join([piece async for piece in stream_text(self.llm, again)])
            second = read_plan(text, request, kinds=self.kinds)
        except (PlanError, LlmError):
            if first is None or (stream_error and not first.plan.tasks):
                raise
            return first, False
        if first is not None and second.count_errors() >= first.count_errors():
            return first, False
        return second, True

    async def _choose_models(
        self, tasks: Sequence[Proposed], request: Request
    ) -> Sequence[Proposed]:
        """The paper's in-context model selection, in one call; if it fails, leave it to ranking."""
        offers = {part.task.id: await self._find_models(part.task.kind, request) for part in tasks}
        models = {id_: offered for id_, offered in offers.items() if len(offered) > 1}
        if not models:
            return tasks
        try:
            prompt = _choice_prompt(tasks, models, request)
            text = "".join([piece async for piece in stream_text(self.llm, prompt)])
            choices = _Choices.model_validate(load_object(text)).choices
        except (LlmError, ValidationError):
            return tasks
        valid = {
            choice.id: choice
            for choice in choices
            if choice.model in {model.id for model in models.get(TaskId(choice.id), ())}
        }
        return [
            replace(part, model=choice.model, reason=choice.reason[:_LONGEST_REASON])
            if (choice := valid.get(part.task.id))
            else part
            for part in tasks
        ]


def _is_final(error: LlmError) -> bool:
    """Whether a retry would not help, or would take as long again."""
    return not isinstance(error, LlmUnavailable) or error.sentence.id == "llm-too-slow"


CHOICE_SCHEMA = strict_object(choices=array(strict_object(id=INTEGER, model=TEXT, reason=TEXT)))


class _Choice(BaseModel):
    id: int
    model: str
    reason: str = ""


class _Choices(BaseModel):
    choices: list[_Choice]


def _choice_prompt(
    tasks: Sequence[Proposed], models: Mapping[TaskId, Sequence[Model]], request: Request
) -> Prompt:
    rows = [
        f"Task {part.task.id}, {part.task.kind.name} ({part.task.kind.says}): "
        f"{fence(chr(10).join(map(describe_model, models[part.task.id])))}"
        for part in tasks
        if part.task.id in models
    ]
    words = fence(cut_middle(request.text, _REQUEST_TOKENS))
    user = Message("user", "\n".join((f"Request: {words}", *rows)))
    return Prompt((Message("system", render("choose")), user), CHOICE_SCHEMA, _CHOICE_TOKENS)
