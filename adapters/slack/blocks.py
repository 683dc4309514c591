"""Renders pages as Slack messages: mrkdwn sections, small print and buttons."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from urllib.parse import quote

from adapters.chat.board import format_label
from adapters.chat.erasure import ask_to_erase
from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.pieces import Piece, Segment, pack
from adapters.chat.rendering import Layout, Page
from adapters.slack.client import Json
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
from pipeline.text import cut, defuse, shorten
from pipeline.words import say

FIRST_MESSAGE = 3800
"""Characters of the first message, which is edited: an edit may have 4,000."""
NEXT_MESSAGES = 11_500
"""Characters of each later message: all blocks of one may have 13,200 together."""
PREFIX = "troupe:"
"""Begins the ids of all our controls."""
SECTION = 2900
"""Characters of a section, of which Slack takes 3,000."""
_GAP = "\u200b"
"""An invisible character that keeps the one before it from being markup."""
_TICK = "\u02cb"
"""Looks like the backquote, which Slack cannot escape within code."""
_OPENING_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_PING = re.compile(r"<(?=[@#!])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
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
_LONGEST_LABEL = 75
"""Characters, Slack's limit for the labels of buttons and options."""
_LONGEST_VALUE = 150
"""Characters, Slack's limit for the value of an option."""
_LONGEST_DIALOG = 300
"""Characters, Slack's limit for the text of a confirmation."""
_WHOLE = 13_000
"""Characters in all blocks of a message together."""
_MOST_ROWS = 100
"""Slack's limit for the rows of a table."""
_MOST_CELLS = 20
"""Slack's limit for the columns of a table."""
_TABLE = 6000
"""Characters of a table; Slack takes 10,000 in all tables of a message."""


class Table(str):
    """A table as text, with its cells for a block of its own."""

    __slots__ = ("cells", "sections")
    cells: tuple[tuple[str, ...], ...]
    sections: tuple[str, ...]
    """The text, in parts that each fit into a section."""


def split_messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    """Split a text into messages, each a tuple of sections and at most one table."""
    messages: list[list[str]] = []
    for part in _split_parts(markdown):
        limit = FIRST_MESSAGE if len(messages) <= 1 else NEXT_MESSAGES
        if not messages or sum(map(len, messages[-1])) + len(part) + 2 > limit:
            messages.append([])
        has_table = any(isinstance(each, Table) for each in messages[-1])
        messages[-1] += part.sections if isinstance(part, Table) and has_table else [part]
    return tuple(tuple(parts) for parts in messages)


def _split_parts(markdown: str) -> Iterator[str]:
    """Sections, and the tables that keep to Slack's limits."""
    pieces = write(markdown, _DIALECT)
    for _, group in groupby(pieces, key=lambda piece: piece.cells and id(piece.cells)):
        members = tuple(group)
        sections, cells = pack(members, SECTION), members[0].cells
        text = "\n\n".join(sections)
        if 0 < len(cells) <= _MOST_ROWS and len(cells[0]) <= _MOST_CELLS and len(text) <= _TABLE:
            table = Table(text)
            table.cells, table.sections = cells, sections
            yield table
        else:
            yield from sections


def mark_repetition(page: Page, locale: str) -> Page:
    """Say above a page that it may appear twice."""
    mark = say(locale, LocalizedText("perhaps-repeated", {"platform": "Slack"}))
    return replace(page, parts=(mark, *page.parts))


def render_content(page: Page, run: RunId, locale: str, *, with_table: bool = False) -> Json:
    """A page as arguments of Slack's methods; `text` is for notifications and screen readers."""
    parts = [block for part in page.parts for block in _render_part(part, with_table=with_table)]
    text = page.text
    if with_table and has_table(page):
        text = next(cut(text, FIRST_MESSAGE), "")  # fits an edit
    below = render_below(page, run, locale)
    return {"text": text or "\n".join(page.small), "blocks": [*parts, *below]}


def has_table(page: Page) -> bool:
    """Whether a page has a table that Slack draws."""
    return any(isinstance(part, Table) for part in page.parts)


def render_below(page: Page, run: RunId, locale: str) -> Sequence[Json]:
    """What stands below the text of a page: small print and buttons."""
    small = cut("\n".join(page.small), SECTION)
    contexts = [{"type": "context", "elements": [_mrkdwn(each)]} for each in small]
    return [*contexts, *_render_actions(page.actions, run, locale)]


def _render_part(part: str, *, with_table: bool) -> Iterator[Json]:
    if not isinstance(part, Table):
        yield section(part)
    elif with_table:
        rows = [[_cell(text) for text in row] for row in part.cells]
        wrapped = [{"is_wrapped": True} for _ in part.cells[0]]
        yield {"type": "table", "rows": rows, "column_settings": wrapped}
    else:
        yield from map(section, part.sections)


def _cell(text: str) -> Json:
    """Slack takes no empty cells."""
    return {"type": "raw_text", "text": defuse(text) or "\u00a0"}


def _render_actions(actions: Sequence[Action], run: RunId, locale: str) -> Sequence[Json]:
    """Buttons; the votes are a pair of Slack's own, which are told apart by their values."""
    buttons = [_button(each, run, locale) for each in actions if each not in _VOTES]
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


def _button(action: Action, run: RunId, locale: str) -> Json:
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
    groups = [
        {"label": plain_text(group), "options": options}
        for group, members in groupby(select.options, key=lambda option: option.group)
        if (options := [_option(each) for each in members if len(each.value) <= _LONGEST_VALUE])
    ]
    element = {
        "type": "static_select",
        "action_id": f"{PREFIX}{select.action}:{select.run}:{thread.root}",
        "placeholder": plain_text(label),
        "option_groups": groups,
    }
    return [{**section(_escape_words(label)), "accessory": element}] if groups else []


