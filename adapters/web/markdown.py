"""Markdown as HTML that can do no harm: no HTML of the text's own, links to the web only, pictures as links."""

from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

_LONGEST = 100_000


def html_of(text: str) -> str:
    """HTML of a Markdown text. What a stranger wrote in it stays text."""
    return str(_markdown().render(text[:_LONGEST]))


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    made.validateLink = _is_harmless  # type: ignore[method-assign]
    made.disable("image")
    made.add_render_rule("link_open", _elsewhere)
    made.add_render_rule("th_open", _aligned)
    made.add_render_rule("td_open", _aligned)
    return made


def _is_harmless(url: str) -> bool:
    return url.strip().lower().startswith(("http://", "https://", "mailto:"))


def _elsewhere(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    """Links open beside the page, and tell nobody where from."""
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return renderer.renderToken(tokens, index, options, _env)


def _aligned(
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
