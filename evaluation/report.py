"""The report of `troupe evaluate --suite`: one HTML page without scripts or other files."""

import base64
import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

from adapters.web import shapes
from adapters.web.markdown_html import render_html
from adapters.web.serialization import say_each_once, serialize_outcome, serialize_plan
from bot import VERSION
from bot.app import App
from evaluation.figures import Score, compute_average, compute_percentile, compute_rate
from evaluation.judging import MEASURES, JudgedTrial
from evaluation.trials import FOLDER, TOKENS, Trial, add_up
from pipeline.domain import (
    SPREADSHEETS,
    Apologised,
    Attachment,
    Blob,
    Done,
    Media,
    Price,
    TaskId,
    Type,
    type_of,
)
from pipeline.errors import MediaError
from pipeline.ports import Files, MediaTools, Planner, Responder
from pipeline.prompts import versions
from pipeline.words import say

_TEMPLATE = Path(__file__).parent / "report.html"
_THUMBNAIL = 320
"""Pixels."""
_MAX_FILE, _MAX_TEXT = 300_000, 1_500
"""Bytes of an embedded sound or film; characters of an embedded table and of a result."""
_MAX_TOTAL = 12_000_000
"""Bytes of all embedded files."""
_SIGNS = {True: "✓", False: "✗"}
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of all messages. Times in seconds."""

    rates: Mapping[str, Score]
    plan_score: Score | None
    """The judge's."""
    median: float
    p95: float
    spent: Mapping[str, Mapping[str, int]]
    """"controller" and "judge" → calls and tokens."""
    costs: Mapping[str, float | None]
    """"controller" (if it was called) and "experts" → US dollars; None: a price is not known."""


def summarize(
    judged: Sequence[JudgedTrial], judge: Mapping[str, int], price: Price | None
) -> Summary:
    """Raises StatisticsError if there are no messages. `judge`: its calls and tokens.

    `price` is the controller's.
    """
    marks = {name: [each.marks[name] for each in judged if name in each.marks] for name in MEASURES}
    scores = [(each.score, 1.0) for each in judged if each.score is not None]
    seconds = [each.trial.seconds for each in judged]
    costs = [each.trial.cost for each in judged]
    known = [cost for cost in costs if cost is not None]
    spent = add_up([each.trial.spent for each in judged])
    tokens = [spent[name] for name in TOKENS if name in spent]
    controller = price.of(*tokens) if price and len(tokens) == len(TOKENS) else None
    return Summary(
        {name: compute_rate(values) for name, values in marks.items() if values},
        compute_average(scores) if scores else None,
        compute_percentile(seconds, 50),
        compute_percentile(seconds, 95),
        {"controller": spent, **({"judge": judge} if judge else {})},
        {
            **({"controller": controller} if spent["calls"] else {}),
            "experts": sum(known) if len(known) == len(costs) else None,
        },
    )


def list_figures(summary: Summary) -> Sequence[tuple[str, str, str, str, str]]:
    """Rows of the summary: measure, who says it, value, interval, messages."""
    rows = [
        (name, MEASURES[name], *_format_score(score, "%")) for name, score in summary.rates.items()
    ]
    if summary.plan_score:
        rows.append(("plan score", "judge", *_format_score(summary.plan_score, "of 100")))
    figures = {
        "time, median": f"{summary.median:.1f} s",
        "time, 95th percentile": f"{summary.p95:.1f} s",
        **{
            f"{who}, {name.replace('_', ' ')}": f"{count:,}"
            for who, spent in summary.spent.items()
            for name, count in spent.items()
        },
        **{
            f"{who}, cost": "not known" if cost is None else f"${cost:.4f}"
            for who, cost in summary.costs.items()
        },
    }
    return [*rows, *((name, "measured", value, "", "") for name, value in figures.items())]


def _format_score(score: Score, unit: str) -> tuple[str, str, str]:
    return f"{score.value:.1f} {unit}", f"{score.low:.1f} to {score.high:.1f}", str(score.requests)


async def render_report(
    judged: Sequence[JudgedTrial],
    summary: Summary,
    contents: Mapping[str, str],
    app: App,
    judge: str,
) -> str:
    """The page. `contents`: what the files that were sent show; `judge`: a name, or ""."""
    embedding = _Embedding(app.tools.files, app.tools.media)
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        count=len(judged),
        summary=_table(
            "All messages",
            ("measure", "by", "value", "95 % interval", "messages"),
            [[*map(_escape, row)] for row in list_figures(summary)],
            numbers=("value", "95 % interval", "messages"),
        ),
        configured="".join(
            f"<dt>{_escape(name)}</dt><dd>{_escape(value)}</dd>"
            for name, value in list_configuration(app, judge).items()
        ),
        overview=_render_overview(judged),
        requests="\n".join([await _render_trial(each, contents, embedding) for each in judged]),
    )


