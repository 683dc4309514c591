"""Code in answers: marked by classes, and never by anything that it says itself."""

import pytest

from adapters.web.highlighting import LANGUAGES, highlight
from adapters.web.markdown_html import render_html


def test_code_is_marked_by_classes_alone() -> None:
    html = render_html('```python\nif x: return "<b>"\n```')

    assert '<code class="language-python">' in html
    assert '<span class="k">if</span>' in html
    assert "&lt;b&gt;" in html
    assert "style=" not in html
    assert "<b>" not in html


@pytest.mark.parametrize(
    "code",
    [
        "```unheard-of\nif x: pass\n```",
        "```\nif x: pass\n```",
        f"```python\n{'if x: pass' * 20}\n```",
        "```python\n" + "if x: pass\n" * 1000 + "```",
        '```"><script>\nif x: pass\n```',
    ],
)
def test_code_that_is_unknown_or_long_stays_plain(code: str) -> None:
    html = render_html(code)

    assert "<span" not in html
    assert "<script" not in html
    assert "if x: pass" in html


def test_only_so_much_code_of_one_text_is_marked() -> None:
    block = "```python\n" + "if x: pass\n" * 400 + "```\n"

    html = render_html(block * 10)

    assert html.count('<code class="language-python">') == 4
    assert html.count("if x: pass") + html.count('<span class="k">if</span>') == 4000


def test_growing_text_is_not_marked() -> None:
    assert "<span" not in render_html("```python\nif x: pass\n```", links=False)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_each_language_is_known_and_keeps_every_line(language: str) -> None:
    assert highlight("\na = 1\n\n", language).count("\n") == 3
