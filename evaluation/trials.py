"""Trials: the paper's requests, carried out by the ordinary program, files and all."""

import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, TypeAdapter

from adapters.store.rate_limits import LocalRateLimits
from bot.app import App
from bot.ask import PLATFORM, answer_alone, create_message
from bot.rate_limits import MessageLimits
from bot.runner import Runner
from evaluation.metered_llm import MeteredLlm
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    Apologised,
    Channel,
    Choice,
    Chose,
    Done,
    Event,
    Failed,
    Finished,
    Outcome,
    Person,
    Plan,
    Planned,
    Skipped,
    TaskId,
    Thread,
)
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Planner, Responder
from pipeline.response.llm import LlmResponder
from pipeline.run.plan_draft import PlanDraft, recall_plan
from pipeline.tools import open_run_journal

FOLDER = Path(__file__).parent / "paper"
"""The requests and their files. benchmarks/paper_files.py makes the files."""


@dataclass(frozen=True, slots=True)
class SuiteTurn:
    """One message of a request."""

    text: str
    files: tuple[str, ...]
    """Names of files in the suite's folder."""
    kinds: tuple[tuple[str, ...], ...]
    """The kinds of tasks that a good plan has: any of these lists. An empty one: no task needed."""

    def accepts(self, kinds: Sequence[str]) -> bool:
        """Whether a plan with these kinds has at least those of one of the lists."""
        return any(Counter(accepted) <= Counter(kinds) for accepted in self.kinds)


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """A request: the messages of one thread."""

    id: str
    turns: tuple[SuiteTurn, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """The requests, and what each file shows, for the judge and the annotators."""

    requests: tuple[SuiteRequest, ...]
    contents: Annotated[Mapping[str, str], Field(validation_alias="files")]


@cache
def read_paper_suite() -> Suite:
    """The 24 requests."""
    return TypeAdapter(Suite).validate_json((FOLDER / "requests.json").read_bytes())


_FALLBACKS = frozenset({"fallback-plan", "fallback-planner"})
_LEFT_OUT = "not-possible-"
"""The beginning of the ids of notices about what cannot run."""
_NO_LIMIT = 1_000_000
TOKENS = ("prompt_tokens", "completion_tokens")
Stage = TypeVar("Stage", Planner, Responder)
_PERSON = Person("evaluation", "evaluation", locale="en")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One message of a request, and the run that answered it."""

    request: str
    """The id of the request."""
    number: int
    """The number of the message in its request, from 1."""
    turn: SuiteTurn
    events: tuple[Event, ...]
    seconds: float
    spent: Mapping[str, int]
    """Calls and tokens of the controller; see `MeteredLlm.spent`."""
    last_round: frozenset[TaskId] = frozenset()
    """The tasks that the last round of planning added; empty if it added none."""

    @property
    def planned(self) -> Planned:
        """The last plan; an empty one if there was none."""
        plans = [event for event in self.events if isinstance(event, Planned)]
        return plans[-1] if plans else Planned(Plan())

    @property
    def kinds(self) -> Sequence[str]:
        return [task.kind.name for task in self.planned.plan.tasks]

    @property
    def choices(self) -> Mapping[TaskId, Choice]:
        return {event.task: event.choice for event in self.events if isinstance(event, Chose)}

    @property
    def outcomes(self) -> Mapping[TaskId, Outcome]:
        finished = {e.task: e.outcome for e in self.events if isinstance(e, Finished)}
        return {
            task.id: finished[task.id] for task in self.planned.plan.tasks if task.id in finished
        }

    @property
    def end(self) -> Answered | Apologised:
        end = self.events[-1]
        assert isinstance(end, Answered | Apologised)
        return end

    @property
    def answer(self) -> Answer | None:
        """None if the run ended with an apology."""
        return self.end.answer if isinstance(self.end, Answered) else None

    @property
    def files(self) -> Sequence[AnswerFile]:
        return self.answer.files if self.answer else ()

    @property
    def cost(self) -> float | None:
        """What the experts cost, in US dollars; None if that is not known of every call."""
        costs = [
            attempt.cost if attempt.place.costs else 0.0
            for outcome in self.outcomes.values()
            if isinstance(outcome, Done | Failed)
            for attempt in outcome.tried
        ]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def measure(self) -> Mapping[str, bool]:
        """What needs no judge. Choices are not measured if no chosen model was started."""
        outcomes, choices = self.outcomes, self.choices
        last = self.last_round or outcomes.keys()  # it knew what had failed before
        marks = {
            "planning passes": self._is_plan_executable(),
            "kinds as expected": self.turn.accepts(self.kinds),
            "completed": self.answer is not None
            and not self._lacks_part
            and all(isinstance(outcomes[id_], Done) for id_ in outcomes if id_ in last)
            and (bool(outcomes) or self.turn.accepts(())),
        }
        as_chosen = [
            isinstance(outcome, Done) and outcome.model.id == choices[id_].model.id
            for id_, outcome in outcomes.items()
            if id_ in choices and not isinstance(outcome, Skipped)
        ]
        return {**marks, **({"selection passes": all(as_chosen)} if as_chosen else {})}

    def _is_plan_executable(self) -> bool:
        """Whether the first planner's plan could be carried out with nothing dropped."""
        tasks, answer = self.planned.plan.tasks, self.answer
        return (
            answer is not None
            and not self._lacks_part
            and not any(notice.id in _FALLBACKS for notice in answer.notices)
            and not any(repair.dropped for repair in self.planned.repairs)
            and (all(task.id in self.choices for task in tasks) if tasks else self.turn.accepts(()))
        )

    @property
    def _lacks_part(self) -> bool:
        """Whether a part of the request was left out of the plan, because it is not possible."""
        notices = self.answer.notices if self.answer else ()
        return any(notice.id.startswith(_LEFT_OUT) for notice in notices)


async def carry_out(request: SuiteRequest, folder: Path, app: App) -> Sequence[Trial]:
    """Run the messages of a request one after the other, in a channel of its own.

    `folder` has the files. Earlier results are not reused, and the limits per minute do not apply.
    """
    name, trials = uuid.uuid4().hex, list[Trial]()
    thread = Thread(Channel(PLATFORM, "evaluation", name), f"{name}-1")
    for number, turn in enumerate(request.turns, 1):
        files = [folder / file for file in turn.files]
        message = create_message(f"{name}-{number}", thread, _PERSON, turn.text, files)
        runner, meters = _meter(app)
        began = time.perf_counter()
        run, events = await answer_alone(runner, replace(message, anew=True))
        recall_plan(await open_run_journal(run, app.tools.journal), draft := PlanDraft())
        trial = Trial(
            request=request.id,
            number=number,
            turn=turn,
            events=tuple(events),
            seconds=time.perf_counter() - began,
            spent=add_up([meter.spent for meter in meters if meter.spent["calls"]]),
            last_round=frozenset(part.task.id for part in draft.latest),
        )
        trials.append(trial)
    return trials


def _meter(app: App) -> tuple[Runner, Sequence[MeteredLlm]]:
    """A runner without limits per minute, and the meters of its planners and responders."""
    meters: list[MeteredLlm] = []

    def meter(each: Stage) -> Stage:
        if not isinstance(each, LlmPlanner | LlmResponder):
            return each
        meters.append(MeteredLlm(each.llm))
        return replace(each, llm=meters[-1])

    tools = replace(
        app.tools,
        planners=tuple(map(meter, app.tools.planners)),
        responders=tuple(map(meter, app.tools.responders)),
    )
    context = replace(app.runner.context, tools=tools)
    limits = MessageLimits(LocalRateLimits(), _NO_LIMIT, _NO_LIMIT)
    return replace(app.runner, context=context, limits=limits), meters


def add_up(spent: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
    """The sums of the counts that are known of all."""
    names = [name for name in ("calls", *TOKENS) if all(name in each for each in spent)]
    return {name: sum(each[name] for each in spent) for name in names}
