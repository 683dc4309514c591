"""What the built-in planner itself said before: small talk, and questions about files that still wait for their answer."""

import re
from collections.abc import Sequence
from functools import cache

from pipeline.domain import NamedFile, Sentence, Turn
from pipeline.words import say

_ASKS = ("planner-empty-with-files", "planner-unsure", "planner-unsure-files", "planner-unread")
_TALKS = ("planner-hello", "planner-welcome", "planner-about", "planner-no-talk", "planner-empty")
_CHOICE = Sentence("planner-unsure-between", {"first": "\n", "second": "\n"})


_LACKS = ("planner-lacks-file", "planner-absent-type", "planner-absent-name", "planner-only-one")
_TYPES = ("image", "audio", "video", "document", "table")
_SLOTS = ("text", "question", "labels", "sentences", "language")


def is_mere_talk(text: str, locale: str) -> bool:
    """Whether an answer is none to go on from."""
    asks = _asks(locale).match(text) or lacks_file(text, locale) or _lacks_text(locale).match(text)
    return bool(asks) or text.startswith(_talks(locale))


def lacks_file(text: str, locale: str) -> bool:
    """Whether an answer asks for a file that the request speaks of."""
    return bool(_lacks_file(locale).match(text))


def waiting(turns: Sequence[Turn], locale: str) -> tuple[NamedFile, ...]:
    """The files that came last, where all that was said to them is a question what to do."""
    asked = False
    for turn in reversed(turns):
        if turn.person.is_bot and turn.text:
            if not _asks(locale).match(turn.text):
                return ()
            asked = True
        elif turn.files:
            return turn.files if asked else ()
    return ()


@cache
def _asks(locale: str) -> re.Pattern[str]:
    between = ".+".join(map(re.escape, say(locale, _CHOICE).split("\n")))
    plain = [re.escape(say(locale, Sentence(id_))) for id_ in _ASKS]
    return re.compile("|".join([*plain, between]))


@cache
def _lacks_file(locale: str) -> re.Pattern[str]:
    told = [{"kind": "\n", "name": "\n", "type": kind} for kind in _TYPES]
    return _any_of(locale, [Sentence(id_, args) for id_ in _LACKS for args in told])


@cache
def _lacks_text(locale: str) -> re.Pattern[str]:
    told = [{"kind": "\n", "slot": slot} for slot in _SLOTS]
    return _any_of(locale, [Sentence("planner-lacks-text", args) for args in told])


def _any_of(locale: str, sentences: Sequence[Sentence]) -> re.Pattern[str]:
    """Any of some sentences, with whatever stands for a line break in them."""
    said = dict.fromkeys(say(locale, sentence) for sentence in sentences)
    return re.compile("|".join(".+".join(map(re.escape, one.split("\n"))) for one in said))


@cache
def _talks(locale: str) -> tuple[str, ...]:
    return tuple(say(locale, Sentence(id_)) for id_ in _TALKS)