def list_configuration(app: App, judge: str) -> Mapping[str, str]:
    """What the figures depend on, without secrets and addresses."""
    tools, settings = app.tools, app.settings
    server = urlsplit(settings.openai_base_url).netloc.rpartition("@")[2]

    def list_names(each: Iterable[Planner | Responder]) -> str:
        """A model that nobody chose and no list names is called by its server's address."""
        names = (stage.name for stage in each)
        return ", ".join("a model that was not named" if name == server else name for name in names)

    return {
        "Date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "Troupe": VERSION,
        "Planners": list_names(tools.planners),
        "Responders": list_names(tools.responders),
        "Judge": judge or "none",
        "Places": ", ".join(place.name for place in tools.experts),
        "Choice of models": settings.troupe_selection,
        "Prompts": versions(),
    }


def _render_overview(judged: Sequence[JudgedTrial]) -> str:
    rows = [
        [
            f'<a href="#{_anchor(each.trial)}">{_escape(_label(each.trial))}</a>',
            _escape(each.trial.turn.text.partition("\n")[0]),
            *(_format_mark(each.marks.get(name)) for name in MEASURES),
            f"{each.trial.seconds:.1f}",
        ]
        for each in judged
    ]
    head = ("no.", "request", *MEASURES, "s")
    return _table("Each message", head, rows, numbers=("s",), texts=("request",))


async def _render_trial(
    judged: JudgedTrial, contents: Mapping[str, str], embedding: "_Embedding"
) -> str:
    trial, anchor = judged.trial, _anchor(judged.trial)
    sent = [
        await embedding.embed(name, (FOLDER / name).read_bytes(), contents.get(name, ""))
        for name in trial.turn.files
    ]
    made = [
        await embedding.embed(file.name, await embedding.files.get(file.hash), caption)
        for file, caption in _list_made(trial)
    ]
    parts = (
        f'<article aria-labelledby="{anchor}">',
        f'<h3 id="{anchor}">{_escape(_label(trial))}</h3>',
        f"<blockquote>{_escape(trial.turn.text)}</blockquote>",
        _render_files(sent),
        _render_plan(trial),
        _render_end(trial),
        _render_files(made),
        _render_marks(judged),
        "</article>",
    )
    return "\n".join(part for part in parts if part)


def _list_made(trial: Trial) -> Sequence[tuple[Attachment, str]]:
    """The files of the answer, then those that only other tasks used, with their captions."""
    files = {file.attachment: f"{file.alt} ({file.model})" for file in trial.files}
    for task, outcome in trial.outcomes.items():
        for value in outcome.output.slots.values() if isinstance(outcome, Done) else ():
            if isinstance(value, Media):
                files.setdefault(value.attachment, f"result of task {task}, not in the answer")
    return [*files.items()]


def _render_files(figures: Sequence[str]) -> str:
    return f'<div class="files">{"".join(figures)}</div>' if figures else ""


def _render_plan(trial: Trial) -> str:
    planned = serialize_plan(trial.planned, "en")
    if not planned["tasks"]:
        return '<p class="soft">No plan: answered directly.</p>'
    outcomes: dict[int, dict[str, Any]] = {
        id_: {**serialize_outcome(each, "en")} for id_, each in trial.outcomes.items()
    }
    rows = [_list_cells(task, trial, outcomes.get(task["id"], {})) for task in planned["tasks"]]
    repairs = "".join(f"<li>{_escape(repair)}</li>" for repair in planned["repairs"])
    head = ("no.", "task", "after", "arguments", "model", "s", "$", "result")
    table = _table("Plan", head, rows, numbers=("s", "$"), texts=("arguments", "result"))
    return f"{table}<p>Repairs of the plan:</p><ul>{repairs}</ul>" if repairs else table


def _list_cells(task: shapes.Task, trial: Trial, outcome: Mapping[str, Any]) -> Sequence[str]:
    choice = trial.choices.get(TaskId(task["id"]))
    others = len(choice.runners_up) if choice else 0
    tried = outcome.get("tried", ())
    model = str(outcome.get("model") or (choice.model.id if choice else _NONE))
    provider = " ".join(filter(None, (str(outcome.get("place", "")), outcome.get("provider"))))
    seconds = outcome.get("took", sum(attempt["took"] for attempt in tried) if tried else None)
    costs = [attempt["cost"] for attempt in tried if attempt["cost"] is not None]
    failures = "; ".join(f"{each['model']}: {each['error']}" for each in tried if each["error"])
    shown = str(outcome.get("output") or outcome.get("reason") or "")[:_MAX_TEXT]
    arguments = "; ".join(f"{name}: {value}" for name, value in task["args"].items())
    return (
        str(task["id"]),
        _escape(task["task"]),
        _escape(", ".join(map(str, task["dep"])) or _NONE),
        _escape(arguments[:_MAX_TEXT]),
        _escape(
            " · ".join(filter(None, (model, provider)))
            + (f" ({others} in reserve)" if others else "")
        ),
        _NONE if seconds is None else f"{seconds:.1f}",
        f"{sum(costs):.4f}" if costs else _NONE,
        _escape(" · ".join(filter(None, (outcome.get("state", "not run"), shown, failures)))),
    )


