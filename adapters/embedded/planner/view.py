"""What the planner sees of a request: its words, its files, and what was said and sent before.

A message that only changes the request before it ("no, the second one") is seen as that request.
"""

# ruff: noqa: RUF001 - punctuation of many scripts

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adapters.embedded.planner.decision import FileTypes
from adapters.embedded.planner.extraction import split_wish
from adapters.embedded.planner.references import ThreadFile, find_meant, only_says_which
from adapters.embedded.planner.tagging import TaggedText, is_spaceless, language_named, tag
from pipeline.domain import Context, NamedFile, Request, Turn, Type
from pipeline.text.thread_texts import join_thread, list_messages

_NAME = "Troupe"
_LONGEST = 60
"""Characters of a message that may only change the one before."""
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\xad\u200b\u200e-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_ASKS = (
    *("planner-empty-with-files", "planner-unsure", "planner-unsure-files", "planner-unsure-order"),
    *("planner-unread", "planner-lacks-file", "planner-absent-name", "planner-undo"),
)
"""Replies of the planner that ask what to do, or for a file."""


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """What the bot answered in the thread, to which words with files of which types."""

    text: str
    asked: str = ""
    types: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request as the planner sees it."""

    text: str
    files: tuple[ThreadFile, ...] = ()
    """What came with the request, or what the bot asked about."""
    before: tuple[ThreadFile, ...] = ()
    """The thread's earlier files, oldest first."""
    answers: tuple[EarlierAnswer, ...] = ()
    """The newest first."""
    thread: str = ""
    """The earlier messages of the thread as a text."""
    messages: Mapping[str, str] = field(default_factory=dict)
    """What each person wrote last."""
    wish: str = ""
    """What it wants of `about`."""
    about: str = ""
    """The text that it brings along or names."""
    called: bool = False
    """Whether it calls the bot by its name."""

    @property
    def tagged(self) -> TaggedText:
        """Its words with their groups."""
        return tag(self.text)

    @property
    def said(self) -> str:
        """The last answer."""
        return self.answers[0].text if self.answers else ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, the longest first."""
        names = {file.attachment.name for file in (*self.before, *self.files)}
        return tuple(sorted(names, key=len, reverse=True))

    @property
    def types(self) -> FileTypes:
        sent, before = (tuple(f.type for f in files) for files in (self.files, self.before))
        return FileTypes(sent, before)

    @property
    def all_types(self) -> tuple[Type, ...]:
        return (*self.types.sent, *self.types.before)


def view(request: Request) -> RequestView:
    """The planner's view of a request, or of the earlier one that it changes."""
    request = _resolve_change(request)
    turns = request.context.turns
    sent = request.files or _files_asked_about(turns)
    files = tuple(ThreadFile(file.name, file.attachment, len(turns)) for file in sent)
    names = {file.name for file in sent}
    before = tuple(file for file in _earlier_files(request) if file.name not in names)
    text, called = _strip_name(_INVISIBLE.sub("", request.text), turns)
    if is_spaceless(text):  # names of files stand apart from words without spaces
        for name in {file.attachment.name for file in (*files, *before)}:
            text = re.sub(re.escape(name), r" \g<0> ", text, flags=re.IGNORECASE).strip()
    written = list_messages(request).values()
    messages = {turn.person.name: turn.text.strip() for turn in written}
    answers = tuple(_answers(turns))
    thread = join_thread(request)
    return RequestView(text, files, before, answers, thread, messages, *split_wish(text), called)


def _strip_name(text: str, turns: Sequence[Turn]) -> tuple[str, bool]:
    """The text without the bot's name at either end, and whether it has it there.

    "Troupe, when is it due?" calls it, "Troupe said so" does not.
    """
    names = {_NAME, *(turn.person.name for turn in turns if turn.person.is_bot)}
    name = "|".join(map(re.escape, filter(None, names)))
    head = rf"\A\W*(?:\w+ )?(?:{name})\s*[,:;!，、：；！]\s*(?=\w)"
    match = re.search(rf"{head}|[,，、]\s*(?:{name})(?=\W*\Z)", text, re.IGNORECASE)
    return (text[: match.start()] + text[match.end() :], True) if match else (text, False)


def _replies(turns: Sequence[Turn]) -> Iterator[tuple[Turn, int]]:
    """What the bot said, the newest first, and the turn that it answers (-1: none)."""
    for at in range(len(turns) - 1, -1, -1):
        if turns[at].person.is_bot:
            before = (i for i in range(at - 1, -1, -1) if not turns[i].person.is_bot)
            yield turns[at], next(before, -1)


