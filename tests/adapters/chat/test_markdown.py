"""Markdown written in a dialect, by one walk for every platform."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.chat.markdown import Dialect, find_addresses, write
from adapters.chat.pieces import Piece, Segment, pack

PLAIN = Dialect(
    marks={"strong": "**", "em": "*", "s": "~~"},
    bullets=("-", "+"),
    rule="---",
    indent=2,
    widest_table=20,
    escape=lambda text: text,
    code=lambda text: f"`{text}`",
    fence=lambda language, text: Piece((Segment(text),), f"```{language}\n", "\n```"),
    link=lambda href, label, words: f"<{href}|{label}>" if words else href,
    heading=lambda level, words, _: f"{'#' * level} {words}",
)


def written(markdown: str) -> str:
    return "\n===\n".join(pack(write(markdown, PLAIN), 10_000))


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** _it_ ~~no~~ `x` [a](https://b.c)\nnext",) * 2,
        ("# T\n\n> q\n> r\n\ntext", "# T\n\n> q\n> r\n\ntext"),
        ("1. a\n   - b\n     - c\n2. d", "1. a\n   + b\n     + c\n2. d"),
        ("- a\n\n  b", "- a\n  b"),
        ("- ```\n  x\n  ```", "-\n```\nx\n```"),
        ("```py\nx\n```\n\n***", "```py\nx\n```\n\n---"),
        ("```\nstill open", "```\nstill open\n```"),
        ("<b>no</b> <!channel>", "<b>no</b> <!channel>"),
        ("|name|n|\n|-|-|\n|日本|1|\n|é|22|", "```\nname | n\n-----+---\n日本 | 1\né    | 22\n```"),
        (f"|a|b|\n|-|-|\n|1|{'x' * 20}|", f"- a: 1\n  b: {'x' * 20}"),
        ("|a|\n|-|\n|`x` *y*|", "```\na\n---\nx y\n```"),
        (f"|a|\n|-|\n|`x` *{'y' * 20}*|", f"- a: `x` *{'y' * 20}*"),
        ("see https://a.b/c_d.", "see https://a.b/c_d."),
        ("", ""),
    ],
)
def test_what_markdown_means_is_written_in_the_dialect(markdown: str, text: str) -> None:
    expected = text.replace("_it_", "*it*").replace("[a](https://b.c)", "<https://b.c|a>")

    assert written(markdown) == expected


def test_addresses_are_found_without_the_punctuation_after_them() -> None:
    assert list(find_addresses("see https://a.b/c). And <http://d>!")) == [
        ("see ", False),
        ("https://a.b/c", True),
        ("). And <", False),
        ("http://d", True),
        (">!", False),
    ]


@given(st.text(alphabet="ab *_`~[]()<>|#-\n1.!\\&", max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    written(text)


def test_a_table_with_one_wide_cell_and_many_rows_is_not_padded() -> None:
    table = f"|a|b|\n|-|-|\n|{'x' * 1_000}|y|\n" + "|1|2|\n" * 1_000

    assert len(written(table)) < 3 * len(table)
