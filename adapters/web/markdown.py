"""Markdown as harmless HTML: no HTML of the text's own, links to the web only, no pictures."""

from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

_MAX_CHARACTERS = 100_000


def render_html(text: str, *, links: bool = True) -> str:
    """HTML of a Markdown text. Without `links`, addresses stay plain text."""
    return str(_markdown(links=links).render(text[:_MAX_CHARACTERS]))


@cache
def _markdown(*, links: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    parser.validateLink = _is_harmless  # type: ignore[method-assign]
    parser.disable("image" if links else ["image", "link", "autolink", "reference"])
    parser.add_render_rule("link_open", _open_in_new_tab)
    parser.add_render_rule("th_open", _align_by_class)
    parser.add_render_rule("td_open", _align_by_class)
    return parser


def _is_harmless(url: str) -> bool:
    return url.strip().lower().startswith(("http://", "https://", "mailto:"))


def _open_in_new_tab(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    """Links open in a new tab and send no referrer."""
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return renderer.renderToken(tokens, index, options, _env)


def _align_by_class(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    """A cell's alignment as a class: the page forbids inline styles."""
    style = str(tokens[index].attrs.pop("style", ""))
    if style:
        tokens[index].attrSet("class", style.removeprefix("text-align:"))
    return renderer.renderToken(tokens, index, options, _env)
