"""Requests carried out, so that the response can be judged: those that need no file which is not here."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from bot.wiring import House
from pipeline.domain import Answer, Event, Media, PlanPart, Proposed, Request
from pipeline.errors import RequestError
from pipeline.planning.batch import request_of
from pipeline.ports import Planner
from pipeline.ports.results import NoResults
from pipeline.run import answer
from pipeline.tools import Memory


@dataclass
class OnePlan:
    """Plans a request once, however often it is asked."""

    planner: Planner
    parts: tuple[PlanPart, ...] | None = None

    @property
    def name(self) -> str:
        return self.planner.name

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        if self.parts is None:
            self.parts = tuple([part async for part in self.planner.plan(request)])
        for part in self.parts:
            yield part


async def answered(text: str, planner: Planner, house: House) -> Answer | None:
    """The answer to a request by its words alone; None where it speaks of files, which are not here, or could not be answered."""
    request = request_of(text, "")
    once = OnePlan(planner)
    try:
        parts = [part async for part in once.plan(request)]
        if request.files or any(_takes_file(part) for part in parts):
            return None
        tools = replace(house.tools, planners=(once,), journal=_FORGETFUL, results=NoResults())
        memory = Memory(request.run, _FORGETFUL, {})
        return await answer(request, tools, memory, _unheard)
    except RequestError:
        return None


def _takes_file(part: PlanPart) -> bool:
    return isinstance(part, Proposed) and any(
        isinstance(arg, Media) for args in part.task.args.values() for arg in args
    )


class _Forgetful:
    """A journal of what need not outlast the evaluation."""

    async def recall(self, _run: str) -> dict[str, str]:
        return {}

    async def record(self, _run: str, _step: str, _value: str) -> None:
        return


_FORGETFUL = _Forgetful()


def _unheard(_event: Event) -> None:
    """Nobody watches."""
