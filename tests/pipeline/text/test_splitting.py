"""Long text cut at safe places."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import Piece, cut, defused, packed, shortened

ENTITY_OR_LINK = re.compile(r"&\w+;|<[^>]*>")


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert packed([Piece("one"), Piece("two")], 100) == ("one\n\ntwo",)


def test_pieces_fill_texts_in_order() -> None:
    assert packed([Piece("a" * 6), Piece("b" * 6), Piece("c" * 2)], 10) == ("a" * 6, "bbbbbb\n\ncc")


def test_a_fence_that_is_cut_is_closed_and_opened_again() -> None:
    code = Piece("line one\nline two\nline three", "```\n", "\n```")

    assert packed([code], 20) == (
        "```\nline one\n```",
        "```\nline two\n```",
        "```\nline three\n```",
    )


def test_a_cut_prefers_paragraphs_then_lines_then_sentences_then_words() -> None:
    assert next(cut("aaaa. bbb\n\nccc ddd", 14)) == "aaaa. bbb"
    assert next(cut("aaaa. bbb\nccc ddd eee", 14)) == "aaaa. bbb"
    assert next(cut("aaaa aaa. ccc ddd eee", 14)) == "aaaa aaa."
    assert next(cut("aaaa aaa ccc dddddd", 14)) == "aaaa aaa ccc"


def test_nothing_that_must_stay_whole_is_cut() -> None:
    text = "word &amp; <https://example.org/a b c d e f|a link> end"

    parts = list(cut(text, 40, unbroken=ENTITY_OR_LINK))

    assert parts == ["word &amp;", "<https://example.org/a b c d e f|a link>", "end"]


def test_no_character_is_torn() -> None:
    family = "👩‍👩‍👧‍👦"

    parts = list(cut("x" * 5 + family * 3, 10))

    assert "".join(parts) == "x" * 5 + family * 3
    assert all(part.count("👩") % 2 == 0 for part in parts)


def test_a_measure_of_its_own_is_kept() -> None:
    def measure(text: str) -> int:
        return len(text.encode("utf-16-le")) // 2

    assert all(measure(part) <= 10 for part in cut("😀" * 40, 10, measure=measure))


@given(st.text(), st.integers(min_value=4, max_value=50))
def test_every_part_fits_and_nothing_but_space_is_lost(text: str, limit: int) -> None:
    parts = packed([Piece(text)], limit)

    assert all(len(part) <= limit for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_nobody_is_pinged_by_what_a_model_writes() -> None:
    text = "@everyone <@123456789012345678> <!channel> <@&12> mail a@hereford.uk"

    safe = defused(text)

    assert "@everyone" not in safe
    assert "<@" not in safe
    assert "<!" not in safe
    assert "a@hereford.uk" in safe
    assert safe.replace("\u200b", "") == text


def test_a_shortened_line_says_that_it_is() -> None:
    assert shortened("one\ntwo   three", 100) == "one two three"
    assert shortened("one two three four", 10) == "one two…"
