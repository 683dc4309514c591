"""Which messages of a thread are for the bot where nobody says so."""

from adapters.embedded.planner.decision import decide
from adapters.embedded.planner.extraction import is_question
from adapters.embedded.planner.lexicon import is_spaceless, tag
from adapters.embedded.planner.reading import LONGEST
from adapters.embedded.planner.view import RequestView
from pipeline.domain import Request

_MOST_TALK, _MOST_TALK_IN_QUESTION = 0.02, 0.0001
"""How likely an overheard wish may be plain talk, or a question that names no document."""
_QUESTIONS = frozenset({"document-question-answering", "question-answering"})
_DOCUMENTS = ("document", "receipt", "table")
"""Concepts."""
_NOT_YOU = ("you", "denial", "address", "idle", "little", "the", "no", "correction")
_MOST_WORDS = 8
"""Of a message that sends the bot away; of scripts without spaces, characters count double."""


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


def is_meant(request: Request, seen: RequestView) -> bool:
    """Whether a message without a mention is clearly a wish. In doubt it is not."""
    decision = decide(seen.text, seen.types)
    tagged = tag(seen.text[:LONGEST])
    asks = _QUESTIONS & {*decision.kinds} and not any(map(tagged.has, _DOCUMENTS))
    most = _MOST_TALK_IN_QUESTION if asks else _MOST_TALK
    return bool(decision.kinds) and decision.talk <= most and not _calls_another(request)


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
