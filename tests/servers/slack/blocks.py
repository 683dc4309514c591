"""What Slack demands of the blocks of a message."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.servers.slack import kinds
from tests.servers.slack.workspace import Json

MAX_BLOCKS, MAX_BLOCK_CHARACTERS, MAX_MARKDOWN = 50, 13_200, 12_000
STYLES = {None, "primary", "danger"}


def complaints(blocks: Any, *, most: int = MAX_BLOCKS) -> Iterator[str]:
    """Everything that is wrong with these blocks, of which there may be so many."""
    if not isinstance(blocks, list) or not all(isinstance(b, dict) for b in blocks):
        yield "blocks is not a list of objects"
        return
    if len(blocks) > most:
        yield f"{len(blocks)} blocks, more than {most}"
    if unknown := list(kinds.complaints(blocks)):
        yield from unknown
        return
    yield from _unique("block_id", [b["block_id"] for b in blocks if "block_id" in b])
    if sum(block.get("type") == "table" for block in blocks) > 1:
        yield "more than one table"
    for block in blocks:
        check = CHECKS.get(str(block.get("type")), _anything)
        yield from (f"{block['type']}: {problem}" for problem in check(block))
    if most == MAX_BLOCKS and sum(map(len, texts(blocks))) > MAX_BLOCK_CHARACTERS:
        yield f"more than {MAX_BLOCK_CHARACTERS} characters over all blocks"
    if sum(len(b.get("text", "")) for b in blocks if b.get("type") == "markdown") > MAX_MARKDOWN:
        yield f"more than {MAX_MARKDOWN} characters of markdown"


def texts(value: Any) -> Iterator[str]:
    """Every text a person would read in these blocks."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in {"text", "alt_text"} and isinstance(part, str):
                yield part
            else:
                yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def buttons(blocks: list[Json]) -> Iterator[Json]:
    """Every interactive element, with the block it is in; of a pair, each button."""
    for block in blocks:
        parts = [*block.get("elements", ()), block.get("accessory")]
        for element in parts:
            if isinstance(element, dict) and "action_id" in element:
                sides = [element[n] for n in ("positive_button", "negative_button") if n in element]
                whole = {k: v for k, v in element.items() if v not in sides}
                place = {"block_id": block.get("block_id", "b"), **whole}
                yield from ({**place, **side} for side in sides or [{}])


def _unique(name: str, values: list[str]) -> Iterator[str]:
    if len(set(values)) != len(values):
        yield f"{name} used twice"
    if any(len(value) > 255 for value in values):
        yield f"{name} over 255 characters"


def text(
    value: Any, limit: int, *, kinds: tuple[str, ...] = ("mrkdwn", "plain_text")
) -> Iterator[str]:
    if not isinstance(value, dict) or value.get("type") not in kinds:
        yield f"text object must be of {kinds}, not {value!r:.80}"
    elif not isinstance(value.get("text"), str) or not 1 <= len(value["text"]) <= limit:
        yield f"text must have 1 to {limit} characters"
    elif unknown := set(value) - {"type", "text", "emoji", "verbatim"}:
        yield f"text object has unknown {unknown}"


def _section(block: Json) -> Iterator[str]:
    if "text" in block:
        yield from text(block["text"], 3000)
    if "fields" in block:
        if not 1 <= len(block["fields"]) <= 10:
            yield "fields must be 1 to 10"
        for part in block["fields"]:
            yield from text(part, 2000)
    if "accessory" in block:
        yield from _element(block["accessory"])


def _context(block: Json) -> Iterator[str]:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 10:
        yield "elements must be 1 to 10"
    for part in elements:
        yield from _image(part) if part.get("type") == "image" else text(part, 3000)


def _actions(block: Json) -> Iterator[str]:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 25:
        yield "elements must be 1 to 25"
    yield from _unique("action_id", [e["action_id"] for e in elements if "action_id" in e])
    for part in elements:
        yield from _element(part)


def _element(part: Json) -> Iterator[str]:
    check = ELEMENT_CHECKS.get(part.get("type", ""))
    if check is not None:
        yield from check(part)
    elif part.get("type") not in ELEMENTS:
        yield f"unknown element {part.get('type')!r}"


def _input(block: Json) -> Iterator[str]:
    yield from text(block.get("label"), 2000, kinds=("plain_text",))
    if "hint" in block:
        yield from text(block["hint"], 2000, kinds=("plain_text",))
    if unknown := set(block) - {"type", "block_id", "label", "hint", "element", "optional"}:
        yield f"unknown {unknown}"
    element = block.get("element", {})
    yield from _element(element)
    if not 1 <= len(element.get("action_id", "")) <= 255:
        yield "the element's action_id must have 1 to 255 characters"


def _text_input(part: Json) -> Iterator[str]:
    if "placeholder" in part:
        yield from text(part["placeholder"], 150, kinds=("plain_text",))
    if not 0 <= part.get("min_length", 0) <= part.get("max_length", 3000) <= 3000:
        yield "min_length and max_length must be 0 to 3000"


def _conversations(part: Json) -> Iterator[str]:
    if "placeholder" in part:
        yield from text(part["placeholder"], 150, kinds=("plain_text",))
    rules = part.get("filter", {"include": ["im"]})
    if not set(rules) <= {"include", "exclude_bot_users", "exclude_external_shared_channels"}:
        yield f"unknown filter {rules}"
    if not set(rules.get("include", ())) <= {"im", "mpim", "private", "public"}:
        yield f"unknown filter {rules}"


