"""Events, outcomes and answers as the JSON that callers get, every message in their language."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from adapters.chat.board import describe_source, find_provider
from adapters.web.official import format_official
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Arg,
    Attachment,
    Attempt,
    Blob,
    Chose,
    Done,
    Event,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Media,
    NamedFile,
    Number,
    Outcome,
    Outcomes,
    Planned,
    PlanPreview,
    Progressed,
    Ref,
    Skipped,
    Started,
    Stopped,
    Task,
    TaskId,
    Text,
)
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.words import say, title

Json = dict[str, Any]
Kinds = Mapping[TaskId, str]
_MAX_OUTPUT = 4000


def event_json(event: Event, locale: str) -> tuple[str, Json]:
    """An event's name and data. `answer_json` and `apology_json` have the end of a run."""
    match event:
        case Planned():
            foreseen = format_estimate(event.estimate)
            words = {"estimate": say(locale, foreseen) if foreseen else ""}
            return "planned", plan_json(event, locale) | words
        case AnswerPart(text):
            return "answer_part", {"text": text}
        case Answered(answer):
            return "answered", {"run": answer.run}
        case Apologised():
            return "apologised", apology_json(event, locale)
        case _:
            return _task_json(event, locale)


def _task_json(
    event: Chose | Started | Progressed | FellBack | Finished, locale: str
) -> tuple[str, Json]:
    match event:
        case Chose(task, choice):
            return "chose", {
                "task": task,
                "model": choice.model.id,
                "licence": choice.model.licence,
                "reason": say(locale, choice.reason),
                "runners_up": [model.id for model in choice.runners_up],
            }
        case Started(task, model, place, provider):
            told = {"task": task, "model": model, "place": place.value, "provider": provider}
            return "started", told
        case Progressed(task, fraction, note):
            return "progressed", {"task": task, "fraction": fraction, "note": note}
        case FellBack(task, attempt):
            return "fell_back", {"task": task, **_attempt_json(attempt, locale)}
        case Finished(task, outcome):
            return "finished", {"task": task, **outcome_json(outcome, locale)}


def plan_json(planned: Planned, locale: str) -> Json:
    return {
        "tasks": [_planned_task(task, locale) for task in planned.plan.tasks],
        "repairs": [say(locale, repair.what) for repair in planned.repairs],
    }


def preview_json(preview: PlanPreview, locale: str) -> Json:
    """A plan that is not carried out."""
    notices = say_once(preview.notices, locale)
    return {**plan_json(preview.planned, locale), "reply": preview.reply, "notices": notices}


def _planned_task(task: Task, locale: str) -> Json:
    """A task in the paper's format, and what it does in words."""
    return {
        "task": task.kind.name,
        "id": task.id,
        "dep": sorted(task.needs),
        "args": {name: _args_text(args) for name, args in task.args.items()},
        "says": title(locale, task.kind.name),
    }


def _args_text(args: Sequence[Arg]) -> str:
    return " ".join(_arg_text(arg) for arg in args)


def _arg_text(arg: Arg) -> str:
    match arg:
        case Text(text):
            return text
        case Media(attachment):
            return attachment.name
        case Number(value, unit):
            return f"{value:g} {unit}".strip()
        case Ref(task, slot):
            return f"<GENERATED>-{task}.{slot}"


def outcome_json(outcome: Outcome, locale: str) -> Json:
    match outcome:
        case Done():
            made = [v.attachment for v in outcome.output.slots.values() if isinstance(v, Media)]
            return {
                "state": "done",
                "model": outcome.model.id,
                "place": outcome.place.value,
                "provider": find_provider(outcome),
                "took": round(outcome.took, 3),
                "taken": say(locale, whence) if (whence := describe_source(outcome)) else "",
                "output": _output_text(outcome),
                "note": outcome.output.note,
                "source": outcome.output.source,
                "files": [file_json(file) for file in (*made, *outcome.extras)],
                "tried": [_attempt_json(each, locale) for each in outcome.tried],
            }
        case Failed(reason, tried):
            told = [_attempt_json(each, locale) for each in tried]
            return {"state": "failed", "reason": say(locale, reason), "tried": told}
        case Skipped(because_of):
            return {"state": "skipped", "because_of": because_of}
        case Stopped(reason):
            return {"state": "stopped", "reason": say(locale, reason)}


