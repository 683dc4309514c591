"""Stage 4 without a language model: what came out, in the bot's own sentences, and nothing else."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from pipeline.conversions import as_text
from pipeline.domain import (
    Done,
    Failed,
    Media,
    Outcomes,
    Plan,
    Request,
    Sentence,
    Skipped,
    Stopped,
    Task,
    Text,
    Value,
    Vector,
)
from pipeline.text import cut
from pipeline.words import say

_SURE, _FAIRLY = 0.85, 0.5
_LONGEST = 3000


@dataclass(frozen=True, slots=True)
class PlainResponder:
    """Says what each task found or made, what failed and why, and which models did it."""

    name: str = "plain"

    async def respond(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncIterator[str]:
        """Never raises."""
        paragraphs = plain_answer(request, plan, outcomes)
        for position, paragraph in enumerate(paragraphs):
            yield paragraph if position == 0 else f"\n\n{paragraph}"


def plain_answer(request: Request, plan: Plan, outcomes: Outcomes) -> list[str]:
    """The paragraphs: results first, then what went wrong, then how it was done."""
    results = [
        (task, sentence) for task in plan.tasks for sentence in _results(task, plan, outcomes)
    ]
    told = [
        (*_about(task, plan, request), sentence) if len(results) > 1 else sentence
        for task, sentence in results
    ]
    locale = request.person.locale
    paragraphs = [_say(locale, one) for one in told]
    paragraphs += [say(locale, problem) for problem in _problems(plan, outcomes)]
    if how := _how(plan, outcomes, locale):
        paragraphs.append(how)
    return paragraphs or [say(locale, Sentence("respond-nothing"))]


def _say(locale: str, told: Sentence | tuple[str, Sentence]) -> str:
    if isinstance(told, Sentence):
        return say(locale, told)
    about, sentence = told
    return f"**{about}**: {say(locale, sentence)}"


def _about(task: Task, plan: Plan, request: Request) -> tuple[str]:
    """The kind of a task; with its file where several tasks are of that kind."""
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    files = [
        names.get(arg.attachment.hash, arg.attachment.name)
        for args in task.args.values()
        for arg in args
        if isinstance(arg, Media)
    ]
    alike = sum(other.kind == task.kind for other in plan.tasks)
    return (f"{task.kind.name} ({', '.join(files)})" if alike > 1 and files else task.kind.name,)


def _results(task: Task, plan: Plan, outcomes: Outcomes) -> Iterable[Sentence]:
    """What a task found, in words; else what it made. Words that only led to other words are left out."""
    outcome = outcomes.get(task.id)
    if not isinstance(outcome, Done):
        return
    slots = outcome.output.slots
    words = [value for value in slots.values() if not isinstance(value, Media | Vector)]
    if words:
        if not _goes_on(task, plan, outcomes):
            yield _found(words[0], outcome.output.note)
    elif task in plan.ends:
        for value in slots.values():
            yield _made(value)


def _goes_on(task: Task, plan: Plan, outcomes: Outcomes) -> bool:
    """Whether a later task made words out of what this one found."""
    return any(
        isinstance(outcome := outcomes.get(other.id), Done)
        and any(isinstance(value, Text) for value in outcome.output.slots.values())
        for other in plan.tasks
        if any(ref.task == task.id for ref in other.refs)
    )


def _found(value: Value, note: str) -> Sentence:
    words = as_text(value).strip()
    words = words if len(words) <= _LONGEST else next(cut(words, _LONGEST)) + "…"
    score = value.score if isinstance(value, Text) else None
    sure = (
        ""
        if score is None
        else "-sure"
        if score >= _SURE
        else "-fairly"
        if score >= _FAIRLY
        else "-unsure"
    )
    if not words:
        return Sentence("respond-found-nothing")
    if note:
        return Sentence(f"respond-found{sure}-noted", {"found": words, "note": note})
    return Sentence(f"respond-found{sure}", {"found": words})


def _how_sure(score: float) -> str:
    if score >= _SURE:
        return "-sure"
    return "-fairly" if score >= _FAIRLY else "-unsure"


def _made(value: Value) -> Sentence:
    if isinstance(value, Media):
        return Sentence(f"respond-made-{value.attachment.type.value}")
    return Sentence("respond-found", {"found": as_text(value)})


def _problems(plan: Plan, outcomes: Outcomes) -> Iterable[Sentence]:
    kinds = {task.id: task.kind.name for task in plan.tasks}
    for task in plan.tasks:
        match outcomes.get(task.id):
            case Failed(reason):
                yield Sentence("respond-failed", {"kind": task.kind.name, "reason": reason})
            case Skipped(because_of):
                because = kinds.get(because_of, str(because_of))
                yield Sentence("respond-skipped", {"kind": task.kind.name, "because": because})
            case Stopped():
                yield Sentence("respond-stopped", {"kind": task.kind.name})
            case _:
                pass


def _how(plan: Plan, outcomes: Outcomes, locale: str) -> str:
    """Which model did what where, once for each."""
    steps = dict.fromkeys(
        say(
            locale,
            Sentence(
                "respond-step",
                {"kind": task.kind.name, "model": outcome.model.id, "place": outcome.place.value},
            ),
        )
        for task in plan.tasks
        if isinstance(outcome := outcomes.get(task.id), Done)
    )
    return say(locale, Sentence("respond-how", {"steps": ", ".join(steps)})) if steps else ""
