"""Events, outcomes and answers as JSON in the caller's language; Markdown as HTML."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache, reduce
from itertools import groupby
from typing import Any
from urllib.parse import quote

from adapters.chat.board import Board, apply_event, describe_source, find_provider, list_actions
from adapters.chat.board_text import format_label, format_place
from adapters.web.run_logs import RunLog
from pipeline import domain
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.words import say, title

Json = dict[str, Any]
Result = Any
"""Any JSON."""
_MAX_OUTPUT = 4000
_MAX_MARKDOWN = 100_000
_NAMES = {domain.AnswerPart: "answer_part", domain.FellBack: "fell_back"}
"""Names of events that are not their class's name."""
_TEXT_FIELDS = {
    "summarization": "summary_text",
    "translation": "translation_text",
    "text-generation": "generated_text",
    "text2text-generation": "generated_text",
    "conversational": "generated_text",
    "image-to-text": "generated_text",
    "optical-character-recognition": "generated_text",
}
"""The field of a kind's official schema that holds the text."""


def event_json(event: domain.Event, locale: str) -> tuple[str, Json]:
    """An event's name and data. `final_json` has the end of a run."""
    return _NAMES.get(type(event), type(event).__name__.lower()), _event_data(event, locale)


def _event_data(event: domain.Event, locale: str) -> Json:  # noqa: PLR0911 - one an event
    match event:
        case domain.Planned():
            text = format_estimate(event.estimate)
            return {**plan_json(event, locale), "estimate": say(locale, text) if text else ""}
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
            return {"task": task, **_attempt_json(attempt, locale)}
        case domain.Finished(task, outcome):
            return {"task": task, **outcome_json(outcome, locale)}
        case domain.Started(place=place):
            return {**asdict(event), "place": place.name}
        case domain.Progressed():
            return {**asdict(event), "note": format_place(event.note, locale)}
        case domain.Answered(answer):
            return {"run": answer.run}
        case domain.Apologised():
            return _apology_json(event, locale)
        case _:  # only plain values
            return asdict(event)


def plan_json(planned: domain.Planned, locale: str) -> Json:
    """Tasks in the paper's format, each with what it does in words."""
    return {
        "tasks": [_task_json(task, locale) for task in planned.plan.tasks],
        "repairs": [say(locale, repair.what) for repair in planned.repairs],
    }


def preview_json(preview: domain.PlanPreview, locale: str) -> Json:
    """A plan that is not executed, with its reply and notices."""
    notices = say_once(preview.notices, locale)
    return {**plan_json(preview.planned, locale), "reply": preview.reply, "notices": notices}


def _task_json(task: domain.Task, locale: str) -> Json:
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


def outcome_json(outcome: domain.Outcome, locale: str) -> Json:
    match outcome:
        case domain.Done():
            return _done_json(outcome, locale)
        case domain.Failed(reason, tried):
            attempts = [_attempt_json(each, locale) for each in tried]
            return {"state": "failed", "reason": say(locale, reason), "tried": attempts}
        case domain.Skipped(because_of):
            return {"state": "skipped", "because_of": because_of}
        case domain.Stopped(reason):
            return {"state": "stopped", "reason": say(locale, reason)}


def _done_json(done: domain.Done, locale: str) -> Json:
    values = done.output.slots.values()
    files = [value.attachment for value in values if isinstance(value, domain.Media)]
    words = "\n".join(as_text(value) for value in values if not isinstance(value, domain.Media))
    source = describe_source(done)
    return {
        "state": "done",
        "model": done.model.id,
        "place": done.place.name,
        "provider": find_provider(done),
        "took": round(done.took, 3),
        "taken": say(locale, source) if source else "",
        "output": words[:_MAX_OUTPUT],
        "note": done.output.note,
        "source": done.output.source,
        "files": [file_json(file) for file in (*files, *done.extras)],
        "tried": [_attempt_json(each, locale) for each in done.tried],
    }


