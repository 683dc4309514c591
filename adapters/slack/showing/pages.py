"""Pages of an answer as Slack messages: sections, tables, small print and buttons."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from adapters.chat.rendering import Page
from adapters.slack.showing.blocks import mrkdwn, section
from adapters.slack.showing.controls import render_actions
from adapters.slack.showing.mrkdwn import SECTION
from adapters.slack.showing.splitting import FIRST_MESSAGE, TABLE, Drawn, is_table, split_messages
from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText, RunId
from pipeline.text import cut
from pipeline.words import say

DRAWN = frozenset({"rich_text", TABLE})
"""The types of blocks that are drawn in a thread."""
PRIVATELY_DRAWN = DRAWN - {TABLE}
"""Those that are drawn in a private message, which cannot be posted again without them."""


def mark_repetition(page: Page, locale: str) -> Page:
    """Say above a page that it may appear twice."""
    mark = say(locale, LocalizedText("perhaps-repeated", {"platform": "Slack"}))
    return replace(page, parts=(mark, *page.parts))


def render_content(page: Page, run: RunId, locale: str, *, drawn: Collection[str] = DRAWN) -> Json:
    """A page as arguments of Slack's methods; `text` is for notifications and screen readers.

    `drawn` are the types of blocks as which tables and lists are drawn; others are text.
    """
    parts = [block for part in page.parts for block in _render_part(part, drawn)]
    text = page.text
    if TABLE in drawn and has_table(page):
        text = next(cut(text, FIRST_MESSAGE), "")  # fits an edit
    below = render_below(page, run, locale)
    return {"text": text or "\n".join(page.small), "blocks": [*parts, *below]}


def render_text(markdown: str) -> Sequence[Json]:
    """The blocks of a text that stands in no thread."""
    parts = (part for message in split_messages(markdown) for part in message)
    return [block for part in parts for block in _render_part(part, PRIVATELY_DRAWN)]


def has_table(page: Page) -> bool:
    """Whether a page has a table that Slack draws."""
    return any(map(is_table, page.parts))


def render_below(page: Page, run: RunId, locale: str) -> Sequence[Json]:
    """What stands below the text of a page: small print and buttons."""
    small = cut("\n".join(page.small), SECTION)
    contexts = [{"type": "context", "elements": [mrkdwn(each)]} for each in small]
    return [*contexts, *render_actions(page.actions, run, locale)]


def _render_part(part: str, drawn: Collection[str]) -> Sequence[Json]:
    if not isinstance(part, Drawn):
        return [section(part)]
    return [part.block] if part.block["type"] in drawn else [*map(section, part.sections)]
