"""Long text cut at safe places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import cut, defuse, shorten


def test_a_cut_prefers_paragraphs_then_lines_then_sentences_then_words() -> None:
    assert next(cut("aaaa. bbb\n\nccc ddd", 14)) == "aaaa. bbb"
    assert next(cut("aaaa. bbb\nccc ddd eee", 14)) == "aaaa. bbb"
    assert next(cut("aaaa aaa. ccc ddd eee", 14)) == "aaaa aaa."
    assert next(cut("aaaa aaa ccc dddddd", 14)) == "aaaa aaa ccc"


def test_nothing_that_must_stay_whole_is_cut() -> None:
    text = "word and <https://example.org/a b c d e f|a link> end"

    parts = list(cut(text, 41, keep=[(9, 49)]))

    assert parts == ["word and", "<https://example.org/a b c d e f|a link>", "end"]


def test_neither_an_entity_nor_an_escape_is_torn() -> None:
    assert list(cut("xxxxxxx&amp;xx", 10)) == ["xxxxxxx", "&amp;xx"]
    assert list(cut("xxxxxxxxx\\*xx", 10)) == ["xxxxxxxxx", "\\*xx"]


def test_a_measure_of_its_own_is_kept() -> None:
    def measure(text: str) -> int:
        return len(text.encode("utf-16-le")) // 2

    assert all(measure(part) <= 10 for part in cut("😀" * 40, 10, measure=measure))


@given(st.text(), st.integers(min_value=4, max_value=50))
def test_every_part_fits_and_nothing_but_space_is_lost(text: str, limit: int) -> None:
    parts = list(cut(text, limit))

    assert all(len(part) <= limit for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_nobody_is_pinged_by_what_a_model_writes() -> None:
    text = "@everyone <@123456789012345678> <!channel> <@&12> mail a@hereford.uk"

    safe = defuse(text)

    assert "@everyone" not in safe
    assert "<@" not in safe
    assert "<!" not in safe
    assert "a@hereford.uk" in safe
    assert safe.replace("\u200b", "") == text


def test_a_shortened_line_says_that_it_is() -> None:
    assert shorten("one\ntwo   three", 100) == "one two three"
    assert shorten("one two three four", 10) == "one two…"


@pytest.mark.parametrize("part", ["\\", "\u200d", "\u0301", "&", "a", "\n"])
def test_text_that_cannot_be_cut_well_is_cut_into_full_parts(part: str) -> None:
    parts = list(cut(part * 20_000, 2_000))

    assert len(parts) <= 11
