"""The shortcuts in the menu of each message, and the one that opens the form."""

from collections.abc import Sequence

from adapters.chat.wishes import choose_object, join_request, name_wish, word_wish
from adapters.slack.acting.requests import FORM, Asked
from adapters.slack.reading.directory import Directory
from adapters.slack.reading.messages import read_message
from adapters.slack.showing.controls import PREFIX
from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText
from pipeline.words import say

_MENU = f"{PREFIX}menu:"
_THREAD = "thread"
_MESSAGE = "summarize"
"""The wish about the only message of a thread."""
_WISHES = ("describe", "read", "transcribe", "translate", _THREAD)
"""Slack allows five shortcuts about messages."""


def describe_shortcuts() -> Sequence[Json]:
    """The shortcuts in the format of the app's manifest, which takes one language."""
    form = {
        "type": "global",
        "name": say("en", LocalizedText("slack-form-title")),
        "callback_id": FORM,
        "description": say("en", LocalizedText("slack-form-description")),
    }
    wishes = [
        {
            "type": "message",
            "name": name_wish(wish, "en"),
            "callback_id": f"{_MENU}{wish}",
            "description": word_wish(wish, "en"),
        }
        for wish in _WISHES
    ]
    return [form, *wishes]


async def read_wish(directory: Directory, payload: Json, locale: str) -> Asked:
    """A wish about a message, with its text or files; the one about the thread has neither.

    Raises RequestError if the message has nothing that the wish could be about.
    """
    wish = str(payload["callback_id"]).removeprefix(_MENU)
    message: Json = payload["message"]
    if wish == _THREAD and "thread_ts" in message:
        words = word_wish(_THREAD, locale)
        return Asked(words, words)
    wish = _MESSAGE if wish == _THREAD else wish
    words = word_wish(wish, locale)
    about = await read_message(directory, str(payload["channel"]["id"]), message)
    text, files = choose_object(wish, about.text, about.files)
    return Asked(words, join_request(words, text), files, alone=True)


def name_wish_once(payload: Json) -> str:
    """The same for all clicks of a double click."""
    where = (payload["channel"]["id"], payload["message"]["ts"], payload["user"]["id"])
    return ":".join(map(str, (payload["callback_id"], *where)))
