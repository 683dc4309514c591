"""Markdown as HTML that is safe to show."""

from functools import cache
from typing import Any

from adapters.web.highlighting import highlight

SETUP_LINK = "#/setup"
"""The one part of the page to which an answer may lead."""
_MAX_MARKDOWN = 100_000
"""Characters that are rendered."""
_MAX_MARKED = 20_000
"""Characters of code in one text whose words are marked: odd code takes a second for 6,000."""


def render_html(text: str, *, links: bool = True) -> str:
    """HTML of a Markdown text. Without `links`, addresses stay plain text.

    Only with them, code is highlighted: text that is still growing has none.
    """
    return str(_markdown(links=links).render(text[:_MAX_MARKDOWN]))


@cache
def _markdown(*, links: bool) -> Any:  # noqa: ANN401 - a MarkdownIt
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to load; not needed at the start

    options = {"html": False, "breaks": True, "highlight": _highlight if links else None}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.validateLink = _is_harmless  # type: ignore[method-assign]
    parser.disable("image" if links else ["image", "link", "autolink", "reference"])
    parser.core.ruler.push("attributes", _set_attributes)
    parser.core.ruler.push("marked", _bound_marked)
    return parser


def _highlight(code: str, language: str, _: str) -> str:
    return highlight(code, language.lower())


def _is_harmless(url: str) -> bool:
    is_outside = url.strip().lower().startswith(("http://", "https://", "mailto:"))
    return is_outside or url == SETUP_LINK


def _set_attributes(state: Any) -> None:  # noqa: ANN401 - a StateCore
    """Links open in a new tab without a referrer; cells are aligned by class, not inline style."""
    for token in [each for block in state.tokens for each in (block, *(block.children or ()))]:
        if token.type == "link_open" and token.attrs.get("href") != SETUP_LINK:
            token.attrs |= {"target": "_blank", "rel": "noopener noreferrer nofollow"}
        elif style := token.attrs.pop("style", ""):
            token.attrSet("class", str(style).removeprefix("text-align:"))


def _bound_marked(state: Any) -> None:  # noqa: ANN401 - a StateCore
    """Code after so much of it counts as having no language."""
    left = _MAX_MARKED
    for token in state.tokens:
        if token.type == "fence":
            left -= len(token.content)
            token.info = token.info if left >= 0 else ""
