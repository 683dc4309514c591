"""Events, outcomes and answers as JSON in the caller's language."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import reduce
from itertools import groupby
from typing import Any

from adapters.chat.board import (
    Board,
    apply_event,
    describe_source,
    find_provider,
    list_actions,
)
from adapters.chat.board_text import format_label, format_place
from adapters.web.markdown_html import render_html
from adapters.web.run_logs import RunLog
from adapters.web.task_schemas import format_official, make_address
from pipeline import domain
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.words import say, title

Json = dict[str, Any]
BROKEN_OFF = domain.LocalizedText("web-broken-off")
"""For a run without an end: Troupe was stopped meanwhile."""
_MAX_OUTPUT = 4000
"""Characters of a step's result."""
_NAMES = {domain.AnswerPart: "answer_part", domain.FellBack: "fell_back"}
"""Names of events that are not their class's name."""


def serialize_event(event: domain.Event, locale: str) -> tuple[str, Json]:
    """An event's name and data. `serialize_end` has the end of a run."""
    return _NAMES.get(type(event), type(event).__name__.lower()), _serialize_data(event, locale)


def _serialize_data(event: domain.Event, locale: str) -> Json:  # noqa: PLR0911 - one an event
    match event:
        case domain.Planned():
            text = format_estimate(event.estimate)
            return {**serialize_plan(event, locale), "estimate": say(locale, text) if text else ""}
        case domain.Delayed(reason):
            return {"reason": say(locale, reason)}
        case domain.Chose(task, choice):
            return {
                "task": task,
                "model": choice.model.id,
                "licence": choice.model.licence,
                "reason": say(locale, choice.reason),
                "runners_up": [model.id for model in choice.runners_up],
            }
        case domain.FellBack(task, attempt):
            return {"task": task, **_serialize_attempt(attempt, locale)}
        case domain.Finished(task, outcome, at):
            return {"task": task, **serialize_outcome(outcome, locale), "at": at}
        case domain.Started(place=place):
            return {**asdict(event), "place": place.name}
        case domain.Progressed():
            return {**asdict(event), "note": format_place(event.note, locale)}
        case domain.Answered(answer):
            return {"run": answer.run}
        case domain.Apologised():
            return _serialize_apology(event, locale)
        case _:  # only plain values
            return asdict(event)


def serialize_plan(planned: domain.Planned, locale: str) -> Json:
    """Tasks in the paper's format, each with what it does in words."""
    return {
        "tasks": [_serialize_task(task, locale) for task in planned.plan.tasks],
        "repairs": [say(locale, repair.what) for repair in planned.repairs],
    }


def serialize_preview(preview: domain.PlanPreview, locale: str) -> Json:
    """A plan that is not executed, with its reply and notices."""
    notices = say_each_once(preview.notices, locale)
    return {**serialize_plan(preview.planned, locale), "reply": preview.reply, "notices": notices}


def _serialize_task(task: domain.Task, locale: str) -> Json:
    return {
        "task": task.kind.name,
        "id": task.id,
        "dep": sorted(task.needs),
        "args": {name: " ".join(map(_format_arg, args)) for name, args in task.args.items()},
        "says": title(locale, task.kind.name),
    }


def _format_arg(arg: domain.Arg) -> str:
    if isinstance(arg, domain.Media):
        return arg.attachment.name
    return f"<GENERATED>-{arg.task}.{arg.slot}" if isinstance(arg, domain.Ref) else as_text(arg)


def serialize_outcome(outcome: domain.Outcome, locale: str) -> Json:
    match outcome:
        case domain.Done():
            return _serialize_done(outcome, locale)
        case domain.Failed(reason, tried):
            attempts = [_serialize_attempt(each, locale) for each in tried]
            told = {"reason": say(locale, reason), "cost": _sum_costs(tried)}
            return {"state": "failed", **told, "tried": attempts}
        case domain.Skipped(because_of):
            return {"state": "skipped", "because_of": because_of}
        case domain.Stopped(reason):
            return {"state": "stopped", "reason": say(locale, reason)}


def _serialize_done(done: domain.Done, locale: str) -> Json:
    values = done.output.slots.values()
    words = "\n".join(as_text(value) for value in values if not isinstance(value, domain.Media))
    source = describe_source(done)
    return {
        "state": "done",
        "model": done.model.id,
        "place": done.place.name,
        "provider": find_provider(done),
        "took": round(done.took, 3),
        "taken": say(locale, source) if source else "",
        "cost": None if source else _sum_costs(done.tried),
        "output": words[:_MAX_OUTPUT],
        "note": done.output.note,
        "source": done.output.source,
        "files": [serialize_file(file) for file in done.files],
        "tried": [_serialize_attempt(each, locale) for each in done.tried],
    }


def _sum_costs(attempts: Iterable[domain.Attempt]) -> float | None:
    """What is known to have been paid for attempts, in US dollars; None if nothing is."""
    costs = [attempt.cost for attempt in attempts if attempt.cost is not None]
    return round(sum(costs), 6) if costs else None


def _serialize_attempt(attempt: domain.Attempt, locale: str) -> Json:
    error = say(locale, attempt.error) if attempt.error else ""
    return {
        **asdict(attempt),
        "place": attempt.place.name,
        "took": round(attempt.took, 3),
        "error": error,
    }


