"""The words of a Slack message: its text, its blocks and its attachments, as mrkdwn."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from adapters.slack.web_api.client import Json

_SPOKEN = "rich_text"
"""The block that Slack makes of what people type; the message's text says the same."""
_MARKDOWN = frozenset({"mrkdwn", "markdown"})
_PLAIN = frozenset({"plain_text", "raw_text", "text"})
_CONTROLS = frozenset(
    {
        "button",
        "checkboxes",
        "context_actions",
        "datepicker",
        "datetimepicker",
        "feedback_buttons",
        "icon_button",
        "overflow",
        "radio_buttons",
        "timepicker",
    }
)
_SELECT = "select"
"""How the types of selects end."""
_HEADS = ("title", "title_text", "author", "label", "text", "subtitle", "body", "description")
_PARTS = (*_HEADS, "details", "output", "fields", "elements", "rows", "accessory")
"""What a block shows, from top to bottom; parts that are not named here follow."""
_WORDS = frozenset({*_HEADS, "alt_text", "author_name", "provider_name"})
"""Parts that are words without a format."""
_INLINE = {
    "broadcast": ("<!", "range", ">"),
    "channel": ("<#", "channel_id", ">"),
    "emoji": (":", "name", ":"),
    "user": ("<@", "user_id", ">"),
    "usergroup": ("<!subteam^", "usergroup_id", ">"),
}
"""How elements of rich text stand in a message's text, around one of their parts."""
_DEEPEST = 20


def read_words(message: Json) -> str:
    """A message's own words. Only the mentions in them count.

    What people type is in `text` and again in a rich text block: it is taken once. An app may say
    in blocks what its `text` lacks: then both are, as "New alert" above "CPU at 97 %".
    """
    text, blocks = str(message.get("text") or ""), message.get("blocks") or ()
    is_typed = all(block.get("type") == _SPOKEN for block in blocks) and not message.get("bot_id")
    if text and is_typed:
        return text
    return _join_new(text, [*map(_read_block, blocks)])


def read_text(message: Json) -> str:
    """A message's words, then its attachments and the messages shared in it as quotes."""
    quotes = [
        f"> {line}"
        for attachment in find_attachments(message)
        for line in _read_attachment(attachment).splitlines()
    ]
    return "\n".join(part for part in (read_words(message), *quotes) if part)


def find_attachments(message: Json) -> list[Json]:
    """The message's own attachments, without the link previews that Slack adds."""
    return [
        each
        for each in message.get("attachments") or ()
        if each.get("is_share") or not (each.get("from_url") or each.get("is_app_unfurl"))
    ]


def _join_new(text: str, others: Sequence[str]) -> str:
    """A text and others below it; what one of the two says as the other says it stands once."""
    known = _find_key(text)
    new = [other for other in others if other.strip() and _find_key(other) not in known]
    is_covered = bool(new) and known in _find_key("\n".join(new))
    return "\n".join(each.strip("\n") for each in ("" if is_covered else text, *new) if each)


def _find_key(text: str) -> str:
    """The words of a text for a comparison; of one without words, the text."""
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return f" {' '.join(words)} " if words else text.strip()


def _read_attachment(attachment: Json) -> str:
    """The words of an attachment, as Slack shows it; its fallback only if there are none."""
    title, link = str(attachment.get("title") or ""), str(attachment.get("title_link") or "")
    blocks: list[Json] = [*(attachment.get("blocks") or ())]
    for shared in attachment.get("message_blocks") or ():
        blocks += (shared.get("message") or {}).get("blocks") or ()
    parts = (
        *(str(attachment.get(name) or "") for name in ("pretext", "author_name")),
        f"<{link}|{title}>" if link and title else title,
        _join_new(str(attachment.get("text") or ""), [*map(_read_block, blocks)]),
        *(_read_field(each) for each in attachment.get("fields") or ()),
        str(attachment.get("footer") or ""),
    )
    return "\n".join(filter(None, parts)) or str(attachment.get("fallback") or "")


def _read_field(field: Json) -> str:
    return ": ".join(filter(None, (str(field.get(name) or "") for name in ("title", "value"))))


def _read_block(block: object) -> str:
    return "\n".join(_read_lines(block, _DEEPEST))


def _read_lines(part: object, depth: int) -> Iterator[str]:
    """The words of a block or of a part of one, line by line."""
    if isinstance(part, list):
        for each in part:
            yield from _read_lines(each, depth)
    if not isinstance(part, dict) or not depth:
        return
    kind = str(part.get("type") or "")
    if kind in _MARKDOWN or kind in _PLAIN:
        yield _read_object(part)
    elif kind in _CONTROLS or kind.endswith(_SELECT):
        yield from _read_control(part)
    elif kind.startswith(_SPOKEN):
        yield _read_rich(part, depth)
    elif kind == "table":
        yield from (_read_row(row, depth - 1) for row in part.get("rows") or ())
    else:
        for name in (*(n for n in _PARTS if n in part), *(n for n in part if n not in _PARTS)):
            if name in _WORDS and isinstance(part[name], str):
                yield escape(part[name], quote=False) if name != "text" else part[name]
            else:
                yield from _read_lines(part[name], depth - 1)


def _read_object(part: Json) -> str:
    text = str(part.get("text") or "")
    return text if part["type"] in _MARKDOWN else escape(text, quote=False)


def _read_control(part: Json) -> Iterator[str]:
    """Of what can be pressed, only a button that leads somewhere says anything."""
    if part.get("url"):
        label = _read_object({"type": "plain_text", **(part.get("text") or {})})
        yield f"<{part['url']}|{label}>"


def _read_row(row: object, depth: int) -> str:
    cells = row if isinstance(row, list) else []
    return " | ".join(" ".join(_read_lines(cell, depth)) for cell in cells)


def _read_rich(part: Json, depth: int) -> str:
    """A part of rich text: sections, quotes, code and lists, which hold sections again."""
    kind, elements = part["type"], part.get("elements") or ()
    if kind == _SPOKEN:
        return "\n".join(_read_lines(list(elements), depth - 1))
    if kind == "rich_text_list":
        return "\n".join(_list_items(part, elements, depth - 1))
    text = "".join(map(_read_inline, elements))
    if kind == "rich_text_preformatted":
        return f"```\n{text}\n```"
    if kind == "rich_text_quote":
        return "\n".join(f"&gt; {line}" for line in text.splitlines())
    return text.rstrip("\n")


def _list_items(part: Json, items: Iterable[object], depth: int) -> Iterator[str]:
    first, indent = int(part.get("offset") or 0) + 1, "    " * int(part.get("indent") or 0)
    for number, item in enumerate(items, first):
        mark = f"{number}." if part.get("style") == "ordered" else "•"
        yield f"{indent}{mark} {' '.join(_read_lines(item, depth))}"


def _read_inline(element: Json) -> str:
    """An element of rich text as it stands in a message's text."""
    kind = element.get("type")
    if kind in _INLINE:
        before, name, after = _INLINE[kind]
        return f"{before}{element.get(name, '')}{after}"
    words = (str(element.get(name) or "") for name in ("text", "value", "fallback"))
    text = escape(next(filter(None, words), ""), quote=False)
    if kind != "link":
        return text
    return f"<{element.get('url')}|{text}>" if text else f"<{element.get('url')}>"