def _output_text(outcome: Done) -> str:
    said = (as_text(v) for v in outcome.output.slots.values() if not isinstance(v, Media))
    return "\n".join(said)[:_MAX_OUTPUT]


def _attempt_json(attempt: Attempt, locale: str) -> Json:
    return {
        "model": attempt.model,
        "place": attempt.place.value,
        "provider": attempt.provider,
        "cost": attempt.cost,
        "took": round(attempt.took, 3),
        "error": say(locale, attempt.error) if attempt.error else "",
    }


def answer_json(answer: Answer, thread: str, kinds: Kinds, outcomes: Outcomes, locale: str) -> Json:
    """The answer as the API gives it."""
    return {
        "message": answer.text,
        "files": [_shown_json(file) for file in answer.files],
        "run": answer.run,
        "thread": thread,
        "outcomes": [
            {"task": task, "kind": kind, **outcome_json(outcome, locale), **_result(kind, outcome)}
            for task, outcome in sorted(outcomes.items())
            for kind in (kinds.get(task, ""),)
        ],
        "notices": say_once(answer.notices, locale),
    }


def _result(kind: str, outcome: Outcome) -> Json:
    """What a task made, as Hugging Face's task schemas have it; files by their addresses."""
    if not isinstance(outcome, Done):
        return {}
    return {"result": format_official(kind, outcome.output.slots, _address)}


def _address(file: Media | Blob) -> str:
    assert isinstance(file, Media)
    return str(file_json(file.attachment)["url"])


def apology_json(apology: Apologised, locale: str) -> Json:
    return {
        "error": say(locale, apology.reason),
        "reference": apology.reference,
        "stopped": apology.reason.id == "stopped",
    }


def say_once(texts: Iterable[LocalizedText], locale: str) -> list[str]:
    """The messages in the person's language, each once."""
    return list(dict.fromkeys(say(locale, text) for text in texts))


def file_json(file: Attachment, alt: str = "", model: str = "") -> Json:
    return {
        "name": file.name,
        "media_type": file.media_type,
        "url": f"/files/{file.hash}/{quote(file.name, safe='')}",
        "alt": alt or file.description,
        "model": model,
        "size": file.size,
    }


def sent_file_json(file: NamedFile) -> Json:
    """A file that a person sent, with the name it has in the conversation."""
    return {**file_json(file.attachment), "called": file.name}


def _shown_json(file: AnswerFile) -> Json:
    return {**file_json(file.attachment, file.alt, file.model), "kind": file.kind}


def collect_outcomes(events: Iterable[Event]) -> tuple[Kinds, Outcomes]:
    """The kinds of the tasks and their outcomes, as far as the events have them."""
    kinds: dict[TaskId, str] = {}
    outcomes: dict[TaskId, Outcome] = {}
    for event in events:
        if isinstance(event, Planned):
            kinds.update((task.id, task.kind.name) for task in event.plan.tasks)
        elif isinstance(event, Finished):
            outcomes[event.task] = event.outcome
    return kinds, outcomes


def merge_events(events: Iterable[Event]) -> list[Event]:
    """Fewer events: pieces of text are joined, of a task's progress only the latest stays."""
    merged: list[Event] = []
    for event in events:
        previous = merged[-1] if merged else None
        if isinstance(event, AnswerPart) and isinstance(previous, AnswerPart):
            merged[-1] = AnswerPart(previous.text + event.text)
        elif (
            isinstance(event, Progressed)
            and isinstance(previous, Progressed)
            and event.task == previous.task
        ):
            merged[-1] = event
        else:
            merged.append(event)
    return merged
