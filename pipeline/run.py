"""From a request to its answer: the paper's four stages."""

from collections.abc import Sequence
from contextlib import aclosing

from pipeline.domain import (
    Answer,
    Answered,
    Finished,
    LocalizedText,
    Outcome,
    Planned,
    Proposed,
    Request,
    Step,
)
from pipeline.estimates import estimate, format_estimate
from pipeline.execution import Execution
from pipeline.model_mentions import ModelMentions, explain_unused, find_mentioned, find_mentions
from pipeline.plan_draft import PlanDraft, recall_plan, show_plan, write_plan
from pipeline.ports import Emit, Responder
from pipeline.response import reply, respond
from pipeline.result_reuse import StepNames
from pipeline.selection import select
from pipeline.tools import RunJournal, Tools

_ANSWER = "answer"


async def answer(request: Request, tools: Tools, journal: RunJournal, emit: Emit) -> Answer:
    """Plan, select, execute, respond (HuggingGPT §3).

    Steps that the journal has recorded are not repeated. Raises PlanError or LlmError when the last
    planner or responder fails.
    """
    if (finished := journal.recall(_ANSWER, Answer)) is not None:
        return _replay(finished, journal, emit)
    draft, mentions = PlanDraft(), find_mentions(request)
    plan = write_plan(request, tools.planners, draft, journal, emit)
    async with Execution(request, tools, journal, emit) as execution, aclosing(plan) as proposals:
        async for proposal in proposals:
            execution.start(await _select(proposal, request, tools, mentions))
        execution.cancel(draft.abandoned)
        await _look_ahead(request, tools, draft, execution, mentions, emit)
    finished = await _respond(request, tools, draft, execution, emit)
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


async def _select(
    proposal: Proposed, request: Request, tools: Tools, mentions: ModelMentions
) -> Step:
    """Stage 2."""
    mentioned = await find_mentioned(mentions, proposal.task.kind, request, tools.candidates)
    return await select(proposal, request, tools.candidates, mentioned)


async def _look_ahead(
    request: Request,
    tools: Tools,
    draft: PlanDraft,
    execution: Execution,
    mentions: ModelMentions,
    emit: Emit,
) -> None:
    """While the steps run, report their expected time and cost, and named models not used."""
    kept = {part.task.id for part in draft.proposals}
    steps = [step for step in execution.steps if step.task.id in kept]
    writer = next((responder.name for responder in _available(tools.responders, draft)), "")
    expected = estimate(steps, execution.started_at, tools.records, writer=writer)
    if format_estimate(expected) is not None:
        emit(Planned(draft.plan, draft.repairs, expected))
    if mentions.names:
        kinds = [step.task.kind for step in execution.steps]
        draft.notices += await explain_unused(mentions, kinds, request, tools.candidates)


async def _respond(
    request: Request, tools: Tools, draft: PlanDraft, execution: Execution, emit: Emit
) -> Answer:
    """Stage 4."""
    notices = [
        *draft.notices,
        *(repair.what for repair in draft.repairs),
        *(
            LocalizedText("file-unused", {"name": file.name, "reason": file.reason})
            for file in request.rejected
        ),
    ]
    if not draft.proposals:
        return reply(request, draft.reply, emit, notices)
    responders = _available(tools.responders, draft)
    outcomes = {task.id: execution.outcomes[task.id] for task in draft.plan.tasks}
    return await respond(request, draft.plan, outcomes, responders, emit, notices)


def _available(responders: Sequence[Responder], draft: PlanDraft) -> Sequence[Responder]:
    """Leave out language models that already failed as planners, unless no responder remains."""
    failed = {notice.args.get("planner") for notice in draft.notices}
    return [responder for responder in responders if responder.name not in failed] or responders
