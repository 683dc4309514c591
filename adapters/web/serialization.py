"""Events, outcomes and answers as JSON in the caller's language."""

from collections.abc import Iterable
from functools import reduce

from adapters.chat.board import (
    Board,
    apply_event,
    describe_source,
    find_provider,
    list_actions,
)
from adapters.chat.board_text import format_label, format_place
from adapters.web import shapes
from adapters.web.markdown_html import render_html
from adapters.web.merging import merge_events
from adapters.web.run_logs import RunLog
from adapters.web.task_schemas import format_official, make_address
from pipeline import domain
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.words import say, title

BROKEN_OFF = domain.LocalizedText("web-broken-off")
"""For a run without an end: Troupe was stopped meanwhile."""
_TaskEvent = domain.Chose | domain.Started | domain.Progressed | domain.FellBack | domain.Finished
_MAX_OUTPUT = 4000
"""Characters of a step's result."""


def serialize_event(event: domain.Event, locale: str) -> shapes.Event:
    """An event. `serialize_end` has the end of a run."""
    match event:
        case domain.Planned():
            text = format_estimate(event.estimate)
            estimate = say(locale, text) if text else ""
            return {"type": "planned", **serialize_plan(event, locale), "estimate": estimate}
        case domain.Delayed(reason):
            return {"type": "delayed", "reason": say(locale, reason)}
        case domain.AnswerPart(text):
            return {"type": "answer_part", "text": text}
        case domain.Answered(answer):
            return {"type": "answered", "run": answer.run, "at": event.at}
        case domain.Apologised():
            return {"type": "apologised", **_serialize_apology(event, locale), "at": event.at}
        case _:
            return _serialize_step(event, locale)


def _serialize_step(event: _TaskEvent, locale: str) -> shapes.Event:
    match event:
        case domain.Chose(task, choice):
            return {
                "type": "chose",
                "task": task,
                "model": choice.model.id,
                "licence": choice.model.licence,
                "reason": say(locale, choice.reason),
                "runners_up": [model.id for model in choice.runners_up],
            }
        case domain.Started(task, model, place, provider, at):
            return {
                "type": "started",
                "task": task,
                "model": model,
                "place": place.name,
                "provider": provider,
                "at": at,
            }
        case domain.Progressed(task, fraction, note):
            shown = format_place(note, locale)
            return {"type": "progressed", "task": task, "fraction": fraction, "note": shown}
        case domain.FellBack(task, attempt):
            return {"type": "fell_back", "task": task, **_serialize_attempt(attempt, locale)}
        case domain.Finished(task, outcome, at):
            finished = serialize_outcome(outcome, locale)
            finished["type"], finished["task"], finished["at"] = "finished", task, at
            return finished


def serialize_plan(planned: domain.Planned, locale: str) -> shapes.Plan:
    """Tasks in the paper's format, each with what it does in words."""
    return {
        "tasks": [_serialize_task(task, locale) for task in planned.plan.tasks],
        "repairs": [say(locale, repair.what) for repair in planned.repairs],
    }


def serialize_preview(preview: domain.PlanPreview, locale: str) -> shapes.PlanPreview:
    """A plan that is not executed, with its reply and notices."""
    notices = say_each_once(preview.notices, locale)
    return {**serialize_plan(preview.planned, locale), "reply": preview.reply, "notices": notices}


def _serialize_task(task: domain.Task, locale: str) -> shapes.Task:
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


def serialize_outcome(outcome: domain.Outcome, locale: str) -> shapes.Outcome:
    match outcome:
        case domain.Done():
            return _serialize_done(outcome, locale)
        case domain.Failed(reason, tried):
            attempts = [_serialize_attempt(each, locale) for each in tried]
            return {
                "state": "failed",
                "reason": say(locale, reason),
                "cost": _sum_costs(tried),
                "tried": attempts,
            }
        case domain.Skipped(because_of):
            return {"state": "skipped", "because_of": because_of}
        case domain.Stopped(reason):
            return {"state": "stopped", "reason": say(locale, reason)}


def _serialize_done(done: domain.Done, locale: str) -> shapes.Done:
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


def _serialize_attempt(attempt: domain.Attempt, locale: str) -> shapes.Attempt:
    return {
        "model": attempt.model,
        "place": attempt.place.name,
        "provider": attempt.provider,
        "took": round(attempt.took, 3),
        "cost": attempt.cost,
        "error": say(locale, attempt.error) if attempt.error else "",
    }


