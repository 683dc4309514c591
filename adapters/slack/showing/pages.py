"""Pages of an answer as Slack messages: sections, tables, small print and buttons."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adapters.chat.rendering import Page
from adapters.slack.showing.blocks import mrkdwn, section
from adapters.slack.showing.controls import render_actions
from adapters.slack.showing.mrkdwn import FIRST_MESSAGE, SECTION, Table
from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText, RunId
from pipeline.text import cut, defuse
from pipeline.words import say


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
    contexts = [{"type": "context", "elements": [mrkdwn(each)]} for each in small]
    return [*contexts, *render_actions(page.actions, run, locale)]


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
