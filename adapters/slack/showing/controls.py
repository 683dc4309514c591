"""Buttons and selects of Slack's, and what they say when they are pressed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.chat.board_text import format_label
from adapters.chat.erasure import ask_to_erase
from adapters.slack.showing.blocks import plain_text, section
from adapters.slack.showing.mrkdwn import escape_words
from adapters.slack.showing.threads import name_request
from adapters.slack.web_api.client import Json
from pipeline.domain import (
    Action,
    CommandSelect,
    LocalizedText,
    RunId,
    Select,
    SelectOption,
    Thread,
)
from pipeline.ports import ThreadOverview
from pipeline.words import say

PREFIX = "troupe:"
"""Begins the ids of all our controls."""
_FEEDBACK = f"{PREFIX}feedback"
_VOTES = (Action.UP, Action.DOWN)
_MORE = f"{PREFIX}more:"
"""Begins the id of a select of what else a command can show; the rest is the command."""
_COMMAND = f"{PREFIX}run:"
"""Begins the id of a control that gives a command; the rest is the command."""
_NO_THREAD = "-"
"""The value of such a button outside of threads: Slack takes no empty one."""
_MOST_OPTIONS = 100
"""Slack's limit for the options of a select."""
_LONGEST_VALUE = 150
"""Characters, Slack's limit for the value of an option."""
_LONGEST_DIALOG = 300
"""Characters, Slack's limit for the text of a confirmation."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button under an answer says, or the chosen option of a select."""

    action: Action
    run: RunId
    value: str = ""
    """The option's."""
    root: str = ""
    """The thread of a select."""


def render_actions(actions: Sequence[Action], run: RunId, locale: str) -> Sequence[Json]:
    """Buttons; the votes are a pair of Slack's own, which are told apart by their values."""
    buttons = [_render_button(each, run, locale) for each in actions if each not in _VOTES]
    up, down = (
        {
            "text": plain_text(format_label(vote, locale)),
            "accessibility_label": say(locale, LocalizedText(f"vote-{vote}")),
            "value": f"{PREFIX}{vote}:{run}",
        }
        for vote in _VOTES
    )
    feedback = {"type": "feedback_buttons", "action_id": _FEEDBACK}
    votes = {**feedback, "positive_button": up, "negative_button": down}
    return [
        *([{"type": "actions", "elements": buttons}] if buttons else []),
        *([{"type": "context_actions", "elements": [votes]}] if _VOTES[0] in actions else []),
    ]


def _render_button(action: Action, run: RunId, locale: str) -> Json:
    """A button carries its run's id, so it works after a restart."""
    return {
        "type": "button",
        "action_id": f"{PREFIX}{action}",
        "text": plain_text(format_label(action, locale)),
        "value": run,
        **({"style": "danger"} if action is Action.STOP else {}),
    }


def render_select(select: Select, thread: Thread, locale: str) -> Sequence[Json]:
    """The block of a select. Its id also has the thread, which clicks in private messages lack."""
    label = format_label(select.action, locale)
    id_ = f"{PREFIX}{select.action}:{select.run}:{thread.root}"
    element = _render_static_select(id_, label, select.options)
    return [{**section(escape_words(label)), "accessory": element}] if element else []


def render_more(select: CommandSelect, locale: str) -> Sequence[Json]:
    """A select of what else a command can show; an option gives the command with it."""
    id_, label = f"{_MORE}{select.command}", say(locale, select.label)
    return [{"type": "actions", "elements": [_render_static_select(id_, label, select.options)]}]


def render_thread_select(
    words: str, threads: Sequence[ThreadOverview], locale: str, *, erases: bool
) -> Sequence[Json]:
    """A select of threads, to carry out the command `words` in one of them."""
    options = [SelectOption(each.thread.root, name_request(each), "") for each in threads]
    label = say(locale, LocalizedText("slack-pick-thread"))
    element = _render_static_select(f"{_COMMAND}{words}", label, options)
    if erases:
        element["confirm"] = _render_dialog(words, locale)
    return [{"type": "actions", "elements": [element]}] if options else []


def _render_static_select(id_: str, label: str, options: Sequence[SelectOption]) -> Json:
    """A select, with its options under their headings if they have any; {} if there are none."""
    groups = [
        {"label": plain_text(group), "options": shown[:_MOST_OPTIONS]}
        for group, members in groupby(options, key=lambda option: option.group)
        if (
            shown := [
                {"text": plain_text(each.label), "value": each.value}
                for each in members
                if len(each.value) <= _LONGEST_VALUE
            ]
        )
    ]
    if not groups:
        return {}
    has_headings = bool(options[0].group)
    listed = {"option_groups": groups} if has_headings else {"options": groups[0]["options"]}
    return {"type": "static_select", "action_id": id_, "placeholder": plain_text(label), **listed}


def render_confirmation(words: str, locale: str, root: str = "") -> Sequence[Json]:
    """A button that carries out the command `words` after a dialog; `root`: its thread, if any."""
    button = {
        "type": "button",
        "action_id": f"{_COMMAND}{words}",
        "text": plain_text(say(locale, LocalizedText("erase-yes"))),
        "value": root or _NO_THREAD,
        "style": "danger",
        "confirm": _render_dialog(words, locale),
    }
    return [{"type": "actions", "elements": [button]}]


def read_command(action: Json) -> tuple[str, str] | None:
    """A command, and the root of its thread or "", from a click; None if it is something else."""
    id_ = str(action.get("action_id", ""))
    if id_.startswith(_MORE):
        chosen: Json = action.get("selected_option") or {}
        return f"{id_.removeprefix(_MORE)} {chosen.get('value', '')}", ""
    if not id_.startswith(_COMMAND):
        return None
    option: Json = action.get("selected_option") or action
    root = str(option.get("value") or "").removeprefix(_NO_THREAD)
    return id_.removeprefix(_COMMAND), root


def _render_dialog(words: str, locale: str) -> Json:
    texts = {
        "title": LocalizedText("erase-title"),
        "text": ask_to_erase(words),
        "confirm": LocalizedText("erase-yes"),
        "deny": LocalizedText("erase-no"),
    }
    dialog = {
        name: plain_text(say(locale, text).replace("`", ""), _LONGEST_DIALOG)
        for name, text in texts.items()
    }
    return {**dialog, "style": "danger"}


def read_click(action: Json) -> Pressed | None:
    """What was clicked; None if it is not one of ours."""
    id_, value = str(action.get("action_id", "")), str(action.get("value") or "")
    if id_ == _FEEDBACK:
        (name, _, value), rest = value.removeprefix(PREFIX).partition(":"), ""
    else:
        name, _, rest = id_.removeprefix(PREFIX).partition(":")
    if name not in set(Action):
        return None
    run, _, root = rest.rpartition(":")
    option: Json = action.get("selected_option") or {}
    return Pressed(Action(name), RunId(run or value), str(option.get("value") or ""), root)
