"""What the planner sees of a request: words, files of this message, files and words of before."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adapters.embedded.planner.asked import is_mere_talk, waiting
from adapters.embedded.planner.called import File
from adapters.embedded.planner.finding import chosen, says_which
from adapters.embedded.planner.repeating import corrected, taken_up, with_files
from adapters.embedded.planner.words import language_in
from pipeline.domain import Request, Turn, Type
from pipeline.response.plain import results_of, told_by_kind

_LETTER = {
    Type.IMAGE: "i",
    Type.AUDIO: "a",
    Type.VIDEO: "v",
    Type.DOCUMENT: "d",
    Type.TABLE: "t",
}


_TIDY = {
    **dict.fromkeys((0xAD, 0x200B, 0x200E, 0x200F, 0xFEFF, 0x7F)),
    **dict.fromkeys((*range(9), 0xB, 0xC, *range(0xE, 0x20))),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2060, 0x206A), *range(0xD800, 0xE000))),
    **{wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B))},
    **{wide: wide - 0xFEE0 for wide in range(0xFF41, 0xFF5B)},
}
"""Characters that nobody sees are left out, letters and figures of full width become those that are meant."""

_INWARD = re.compile(r"»([^»«\n]{2,})«")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot said in the thread, and what came of each kind of task that it tells of."""

    text: str
    kinds: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    """The language into which it was translated."""


@dataclass(frozen=True, slots=True)
class View:
    """A request as the planner sees it. `files` came with it, or were asked about; `before` are the thread's earlier files, oldest first; `said` is the last answer.

    `answers` are all of them, the newest first.
    """

    text: str
    files: tuple[File, ...] = ()
    before: tuple[File, ...] = ()
    said: str = ""
    answers: tuple[Answer, ...] = ()
    asked: bool = False
    """Whether `files` are those that were asked about."""
    meant: bool = False
    """Whether the words are sure to speak of what was said."""

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple(file.type for file in (*self.files, *self.before))

    @property
    def sent(self) -> tuple[Type, ...]:
        return tuple(file.type for file in self.files)


def view(request: Request) -> View:
    """The planner's view of a request, or of the earlier one that it takes up."""
    request = _corrected(taken_up(request))
    locale, turns = request.person.locale, request.context.turns
    sent = request.files or waiting(turns, locale)
    files = tuple(File(file.name, file.attachment, len(turns)) for file in sent)
    before = tuple(file for file in _before(request) if file.name not in {one.name for one in sent})
    answers = tuple(
        _answer(turns, at, locale)
        for at in range(len(turns) - 1, -1, -1)
        if turns[at].person.is_bot and turns[at].text and not is_mere_talk(turns[at].text, locale)
    )
    said = answers[0].text if answers else ""
    text = _apart(request.text.translate(_TIDY), (*files, *before))
    return View(text, files, before, said, answers, asked=not request.files)


def _answer(turns: Sequence[Turn], at: int, locale: str) -> Answer:
    text = turns[at].text
    kinds = told_by_kind(text, locale)
    asked = next((turn.text for turn in reversed(turns[:at]) if not turn.person.is_bot), "")
    language = language_in(asked) if "translation" in kinds else ""
    return Answer(results_of(text, locale), kinds, language)


def _corrected(request: Request) -> Request:
    """The earlier request with other files, where this one only says which are meant."""
    prior = corrected(request)
    if prior is None:
        return request
    own = {file.name for file in prior.files}
    there = [file for file in _before(request) if len(own) < 2 or file.name in own]  # noqa: PLR2004
    meant = {file.name for file in chosen(there, request.text)}
    if not meant or not says_which(request.text, there):
        return request
    return with_files(prior, [file for file in request.context.files if file.name in meant])


def _apart(text: str, files: Iterable[File]) -> str:
    """A text in which names of files stand apart from words of scripts without spaces, and quotation marks the usual way round."""
    text = _INWARD.sub(r"«\1»", text)
    for name in {file.attachment.name for file in files} if _SPACELESS.search(text) else ():
        at = text.casefold().find(name.casefold())
        if at >= 0 and len(text.casefold()) == len(text):
            end = at + len(name)
            text = " ".join(filter(None, (text[:at], text[at:end], text[end:])))
    return text


def _before(request: Request) -> Iterator[File]:
    """The thread's earlier files, oldest first."""
    context = request.context
    yield from (File(file.name, file.attachment) for file in context.older)
    for at, turn in enumerate(context.turns):
        made = turn.person.is_bot
        yield from (File(file.name, file.attachment, at, made) for file in turn.files)


def tags(sent: tuple[Type, ...], before: tuple[Type, ...]) -> list[str]:
    """What the model is told of the files: those of the message, else those of before, else that there are none."""
    count = Counter(_LETTER[kind] for kind in sent if kind in _LETTER)
    if count:
        return [*sorted(count), *(f"2{kind}" for kind in sorted(count) if count[kind] > 1)]
    if before:
        return [
            *(f"o{kind}" for kind in sorted({_LETTER[k] for k in before if k in _LETTER})),
            "old",
        ]
    return ["0"]
