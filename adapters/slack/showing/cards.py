"""The cards of a plan, as Slack shows an agent at work."""

from collections.abc import Iterator

from adapters.chat.board import Phase
from adapters.slack.web_api.client import Json
from pipeline.domain import RunId
from pipeline.text import defuse, shorten, unlink

_LONGEST = 250
"""Characters of a title, details or output; Slack takes 256."""
MOST_CARDS = 45
"""Slack takes 50 in a message."""
STATUSES = {
    Phase.WAITING: "pending",
    Phase.RUNNING: "in_progress",
    Phase.DONE: "complete",
    Phase.FAILED: "error",
    Phase.SKIPPED: "error",
    Phase.STOPPED: "error",
}


def find_run(message: Json, run: RunId) -> bool:
    """Whether a message is the stream of a run."""
    return any(id_.startswith(f"{run}:") for id_ in _list_cards(message))


def has_cards(message: Json) -> bool:
    """Whether a message shows the cards of a run."""
    return any(_list_cards(message))


def _list_cards(message: Json) -> Iterator[str]:
    for block in message.get("blocks") or ():
        for card in (block, *(block.get("tasks") or ())):
            if "task_id" in card:
                yield str(card["task_id"])


def render_update(card: Json, shown: Json) -> Json:
    """Slack replaces a card's title and status, but adds to its details, output and sources."""
    update = {"type": "task_update", **{name: card[name] for name in ("id", "title", "status")}}
    for name in ("details", "output"):
        now, before = card.get(name) or "", shown.get(name) or ""
        if now and now != before:
            is_longer = not before or now.startswith(before)
            update[name] = now.removeprefix(before) if is_longer else f" → {now}"
    if (page := card.get("page")) and page != shown.get("page"):
        update["sources"] = [{"type": "url", "url": page, "text": page.partition("//")[2]}]
    return {name: value for name, value in update.items() if value}


def render_task(card: Json) -> Json:
    """A card as a block."""
    update = render_update(card, {})
    block = {"type": "task_card", "task_id": update.pop("id")}
    for name in ("details", "output"):
        if name in update:
            text = [{"type": "text", "text": update[name]}]
            section = {"type": "rich_text_section", "elements": text}
            update[name] = {"type": "rich_text", "elements": [section]}
    return {**update, **block}


def shorten_field(text: str) -> str:
    return shorten(defuse(unlink(text)), _LONGEST)
