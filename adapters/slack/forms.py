"""Forms as Slack's modals, and the shortcuts in the menu of each message that open one."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.chat.wishes import choose_object, join_request, name_wish, word_wish
from adapters.slack.blocks import PREFIX, plain_text
from adapters.slack.client import Json, SlackClient, SlackGone
from adapters.slack.messages import Directory, read_file, read_message
from pipeline.domain import InputField, InputForm, Link, LocalizedText
from pipeline.words import say

_OPEN_SECONDS = 2.0
"""Slack waits three seconds for a form to open."""
_IS_OPEN = "exchanged_trigger_id"
"""The error code for a click that has opened a form already."""
_LONGEST_TITLE = 24
"""Characters, Slack's limit for the title and the buttons of a modal."""
_LONGEST_LABEL = 150
"""Characters; Slack takes 2,000 above a field, and 150 as its placeholder."""
_LONGEST_TEXT = 3000
"""Characters, Slack's limit for what is typed into a field."""
_MOST_FILES = 10
"""Slack's limit for a field."""


async def open_form(client: SlackClient, payload: Json, form: Json) -> None:
    """Open a form for an interaction. Raises ChatError, TimeoutError."""
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            await client.call("views.open", trigger_id=payload["trigger_id"], view=form)
    except SlackGone as gone:
        if gone.code != _IS_OPEN:  # the answer to an earlier attempt got lost
            raise


def render_modal(id_: str, title: str, submit: str, locale: str, blocks: Sequence[Json]) -> Json:
    """A modal; `title` and `submit` are ids of messages. Without `submit` it asks for nothing."""
    button = {"submit": plain(locale, submit, _LONGEST_TITLE)} if submit else {}
    return {
        "type": "modal",
        "callback_id": id_,
        "title": plain(locale, title, _LONGEST_TITLE),
        **button,
        "close": plain(locale, "slack-form-close", _LONGEST_TITLE),
        "blocks": list(blocks),
    }


def render_fields(form: InputForm, locale: str) -> Sequence[Json]:
    """A block for each field, with the field's name as its id."""
    return [
        render_field(field.name, field.label, _render_input(field), locale)
        | {"optional": not field.required}
        for field in form.fields
    ]


def render_field(name: str, label: LocalizedText, element: Json, locale: str) -> Json:
    """A field that need not be filled in."""
    words = plain_text(say(locale, label), _LONGEST_LABEL)
    if element["type"].endswith("select"):
        element = {"placeholder": words, **element}
    named = {**element, "action_id": name}
    return {"type": "input", "block_id": name, "label": words, "element": named, "optional": True}


def _render_input(field: InputField) -> Json:
    if field.file:
        return {"type": "file_input", "max_files": _MOST_FILES}
    if not field.choices:
        return {"type": "plain_text_input", "multiline": True, "max_length": _LONGEST_TEXT}
    options = [{"text": plain_text(c), "value": c} for c in field.choices]
    chosen = [option for option in options if option["value"] in field.chosen]
    if field.most == 1:
        initial = {"initial_option": chosen[0]} if chosen else {}
        return {"type": "static_select", "options": options, **initial}
    many: Json = {"initial_options": chosen} if chosen else {}
    most = {"max_selected_items": field.most}
    return {"type": "multi_static_select", "options": options, **most, **many}


def read_submission(payload: Json) -> tuple[dict[str, str], tuple[Link, ...]]:
    """What was filled in, by the names of fields, and the files. Choices are joined by commas."""
    args: dict[str, str] = {}
    files: list[Link] = []
    for name, fields in payload["view"]["state"]["values"].items():
        value: Json = fields.get(name) or {}
        if value.get("type") == "file_input":
            files += map(read_file, value.get("files") or ())
        else:
            args[name] = ",".join(_list_words(value)).strip()
    return args, tuple(files)


def _list_words(value: Mapping[str, Any]) -> Sequence[str]:
    chosen = value.get("selected_options") or [value.get("selected_option") or {}]
    words = [option.get("value") for option in chosen]
    return [str(w) for w in (*words, value.get("value"), value.get("selected_conversation")) if w]


def plain(locale: str, sentence: str, most: int = _LONGEST_LABEL) -> Json:
    """A message as a text object."""
    return plain_text(say(locale, LocalizedText(sentence)), most)


MESSAGE_SHORTCUT = "message_action"
"""Slack's name for a shortcut about a message."""
SUBMISSION = "view_submission"
"""Slack's name for a form that was sent."""
FORM = f"{PREFIX}ask"
"""The shortcut that opens the form, and the form."""
ASK_BUTTON = "home:ask"
"""The button that opens it."""
_MENU = f"{PREFIX}menu:"
_THREAD = "thread"
_MESSAGE = "summarize"
"""The wish about the only message of a thread."""
_WISHES = ("describe", "read", "transcribe", "translate", _THREAD)
"""Slack allows five shortcuts about messages."""
_TEXT = "text"
_FILES = "file"
_CHANNEL = "channel"
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
    alone: bool = False
    """Whether it is about nothing but what it brings."""


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
