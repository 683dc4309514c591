"""A board in a person's language: its headline, its rows, what they made, its buttons."""

from adapters.chat.board import Board, Phase, TaskRow
from pipeline.domain import Action, Done, LocalizedText
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.words import say, title

SIGNS = {
    Phase.WAITING: "◽",
    Phase.RUNNING: "⏳",
    Phase.DONE: "✅",
    Phase.FAILED: "❌",
    Phase.SKIPPED: "⏭️",
    Phase.STOPPED: "⏹️",
}
"""Stands before a step."""


def format_headline(board: Board, locale: str) -> str:
    """What the run is doing, in one line."""
    if not board.rows:
        return say(locale, LocalizedText("progress-thinking"))
    done = sum(row.phase is Phase.DONE for row in board.rows)
    args = {"done": done, "all": len(board.rows)}
    if board.end is not None:
        return say(locale, LocalizedText("progress-ended", args))
    working = say(locale, LocalizedText("progress-working", args))
    estimate = format_estimate(board.estimate)
    return f"{working} · {say(locale, estimate)}" if estimate else working


def format_row(row: TaskRow, locale: str) -> str:
    """One line: sign, task, model, progress or duration, and a note such as the problem."""
    words = [title(locale, row.kind), row.model, format_progress(row, locale)]
    return f"{SIGNS[row.phase]} " + " · ".join(word for word in words if word)


def format_progress(row: TaskRow, locale: str) -> str:
    """Progress or duration, and a note such as the problem; "" if there is nothing to say."""
    words: list[str] = []
    if row.phase is Phase.RUNNING and row.fraction >= 0:
        words.append(f"{row.fraction:.0%}")
    if row.phase is Phase.RUNNING:
        words.append(format_place(row.note, locale))
    if row.phase in (Phase.DONE, Phase.FAILED) and row.took:
        words.append(say(locale, LocalizedText("progress-took", {"seconds": f"{row.took:.1f}"})))
    if row.why is not None:
        words.append(say(locale, row.why))
    return " · ".join(word for word in words if word)


def format_place(note: str, locale: str) -> str:
    """The place in a queue in words; "" if the task does not wait."""
    return say(locale, LocalizedText("progress-queued", {"place": note})) if note else ""


def format_label(action: Action, locale: str) -> str:
    """A button's label."""
    return say(locale, LocalizedText(f"button-{action}"))


def summarize_result(board: Board, row: TaskRow) -> str:
    """What a step found or made; "" if it is not done."""
    outcome = board.outcomes.get(row.task)
    if not isinstance(outcome, Done):
        return ""
    return " · ".join(filter(None, map(as_text, outcome.output.slots.values())))
