"""Shortcuts: the wishes in the menu of each message, and the form for a request."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.chat.wishes import join_request, name_wish, word_wish
from adapters.slack.blocks import PREFIX
from adapters.slack.client import Json, SlackClient, SlackGone
from adapters.slack.messages import Directory, read_file, read_message
from pipeline.domain import Link, LocalizedText
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
_TEXT, _FILES, _CHANNEL = "text", "files", "channel"
"""The fields of the form: each a block with one element."""
_MOST_FILES, _LONGEST_TEXT = 10, 3000
"""Slack's limits."""
_OPEN_SECONDS = 2.0
"""Slack waits three seconds for a form to open."""
_IS_OPEN = "exchanged_trigger_id"


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
        "name": _say("en", "slack-form-title"),
        "callback_id": FORM,
        "description": _say("en", "slack-form-description"),
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


async def open_form(client: SlackClient, payload: Json, form: Json) -> None:
    """Open a form for an interaction. Raises ChatError, TimeoutError."""
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            await client.call("views.open", trigger_id=payload["trigger_id"], view=form)
    except SlackGone as gone:
        if gone.code != _IS_OPEN:  # the answer to an earlier attempt got lost
            raise


# --- the form for a request ---


def render_form(locale: str) -> Json:
    """The modal with which people ask from anywhere."""
    text = {"type": "plain_text_input", "multiline": True, "max_length": _LONGEST_TEXT}
    files = {"type": "file_input", "max_files": _MOST_FILES}
    channel = {
        "type": "conversations_select",
        "placeholder": _plain(locale, "slack-form-direct"),
        "filter": {"include": ["public", "private", "mpim"]},
    }
    return {
        "type": "modal",
        "callback_id": FORM,
        "title": _plain(locale, "slack-form-title"),
        "submit": _plain(locale, "slack-form-submit"),
        "close": _plain(locale, "slack-erase-no"),
        "blocks": [
            _render_input(_TEXT, text, locale),
            _render_input(_FILES, files, locale, optional=True),
            _render_input(_CHANNEL, channel, locale, optional=True),
        ],
    }


def read_form(payload: Json) -> Asked:
    """What the fields of a form ask for."""
    text = str(_find_value(payload, _TEXT).get("value") or "").strip()
    files = tuple(read_file(file) for file in _find_value(payload, _FILES).get("files") or ())
    words = " ".join((text, *(f"📎 {file.name}" for file in files)))
    return Asked(words, text, files)


def read_channel(payload: Json) -> str:
    """The channel chosen in a form; "" for the direct messages with the bot."""
    return str(_find_value(payload, _CHANNEL).get("selected_conversation") or "")


def name_mistakes(payload: Json, locale: str, *, is_member: bool) -> dict[str, str]:
    """What is wrong with the fields of a form; `is_member`: of the chosen channel."""
    empty, elsewhere = not read_form(payload).text, not is_member
    mistakes = {_TEXT: empty and "slack-form-empty", _CHANNEL: elsewhere and "slack-not-in-channel"}
    return {field: _say(locale, sentence) for field, sentence in mistakes.items() if sentence}


def _render_input(field: str, element: Json, locale: str, *, optional: bool = False) -> Json:
    return {
        "type": "input",
        "block_id": field,
        "label": _plain(locale, f"slack-form-{field}"),
        "element": {**element, "action_id": field},
        "optional": optional,
    }


def _find_value(payload: Json, field: str) -> Json:
    values: Json = payload["view"]["state"]["values"]
    return dict((values.get(field) or {}).get(field) or {})


def _plain(locale: str, sentence: str) -> Json:
    return {"type": "plain_text", "text": _say(locale, sentence)}


def _say(locale: str, sentence: str) -> str:
    return say(locale, LocalizedText(sentence))