def _file_input(part: Json) -> Iterator[str]:
    if not 1 <= part.get("max_files", 10) <= 10:
        yield "max_files must be 1 to 10"


def _button(part: Json) -> Iterator[str]:
    yield from text(part.get("text"), 75, kinds=("plain_text",))
    if not 1 <= len(str(part.get("action_id", "x"))) <= 255:
        yield "button action_id must have 1 to 255 characters"
    if len(part.get("value", "")) > 2000 or not isinstance(part.get("value", ""), str):
        yield "button value must be a string of at most 2000 characters"
    if len(part.get("url", "")) > 3000:
        yield "button url over 3000 characters"
    if len(part.get("accessibility_label", "")) > 75:
        yield "accessibility_label over 75 characters"
    if part.get("style") not in STYLES:
        yield f"button style {part.get('style')!r}"
    yield from _confirm(part)


def _select(part: Json) -> Iterator[str]:
    yield from text(part.get("placeholder"), 150, kinds=("plain_text",))
    if not 1 <= len(str(part.get("action_id", "x"))) <= 255:
        yield "select action_id must have 1 to 255 characters"
    if ("options" in part) == ("option_groups" in part):
        yield "exactly one of options and option_groups"
    groups = part.get("option_groups", [])
    if "option_groups" in part and not 1 <= len(groups) <= 100:
        yield "option_groups must be 1 to 100"
    for group in groups:
        yield from text(group.get("label"), 75, kinds=("plain_text",))
        yield from _options(group)
    if "options" in part:
        yield from _options(part)
    yield from _chosen(part)
    yield from _confirm(part)


def _chosen(part: Json) -> Iterator[str]:
    """What is wrong with the options that are chosen at first."""
    first = part.get("initial_option")
    for chosen in part.get("initial_options", [first] if first else []):
        if chosen not in part.get("options", []):
            yield f"initially chosen {chosen} is no option"
    if part["type"] == "multi_static_select" and part.get("max_selected_items", 1) < 1:
        yield "max_selected_items must be at least 1"


def _options(part: Json) -> Iterator[str]:
    if not 1 <= len(part.get("options", [])) <= 100:
        yield "options must be 1 to 100"
    for option in part.get("options", []):
        yield from text(option.get("text"), 75, kinds=("plain_text",))
        if not 1 <= len(option.get("value", "")) <= 150:
            yield "option value must have 1 to 150 characters"


def _confirm(part: Json) -> Iterator[str]:
    dialog = part.get("confirm")
    if dialog is None:
        return
    for name, limit in {"title": 100, "text": 300, "confirm": 30, "deny": 30}.items():
        yield from text(dialog.get(name), limit, kinds=("plain_text",))
    if dialog.get("style") not in STYLES:
        yield f"dialog style {dialog.get('style')!r}"


def _image(block: Json) -> Iterator[str]:
    if not 1 <= len(block.get("alt_text", "")) <= 2000:
        yield "alt_text must have 1 to 2000 characters"
    if ("image_url" in block) == ("slack_file" in block):
        yield "exactly one of image_url and slack_file"
    if len(block.get("image_url", "")) > 3000:
        yield "image_url over 3000 characters"


def _header(block: Json) -> Iterator[str]:
    yield from text(block.get("text"), 150, kinds=("plain_text",))


def _markdown(block: Json) -> Iterator[str]:
    if not isinstance(block.get("text"), str) or not block["text"]:
        yield "text must be a string"


def _rich_text(block: Json) -> Iterator[str]:
    for part in block.get("elements", [{}]):
        if part.get("type") not in RICH:
            yield f"unknown rich text part {part.get('type')!r}"
        if part.get("type") == "rich_text_list" and part.get("style") not in {"bullet", "ordered"}:
            yield f"rich text list of the style {part.get('style')!r}"
        for inner in part.get("elements", []):
            if inner.get("type") == "link" and not inner.get("url", "").startswith("http"):
                yield f"a link to {inner.get('url')!r}"


def _table(block: Json) -> Iterator[str]:
    rows = block.get("rows", [])
    if not 1 <= len(rows) <= 100 or any(not 1 <= len(row) <= 20 for row in rows):
        yield "a table has 1 to 100 rows of 1 to 20 cells"


def _anything(_: Json) -> Iterator[str]:
    yield from ()


RICH = {"rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"}
ELEMENTS = {
    "external_select",
    "users_select",
    "overflow",
    "feedback_buttons",
    "icon_button",
    "checkboxes",
    "radio_buttons",
    "image",
}
ELEMENT_CHECKS: dict[str, Callable[[Json], Iterator[str]]] = {
    "button": _button,
    "static_select": _select,
    "multi_static_select": _select,
    "plain_text_input": _text_input,
    "conversations_select": _conversations,
    "file_input": _file_input,
}
CHECKS: dict[str, Callable[[Json], Iterator[str]]] = {
    "section": _section,
    "context": _context,
    "actions": _actions,
    "image": _image,
    "header": _header,
    "markdown": _markdown,
    "rich_text": _rich_text,
    "table": _table,
    "divider": _anything,
    "context_actions": _anything,
    "plan": _anything,
    "task_card": _anything,
    "input": _input,
}
