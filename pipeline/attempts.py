"""One task tried on one model after another, at one place after another, until one of them does it."""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pipeline.domain import (
    Attempt,
    Choice,
    Done,
    Failed,
    FellBack,
    Model,
    Place,
    Sentence,
    Started,
    Task,
)
from pipeline.errors import BadInput, ExpertError, ExpertUnavailable, FetchError, MediaError
from pipeline.outputs import keep
from pipeline.ports import Job, Tell
from pipeline.tools import Pace, Tools


async def attempt(task: Task, choice: Choice, job: Job, tools: Tools, tell: Tell) -> Done | Failed:
    """Done by the first model and place that succeeds, or Failed with the first reason given.

    `job` is what the expert gets; its model is the one being tried. Who asks for patience is come back to after all others.
    """
    pace = tools.pace.of(task.kind)
    series = _Series(task, job, tools, tell, pace, time.monotonic() + pace.task)
    fresh = deque(_candidates(choice, tools))
    later: list[_Candidate] = []
    while (fresh or later) and series.left > 0:
        one = fresh.popleft() if fresh else later.pop(0)
        try:
            done = await series.at(one, others=bool(fresh or later))
        except BadInput as error:
            return Failed(error.sentence, tuple(series.tried))
        if done is not None:
            return done
        if one.due is not None:
            later = sorted([*later, one], key=lambda other: other.due or 0)
    reason = series.tried[0].error if series.tried else None
    return Failed(reason or await tools.wanting(task.kind), tuple(series.tried))


@dataclass(slots=True)
class _Candidate:
    """A model at a place, and at one provider there. `due` is the monotonic time from which it is worth another try."""

    model: Model
    place: Place
    turns: int = 0
    due: float | None = None


def _candidates(choice: Choice, tools: Tools) -> Iterator[_Candidate]:
    for model in (choice.model, *choice.runners_up):
        for place in model.places:
            if place in tools.experts and place is Place.HOSTED and model.providers:
                for one in model.providers:
                    yield _Candidate(replace(model, providers=(one,)), place)
            elif place in tools.experts:
                yield _Candidate(model, place)


def _provider(model: Model, place: Place) -> str:
    one = model.providers if place is Place.HOSTED and len(model.providers) == 1 else ("",)
    return one[0].partition(":")[0]


@dataclass(slots=True)
class _Series:
    """The attempts at one task. `end` is the monotonic time at which it is given up."""

    task: Task
    job: Job
    tools: Tools
    tell: Tell
    pace: Pace
    end: float
    tried: list[Attempt] = field(default_factory=list)

    @property
    def left(self) -> float:
        return self.end - time.monotonic()

    async def at(self, one: _Candidate, *, others: bool) -> Done | None:
        """Try a model at a place, again while it is merely unavailable. Raises BadInput.

        Where `others` could be tried meanwhile, a long wait is left for later: the candidate is then due.
        """
        while one.turns < self.pace.tries:
            await asyncio.sleep(max(0.0, (one.due or 0.0) - time.monotonic()))
            one.turns, one.due, began = one.turns + 1, None, time.monotonic()
            try:
                return await self._once(one.model, one.place, began)
            except ExpertUnavailable as error:
                self._note(one, began, error.sentence)
                wait = error.retry_after or self.pace.backoff * 2 ** (one.turns - 1)
                if one.turns == self.pace.tries or wait > self.left:
                    return None
                one.due = time.monotonic() + wait
                if others and wait > self.pace.patience:
                    return None
            except BadInput as error:
                self._note(one, began, error.sentence)
                raise
            except (ExpertError, FetchError, MediaError) as error:
                self._note(one, began, error.sentence)
                return None
            except TimeoutError:
                seconds = round(time.monotonic() - began, 1)
                self._note(one, began, Sentence("task-too-long", {"seconds": seconds}))
                return None
        return None

    async def _once(self, model: Model, place: Place, began: float) -> Done:
        task = self.task
        self.tell(Started(task.id, model.id, place, _provider(model, place)))
        job = replace(self.job, model=model)
        async with asyncio.timeout(max(0.0, min(self.pace.attempt, self.left))):
            made = await self.tools.experts[place].run(job)
        output, extras = await keep(task, self.job.args, made, model, self.tools)
        took = time.monotonic() - began
        last = Attempt(model.id, place, took, None, made.cost, _provider(model, place))
        tried = (*self.tried, last)
        return Done(output, sum(one.took for one in tried), model, place, tried, extras)

    def _note(self, one: _Candidate, began: float, error: Sentence) -> None:
        took = time.monotonic() - began
        provider = _provider(one.model, one.place)
        failed = Attempt(one.model.id, one.place, took, error, provider=provider)
        self.tried.append(failed)
        self.tell(FellBack(self.task.id, failed))
