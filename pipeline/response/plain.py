"""Stage 4 without a language model: what came out, in the bot's own sentences, and nothing else."""

from collections import Counter
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
    Type,
    Value,
)
from pipeline.text import cut
from pipeline.words import say, title

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
    """The paragraphs: what was found, what was made, what went wrong, and how it was done."""
    locale = request.person.locale
    found = [(task, sentence) for task in plan.tasks for sentence in _found(task, plan, outcomes)]
    paragraphs = [
        f"**{_about(task, plan, request)}**: {say(locale, sentence)}"
        if len(found) > 1
        else say(locale, sentence)
        for task, sentence in found
    ]
    paragraphs += _made(plan, outcomes, locale)
    paragraphs += [say(locale, problem) for problem in _problems(plan, outcomes)]
    if how := _how(plan, outcomes, locale):
        paragraphs.append(how)
    return paragraphs or [say(locale, Sentence("respond-nothing"))]


def _about(task: Task, plan: Plan, request: Request) -> str:
    """What a task did; with its file where several tasks are of that kind."""
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    files = [
        names.get(arg.attachment.hash, arg.attachment.name)
        for args in task.args.values()
        for arg in args
        if isinstance(arg, Media)
    ]
    alike = sum(other.kind == task.kind for other in plan.tasks)
    heading = title(request.person.locale, task.kind.name)
    return f"{heading} ({', '.join(files)})" if alike > 1 and files else heading


def _found(task: Task, plan: Plan, outcomes: Outcomes) -> Iterable[Sentence]:
    """What a task found, in words. Words that only led to other words are left out."""
    outcome = outcomes.get(task.id)
    if not isinstance(outcome, Done):
        return
    words = [value for value in outcome.output.slots.values() if not isinstance(value, Media)]
    if words and not _goes_on(task, plan, outcomes):
        yield _in_words(words[0], outcome.output.note)


def _made(plan: Plan, outcomes: Outcomes, locale: str) -> Iterable[str]:
    """How many files of each type stand at the ends of the plan, and what the experts say about those that are all they made."""
    types: Counter[Type] = Counter()
    notes: dict[str, None] = {}
    for task in plan.ends:
        outcome = outcomes.get(task.id)
        values = outcome.output.slots.values() if isinstance(outcome, Done) else ()
        files = [value.attachment.type for value in values if isinstance(value, Media)]
        if isinstance(outcome, Done) and files and len(files) == len(values):
            types.update(files)
            notes[outcome.output.note] = None
    told = [
        say(locale, Sentence(f"respond-made-{type_.value}", {"count": count}))
        for type_, count in types.items()
    ]
    if told:
        yield "\n".join([*told, *(note for note in notes if note)])


def _goes_on(task: Task, plan: Plan, outcomes: Outcomes) -> bool:
    """Whether a later task made words out of what this one found."""
    return any(
        isinstance(outcome := outcomes.get(other.id), Done)
        and any(isinstance(value, Text) for value in outcome.output.slots.values())
        for other in plan.tasks
        if any(ref.task == task.id for ref in other.refs)
    )


def _in_words(value: Value, note: str) -> Sentence:
    words = as_text(value).strip()
    if not words:
        return Sentence("respond-found-nothing")
    words = words if len(words) <= _LONGEST else next(cut(words, _LONGEST)) + "…"
    score = value.score if isinstance(value, Text) else None
    sure = "" if score is None else _how_sure(score)
    if note:
        return Sentence(f"respond-found{sure}-noted", {"found": words, "note": note})
    return Sentence(f"respond-found{sure}", {"found": words})


def _how_sure(score: float) -> str:
    if score >= _SURE:
        return "-sure"
    return "-fairly" if score >= _FAIRLY else "-unsure"


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