def _answers(turns: Sequence[Turn]) -> Iterator[EarlierAnswer]:
    """What the bot answered, its own questions and small talk left out, the newest first."""
    for reply, at in _replies(turns):
        text = reply.text if reply.results is None else reply.results
        if text and not reply.sentence:
            types = tuple(file.attachment.type for file in turns[at].files) if at >= 0 else ()
            asked = turns[at].text if at >= 0 else ""
            yield EarlierAnswer(text, asked, types)


def _files_asked_about(turns: Sequence[Turn]) -> tuple[NamedFile, ...]:
    """The newest files, where the bot said nothing to them but asked what to do."""
    asked = False
    for turn in reversed(turns):
        if turn.person.is_bot and turn.text:
            if turn.sentence not in _ASKS:
                return ()
            asked = True
        elif turn.files:
            return turn.files if asked else ()
    return ()


def _earlier_files(request: Request) -> Iterator[ThreadFile]:
    """The thread's earlier files, oldest first."""
    context = request.context
    yield from (ThreadFile(file.name, file.attachment) for file in context.older)
    for at, turn in enumerate(context.turns):
        made = turn.person.is_bot
        yield from (ThreadFile(file.name, file.attachment, at, made) for file in turn.files)


def _resolve_change(request: Request) -> Request:
    """The request as it is meant: the last one, where this one only says what is different."""
    text = request.text.strip()
    prior, lacked = _last_request(request) if len(text) <= _LONGEST else (None, False)
    tagged = tag(text)
    if prior is None:
        return request
    if lacked and request.files and not tagged.find_uncovered("here", "idle", "the"):
        return replace(prior, files=(*prior.files, *request.files))
    if request.files:
        again = ("same", "what_about", "this", "idle", "the", "little", "please")
        same = tagged.has("same", "what_about") and not tagged.find_uncovered(*again)
        return _with_files(prior, request.files) if same else request
    if tagged.has("repeat") and not tagged.find_uncovered("repeat", "idle", "please"):
        return prior
    if lacked:
        return request
    changes = tagged.has("no", "what_about", "same")
    other_language = _with_other_language(request, prior) if changes else None
    return _with_other_files(request, prior) or other_language or request


def _with_files(prior: Request, files: tuple[NamedFile, ...]) -> Request:
    """An earlier request about these files alone."""
    turns = tuple(replace(turn, files=()) for turn in prior.context.turns)
    return replace(prior, files=files, context=Context(turns))


def _with_other_files(request: Request, prior: Request) -> Request | None:
    """The last request with other files of the thread, where this one only says which.

    Where "the other one" may be several, this request with all of them: the planner asks which.
    """
    own = {file.name for file in prior.files}
    there = [file for file in _earlier_files(request) if len(own) < 2 or file.name in own]  # noqa: PLR2004
    if len(there) < 2 or not only_says_which(tag(request.text), there):  # noqa: PLR2004
        return None
    meant = find_meant(there, request.text, bare=True) or ()
    if tag(request.text).has("other"):
        used = find_meant(there, prior.text) or there[-1:]
        meant = tuple(file for file in there if file not in used and not file.made)
    names = {file.name for file in meant}
    files = tuple(file for file in request.context.files if file.name in names)
    if len(files) > 1 and tag(request.text).has("other"):
        return replace(request, files=files)
    return _with_files(prior, files) if files else None


def _with_other_language(request: Request, prior: Request) -> Request | None:
    """The last request with another language in it."""
    (now, word), (then, replaced) = language_named(request.text), language_named(prior.text)
    if not now or not then or now == then:
        return None
    return replace(prior, text=word.join(prior.text.rsplit(replaced, 1)))


def _last_request(request: Request) -> tuple[Request | None, bool]:
    """The last request that was answered, as it was, and whether the answer asked for a file."""
    context = request.context
    for reply, at in _replies(context.turns):
        lacked = reply.sentence in _ASKS
        if at >= 0 and (lacked or not reply.sentence.startswith("planner-")):
            turn, before = context.turns[at], replace(context, turns=context.turns[:at])
            prior = replace(request, text=turn.text, files=turn.files, rejected=(), context=before)
            return _resolve_change(prior), lacked
    return None, False
