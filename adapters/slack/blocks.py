"""What a message of the bot's consists of: sections, small print, buttons, and the words for those who see no blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.slack.access import Json
from adapters.slack.rendering import SECTION, escaped, sections
from pipeline.domain import Action, Answer, RunId, Sentence
from pipeline.progress import Board, headline, label, row_words
from pipeline.text import cut
from pipeline.words import say

FIRST_MESSAGE, NEXT_MESSAGES = 3800, 11_500
PREFIX = "troupe:"
_STYLES = {Action.STOP: "danger"}
_MODELS_NAMED = 20


@dataclass(frozen=True, slots=True)
class Content:
    """The arguments of a post or an edit."""

    text: str
    blocks: tuple[Json, ...]

    def args(self) -> Json:
        return {
            "text": self.text,
            "blocks": list(self.blocks),
            "unfurl_links": False,
            "unfurl_media": False,
        }


def messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    """An answer's sections, shared out over messages: the first can be edited, the next ones may be longer."""
    shared: list[list[str]] = []
    for part in sections(markdown):
        limit = FIRST_MESSAGE if len(shared) <= 1 else NEXT_MESSAGES
        if shared and sum(map(len, shared[-1])) + len(part) + 2 <= limit:
            shared[-1].append(part)
        else:
            shared.append([part])
    return tuple(tuple(parts) for parts in shared)


def said(parts: Sequence[str], *more: Json) -> Content:
    """A message of these sections, and whatever stands below."""
    return Content("\n\n".join(parts), (*map(section, parts), *more))


def section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def small_print(lines: Iterable[str]) -> tuple[Json, ...]:
    """Lines below an answer; none for none."""
    text = "\n".join(line for line in lines if line)
    return tuple(
        {"type": "context", "elements": [{"type": "mrkdwn", "text": part, "verbatim": True}]}
        for part in cut(text, SECTION)
    )


def buttons(actions: Iterable[Action], run: RunId, locale: str) -> Json:
    """Buttons that know their run, so that they work after a restart."""
    return {"type": "actions", "elements": [_button(action, run, locale) for action in actions]}


def notes(answer: Answer, locale: str) -> list[str]:
    """What is told along with an answer: notices, and which model made which file."""
    told = [f"💡 {escaped(say(locale, notice))}" for notice in answer.notices]
    made = [
        escaped(
            say(
                locale,
                Sentence("slack-made-by", {"file": file.attachment.name, "model": file.model}),
            )
        )
        for file in answer.files[:_MODELS_NAMED]
    ]
    return [*told, *made]


def progress(board: Board, locale: str) -> tuple[str, ...]:
    """A run under way: what it does, and the answer as far as it is written."""
    rows = [escaped(row_words(row, locale)) for row in board.rows]
    todo = next(
        cut("\n".join([f"*{escaped(headline(board, locale))}*", *rows]), FIRST_MESSAGE // 2)
    )
    written = sections(board.text[:FIRST_MESSAGE])
    if not written:
        return (todo,)
    shown = next(cut(written[0], FIRST_MESSAGE // 2 - 2))
    more = len(board.text) > FIRST_MESSAGE or shown != written[0] or len(written) > 1
    return (todo, f"{_closed(shown)} …" if more else shown)


def _closed(text: str) -> str:
    """A fence that was cut is closed."""
    return f"{text}\n```" if text.count("```") % 2 else text


def _button(action: Action, run: RunId, locale: str) -> Json:
    button: Json = {
        "type": "button",
        "action_id": f"{PREFIX}{action}",
        "text": {"type": "plain_text", "text": label(action, locale)[:75], "emoji": True},
        "value": run,
    }
    return button | ({"style": _STYLES[action]} if action in _STYLES else {})