def _option(option: SelectOption) -> Json:
    return {"text": plain_text(option.label), "value": option.value}


def render_more(select: CommandSelect, locale: str) -> Sequence[Json]:
    """A select of what else a command can show; an option gives the command with it."""
    label = plain_text(say(locale, select.label))
    groups = [
        (group, [_option(each) for each in members][:_MOST_OPTIONS])
        for group, members in groupby(select.options, key=lambda option: option.group)
    ]
    if len(groups) == 1:
        options: Json = {"options": groups[0][1]}
    else:
        named = [{"label": plain_text(group), "options": each} for group, each in groups]
        options = {"option_groups": named}
    action = {"action_id": f"{_MORE}{select.command}", "placeholder": label}
    return [{"type": "actions", "elements": [{"type": "static_select", **action, **options}]}]


def render_thread_select(
    words: str, threads: Sequence[ThreadOverview], locale: str, *, erases: bool
) -> Sequence[Json]:
    """A select of threads, to carry out the command `words` in one of them."""
    options: list[Json] = [
        {"text": plain_text(name_request(each)), "value": each.thread.root} for each in threads
    ]
    element = {
        "type": "static_select",
        "action_id": f"{_COMMAND}{words}",
        "placeholder": plain_text(say(locale, LocalizedText("slack-pick-thread"))),
        "options": options,
        **({"confirm": _dialog(words, locale)} if erases else {}),
    }
    return [{"type": "actions", "elements": [element]}] if options else []


def render_confirmation(words: str, locale: str, root: str = "") -> Sequence[Json]:
    """A button that carries out the command `words` after a dialog; `root`: its thread, if any."""
    button = {
        "type": "button",
        "action_id": f"{_COMMAND}{words}",
        "text": plain_text(say(locale, LocalizedText("erase-yes"))),
        "value": root or _NO_THREAD,
        "style": "danger",
        "confirm": _dialog(words, locale),
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


def _dialog(words: str, locale: str) -> Json:
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


def name_request(overview: ThreadOverview) -> str:
    """What to call a thread: the request that began it, or its files."""
    turn = overview.first or overview.last
    words = " ".join(turn.text.split()) if turn else ""
    files = ", ".join(file.name for file in turn.files) if turn else ""
    return words or files or overview.thread.root


def read_click(action: Json) -> tuple[Action, RunId, str, str] | None:
    """What was clicked: action, run, option and thread, the last two "" for a button.

    None if it is not one of ours.
    """
    id_, value = str(action.get("action_id", "")), str(action.get("value") or "")
    if id_ == _FEEDBACK:
        (name, _, value), rest = value.removeprefix(PREFIX).partition(":"), ""
    else:
        name, _, rest = id_.removeprefix(PREFIX).partition(":")
    if name not in set(Action):
        return None
    run, _, root = rest.rpartition(":")
    option: Json = action.get("selected_option") or {}
    run_id = RunId(run or value)
    return Action(name), run_id, str(option.get("value") or ""), root


def plain_text(text: str, most: int = _LONGEST_LABEL) -> Json:
    return {"type": "plain_text", "text": shorten(text, most), "emoji": True}


def section(text: str) -> Json:
    return {"type": "section", "text": _mrkdwn(text)}


def _mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


# --- Markdown as mrkdwn: nothing in it pings anybody ---


def defuse_markdown(text: str) -> str:
    """Markdown that Slack itself renders, of which nothing pings anybody."""
    return defuse(_PING.sub(rf"<{_GAP}", text))


def render_sections(markdown: str) -> tuple[str, ...]:
    """Render a text as mrkdwn, in parts that each fit into a section."""
    return pack(write(markdown, _DIALECT), SECTION)


def render_words(text: str) -> tuple[str, ...]:
    """Render plain text in such parts; nothing in it is markup."""
    return pack([Piece((Segment(write_words(text, _DIALECT)),))], SECTION)


def _escape(text: str) -> str:
    return text.translate(_ENTITIES)


def _escape_words(text: str) -> str:
    """Escape, and keep `*`, `_`, `~` and backquotes from becoming markup."""
    return _break_fences(_OPENING_MARK.sub(rf"\1{_GAP}", _escape(text)))


def _break_fences(text: str) -> str:
    return text.replace("```", f"`{_GAP}`{_GAP}`")


def _code(text: str) -> str:
    return f"`{_escape(text).replace('`', _TICK)}`"


def _fence(_: str, text: str) -> Piece:
    body = _break_fences(_escape(text)) or " "
    return Piece((Segment(body),), opening="```\n", closing="\n```")


def _link(href: str, _: str, words: str) -> str:
    if not href.lower().startswith(("https://", "http://", "mailto:")) or href != "".join(
        href.split()
    ):
        return _escape_words(f"{words} ({href})" if href and href != words else words)
    address = _escape(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    label = _break_fences(_escape(" ".join(words.split()))).replace("|", "¦")
    return f"<{address}|{label}>" if label and label != address else f"<{address}>"


def _heading(_: int, __: str, words: str) -> str:
    return f"*{_escape_words(words).replace('*', '')}*"


_DIALECT = Dialect(
    marks={"strong": "*", "em": "_", "s": "~"},
    bullets=("•", "◦", "▪"),
    rule="———",
    indent=4,
    widest_table=90,
    escape=_escape_words,
    code=_code,
    fence=_fence,
    link=_link,
    heading=_heading,
    gap=_GAP,
)
LAYOUT = Layout(dialect=_DIALECT, limit=FIRST_MESSAGE, whole=_WHOLE, split=split_messages)
