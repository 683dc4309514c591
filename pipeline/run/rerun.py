"""Run one task of an earlier run again. With another model, compare the two results."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace

from pipeline.codec import dump
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    ChannelSettings,
    Comparison,
    Done,
    Event,
    Failed,
    Finished,
    LocalizedText,
    Media,
    Outcome,
    Outcomes,
    Plan,
    PlanPart,
    Proposed,
    Ref,
    Repaired,
    Request,
    Rerun,
    Run,
    Source,
    Task,
    TaskId,
)
from pipeline.errors import NotAllowed
from pipeline.ports import Emit
from pipeline.references.filter import filter_text
from pipeline.references.known import KnownReferences
from pipeline.response.grounding import find_known_references
from pipeline.response.media_results import collect_files
from pipeline.response.plain import format_plain_answer
from pipeline.result_reuse import StepNames
from pipeline.run.answer import answer
from pipeline.selection.candidates import Candidates
from pipeline.text import cut
from pipeline.tools import RunJournal, Tools
from pipeline.words import say

_MOST_COMPARED = 5000
"""Characters of each of two results that are shown together."""
_INPUTS = ("files", "voice")
"""Steps of a journal that prepare a request."""


async def answer_again(
    request: Request, earlier: Run, tools: Tools, journal: RunJournal, emit: Emit
) -> None:
    """Answer a request that has a `rerun`, with the plan and the other results of `earlier`.

    The answer also shows the earlier result, if there are two to compare. Raises what `check_rerun`
    and `answer` raise.
    """
    rerun = request.rerun
    assert rerun is not None
    task = await check_rerun(rerun, earlier, request.settings, tools.candidates)
    planners = (_RecalledPlanner(earlier, rerun),)
    known = {**_recall_results(earlier, rerun.task), **journal.known}
    outcomes = dict[TaskId, Outcome]()

    def compare(event: Event) -> None:
        if isinstance(event, Finished):
            outcomes[event.task] = event.outcome
        if isinstance(event, Answered):
            event = Answered(_compare(event.answer, task, earlier, outcomes, request))
        emit(event)

    await answer(request, replace(tools, planners=planners), replace(journal, known=known), compare)


async def check_rerun(
    rerun: Rerun, earlier: Run, channel: ChannelSettings, candidates: Candidates
) -> Task:
    """The task to run again. Raises NotAllowed if there is none, or the model may not do it."""
    task = next((task for task in earlier.plan.tasks if task.id == rerun.task), None)
    if task is None:
        raise NotAllowed("run-forgotten")
    if not rerun.model:
        return task
    model = await candidates.catalogue.find(rerun.model, kind=task.kind.name)
    nowhere = LocalizedText("named-nowhere", {"name": rerun.model})
    if refusal := candidates.explain_refusal(model, channel) if model else nowhere:
        raise NotAllowed(refusal.id, **refusal.args)
    return task


async def reuse_inputs(rerun: Rerun, journal: RunJournal) -> RunJournal:
    """The journal with the files and the transcription of the earlier run, if they are kept."""
    earlier = await journal.journal.recall(rerun.run)
    inputs = {step: earlier[step] for step in _INPUTS if step in earlier}
    for step, value in inputs.items():  # for a run that repeats this one
        await journal.journal.record(journal.run, step, value)
    return replace(journal, known={**inputs, **journal.known})


@dataclass(frozen=True, slots=True)
class _RecalledPlanner:
    """Proposes the plan of an earlier run, with the same models except a newly chosen one."""

    earlier: Run
    rerun: Rerun
    name: str = "earlier"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:  # noqa: ARG002 - the port's
        """Never raises."""
        for task in self.earlier.plan.tasks:
            outcome = self.earlier.outcomes.get(task.id)
            used = outcome.model.id if isinstance(outcome, Done) else ""
            chosen = self.rerun.model if task.id == self.rerun.task else ""
            yield Proposed(task, chosen or used)
        for repair in self.earlier.repairs:
            yield Repaired(repair)


def _recall_results(earlier: Run, again: TaskId) -> Mapping[str, str]:
    """The outcomes to reuse, as the journal of the new run would have them."""
    names, changed, known = StepNames(), {again}, dict[str, str]()
    for task in earlier.plan.tasks:
        name = names.of(task)
        if task.needs & changed:
            changed.add(task.id)
        elif task.id != again and (outcome := earlier.outcomes.get(task.id)):
            known[name] = dump(_mark_reused(outcome, Source(earlier.id, task.id)), Outcome)
    return known


def _mark_reused(outcome: Outcome, source: Source) -> Outcome:
    """The outcome for another run, in which its attempts do not count again."""
    match outcome:
        case Done():
            return outcome.reuse(source)
        case Failed():
            return replace(outcome, tried=())
        case _:
            return outcome


def _compare(
    complete: Answer, task: Task, earlier: Run, outcomes: Outcomes, request: Request
) -> Answer:
    """The answer with both results of the task, labelled A and B; unchanged without two models."""
    match earlier.outcomes.get(task.id), outcomes.get(task.id):
        case Done() as first, Done() as second if first.model.id != second.model.id:
            known = find_known_references(request, earlier.plan, earlier.outcomes)
            known_now = find_known_references(request, earlier.plan, outcomes)
            results = (
                _format_result("compared-first", task, first, request, known),
                _format_result("compared-second", task, second, request, known_now),
            )
            before = collect_files(request.person.locale, *_isolate(task, first))
            files = (
                *(_label(file, "A") for file in before),
                *(_label(file, "B") if file.task == task.id else file for file in complete.files),
            )
            return replace(
                complete,
                text="\n\n".join((complete.text, *results)),
                files=files,
                comparison=Comparison(task.kind.name, first.model.id, second.model.id, results),
            )
        case _:
            return complete


def _format_result(
    heading_id: str, task: Task, outcome: Done, request: Request, known: KnownReferences
) -> str:
    """A heading with the model, and the result as a quotation unless it is only files."""
    model = LocalizedText(heading_id, {"model": f"`{outcome.model.id}`"})
    heading = say(request.person.locale, model)
    if all(isinstance(value, Media) for value in outcome.output.slots.values()):
        return heading
    text = next(cut(format_plain_answer(request, *_isolate(task, outcome)), _MOST_COMPARED), "")
    lines = filter_text(text, known).splitlines()
    return "\n".join((heading, "", *(f"> {line}" for line in lines)))


def _isolate(task: Task, outcome: Done) -> tuple[Plan, Mapping[TaskId, Outcome]]:
    """A plan of this task alone, without references to others, and its outcome."""
    args = {
        name: tuple(piece for piece in pieces if not isinstance(piece, Ref))
        for name, pieces in task.args.items()
    }
    return Plan((replace(task, args=args, after=frozenset()),)), {task.id: outcome}


def _label(file: AnswerFile, label: str) -> AnswerFile:
    name = f"{label}-{file.attachment.name}"
    return replace(file, attachment=replace(file.attachment, name=name), alt=f"{label}: {file.alt}")