def _render_end(trial: Trial) -> str:
    if isinstance(trial.end, Apologised):
        return f'<p class="no">Failed: {_escape(say("en", trial.end.reason))}</p>'
    answer = trial.end.answer
    notices = "".join(
        f"<li>{_escape(notice)}</li>" for notice in say_each_once(answer.notices, "en")
    )
    said = f"<ul>{notices}</ul>" if notices else ""
    return f'<div class="answer">{render_html(answer.text, links=False)}</div>{said}'


def _render_marks(judged: JudgedTrial) -> str:
    trial = judged.trial
    score = [] if judged.score is None else [f"plan score {judged.score:g}"]
    spent = [f"{name.replace('_', ' ')}: {count:,}" for name, count in trial.spent.items()]
    facts = [f"{trial.seconds:.1f} s", *spent, *score]
    marks = [
        f"<li>{_format_mark(mark)} {_escape(name)}</li>" for name, mark in judged.marks.items()
    ]
    why = [
        f'<p class="soft">Judge on the {_escape(stage)}: {_escape(reason)}</p>'
        for stage, reason in judged.reasons.items()
        if reason
    ]
    items = "".join((*marks, *(f"<li>{_escape(fact)}</li>" for fact in facts)))
    return f'<ul class="marks">{items}</ul>{"".join(why)}'


def _format_mark(mark: bool | None) -> str:  # noqa: FBT001 - the value itself
    if mark is None:
        return _NONE
    word = "yes" if mark else "no"
    return f'<span class="{word}"><span aria-hidden="true">{_SIGNS[mark]}</span> {word}</span>'


def _table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[str] = (),
    texts: Collection[str] = (),
) -> str:
    """A table of cells that are HTML already; it scrolls where it is too wide.

    `numbers` and `texts` are the titles of columns with figures and with longer texts.
    """
    classes = [
        ' class="number"' if title in numbers else ' class="text"' if title in texts else ""
        for title in head
    ]
    titles = "".join(
        f'<th scope="col"{style}>{_escape(title)}</th>'
        for title, style in zip(head, classes, strict=True)
    )
    lines = "\n".join(
        "<tr>"
        + "".join(f"<td{style}>{cell}</td>" for cell, style in zip(row, classes, strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{_escape(caption)}"><table>'
        f"<caption>{_escape(caption)}</caption>"
        f"<thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _anchor(trial: Trial) -> str:
    return f"r{trial.request}-{trial.number}"


def _label(trial: Trial) -> str:
    return trial.request if trial.number == 1 else f"{trial.request}.{trial.number}"


def _escape(text: Any) -> str:  # noqa: ANN401 - anything that is shown
    return html.escape(str(text))


@dataclass(slots=True)
class _Embedding:
    """Makes figures with the files inside: thumbnails, players, the beginning of tables."""

    files: Files
    media: MediaTools
    size: int = 0
    """Bytes embedded so far."""

    async def embed(self, name: str, data: bytes, caption: str) -> str:
        text = f"<figcaption>{_escape(f'{name}: {caption}')}</figcaption>"
        try:
            described = await self.media.describe(Blob(data, "", name))
            shown = await self._show(Blob(data, described.media_type, name), caption)
        except MediaError:
            shown = ""
        return f"<figure>{shown}{text}</figure>"

    async def _show(self, blob: Blob, caption: str) -> str:
        """Raises MediaError. "" for what cannot be shown or is too much."""
        match blob.type:
            case Type.IMAGE:
                address = self._inline(await self.media.preview(blob, _THUMBNAIL))
                return f'<img src="{address}" alt="{_escape(caption)}">' if address else ""
            case Type.AUDIO | Type.VIDEO:
                fitting = await self.media.fit(blob, _MAX_FILE)
                address, label = self._inline(fitting), _escape(caption)
                tag = "video" if type_of(fitting.media_type) is Type.VIDEO else "audio"
                player = f'<{tag} controls src="{address}" aria-label="{label}"></{tag}>'
                return player if address else ""
            case Type.TABLE:
                if blob.media_type in SPREADSHEETS:
                    blob = await self.media.convert(blob, "text/csv")
                text = blob.data.decode("utf-8", "replace")[:_MAX_TEXT]
                rows = f'<pre tabindex="0">{_escape(text)}</pre>'
                return f"<details><summary>Table</summary>{rows}</details>"
            case _:
                return ""

    def _inline(self, blob: Blob) -> str:
        """A data URL; "" if there are too many bytes already."""
        if len(blob.data) > _MAX_FILE or self.size + len(blob.data) > _MAX_TOTAL:
            return ""
        self.size += len(blob.data)
        return f"data:{blob.media_type};base64,{base64.b64encode(blob.data).decode()}"
