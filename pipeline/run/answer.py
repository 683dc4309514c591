"""From a request to its answer: the paper's four stages."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from pipeline.domain import (
    Answer,
    Answered,
    Done,
    Finished,
    LocalizedText,
    Noticed,
    Outcome,
    Planned,
    Proposed,
    Replanned,
    ReplyPart,
    Request,
    Silent,
    Step,
)
from pipeline.estimates import estimate, format_estimate
from pipeline.execution.execute import Execution
from pipeline.metering import time_work
from pipeline.model_mentions import ModelMentions, explain_unused, find_mentioned, find_mentions
from pipeline.ports import Emit
from pipeline.response.respond import ReplyStream, respond
from pipeline.result_reuse import StepNames
from pipeline.run.plan_draft import (
    PlanDraft,
    list_available,
    needs_round,
    recall_plan,
    show_plan,
    write_plan,
)
from pipeline.selection.choice import select
from pipeline.tools import RunJournal, Tools
from pipeline.words import say

_ANSWER = "answer"


async def answer(request: Request, tools: Tools, journal: RunJournal, emit: Emit) -> Answer:
    """Plan, select, execute, respond (HuggingGPT §3); plan on where results demand it.

    Steps that the journal has recorded are not repeated. Raises PlanError or LlmError when the last
    planner or responder fails.
    """
    if (finished := journal.recall(_ANSWER, Answer)) is not None:
        return _replay(finished, journal, emit)
    draft, planners = PlanDraft(), tools.planners
    async with Execution(request, tools, journal, emit) as execution:
        mentions, reply = find_mentions(request), ReplyStream(request, emit)
        run = _Run(
            request=request,
            tools=tools,
            draft=draft,
            execution=execution,
            mentions=mentions,
            emit=emit,
            reply=reply,
        )
        await run.start(write_plan(request, planners, draft, {}, journal, emit))
        while draft.round <= tools.limits.replans and needs_round(draft, await execution.settle()):
            results = execution.outcomes
            await run.start(write_plan(request, planners, draft, results, journal, emit))
    finished = await run.respond()
    if draft.proposals:
        await journal.keep(_ANSWER, finished, Answer)
    emit(Answered(finished))
    return finished


def _replay(finished: Answer, journal: RunJournal, emit: Emit) -> Answer:
    """Emit the events of a run whose answer is in the journal: the run's record needs them."""
    draft, names = PlanDraft(), StepNames()
    recall_plan(journal, draft)
    show_plan(draft, emit)
    for task in draft.plan.tasks:
        if (outcome := journal.recall(names.of(task), Outcome)) is not None:
            emit(Finished(task.id, outcome))
    emit(Answered(finished))
    return finished


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The stages of one run after planning, and what they share."""

    request: Request
    tools: Tools
    draft: PlanDraft
    execution: Execution
    mentions: ModelMentions
    emit: Emit
    reply: ReplyStream

    async def start(self, plan: AsyncGenerator[Proposed | ReplyPart | Replanned]) -> None:
        """Select a model for each step of a round, and run it as soon as it is known."""
        async with aclosing(plan) as parts:
            async for part in parts:
                match part:
                    case ReplyPart(text):
                        await self.reply.add(text)
                    case Replanned():
                        self.reply.start_over()
                    case Proposed():
                        self.execution.start(await self._select(part))
        self.execution.cancel(self.draft.abandoned)
        await self._look_ahead()

    async def respond(self) -> Answer:
        """Stage 4."""
        request, draft = self.request, self.draft
        notices = [
            *draft.notices,
            *(repair.what for repair in draft.repairs),
            *(
                LocalizedText("file-unused", {"name": file.name, "reason": file.reason})
                for file in request.rejected
            ),
            *([LocalizedText("history-unread")] if request.context.is_partial else ()),
        ]
        if draft.silent:
            return self._stay_silent(draft.silent)
        if not draft.proposals:
            answered = await self.reply.finish(draft.reply.text, notices)
            planned = draft.reply
            return replace(answered, is_refusal=planned.is_refusal, sentence=planned.sentence)
        responders = list_available(self.tools.responders, draft)
        ended = {task.id: self.execution.outcomes[task.id] for task in draft.plan.tasks}
        outcomes = draft.mark_redone(ended)
        answered = await respond(request, draft.plan, outcomes, responders, self.emit, notices)
        choices = [step.choice for step in self.execution.steps if step.choice]
        others = any(choice.runners_up for choice in choices) or request.rerun is not None
        is_refusal = not any(isinstance(outcome, Done) for outcome in outcomes.values())
        return replace(answered, has_alternatives=others, is_refusal=is_refusal)

    def _stay_silent(self, silent: Silent) -> Answer:
        """No answer; but whoever says that none was wanted is told once how to have it so."""
        leaves, request = silent.leaves_thread, self.request
        if not leaves or request.settings.mention_offered:
            return Answer(request.run, "", is_silent=True, leaves_thread=leaves)
        text = say(request.person.locale, LocalizedText("left-thread"))
        return Answer(request.run, text, leaves_thread=True)

    async def _select(self, proposal: Proposed) -> Step:
        """Stage 2."""
        kind, candidates = proposal.task.kind, self.tools.candidates
        with time_work("select", proposal.task.id):
            mentioned = await find_mentioned(self.mentions, kind, self.request, candidates)
            return await select(proposal, self.request, candidates, mentioned)

    async def _look_ahead(self) -> None:
        """While the steps run, report their expected time and cost, and named models not used."""
        draft, execution, tools = self.draft, self.execution, self.tools
        kept = {part.task.id for part in draft.proposals}
        steps = [step for step in execution.steps if step.task.id in kept]
        writer = next((each.name for each in list_available(tools.responders, draft)), "")
        records = tools.candidates.records
        expected = estimate(steps, execution.started_at, records, writer=writer)
        if format_estimate(expected) is not None:
            self.emit(Planned(draft.plan, draft.repairs, expected))
        if self.mentions.names:
            kinds = [step.task.kind for step in execution.steps]
            unused = await explain_unused(self.mentions, kinds, self.request, tools.candidates)
            for notice in unused:
                draft.apply(Noticed(notice))
