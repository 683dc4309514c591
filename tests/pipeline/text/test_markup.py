"""Markdown read into a tree, and tables laid out."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import (
    Anchor,
    Break,
    Code,
    Fence,
    Heading,
    Listing,
    Paragraph,
    Quote,
    Rule,
    Style,
    Styled,
    Table,
    Words,
    columns,
    parse,
    plain,
    records,
)


def test_what_stands_out_is_kept_apart() -> None:
    (paragraph,) = parse("**bold** _it_ ~~no~~ `x` [a](https://b.c)\nnext")

    assert paragraph == Paragraph(
        (
            Styled(Style.STRONG, (Words("bold"),)),
            Words(" "),
            Styled(Style.EMPHASIS, (Words("it"),)),
            Words(" "),
            Styled(Style.STRUCK, (Words("no"),)),
            Words(" "),
            Code("x"),
            Words(" "),
            Anchor("https://b.c", (Words("a"),)),
            Break(),
            Words("next"),
        )
    )


def test_blocks_of_every_sort_are_read() -> None:
    blocks = parse(
        "# T\n\n> q\n\n1. a\n   - b\n2. c\n\n```py\nx\n```\n\n---\n\n|h|i|\n|-|-|\n|1|2|\n"
    )

    assert [type(block) for block in blocks] == [Heading, Quote, Listing, Fence, Rule, Table]
    assert blocks[2] == Listing(
        1,
        (
            (Paragraph((Words("a"),)), Listing(None, ((Paragraph((Words("b"),)),),))),
            (Paragraph((Words("c"),)),),
        ),
    )
    assert blocks[3] == Fence("py", "x")
    assert blocks[5] == Table(((Words("h"),), (Words("i"),)), (((Words("1"),), (Words("2"),)),))


def test_html_is_only_text() -> None:
    (paragraph,) = parse("<b>no</b> <!channel>")

    assert isinstance(paragraph, Paragraph)
    assert plain(paragraph.parts) == "<b>no</b> <!channel>"


def test_an_open_fence_is_read_to_the_end() -> None:
    assert parse("```\nstill open") == (Fence("", "still open"),)


@given(st.text(alphabet="ab *_`~[]()<>|#-\n1.!\\&", max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    parse(text)


def test_columns_have_one_width_whatever_the_script() -> None:
    assert columns(("name", "n"), (("日本", "1"), ("é", "22"))) == (
        "name | n\n-----+---\n日本 | 1\né    | 22"
    )


def test_a_table_too_wide_becomes_records() -> None:
    assert records(("a", "b"), (("1", ""), ("2", "3"))) == (("a: 1",), ("a: 2", "b: 3"))
