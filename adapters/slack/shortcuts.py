"""Shortcuts: the wishes in the menu of each message, and the form for a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.chat.wishes import join_request, name_wish, word_wish
from adapters.slack.blocks import PREFIX
from adapters.slack.client import Json
from adapters.slack.forms import plain, read_submission, render_field, render_fields, render_modal
from adapters.slack.messages import Directory, read_message
from pipeline.domain import InputField, InputForm, Link, LocalizedText
from pipeline.words import say

MESSAGE_SHORTCUT, SUBMISSION = "message_action", "view_submission"
"""Slack's names for a shortcut about a message and for a form that was sent."""
FORM = f"{PREFIX}ask"
"""The shortcut that opens the form, and the form."""
ASK_BUTTON = "home:ask"
"""The button that opens it."""
_MENU = f"{PREFIX}menu:"
_THREAD, _MESSAGE = "thread", "summarize"
_WISHES = ("describe", "read", "transcribe", "translate", _THREAD)
"""Slack allows five shortcuts about messages."""
_TEXT, _FILES, _CHANNEL = "text", "file", "channel"
_MEGABYTE = 1 << 20
_REQUEST = InputForm(
    LocalizedText("command-ask"),
    (
        InputField(name=_TEXT, label=LocalizedText("option-text"), required=True),
        InputField(name=_FILES, label=LocalizedText("form-files"), file=True),
    ),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for without writing a message: the words that others see, and the rest."""

    words: str
    text: str
    files: tuple[Link, ...] = ()


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


# --- the form for a request ---


def render_request_form(locale: str, channel: str = "") -> Json:
    """The form with which people ask, in a channel or, without one, from anywhere."""
    fields = render_fields(_REQUEST, locale)
    if not channel:
        label, direct = LocalizedText("slack-form-channel"), plain(locale, "slack-form-direct")
        kinds = {"include": ["public", "private", "mpim"]}
        select = {"type": "conversations_select", "filter": kinds, "placeholder": direct}
        fields = [*fields, render_field(_CHANNEL, label, select, locale)]
    modal = render_modal(FORM, "slack-form-title", "slack-form-submit", locale, fields)
    return {**modal, "private_metadata": channel}


def read_request(payload: Json) -> Asked:
    """What was filled into the form."""
    args, files = read_submission(payload)
    words = " ".join((args[_TEXT], *(f"📎 {file.name}" for file in files)))
    return Asked(words, args[_TEXT], files)


def read_channel(payload: Json) -> str:
    """The channel for the answer; "" for the direct messages with the bot."""
    return str(payload["view"]["private_metadata"]) or read_submission(payload)[0].get(_CHANNEL, "")


def name_mistakes(payload: Json, locale: str, *, is_member: bool, max_bytes: int) -> dict[str, str]:
    """What is wrong with the fields of the form; `is_member`: of the chosen channel."""
    asked = read_request(payload)
    mistakes: dict[str, LocalizedText] = {}
    if not is_member:
        field = _TEXT if payload["view"]["private_metadata"] else _CHANNEL
        mistakes[field] = LocalizedText("slack-not-in-channel")
    if not asked.text:
        mistakes[_TEXT] = LocalizedText("slack-form-empty")
    for file in asked.files:
        if file.size > max_bytes:
            sizes = {"size": file.size // _MEGABYTE, "limit": max_bytes // _MEGABYTE}
            mistakes[_FILES] = LocalizedText("slack-form-large", {"name": file.name, **sizes})
    return {field: say(locale, sentence) for field, sentence in mistakes.items()}
