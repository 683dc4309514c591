"""What the built-in planner itself said before: small talk, and questions about files that still wait for their answer."""

import re
from collections.abc import Sequence
from functools import cache

from pipeline.domain import NamedFile, Sentence, Turn
from pipeline.words import say

_ASKS = ("planner-empty-with-files", "planner-unsure", "planner-unsure-files", "planner-unread")
_TALKS = ("planner-hello", "planner-welcome", "planner-about", "planner-no-talk", "planner-empty")
_CHOICE = Sentence("planner-unsure-between", {"first": "\n", "second": "\n"})


def is_mere_talk(text: str, locale: str) -> bool:
    """Whether an answer is none to go on from."""
    return bool(_asks(locale).match(text)) or text.startswith(_talks(locale))


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
def _talks(locale: str) -> tuple[str, ...]:
    return tuple(say(locale, Sentence(id_)) for id_ in _TALKS)
