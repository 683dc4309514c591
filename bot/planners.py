"""What plans and answers: a language model first, what is built in last."""

import asyncio
import importlib
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType

from bot.settings import Settings
from pipeline.domain import (
    INSTALLER,
    OWNER,
    LocalizedText,
    Noticed,
    Person,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Run,
    RunId,
    Task,
    TaskId,
    TaskKind,
)
from pipeline.pictures import PictureLoader
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import FindExamples, Llm, PlanExample, Store
from pipeline.response.llm import LlmResponder
from pipeline.task_kinds import list_requirements
from pipeline.tools import Tools
from pipeline.words import say

_LACKING = frozenset({"planner-no-talk", "planner-outside", "planner-about", "planner-unread"})
"""What the built-in planner says where a language model would do more."""
_RUNS_SEARCHED = 5
"""How many of the last answers are searched for the last one with tasks."""


@dataclass(frozen=True, slots=True)
class BuiltInPlanner:
    """The embedded planner, imported on first use: numpy takes a fifth of the start-up time.

    Leaves out tasks that cannot run here and those that depend on them, and says why.
    """

    find_examples: FindExamples
    tools: Tools
    """To find out what can run."""
    is_alone: bool = False
    """Whether there is no language model that it stands in for."""
    name: str = "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Plan with rules alone; if no task can run here, say why instead."""
        planner = (await asyncio.to_thread(load_planner)).EmbeddedPlanner(self.find_examples)
        reasons, dropped, proposed = list[LocalizedText](), set[TaskId](), False
        async with aclosing(planner.plan(request)) as parts:
            async for part in parts:
                if isinstance(part, Replied):
                    yield self._point_out_more(part, request.person)
                elif not isinstance(part, Proposed):
                    yield part
                elif reason := await self._explain_missing(part.task, request, dropped):
                    dropped.add(part.task.id)
                    reasons += [reason] if reason not in reasons else []
                else:
                    proposed = True
                    yield part
        if dropped and not proposed:
            text = "\n".join(say(request.person.locale, reason) for reason in reasons)
            yield Replied(text, is_refusal=True, sentence=reasons[0].id)
            return
        for reason in reasons:
            yield Noticed(reason)

    def _point_out_more(self, reply: Replied, person: Person) -> Replied:
        """Where a language model would do more, tell whoever can turn one on, and how."""
        if not self.is_alone or INSTALLER not in person.roles or reply.sentence not in _LACKING:
            return reply
        more = say(person.locale, LocalizedText("planner-turn-on"))
        return replace(reply, text=f"{reply.text} {more}")

    async def _explain_missing(
        self, task: Task, request: Request, dropped: Collection[TaskId]
    ) -> LocalizedText | None:
        """Why a task cannot run here; None if it can."""
        candidates = self.tools.candidates
        if not await candidates.shortlist(task.kind, request, task=task, limit=1):
            missing = await self.tools.explain_missing(task.kind, task)
            return _tell_owner(missing, request.person)
        if task.needs.isdisjoint(dropped):
            return None
        return LocalizedText("plan-needs-dropped", {"kind": task.kind.name})


def _tell_owner(missing: LocalizedText, person: Person) -> LocalizedText:
    """Why a task cannot run here, and to whoever runs the program, how to turn it on if one can.

    Where that cannot be done on the page, it is one of some lines of `.env`.
    """
    if OWNER not in person.roles:
        return missing
    names = str(missing.args.get("enabled_by", "")).split(" / ")
    settings = "=… / ".join(filter(str.isidentifier, names))
    if missing.id != "not-possible-here" or not settings:
        return missing
    if INSTALLER in person.roles:
        return LocalizedText("not-possible-installer", missing.args)
    return LocalizedText("not-possible-owner", {**missing.args, "setting": settings})


def load_planner() -> ModuleType:
    """Import the embedded planner's package. Blocks the first time."""
    return importlib.import_module("adapters.embedded.planner")


def add_planners(tools: Tools, llm: Llm | None, settings: Settings, store: Store) -> Tools:
    """The tools with what plans and answers: a language model first, what is built in last."""

    async def find_examples(request: Request) -> Sequence[PlanExample]:
        return await store.find_examples(request.thread, reach=settings.troupe_learn)

    async def find_last_run(request: Request) -> Run | None:
        if request.anew or request.rerun:  # the last run may be one of the same message
            return None
        turns = [turn for turn in request.context.turns if turn.person.is_bot]
        answers = [RunId(turn.key) for turn in turns[-_RUNS_SEARCHED:]]
        with_tasks = [run for run in await store.load_all(answers) if run.plan.tasks]
        return max(with_tasks, key=lambda run: answers.index(run.id), default=None)

    built_in = BuiltInPlanner(find_examples, tools)
    if llm is None:
        return replace(tools, planners=(replace(built_in, is_alone=True),))
    load_pictures = PictureLoader(tools.files, tools.media).load
    planner = LlmPlanner(
        llm,
        tools.candidates,
        selection=settings.troupe_selection,
        find_examples=find_examples,
        requirements=partial(_name_requirements, tools),
        load_pictures=load_pictures,
    )
    responder = LlmResponder(llm, load_pictures, find_last_run)
    return replace(tools, planners=(planner, built_in), responders=(responder, *tools.responders))


def _name_requirements(tools: Tools, kind: TaskKind) -> str:
    """In English, the settings that would make a kind possible; "" if none would, or it passes."""
    if tools.find_closed(kind):
        return ""
    match list_requirements(kind, tools.experts, tools.closed):
        case LocalizedText() as text:
            return say("en", text)
        case needs:
            return needs or ""
