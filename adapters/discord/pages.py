"""What is to stand in the thread: the plan while it is worked on, then the answer, message by message."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.discord.markup import LIMIT, escaped, measure, pages
from pipeline.domain import Action, Answer, Apologised, RunId, Sentence
from pipeline.progress import (
    ANSWERED_ACTIONS,
    APOLOGISED_ACTIONS,
    RUNNING_ACTIONS,
    Board,
    headline,
    label,
    row_words,
)
from pipeline.text import shortened
from pipeline.words import say

_FILES, _ROWS, _ROW_LENGTH = 10, 18, 100
_PREFIX = "troupe"
_SMALL = "-# "


@dataclass(frozen=True, slots=True)
class Button:
    """A button that still works after a restart, because its id says all there is to know."""

    action: Action
    run: RunId
    label: str

    @property
    def id(self) -> str:
        return f"{_PREFIX}:{self.action}:{self.run}"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file to be sent, with what is in it in words."""

    name: str
    data: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class Page:
    """One message."""

    text: str
    buttons: tuple[Button, ...] = ()
    files: tuple[Enclosure, ...] = ()


def pressed(custom_id: str) -> tuple[Action, RunId] | None:
    """What a button's id says; None when it is not one of ours."""
    prefix, _, rest = custom_id.partition(":")
    action, _, run = rest.partition(":")
    if prefix != _PREFIX or action not in set(Action) or not run:
        return None
    return Action(action), RunId(run)


def under_way(board: Board, run: RunId, locale: str) -> tuple[Page, ...]:
    """The plan as a list of tasks; from the first word of the answer on, the answer as far as it is written."""
    buttons = _buttons(RUNNING_ACTIONS, run, locale)
    texts = pages(board.text)
    if not texts:
        return (Page(_plan(board, locale), buttons),)
    first, *others = texts
    return (Page(first, buttons), *(Page(text) for text in others))


def answered(
    answer: Answer, files: Sequence[Enclosure], notes: Sequence[str], locale: str
) -> tuple[Page, ...]:
    """The answer: its words, what there is to know about it in small print, its files and buttons."""
    notices = [escaped(say(locale, notice)) for notice in answer.notices]
    small = [*notices, *notes, *_provenance(answer)]
    texts = [*pages(answer.text)] or [""]
    texts = _with_small_print(texts, small)
    batches = [tuple(files[at : at + _FILES]) for at in range(0, len(files), _FILES)] or [()]
    if not texts[-1] and not batches[0]:
        texts[-1] = "✅"
    whole = [*(Page(text) for text in texts[:-1]), Page(texts[-1], files=batches[0])]
    whole += [Page("", files=batch) for batch in batches[1:]]
    return _ending_in(whole, _buttons(ANSWERED_ACTIONS, answer.run, locale))


def apologised(board: Board, run: RunId, apology: Apologised, locale: str) -> tuple[Page, ...]:
    """What went wrong, under what was done."""
    rows = [*_rows(board, locale), ""] if board.rows else []
    reference = Sentence("discord-reference", {"reference": apology.reference})
    small = [f"{_SMALL}{escaped(say(locale, reference))}"] if apology.reference else []
    text = "\n".join([*rows, escaped(say(locale, apology.reason)), *small])
    return (Page(text[:LIMIT], _buttons(APOLOGISED_ACTIONS, run, locale)),)


def left(board: Board, run: RunId, locale: str) -> tuple[Page, ...]:
    """A run that ended without a word: stopped."""
    stopped = Apologised(Sentence("stopped"), "")
    return apologised(board, run, stopped, locale)


def _plan(board: Board, locale: str) -> str:
    head = escaped(headline(board, locale))
    repairs = [f"{_SMALL}{escaped(say(locale, repair.what))}" for repair in board.repairs]
    return _fitting([f"**{head}**", *_rows(board, locale), *repairs])


def _rows(board: Board, locale: str) -> list[str]:
    shown = board.rows[:_ROWS]
    rows = [escaped(shortened(row_words(row, locale), _ROW_LENGTH)) for row in shown]
    hidden = len(board.rows) - len(shown)
    return [*rows, f"… +{hidden}"] if hidden else rows


def _fitting(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        if measure(text) + measure(line) < LIMIT - 1:
            text = f"{text}\n{line}"
    return text


def _provenance(answer: Answer) -> list[str]:
    """Every file carries which model made it."""
    return [escaped(f"{file.attachment.name}: {file.model} ({file.kind})") for file in answer.files]


def _with_small_print(texts: list[str], small: Sequence[str]) -> list[str]:
    whole = list(texts)
    for line in small:
        note = f"{_SMALL}{line if measure(line) < LIMIT // 2 else shortened(line, LIMIT // 2)}"
        joined = f"{whole[-1]}\n{note}".lstrip("\n")
        if measure(joined) <= LIMIT:
            whole[-1] = joined
        else:
            whole.append(note)
    return whole


def _ending_in(whole: Sequence[Page], buttons: tuple[Button, ...]) -> tuple[Page, ...]:
    last = whole[-1]
    return (*whole[:-1], Page(last.text, buttons, last.files))


def _buttons(actions: Sequence[Action], run: RunId, locale: str) -> tuple[Button, ...]:
    return tuple(Button(action, run, label(action, locale)) for action in actions)
