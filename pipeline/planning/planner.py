"""Stage 1 with a language model: one streamed call, and a second if the plan has errors."""

from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Hashable,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Literal

from cachetools import TTLCache
from pydantic import BaseModel, ValidationError

from pipeline.domain import (
    LocalizedText,
    Model,
    Noticed,
    Outcomes,
    Plan,
    PlanPart,
    Proposed,
    Replanned,
    ReplyPart,
    Request,
    TaskId,
    TaskKind,
)
from pipeline.errors import LlmCutShort, LlmError, LlmRefused, PlanError, is_passing
from pipeline.evidence import format_evidence
from pipeline.feedback import find_similar
from pipeline.pictures import PICTURE_TOKENS, LoadPictures, list_pictures, load_no_pictures
from pipeline.planning.prompt import (
    OFFERED_KINDS,
    SHORT_ROOM,
    Abilities,
    describe_model,
    describe_work,
    find_least_room,
    plan_prompt,
    repair_prompt,
    stable_block,
)
from pipeline.planning.validate import PlanReader, ValidatedPlan
from pipeline.ports import (
    FindExamples,
    Llm,
    Message,
    Prompt,
    find_no_examples,
    stream_text,
)
from pipeline.prompts import cut_middle, fence, render
from pipeline.prompts.schemas import INTEGER, TEXT, array, strict_object
from pipeline.selection.candidates import Candidates
from pipeline.task_kinds import KINDS
from pipeline.text.lenient_json import load_object

Selection = Literal["llm", "thorough", "ranked"]
"""Who chooses models: the language model from those in the prompt ("llm"), or in a separate call
before any task starts ("thorough"), or the ranking alone ("ranked")."""

_MODELS_OFFERED = 3
_REQUEST_TOKENS = 600
"""Tokens of the request, where models are chosen for its tasks."""
_CHOICE_TOKENS = 1024
"""Tokens of that choice."""
_RESULT_TOKENS = 300
"""Tokens of a text among the results of an earlier round."""
_MOST_CHANNELS = 256
"""Channels for which it is remembered what can run."""
_ABILITY_SECONDS = 5.0
"""Seconds for which it is remembered."""
_LONGEST_REASON = 120
"""Characters."""
CHOICE_SCHEMA = strict_object(choices=array(strict_object(id=INTEGER, model=TEXT, reason=TEXT)))


