"""Which messages of a thread are for the bot where nobody says so."""

from collections.abc import Callable
from dataclasses import dataclass

from adapters.embedded.planner.decision import OWN_WORDS, Decision, decide
from adapters.embedded.planner.extraction import ASKS, find_after_colon, is_mere_wish, is_question
from adapters.embedded.planner.lexicon import RuleMatch, TaggedText, is_spaceless, tag, tokenize
from adapters.embedded.planner.reading import LONGEST
from adapters.embedded.planner.view import RequestView
from pipeline.domain import FILE_TYPES, Request, Type
from pipeline.task_kinds import KINDS

_TASKS = (
    *("type-out", "transcribe", "listen", "speak-aloud", "read-word", "by-voice", "louder"),
    *("clean", "separate", "describe", "find", "mark", "detect", "cut-out", "segment", "mask"),
    *("depth", "edges", "pose", "new-image", "turn-into", "style", "grey", "restore", "replace"),
    *("remove", "add", "resize", "crop", "rotate", "format", "trim", "animate", "draw"),
    *("generate", "write", "reply", "rewrite", "sound-like", "translate", "summary", "list"),
    *("classify", "similar", "embedding", "blank", "predict", "edit-wish", "repeat"),
    *("language", "same"),
)
"""Groups of words that say what is to be done."""
_LEADS = (
    *("please", "can-you", "you", "want", "now", "again", "then", "also", "no", "here"),
    *("greeting", "thanks", "what_about", "joint", "in", "as", "little"),
)
_OBJECTS, _TAILS = ("the", "that", "this", "pointer"), ("please", "you", "idle", "little")
"""Groups of words before and after the one that says what is to be done."""
_NEW = ("draw", "image-of", "clip-of", "text-genre", "picture", "video")
"""What is made of a person's own words."""
_NAMES = {
    Type.IMAGE: ("picture", "screenshot", "file.image"),
    Type.AUDIO: ("sound-file", "voice-note", "file.audio"),
    Type.VIDEO: ("video", "file.video"),
    Type.DOCUMENT: ("document", "receipt", "file.document"),
    Type.TABLE: ("table", "file.table"),
}
_LONG = 4
"""Letters of a word that is looked for in the last answer."""
_NOT_YOU = ("you", "denial", "address", "idle", "little", "the", "no", "correction")
_MOST_WORDS = 8
"""Of a message that sends the bot away; twice as many characters without spaces between."""


def is_sent_away(request: Request) -> bool:
    """Whether the message says that the answer right before it was not asked for ("not you")."""
    turns = request.context.turns
    if not request.has_listeners or not (turns and turns[-1].person.is_bot):
        return False
    tagged = tag(request.text[:LONGEST])
    is_short = len(tagged.words) <= _MOST_WORDS * (2 if is_spaceless(request.text) else 1)
    said = is_short and tagged.has("denial") and tagged.has("you")
    others = {*tagged.find_uncovered(*_NOT_YOU)} - _name_others(request)
    return said and not others and not is_question(request.text)


def is_meant(request: Request, seen: RequestView, about: str) -> bool:
    """Whether a message without a mention is clearly a wish. In doubt it is not.

    `about`: the text that its words name, such as the last answer; "" if they name none.
    """
    decision = decide(seen.text, seen.types)
    if not decision.kinds or _calls_another(request):
        return False
    message = _Message(seen, tag(seen.text[:LONGEST]), decision, about)
    return any(decision.talk <= most and holds(message) for holds, most in _CASES)


@dataclass(frozen=True, slots=True)
class _Message:
    """A message without a mention, what the model makes of it, and the text that it names."""

    seen: RequestView
    tagged: TaggedText
    decision: Decision
    about: str

    @property
    def order(self) -> RuleMatch | None:
        """What it begins with, if that is a task, or ends with, after what the task is about."""
        tagged, at = self.tagged, 0
        while not (begin := tagged.at(at, *_TASKS)) and (lead := tagged.at(at, *_LEADS)):
            at = lead.last
        has_object = is_spaceless(tagged.text) or tagged.at(0, *_LEADS, *_OBJECTS)
        if begin or not has_object or len(self.decision.reading.clauses) > 1:
            return begin
        at = len(tagged.words)
        while not (end := tagged.before(at, *_TASKS)) and (tail := tagged.before(at, *_TAILS)):
            at = tail.first
        return end

    @property
    def is_question(self) -> bool:
        """Whether it asks, and for what a file that is there can tell."""
        takes = {KINDS[kind].takes[0].type for kind in self.decision.kinds} & FILE_TYPES
        asks = is_question(self.seen.text) or self.tagged.at(self.tagged.skip(0, *_LEADS), *ASKS)
        return bool(asks) and takes <= {*self.seen.all_types}

    @property
    def is_mere_wish(self) -> bool:
        """Whether it says only what is to be done: with the last answer or file."""
        return not self.is_own and is_mere_wish(self.seen.text)

    @property
    def names(self) -> bool:
        """Whether it names what is there: a file, an earlier text, or a thing in the last answer.

        Or it brings that along, as a file or between quotation marks.
        """
        groups = (group for type_ in {*self.seen.all_types} for group in _NAMES.get(type_, ()))
        answer = {word for word in tokenize(self.seen.said) if len(word) >= _LONG}
        things = answer & {*self.tagged.find_uncovered("idle", "little", "the", *ASKS)}
        return self.brings or bool(self.about or things) or self.tagged.has(*groups)

    @property
    def brings(self) -> bool:
        quotes = self.decision.reading.quotes or find_after_colon(self.seen.text)
        return bool(self.seen.files or quotes)

    @property
    def points(self) -> bool:
        """Whether its first clause is about "it", or it is to be done again."""
        _, *others = self.decision.reading.clauses
        end = others[0][0].start if others else len(self.seen.text)
        starts = (self.tagged.span(match)[0] for match in self.tagged.find("pointer"))
        return any(start < end for start in starts) or self.tagged.has("again")

    @property
    def is_new(self) -> bool:
        """Whether it says what is to be made of its own words: a picture, a poem."""
        return self.is_own and self.tagged.has(*_NEW)

    @property
    def is_own(self) -> bool:
        """Whether it asks for something made of its own words."""
        return bool(OWN_WORDS & {*self.decision.kinds})


_CASES: tuple[tuple[Callable[[_Message], object], float], ...] = (
    (lambda message: message.order and (message.names or message.is_mere_wish), 0.1),
    (lambda message: message.is_question and message.names, 0.1),
    (lambda message: message.order and (message.points or message.is_new), 0.02),
    (lambda message: message.is_mere_wish or message.brings, 0.002),
    (lambda message: message.order and not message.is_own, 0.0001),
)
"""What makes a message a wish, and how likely it may be plain talk then."""


def _calls_another(request: Request) -> bool:
    """Whether the message begins or ends with the name of somebody else in the thread.

    "Anna's" is no call: it says whose.
    """
    words = request.text.casefold().strip(" .!?").split()
    ends = {words[0].rstrip(",:"), words[-1]} if words else set()
    return bool(ends & _name_others(request))


def _name_others(request: Request) -> set[str]:
    """The words of the names of the other people in the thread, in small letters."""
    people = {turn.person for turn in request.context.turns if not turn.person.is_bot}
    names = (person.name for person in people - {request.person})
    return {word for name in names for word in name.casefold().split()}
