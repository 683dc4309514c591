"""Rendered text packed into messages."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.chat.pieces import Piece, Segment, pack


def piece(text: str, opening: str = "", closing: str = "") -> Piece:
    return Piece((Segment(text),), opening, closing)


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert pack([piece("one"), piece("two")], 100) == ("one\n\ntwo",)


def test_pieces_fill_texts_in_order() -> None:
    pieces = [piece("a" * 6), piece("b" * 6), piece("c" * 2)]

    assert pack(pieces, 10) == ("a" * 6, "bbbbbb\n\ncc")


def test_a_fence_that_is_cut_is_closed_and_opened_again() -> None:
    code = piece("line one\nline two\nline three", "```\n", "\n```")

    assert pack([code], 20) == (
        "```\nline one\n```",
        "```\nline two\n```",
        "```\nline three\n```",
    )


def test_a_link_is_not_cut() -> None:
    link = Segment("<https://example.org/a b c d e f|a link>", is_atomic=True)

    parts = pack([Piece((Segment("word "), link, Segment(" end")))], 41)

    assert parts == ("word", link.text, "end")


@given(st.lists(st.text(), max_size=5), st.integers(min_value=4, max_value=50))
def test_every_part_fits_and_nothing_but_space_is_lost(texts: list[str], limit: int) -> None:
    parts = pack([piece(text) for text in texts], limit)

    assert all(len(part) <= limit for part in parts)
    assert "".join("".join(parts).split()) == "".join("".join(texts).split())