def serialize_run(run_log: RunLog, locale: str) -> shapes.Run:
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
        "events": events,
        "answer": serialize_end(run_log, locale, html=True) if run_log.is_over else None,
    }


def serialize_end(run_log: RunLog, locale: str, *, html: bool = False) -> shapes.End:
    """The end of a run in one object: the answer, or the apology under "error"."""
    told = (event for event in run_log.events if not isinstance(event, domain.AnswerPart))
    actions = [*list_actions(reduce(apply_event, told, Board()))]
    place: shapes.RunPlace = {"run": run_log.run, "thread": run_log.thread.root}
    took = run_log.last.at if run_log.last else None
    match run_log.last:
        case domain.Answered(answer):
            body = serialize_answer(answer, run_log.events, locale)
            whole: shapes.Answer = {**body, **place, "actions": actions, "took": took}
            return _render_answer(answer, whole) if html else whole
        case domain.Apologised() as apology:
            why = _serialize_apology(apology, locale)
            return {**why, **place, "actions": actions, "took": took}
        case None:
            error = say(locale, BROKEN_OFF)
            return {"error": error, **place, "actions": actions, "took": None}


def _render_answer(answer: domain.Answer, whole: shapes.Answer) -> shapes.RenderedAnswer:
    """The answer with its HTML; of a comparison, its results apart, without their headings."""
    comparison, shown = answer.comparison, whole["comparison"]
    ending = "".join(f"\n\n{result}" for result in comparison.results) if comparison else ""
    if not comparison or not shown or not ending or not answer.text.endswith(ending):
        return {**whole, "html": render_html(answer.text)}
    bodies = [result.partition("\n\n")[2] for result in comparison.results]
    shown["html"] = [render_html(_unquote(body)) for body in bodies]
    return {**whole, "html": render_html(answer.text.removesuffix(ending))}


def _unquote(text: str) -> str:
    """The lines of a quotation, without its marks."""
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in text.split("\n"))


def serialize_answer(
    answer: domain.Answer, events: Iterable[domain.Event], locale: str
) -> shapes.AnswerBody:
    """The answer as the API gives it, with the outcomes of the run's events.

    Results have the shapes of Hugging Face's task schemas.
    """
    kinds: dict[int, str] = {}
    outcomes: dict[int, shapes.Outcome] = {}
    for event in events:
        if isinstance(event, domain.Planned):
            kinds |= {task.id: task.kind.name for task in event.plan.tasks}
        elif isinstance(event, domain.Finished):
            kind, shown = kinds.get(event.task, ""), serialize_outcome(event.outcome, locale)
            shown["task"], shown["kind"] = event.task, kind
            if shown["state"] == "done" and isinstance(event.outcome, domain.Done):
                shown["result"] = format_official(kind, event.outcome.output.slots)
            outcomes[event.task] = shown
    files: list[shapes.AnswerFile] = [
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
        "comparison": _serialize_comparison(answer.comparison),
    }


def _serialize_comparison(comparison: domain.Comparison | None) -> shapes.Comparison | None:
    if comparison is None:
        return None
    return {
        "kind": comparison.kind,
        "first": comparison.first,
        "second": comparison.second,
        "results": [*comparison.results],
    }


def serialize_reply(reply: domain.Reply, locale: str) -> shapes.Reply:
    """The reply to a click, with the select under it, if any."""
    return {
        "text": reply.text,
        "html": render_html(reply.text),
        "files": [serialize_file(file) for file in reply.files],
        "run": reply.run,
        "select": _serialize_select(reply.select, locale) if reply.select else None,
    }


def _serialize_select(select: domain.Select, locale: str) -> shapes.Select:
    options: list[shapes.SelectOption] = [
        {"value": option.value, "label": option.label, "group": option.group}
        for option in select.options
    ]
    label = format_label(select.action, locale)
    return {"action": select.action, "label": label, "options": options}


def _serialize_apology(apology: domain.Apologised, locale: str) -> shapes.Apology:
    return {
        "error": say(locale, apology.reason),
        "reference": apology.reference,
        "stopped": apology.reason.id == "stopped",
    }


def say_each_once(texts: Iterable[domain.LocalizedText], locale: str) -> list[str]:
    """The messages in the person's language, each once."""
    return list(dict.fromkeys(say(locale, text) for text in texts))


def serialize_file(file: domain.Attachment, alt: str = "", model: str = "") -> shapes.File:
    return {
        "name": file.name,
        "media_type": file.media_type,
        "url": make_address(file),
        "alt": alt or file.description,
        "model": model,
        "size": file.size,
    }
