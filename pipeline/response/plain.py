"""Answers without a language model: the results in short template sentences."""

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.domain import (
    Arg,
    Boxes,
    Done,
    Labels,
    LocalizedText,
    Masks,
    Media,
    Number,
    Outcomes,
    Plan,
    Request,
    Spans,
    Task,
    Text,
    Value,
    find_slots,
)
from pipeline.domain.conversions import as_text
from pipeline.text import shorten
from pipeline.text.names import clean_line
from pipeline.words import has_message, language_of, say, title

_LABELS = Path(__file__).with_name("labels.tsv")
_LABEL_LANGUAGES = ("en", "many", "de", "fr", "es", "zh", "ja")
_MAX_NAME = 60
"""Characters of an argument that tells equal steps apart."""
_MAX_OTHER_LABELS = 3
"""Labels that are named after the first."""
_DOCUMENT = "document-to-text"
_MIN_OTHER_SCORE = 0.1
"""Labels below this score are left out, except the first."""
PLAIN = "plain"
_MARKS = re.compile(r"^> |\*\*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlainResponder:
    """Lists the result of each task and the number of files made."""

    name: str = PLAIN

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        """Never raises."""
        yield format_plain_answer(request, plan, outcomes)


def format_plain_answer(request: Request, plan: Plan, outcomes: Outcomes) -> str:
    """The results, with headings if there are several, and the number of files."""
    locale = request.person.locale
    paragraphs = [
        f"**{heading}**: {words}" if heading else words
        for task, heading, result in _list_results(request, plan, outcomes)
        if (words := _add_source(result, task, outcomes, locale))
    ]
    if files := "\n".join(_count_files(plan, outcomes, locale)):
        paragraphs.append(files)
    return "\n\n".join(paragraphs) or say(locale, LocalizedText("respond-nothing"))


def format_results(request: Request, plan: Plan, outcomes: Outcomes) -> str:
    """The results without Markdown, sources and what is said of files, for use in another task."""
    results = (
        f"{heading}: {words}" if heading else words
        for _, heading, words in _list_results(request, plan, outcomes)
    )
    return _MARKS.sub("", "\n\n".join(results))


def _list_results(
    request: Request, plan: Plan, outcomes: Outcomes
) -> Sequence[tuple[Task, str, str]]:
    """The tasks whose results no other task used up, each with a heading and its words."""
    results = [
        (task, words)
        for task in plan.tasks
        if (value := _find_value(task, outcomes)) is not None and not _is_used(task, plan, outcomes)
        if (words := _format_value(task, value, request.person.locale))
    ]
    tasks = [task for task, _ in results]
    return [(task, _make_heading(task, tasks, plan, request), words) for task, words in results]


def name_task(task: Task, plan: Plan, request: Request) -> str | LocalizedText:
    """A task as a message argument: its kind, and what distinguishes it from others of the kind."""
    kind = task.kind.name
    what = _tell_apart(task, [other for other in plan.tasks if other.kind == task.kind], request)
    return LocalizedText("respond-which", {"kind": kind, "what": what}) if what else kind


def _find_value(task: Task, outcomes: Outcomes) -> Value | None:
    """The first output of a finished task that is not a file."""
    values = find_slots(outcomes, task.id).values()
    return next((value for value in values if not isinstance(value, Media)), None)


def _is_used(task: Task, plan: Plan, outcomes: Outcomes) -> bool:
    """Whether another task turned this one's output into a text, or was to do so.

    What a document says, which the person has, is no answer to a wish for something made of it.
    """
    users = [other for other in plan.tasks if any(ref.task == task.id for ref in other.refs)]
    values = (_find_value(user, outcomes) for user in users)
    is_source = bool(users) and task.kind.name == _DOCUMENT
    return is_source or any(isinstance(value, Text) for value in values)


def _make_heading(task: Task, shown: Sequence[Task], plan: Plan, request: Request) -> str:
    """What distinguishes a result from the others shown; if alone, from tasks of its kind."""
    if len(shown) == 1:
        return _tell_apart(
            task, [other for other in plan.tasks if other.kind == task.kind], request
        )
    return _tell_apart(task, shown, request) or title(request.person.locale, task.kind.name)


def _tell_apart(task: Task, others: Sequence[Task], request: Request) -> str:
    """The arguments of a task in which it differs from any of the others."""
    found: list[str] = []
    for slot, args in task.args.items():
        values = (other.args.get(slot, ()) for other in others)
        different = [value for value in values if value != args]  # formatting takes long
        words = _format_args(args, request) if different else ""
        if words and any(_format_args(value, request) != words for value in different):
            found.append(words)
    return ", ".join(found)


def _format_args(args: Iterable[Arg], request: Request) -> str:
    names = {file.attachment.hash: file.name for file in request.known_files}
    words: list[str] = []
    for arg in args:
        match arg:
            case Media(attachment):
                words.append(names.get(attachment.hash, attachment.name))
            case Text(text):
                words.append(shorten(clean_line(text), _MAX_NAME))
            case Number():
                words.append(as_text(arg))
            case _:
                pass
    return ", ".join(words)


def _format_value(task: Task, value: Value, locale: str) -> str:
    match value:
        case Labels(()) | Boxes(()) | Masks(()) | Spans(()) | Text(""):
            return say(locale, LocalizedText("respond-found-nothing"))
        case Labels():
            return _format_labels(task, value, locale)
        case Boxes(items) | Masks(items):
            counts = Counter(item.label for item in items).most_common()
            things = ", ".join(_count_label(label, count, locale) for label, count in counts)
            return say(locale, LocalizedText("respond-things", {"things": things}))
        case Spans(items):
            return ", ".join(f"{span.text} ({_name_label(span.label, locale)})" for span in items)
        case _:
            return as_text(value).strip()


def _add_source(words: str, task: Task, outcomes: Outcomes, locale: str) -> str:
    """A value with the line or calculation behind it, if the expert gave one."""
    outcome = outcomes.get(task.id)
    if not isinstance(outcome, Done) or not (source := outcome.output.source):
        return words
    *lines, last = words.splitlines() or [""]
    return "\n".join(
        (*lines, say(locale, LocalizedText("respond-source", {"value": last, "source": source})))
    )


def _format_labels(task: Task, labels: Labels, locale: str) -> str:
    first, *others = labels.items
    if task.kind.name == "sentence-similarity":
        if not others:
            percent = {"percent": f"{100 * first.score:.0f}"}
            return say(locale, LocalizedText("respond-alike", percent))
        return "\n".join(f"{item.label}: {item.score:.0%}" for item in labels.items)
    words = say(locale, LocalizedText("respond-label", {"label": _name_label(first.label, locale)}))
    names = [_name_label(item.label, locale) for item in others if item.score >= _MIN_OTHER_SCORE]
    if not names:
        return words
    also = LocalizedText("respond-also", {"labels": ", ".join(names[:_MAX_OTHER_LABELS])})
    return f"{words} {say(locale, also)}"


def _count_label(label: str, count: int, locale: str) -> str:
    name = _name_label(label, locale)
    plural = _read_labels().get(name.casefold(), {}).get("many", "")
    if language_of(locale) == "en" and (count == 1 or plural):
        return f"{count} {name if count == 1 else plural}"
    return f"{count} × {name}"


def _name_label(label: str, locale: str) -> str:
    """The first name of a label ("tabby, tabby cat"), translated if possible."""
    name = label.replace("_", " ").partition(", ")[0]
    if has_message(message := f"label-{name.casefold()}"):
        return say(locale, LocalizedText(message))
    name = name.lower() if name.isupper() else name
    return _read_labels().get(name.casefold(), {}).get(language_of(locale), name)


@cache
def _read_labels() -> Mapping[str, Mapping[str, str]]:
    """English label → its name in each language; "many" is the English plural."""
    rows = [row.split("\t") for row in _LABELS.read_text("utf-8").splitlines() if row[0] != "#"]
    return {row[0]: dict(zip(_LABEL_LANGUAGES, row, strict=True)) for row in rows}


def _count_files(plan: Plan, outcomes: Outcomes, locale: str) -> Iterator[str]:
    """How many files of each type the last tasks made, if they made nothing but files."""
    types: Counter[str] = Counter()
    for task in plan.ends:
        values = find_slots(outcomes, task.id).values()
        files = [value.attachment.type.value for value in values if isinstance(value, Media)]
        types.update(files if len(files) == len(values) else ())
    for type_, count in types.items():
        yield say(locale, LocalizedText(f"respond-made-{type_}", {"count": count}))