@dataclass(frozen=True, slots=True)
class LlmPlanner:
    """Plans with a language model, which is told what can run here.

    A task is proposed as soon as its JSON is complete and valid. If the plan has errors, the model
    is asked again; if the second plan is better, the plan starts over (`Replanned`).
    """

    llm: Llm
    candidates: Candidates
    _: KW_ONLY
    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)
    selection: Selection = "llm"
    find_examples: FindExamples = find_no_examples
    """Finds liked plans to show for similar requests."""
    requirements: Callable[[TaskKind], str] = lambda _kind: ""
    """The settings that would make a kind possible, or ""."""
    load_pictures: LoadPictures = load_no_pictures
    demonstrations: Collection[str] | None = None
    """Headings of the demonstrations to show; None: all."""
    all_kinds: bool = False
    """Offer every kind, whether or not it can run here: for scoring plans."""
    _abilities: TTLCache[Hashable, Abilities] = field(
        default_factory=lambda: TTLCache(_MOST_CHANNELS, _ABILITY_SECONDS), repr=False
    )
    """By the rules of the channel, and the language that models are ranked for."""

    @property
    def name(self) -> str:
        return self.llm.name

    def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Raises LlmError, PlanError."""
        return self.plan_on(request, Plan(), {})

    async def plan_on(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[PlanPart]:
        """Go on from a plan's results. Raises LlmError, PlanError."""
        abilities = await self._find_abilities(request)
        prompt = await self._build_prompt(request, abilities, plan, outcomes)
        if fence(request.text) not in prompt.messages[-1].text:
            yield Noticed(LocalizedText("plan-request-cut"))
        held: list[PlanPart] = []
        async with aclosing(self._read(prompt, abilities.kinds, request, plan)) as parts:
            async for part in parts:
                if self.selection != "thorough" or isinstance(part, ReplyPart):
                    yield part
                elif isinstance(part, Replanned):
                    held = []
                else:
                    held.append(part)
        for part in await self._choose_models(held, request):
            yield part

    async def _build_prompt(
        self, request: Request, abilities: Abilities, before: Plan, outcomes: Outcomes
    ) -> Prompt:
        room = await self.llm.room()
        short = room < SHORT_ROOM
        block = stable_block(abilities, short=short, demonstrations=self.demonstrations)
        if short and room < (least := find_least_room(block)):
            raise LlmRefused("plan-room-too-small", model=self.name, room=room, least=least)
        liked = find_similar(await self.find_examples(request), request)
        most = room // 4 // PICTURE_TOKENS if abilities.sees_pictures else 0
        pictures = await self.load_pictures(list_pictures(request)[:most]) if most else ()
        return plan_prompt(
            request,
            block,
            room=room,
            models=abilities.models,
            liked=liked,
            results=format_evidence(request, before, outcomes, most=_RESULT_TOKENS),
            pictures=pictures,
        )

    async def _find_abilities(self, request: Request) -> Abilities:
        """What can run now with the models that are live and allowed, and what the model sees."""
        rules = (*sorted(request.settings.policy.items()), *request.settings.places)
        key = (*rules, request.person.locale)
        known = self._abilities.get(key)
        if known is None:
            known = self._abilities[key] = await self._list_abilities(request)
        return replace(known, sees_pictures=self.llm.sees_images)

    async def _list_abilities(self, request: Request) -> Abilities:
        find = self.candidates.find_places
        places = {name: await find(kind, request) for name, kind in self.kinds.items()}
        able = {name: kind for name, kind in self.kinds.items() if self.all_kinds or places[name]}
        built_in = {
            name for name in able if places[name] and all(place.computes for place in places[name])
        }
        missing = {
            name: self.requirements(kind) for name, kind in self.kinds.items() if name not in able
        }
        offered = OFFERED_KINDS if self.selection == "llm" else ()
        models = {
            name: await self._find_models(able[name], request) for name in offered if name in able
        }
        return Abilities(kinds=able, missing=missing, built_in=built_in, models=models)

    async def _find_models(self, kind: TaskKind, request: Request) -> Sequence[Model]:
        return (await self.candidates.shortlist(kind, request))[:_MODELS_OFFERED]

    async def _read(
        self, prompt: Prompt, kinds: Mapping[str, TaskKind], request: Request, before: Plan
    ) -> AsyncGenerator[PlanPart]:
        """Yield tasks while they are streamed, then the rest of the better plan."""
        reader, proposed = PlanReader(request, kinds, before.tasks), list[PlanPart]()
        stream_error: LlmError | None = None
        try:
            async with aclosing(stream_text(self.llm, prompt)) as pieces:
                async for piece in pieces:
                    for part in reader.feed(piece):
                        if isinstance(part, Replanned):
                            proposed = []
                        elif not isinstance(part, ReplyPart):
                            proposed.append(part)
                        yield part
        except LlmError as error:
            if not reader.text:
                raise
            # Keep the tasks that arrived before it. The reader itself sees that a plan is cut.
            stream_error = None if isinstance(error, LlmCutShort) else error
        plan, is_second = await self._finish(prompt, reader, stream_error)
        if proposed and (is_second or not plan.tasks):
            proposed = []
            yield Replanned()
        for part in plan.parts:
            if part not in proposed:
                yield part

    async def _finish(
        self, prompt: Prompt, reader: PlanReader, stream_error: LlmError | None
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
            second = reader.read_again(text)
        except (PlanError, LlmError):
            if first is None or (stream_error and not first.tasks):
                raise
            return first, False
        if first is not None and second.count_errors() >= first.count_errors():
            return first, False
        return second, True

    async def _choose_models(
        self, parts: Sequence[PlanPart], request: Request
    ) -> Sequence[PlanPart]:
        """The paper's in-context model selection, in one call; if it fails, leave it to ranking."""
        tasks = [part for part in parts if isinstance(part, Proposed)]
        offers = {part.task.id: await self._find_models(part.task.kind, request) for part in tasks}
        models = {id_: offered for id_, offered in offers.items() if len(offered) > 1}
        if not models:
            return parts
        try:
            prompt = _choice_prompt(tasks, models, request)
            text = "".join([piece async for piece in stream_text(self.llm, prompt)])
            choices = _Choices.model_validate(load_object(text)).choices
        except (LlmError, ValidationError):
            return parts
        valid = {
            choice.id: choice
            for choice in choices
            if choice.model in {model.id for model in models.get(TaskId(choice.id), ())}
        }
        return [
            replace(part, model=choice.model, reason=choice.reason[:_LONGEST_REASON])
            if isinstance(part, Proposed) and (choice := valid.get(part.task.id))
            else part
            for part in parts
        ]


def _is_final(error: LlmError) -> bool:
    """Whether a retry would not help, or would take as long again."""
    return not is_passing(error) or error.sentence.id == "llm-too-slow"


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
        f"Task {part.task.id}, {part.task.kind.name} ({describe_work(part.task.kind)}): "
        f"{fence(chr(10).join(map(describe_model, models[part.task.id])))}"
        for part in tasks
        if part.task.id in models
    ]
    words = fence(cut_middle(request.text, _REQUEST_TOKENS))
    user = Message("user", "\n".join((f"Request: {words}", *rows)))
    return Prompt(
        (Message("system", render("choose")), user), schema=CHOICE_SCHEMA, max_tokens=_CHOICE_TOKENS
    )