def _attempt_json(attempt: domain.Attempt, locale: str) -> Json:
    error = say(locale, attempt.error) if attempt.error else ""
    return {
        **asdict(attempt),
        "place": attempt.place.name,
        "took": round(attempt.took, 3),
        "error": error,
    }


def run_json(run_log: RunLog, locale: str) -> Json:
    """A run's events so far, and its answer once it is over."""
    events = [
        event_json(event, locale)
        for event in merge_events(run_log.events)
        if not isinstance(event, domain.Answered | domain.AnswerPart)
    ]
    return {
        "run": run_log.run,
        "thread": run_log.thread.root,
        "live": not run_log.is_over,
        "events": [{"type": name, **data} for name, data in events],
        "answer": final_json(run_log, locale, html=True) if run_log.is_over else None,
    }


def final_json(run_log: RunLog, locale: str, *, html: bool = False) -> Json:
    """The end of a run in one object: the answer, or the apology under "error"."""
    told = (event for event in run_log.events if not isinstance(event, domain.AnswerPart))
    actions = list_actions(reduce(apply_event, told, Board()))
    run = {"run": run_log.run, "thread": run_log.thread.root, "actions": [*actions]}
    match run_log.last:
        case domain.Answered(answer):
            rendered = {"html": render_html(answer.text)} if html else {}
            return {**answer_json(answer, run_log.events, locale), **run, **rendered}
        case domain.Apologised() as apology:
            return {**_apology_json(apology, locale), **run}
        case None:
            return {"error": say(locale, domain.LocalizedText("web-broken-off")), **run}


def answer_json(answer: domain.Answer, events: Iterable[domain.Event], locale: str) -> Json:
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
            outcomes[task] = {"task": task, "kind": kind, **outcome_json(outcome, locale)}
            if isinstance(outcome, domain.Done):
                outcomes[task]["result"] = format_official(kind, outcome.output.slots)
    files = [
        {**file_json(file.attachment, file.alt, file.model), "kind": file.kind}
        for file in answer.files
    ]
    return {
        "message": answer.text,
        "files": files,
        "run": answer.run,
        "thread": "",
        "outcomes": [outcome for _, outcome in sorted(outcomes.items())],
        "notices": say_once(answer.notices, locale),
        "comparison": asdict(answer.comparison) if answer.comparison else None,
    }


def reply_json(reply: domain.Reply, locale: str) -> Json:
    """The reply to a click, with the select under it, if any."""
    select = reply.select and {
        "action": reply.select.action,
        "label": format_label(reply.select.action, locale),
        "options": [asdict(option) for option in reply.select.options],
    }
    return {
        "text": reply.text,
        "html": render_html(reply.text),
        "files": [file_json(file) for file in reply.files],
        "run": reply.run,
        "select": select,
    }


def _apology_json(apology: domain.Apologised, locale: str) -> Json:
    return {
        "error": say(locale, apology.reason),
        "reference": apology.reference,
        "stopped": apology.reason.id == "stopped",
    }


def say_once(texts: Iterable[domain.LocalizedText], locale: str) -> list[str]:
    """The messages in the person's language, each once."""
    return list(dict.fromkeys(say(locale, text) for text in texts))


def file_json(file: domain.Attachment, alt: str = "", model: str = "") -> Json:
    return {
        "name": file.name,
        "media_type": file.media_type,
        "url": address_of(file),
        "alt": alt or file.description,
        "model": model,
        "size": file.size,
    }


def address_of(file: domain.Attachment) -> str:
    """The path under which a file is served."""
    return f"/files/{file.hash}/{quote(file.name, safe='')}"


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


# --- results as Hugging Face's task schemas have them ---


