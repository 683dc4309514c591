"""Shortcuts: the wishes in the menu of each message."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.chat.wishes import join_request, name_wish, word_wish
from adapters.slack.blocks import PREFIX
from adapters.slack.client import Json
from adapters.slack.messages import Directory, read_message
from pipeline.domain import Link

MESSAGE_SHORTCUT = "message_action"
"""Slack's name for a shortcut about a message."""
_MENU = f"{PREFIX}menu:"
_THREAD, _MESSAGE = "thread", "summarize"
_WISHES = ("describe", "read", "transcribe", "translate", _THREAD)
"""Slack allows five shortcuts about messages."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for without writing a message: the words that others see, and the rest."""

    words: str
    text: str
    files: tuple[Link, ...] = ()


def describe_shortcuts() -> Sequence[Json]:
    """The shortcuts in the format of the app's manifest, which takes one language."""
    return [
        {
            "type": "message",
            "name": name_wish(wish, "en"),
            "callback_id": f"{_MENU}{wish}",
            "description": word_wish(wish, "en"),
        }
        for wish in _WISHES
    ]


async def read_wish(directory: Directory, payload: Json, locale: str) -> Asked:
    """A wish about a message, with its text and files; the one about the thread has neither."""
    wish = str(payload["callback_id"]).removeprefix(_MENU)
    message: Json = payload["message"]
    if wish == _THREAD and "thread_ts" in message:
        words = word_wish(_THREAD, locale)
        return Asked(words, words)
    words = word_wish(_MESSAGE if wish == _THREAD else wish, locale)
    about = await read_message(directory, str(payload["channel"]["id"]), message)
    return Asked(words, join_request(words, about.text), about.files)


def name_wish_once(payload: Json) -> str:
    """The same for all clicks of a double click."""
    where = (payload["channel"]["id"], payload["message"]["ts"], payload["user"]["id"])
    return ":".join(map(str, (payload["callback_id"], *where)))