def serialize_run(run_log: RunLog, locale: str) -> Json:
    """A run's events so far, and its answer once it is over."""
    events = [
        serialize_event(event, locale)
        for event in merge_events(run_log.events)
        if not isinstance(event, domain.Answered | domain.AnswerPart)
    ]
    return {
        "run": run_log.run,
        "thread": run_log.thread.root,
        "live": not run_log.is_over,
        "events": [{"type": name, **data} for name, data in events],
        "answer": serialize_end(run_log, locale, html=True) if run_log.is_over else None,
    }


def serialize_end(run_log: RunLog, locale: str, *, html: bool = False) -> Json:
    """The end of a run in one object: the answer, or the apology under "error"."""
    told = (event for event in run_log.events if not isinstance(event, domain.AnswerPart))
    actions = list_actions(reduce(apply_event, told, Board()))
    took = run_log.last.at if run_log.last else None
    run = {"run": run_log.run, "thread": run_log.thread.root, "actions": [*actions], "took": took}
    match run_log.last:
        case domain.Answered(answer):
            rendered = _render_answer(answer) if html else {}
            return {**serialize_answer(answer, run_log.events, locale), **run, **rendered}
        case domain.Apologised() as apology:
            return {**_serialize_apology(apology, locale), **run}
        case None:
            return {"error": say(locale, BROKEN_OFF), **run}


def _render_answer(answer: domain.Answer) -> Json:
    """The answer's HTML; of a comparison, its results apart, without their headings."""
    comparison = answer.comparison
    ending = "".join(f"\n\n{result}" for result in comparison.results) if comparison else ""
    if not comparison or not ending or not answer.text.endswith(ending):
        return {"html": render_html(answer.text)}
    bodies = [result.partition("\n\n")[2] for result in comparison.results]
    unquoted = [_unquote(body) for body in bodies]
    return {
        "html": render_html(answer.text.removesuffix(ending)),
        "comparison": {**asdict(comparison), "html": [*map(render_html, unquoted)]},
    }


def _unquote(text: str) -> str:
    """The lines of a quotation, without its marks."""
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in text.split("\n"))


def serialize_answer(answer: domain.Answer, events: Iterable[domain.Event], locale: str) -> Json:
    """The answer as the API gives it, with the outcomes of the run's events.

    Results have the shapes of Hugging Face's task schemas.
    """
    kinds: dict[int, str] = {}
    outcomes: dict[int, Json] = {}
    for event in events:
        if isinstance(event, domain.Planned):
            kinds |= {task.id: task.kind.name for task in event.plan.tasks}
        elif isinstance(event, domain.Finished):
            task, outcome, kind = event.task, event.outcome, kinds.get(event.task, "")
            outcomes[task] = {"task": task, "kind": kind, **serialize_outcome(outcome, locale)}
            if isinstance(outcome, domain.Done):
                outcomes[task]["result"] = format_official(kind, outcome.output.slots)
    files = [
        {
            **serialize_file(file.attachment, file.alt, file.model),
            "kind": file.kind,
            "task": file.task,
        }
        for file in answer.files
    ]
    return {
        "message": answer.text,
        "files": files,
        "run": answer.run,
        "thread": "",
        "outcomes": [outcome for _, outcome in sorted(outcomes.items())],
        "notices": say_each_once(answer.notices, locale),
        "comparison": asdict(answer.comparison) if answer.comparison else None,
    }


def serialize_reply(reply: domain.Reply, locale: str) -> Json:
    """The reply to a click, with the select under it, if any."""
    select = reply.select and {
        "action": reply.select.action,
        "label": format_label(reply.select.action, locale),
        "options": [asdict(option) for option in reply.select.options],
    }
    return {
        "text": reply.text,
        "html": render_html(reply.text),
        "files": [serialize_file(file) for file in reply.files],
        "run": reply.run,
        "select": select,
    }


def _serialize_apology(apology: domain.Apologised, locale: str) -> Json:
    return {
        "error": say(locale, apology.reason),
        "reference": apology.reference,
        "stopped": apology.reason.id == "stopped",
    }


def say_each_once(texts: Iterable[domain.LocalizedText], locale: str) -> list[str]:
    """The messages in the person's language, each once."""
    return list(dict.fromkeys(say(locale, text) for text in texts))


def serialize_file(file: domain.Attachment, alt: str = "", model: str = "") -> Json:
    return {
        "name": file.name,
        "media_type": file.media_type,
        "url": make_address(file),
        "alt": alt or file.description,
        "model": model,
        "size": file.size,
    }


def merge_events(events: Iterable[domain.Event]) -> Sequence[domain.Event]:
    """Join successive pieces of text, and keep only the latest progress of a task."""
    merged: list[domain.Event] = []
    for kind, group in groupby(events, key=type):
        if kind is domain.AnswerPart:
            texts = (event.text for event in group if isinstance(event, domain.AnswerPart))
            merged.append(domain.AnswerPart("".join(texts)))
        elif kind is domain.Progressed:
            progress = (event for event in group if isinstance(event, domain.Progressed))
            merged += {event.task: event for event in progress}.values()
        else:
            merged += group
    return merged