def format_official(kind: str, slots: Mapping[str, domain.Value]) -> Result:
    """The result in the kind's official schema; if there is none, in that of docs/schemas.json.

    Files are given by their URLs. The schemas require numbers that an expert may not return: an
    unknown score is 0, an unknown position or token is -1.
    """
    for value in slots.values():
        if (known := _format_value(kind, value)) is not None:
            return known
    return {
        name: address_of(value.attachment) if isinstance(value, domain.Media) else as_text(value)
        for name, value in slots.items()
    }


def _format_value(kind: str, value: domain.Value) -> Result:  # noqa: PLR0911 - one a shape
    """None if there is no official schema."""
    match kind, value:
        case "fill-mask", domain.Labels(items):
            return [
                {"sequence": item.label, "score": item.score, "token": -1, "token_str": item.label}
                for item in items
            ]
        case "sentence-similarity", domain.Labels(items):
            return [item.score for item in items]
        case "depth-estimation", domain.Media(file):
            return {"depth": address_of(file)}
        case "audio-to-audio", domain.Media(file):
            media_type = file.media_type
            return [{"label": "audio", "blob": address_of(file), "content-type": media_type}]
        case _, domain.Labels() | domain.Spans() | domain.Boxes() | domain.Masks():
            return [_format_item(item) for item in value.items]
        case _, domain.Vector(values):
            return [list(values)]
        case _, domain.Number(number):
            return [number]
        case _, domain.Text():
            return _format_text(kind, value)
        case _:
            return None


def _format_item(item: domain.Label | domain.Span | domain.Box | domain.Mask) -> Result:
    match item:
        case domain.Label():
            return asdict(item)
        case domain.Span():
            place = {"start": item.start, "end": item.end}
            return {"entity_group": item.label, "score": item.score, "word": item.text, **place}
        case domain.Box(label, score):
            edges = {name: getattr(item, name) for name in ("xmin", "ymin", "xmax", "ymax")}
            return {"label": label, "score": score, "box": edges}
        case domain.Mask(label, score, image):  # semantic segmentation has no score
            assert isinstance(image, domain.Media)
            known = {} if score is None else {"score": score}
            return {"label": label, "mask": address_of(image.attachment), **known}


def _format_text(kind: str, value: domain.Text) -> Result:
    answer = {"answer": value.text, "score": value.score or 0.0}
    match kind:
        case "automatic-speech-recognition":
            return {"text": value.text}
        case "question-answering" | "document-question-answering":
            return [{**answer, "start": -1, "end": -1}]
        case "visual-question-answering":
            return [answer]
        case "table-question-answering":  # the cells it comes from are not stored
            return [{"answer": value.text, "coordinates": [], "cells": []}]
        case _:  # a list of one, as servers return it; the schemas have a single object
            return [{_TEXT_FIELDS[kind]: value.text}] if kind in _TEXT_FIELDS else None


# --- Markdown ---


def render_html(text: str, *, links: bool = True) -> str:
    """HTML of a Markdown text. Without `links`, addresses stay plain text."""
    return str(_markdown(links=links).render(text[:_MAX_MARKDOWN]))


@cache
def _markdown(*, links: bool) -> Any:  # noqa: ANN401 - a MarkdownIt
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to load; not needed at the start

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    parser.validateLink = _is_harmless  # type: ignore[method-assign]
    parser.disable("image" if links else ["image", "link", "autolink", "reference"])
    parser.core.ruler.push("attributes", _set_attributes)
    return parser


def _is_harmless(url: str) -> bool:
    return url.strip().lower().startswith(("http://", "https://", "mailto:"))


def _set_attributes(state: Any) -> None:  # noqa: ANN401 - a StateCore
    """Links open in a new tab without a referrer; cells are aligned by class, not inline style."""
    for token in [each for block in state.tokens for each in (block, *(block.children or ()))]:
        if token.type == "link_open":
            token.attrs |= {"target": "_blank", "rel": "noopener noreferrer nofollow"}
        elif style := token.attrs.pop("style", ""):
            token.attrSet("class", str(style).removeprefix("text-align:"))
