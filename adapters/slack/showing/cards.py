"""The cards of a plan, as Slack shows an agent at work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from adapters.chat.board import Board, Phase, TaskRow, has_plan
from adapters.chat.board_text import format_headline, format_progress, summarize_result
from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText, RunId, TaskId
from pipeline.text import defuse, shorten, unlink
from pipeline.words import say, title

_LONGEST = 250
"""Characters of a title, details or output; Slack takes 256."""
_MOST_CARDS = 45
"""Slack takes 50 in a message."""
_STATUSES = {
    Phase.WAITING: "pending",
    Phase.RUNNING: "in_progress",
    Phase.DONE: "complete",
    Phase.FAILED: "error",
    Phase.SKIPPED: "error",
    Phase.STOPPED: "error",
}
_PLANNING = "plan"
"""Ends the id of the card of the planning."""


@dataclass(slots=True)
class ShownPlan:
    """What Slack shows of a run's plan in a stream: a headline, and a card per step.

    The ids of the cards begin with the run's.
    """

    run: RunId
    locale: str
    cards: dict[str, Json] = field(default_factory=dict)
    """The cards as they were sent, by id."""
    _title: str = ""
    _planned_as: TaskId | None = None
    """The step that took the card of the planning, which Slack cannot take away."""

    def copy(self) -> "ShownPlan":
        return replace(self, cards=dict(self.cards))

    def forget_states(self) -> None:
        """Send headline and states again: it is not known which of them arrived."""
        self._title = ""
        self.cards = {id_: {**card, "status": ""} for id_, card in self.cards.items()}

    def render_changes(self, board: Board) -> list[Json]:
        """The chunks that bring Slack's view of the plan up to date; none for plain talk.

        A step that has ended since the last call, with the result "a cat", gives one:
        `{"type": "task_update", "id": "<run>:1", "title": "Describing a picture", "status":
        "complete", "output": "a cat"}`. If nothing has changed, there are none.
        """
        cards = {card["id"]: card for card in self._render_cards(board)}
        headline = _shorten(format_headline(board, self.locale))
        is_new = headline != self._title and bool(cards)
        chunks: list[Json] = [{"type": "plan_update", "title": headline}] if is_new else []
        self._title = headline if cards else self._title
        stopped = {"status": "error", "output": say(self.locale, LocalizedText("stopped"))}
        dropped = {id_: card | stopped for id_, card in self.cards.items() if id_ not in cards}
        for id_, card in (cards | dropped).items():  # Slack cannot take a card away
            shown = self.cards.get(id_, {})
            if card != shown:
                chunks.append(_render_update(card, shown))
                self.cards[id_] = card
        return chunks

    def _render_cards(self, board: Board) -> Iterator[Json]:
        """A card per step; until there are steps, one for the planning, which the first takes."""
        planning = f"{self.run}:{_PLANNING}"
        if not board.rows and (planning in self.cards or not board.text):
            words = _shorten(say(self.locale, LocalizedText("progress-thinking")))
            status = "complete" if board.end or board.text else "in_progress"
            yield {"id": planning, "title": words, "status": status}
        if board.rows and planning in self.cards and self._planned_as is None:
            self._planned_as = board.rows[0].task
        for row in board.rows[:_MOST_CARDS]:
            card = _render_card(board, row, self.run, self.locale)
            yield {**card, "id": planning} if row.task == self._planned_as else card


def render_plan(board: Board | None, run: RunId, locale: str) -> Sequence[Json]:
    """The plan of a run that is over, as Slack keeps it above the end of a stream."""
    if board is None or board.end is None or not has_plan(board):
        return ()
    cards = [_render_card(board, row, run, locale) for row in board.rows[:_MOST_CARDS]]
    headline = _shorten(format_headline(board, locale))
    return ({"type": "plan", "title": headline, "tasks": [*map(_render_task, cards)]},)


def _render_card(board: Board, row: TaskRow, run: RunId, locale: str) -> Json:
    """A step: its model and time, and below them what it found or why it failed."""
    words, name = format_progress(row, locale), title(locale, row.kind)
    is_over = row.phase not in (Phase.WAITING, Phase.RUNNING)
    heading = name if is_over or not words else f"{name} · {words}"
    has_failed = row.phase is Phase.FAILED  # the error may not be that of the latest model
    details = " · ".join(filter(None, (row.model, words if is_over else "")))
    output = details if has_failed else summarize_result(board, row)
    return {
        "id": f"{run}:{row.task}",
        "title": _shorten(heading),
        "status": _STATUSES[row.phase],
        "details": "" if has_failed else _shorten(details),
        "output": _shorten(output),
        "page": "" if has_failed else row.page,
    }


def _render_update(card: Json, shown: Json) -> Json:
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


def _render_task(card: Json) -> Json:
    """A card as a block."""
    update = _render_update(card, {})
    block = {"type": "task_card", "task_id": update.pop("id")}
    for name in ("details", "output"):
        if name in update:
            text = [{"type": "text", "text": update[name]}]
            section = {"type": "rich_text_section", "elements": text}
            update[name] = {"type": "rich_text", "elements": [section]}
    return {**update, **block}


def _shorten(text: str) -> str:
    return shorten(defuse(unlink(text)), _LONGEST)


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
