"""One task tried on one model after another, at one place after another, until one of them does it."""

import asyncio
import time
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
from pipeline.ports import Expert, Job, Tell
from pipeline.tools import Pace, Tools


async def attempt(task: Task, choice: Choice, job: Job, tools: Tools, tell: Tell) -> Done | Failed:
    """Done by the first model and place that succeeds, or Failed with the first reason given.

    `job` is what the expert gets; its model is the one being tried.
    """
    pace = tools.pace.of(task.kind)
    series = _Series(task, job, tools, tell, pace, time.monotonic() + pace.task)
    for model, place in _candidates(choice, tools):
        try:
            done = await series.at(model, place, tools.experts[place])
        except BadInput as error:
            return Failed(error.sentence, tuple(series.tried))
        if done is not None:
            return done
        if series.left <= 0:
            break
    reason = series.tried[0].error if series.tried else None
    return Failed(reason or _impossible(task), tuple(series.tried))


def _candidates(choice: Choice, tools: Tools) -> Iterator[tuple[Model, Place]]:
    for model in (choice.model, *choice.runners_up):
        for place in model.places:
            if place in tools.experts and place is Place.HOSTED and model.providers:
                yield from ((replace(model, providers=(one,)), place) for one in model.providers)
            elif place in tools.experts:
                yield model, place


def _provider(model: Model, place: Place) -> str:
    one = model.providers if place is Place.HOSTED and len(model.providers) == 1 else ("",)
    return one[0].partition(":")[0]


def _impossible(task: Task) -> Sentence:
    kind = task.kind
    return Sentence("not-possible-here", {"kind": kind.name, "enabled_by": kind.enabled_by})


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

    async def at(self, model: Model, place: Place, expert: Expert) -> Done | None:
        """Try a model at a place, again while it is merely unavailable. Raises BadInput."""
        pace = self.pace
        for turn in range(pace.tries):
            began = time.monotonic()
            try:
                return await self._once(model, place, expert, began)
            except ExpertUnavailable as error:
                self._note(model, place, began, error.sentence)
                wait = error.retry_after or pace.backoff * 2**turn
                if turn + 1 == pace.tries or wait > self.left:
                    return None
                await asyncio.sleep(wait)
            except BadInput as error:
                self._note(model, place, began, error.sentence)
                raise
            except (ExpertError, FetchError, MediaError) as error:
                self._note(model, place, began, error.sentence)
                return None
            except TimeoutError:
                seconds = round(time.monotonic() - began, 1)
                self._note(model, place, began, Sentence("task-too-long", {"seconds": seconds}))
                return None
        return None

    async def _once(self, model: Model, place: Place, expert: Expert, began: float) -> Done:
        task = self.task
        self.tell(Started(task.id, model.id, place))
        job = replace(self.job, model=model)
        async with asyncio.timeout(max(0.0, min(self.pace.attempt, self.left))):
            made = await expert.run(job)
        output, extras = await keep(task, self.job.args, made, model, self.tools)
        took = time.monotonic() - began
        last = Attempt(model.id, place, took, None, made.cost, _provider(model, place))
        tried = (*self.tried, last)
        return Done(output, sum(one.took for one in tried), model, place, tried, extras)

    def _note(self, model: Model, place: Place, began: float, error: Sentence) -> None:
        took = time.monotonic() - began
        failed = Attempt(model.id, place, took, error, provider=_provider(model, place))
        self.tried.append(failed)
        self.tell(FellBack(self.task.id, failed))
