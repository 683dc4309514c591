"""Requests that are no messages, and the form for them."""

from dataclasses import dataclass

from adapters.slack.acting.forms import (
    read_submission,
    render_field,
    render_fields,
    render_modal,
    say_plainly,
)
from adapters.slack.showing.controls import PREFIX
from adapters.slack.web_api.client import Json
from pipeline.domain import InputField, InputForm, Link, LocalizedText
from pipeline.words import say

MESSAGE_SHORTCUT = "message_action"
"""Slack's name for a shortcut about a message."""
SUBMISSION = "view_submission"
"""Slack's name for a form that was sent."""
FORM = f"{PREFIX}ask"
"""The shortcut that opens the form, and the form."""
ASK_BUTTON = "home:ask"
"""The button that opens it."""
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


def render_request_form(locale: str, channel: str = "") -> Json:
    """The form with which people ask, in a channel or, without one, from anywhere."""
    fields = render_fields(_REQUEST, locale)
    if not channel:
        select = {
            "type": "conversations_select",
            "filter": {"include": ["public", "private", "mpim"]},
            "placeholder": say_plainly(locale, "slack-form-direct"),
        }
        label = LocalizedText("slack-form-channel")
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
