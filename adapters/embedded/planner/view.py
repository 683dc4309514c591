"""What the planner sees of a request: its words, its files, and what was said and sent before."""

# ruff: noqa: RUF001 - punctuation of many scripts

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adapters.embedded.planner.changes import ASKS, list_earlier_files, list_replies, resolve_change
from adapters.embedded.planner.decision import FileTypes
from adapters.embedded.planner.extraction import is_question, split_wish
from adapters.embedded.planner.reading import LONGEST, Reading, read
from adapters.embedded.planner.references import ThreadFile
from adapters.embedded.planner.tagging import TaggedText, is_spaceless, tag
from pipeline.domain import NamedFile, Request, Turn, Type
from pipeline.text.thread_texts import join_thread, list_messages

_NAME = "Troupe"
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\xad\u200b\u200e-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """What the bot answered in the thread, to which words with files of which types."""

    text: str
    asked: str = ""
    types: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """A request as the planner sees it: read once, and handed from step to step."""

    tagged: TaggedText
    """Its words with their groups in the lexicon."""
    reading: Reading
    """Its words as the model reads them, in clauses, with what it quotes."""
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
    def text(self) -> str:
        return self.tagged.whole

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

    @property
    def quotes(self) -> tuple[str, ...]:
        """What it quotes; nothing of a long one, of which only both ends were read."""
        found = self.reading.quotes if len(self.text) <= LONGEST else ()
        return tuple(dict.fromkeys(quote.text for quote in found))

    def part(self, clauses: Sequence[int]) -> TaggedText:
        """The words of some clauses as written, but for the "and then" they begin with."""
        starts = [clause[0].start for clause in self.reading.clauses] + [len(self.reading.text)]
        if not clauses or len(starts) == 1:
            return tag(self.reading.text.strip())
        words = self.reading.text[starts[min(clauses)] : starts[max(clauses) + 1]].strip(" ,;")
        tagged = tag(words)
        first = tagged.skip(0, "then", "conjunction")
        is_led = 0 < first < len(tagged.words)
        return tag(words[tagged.spans[first][0] :]) if is_led else tagged

    def find_quotes(self, said: str = "") -> tuple[str, ...]:
        """What is quoted in a part of the request; where nothing is, in all of it."""
        return tuple(quote for quote in self.quotes if quote in said) or self.quotes

    def find_text(self, said: str = "") -> str:
        """The text that was given with a part of the request, else with all of it."""
        quotes = self.find_quotes(said)
        texts = [quote for quote in quotes if not is_question(quote)] or quotes
        return " ".join(texts) or self.about

    def strip_names(self, said: str) -> str:
        """Words without the names of files."""
        for name in self.names:
            said = re.sub(re.escape(name), " ", said, flags=re.IGNORECASE)
        return said

    @property
    def unquoted(self) -> TaggedText:
        """The request without what it quotes."""
        text = self.text
        for quote in self.quotes:
            text = text.replace(quote, "\n")
        return tag(text) if self.quotes else self.tagged


def view(request: Request) -> RequestView:
    """The planner's view of a request, or of the earlier one that it changes."""
    request = resolve_change(request)
    turns = request.context.turns
    sent = request.files or _files_asked_about(turns)
    files = tuple(ThreadFile.of(file, len(turns)) for file in sent)
    names = {file.name for file in sent}
    before = tuple(file for file in list_earlier_files(request) if file.name not in names)
    text, called = _strip_name(_INVISIBLE.sub("", request.text), turns)
    if is_spaceless(text):  # names of files stand apart from words without spaces
        for name in {file.attachment.name for file in (*files, *before)}:
            text = re.sub(re.escape(name), r" \g<0> ", text, flags=re.IGNORECASE).strip()
    written = list_messages(request).values()
    messages = {turn.person.name: turn.text.strip() for turn in written}
    wish, about = split_wish(text)
    return RequestView(
        tagged=tag(text),
        reading=read(text),
        files=files,
        before=before,
        answers=tuple(_answers(turns)),
        thread=join_thread(request),
        messages=messages,
        wish=wish,
        about=about,
        called=called,
    )


def view_text(text: str, *, about: str = "", reading: Reading | None = None) -> RequestView:
    """A request of these words alone, without files or thread; `about` is the text they are about.

    `reading` is theirs, where the words were read already.
    """
    return RequestView(tagged=tag(text), reading=reading or read(text), wish=text, about=about)


def _strip_name(text: str, turns: Sequence[Turn]) -> tuple[str, bool]:
    """The text without the bot's name at either end, and whether it has it there.

    "Troupe, when is it due?" calls it, "Troupe said so" does not.
    """
    names = {_NAME, *(turn.person.name for turn in turns if turn.person.is_bot)}
    name = "|".join(map(re.escape, filter(None, names)))
    head = rf"\A\W*(?:\w+ )?(?:{name})\s*[,:;!，、：；！]\s*(?=\w)"
    match = re.search(rf"{head}|[,，、]\s*(?:{name})(?=\W*\Z)", text, re.IGNORECASE)
    return (text[: match.start()] + text[match.end() :], True) if match else (text, False)


def _answers(turns: Sequence[Turn]) -> Iterator[EarlierAnswer]:
    """What the bot answered, its own questions and small talk left out, the newest first."""
    for reply, at in list_replies(turns):
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
            if turn.sentence not in ASKS:
                return ()
            asked = True
        elif turn.files:
            return turn.files if asked else ()
    return ()
