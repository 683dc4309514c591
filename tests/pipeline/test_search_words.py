"""Which words a text is found by, and what is shown of it."""

import pytest

from pipeline.text.search_words import Term, make_excerpt, matches, read_query, split_words
from pipeline.text.titles import clean_title, make_title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Crème brûlée!", ["creme", "brulee"]),
        ("Cre\u0300me", ["creme"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("Ελλάδα", ["ελλαδα"]),
        ("שָׁלוֹם", ["שלום"]),
        ("東京tower", ["東", "京", "tower"]),
        ("한국", ["한", "국"]),
        ("がく", ["が", "く"]),
        ("\uff46\uff55ll", ["full"]),
        ("my_file-2.png", ["my", "file", "2", "png"]),
        ("\ud800 a \0", ["a"]),
        ("", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_a_text_has_words_without_case_and_accents(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_only_so_much_of_a_text_is_read() -> None:
    assert len(split_words("ab " * 100_000)) < 40_000
    assert len("".join(split_words("\ufdfa" * 100_000))) <= 100_000


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("red cat", (Term(("red",)), Term(("cat",), is_prefix=True))),
        ('"red cat"', (Term(("red", "cat")),)),
        ('"red cat" do', (Term(("red", "cat")), Term(("do",), is_prefix=True))),
        ('a "red ca', (Term(("a",)), Term(("red", "ca"), is_prefix=True))),
        ('re-run ""', (Term(("re", "run"), is_prefix=True),)),
        ("?!", ()),
    ],
)
def test_a_query_is_read_as_terms(query: str, terms: tuple[Term, ...]) -> None:
    assert read_query(query) == terms


def test_only_so_much_of_a_query_is_read() -> None:
    assert sum(len(term.words) for term in read_query("a b " * 1000)) == 20


def test_a_term_is_found_side_by_side() -> None:
    assert matches(["a", "red", "cat"], Term(("red", "cat")))
    assert matches(["a", "red", "cats"], Term(("red", "cat"), is_prefix=True))
    assert not matches(["a", "red", "cats"], Term(("red", "cat")))
    assert not matches(["red"], Term(("red", "cat")))


def test_an_excerpt_shows_the_place_that_was_found() -> None:
    text = "One thing after the other. " * 20 + "Crème\nbrûlée is served." + " More." * 50

    excerpt = make_excerpt(text, read_query('"creme brulee"'))

    assert "Crème brûlée is served." in excerpt
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert len(excerpt) <= 162
    assert make_excerpt("short text", read_query("text")) == "short text"
    assert make_excerpt("short text", read_query("long")) == ""


def test_an_excerpt_has_no_signs_of_emphasis() -> None:
    text = "**Bristol** (highest `Revenue`), 2 ** 3 ** 4"

    assert make_excerpt(text, read_query("bristol")) == "Bristol (highest Revenue), 2 ** 3 ** 4"


@pytest.mark.parametrize(
    ("text", "names", "title"),
    [
        ("  Draw a cat \n with a hat", ["a.png"], "Draw a cat"),
        ("---\nDraw", [], "Draw"),
        ("", ["a.png", "b.pdf"], "a.png, b.pdf"),
        ("?", ["a.png"], "?"),
        ("", [], ""),
        ("a\u202eb", [], "a b"),
        ("word " * 40, [], "word " * 15 + "word…"),
        ("x" * 200, [], "x" * 79 + "…"),
    ],
)
def test_a_title_is_one_line(text: str, names: list[str], title: str) -> None:
    assert make_title(text, names) == title


def test_a_chosen_title_is_one_short_line() -> None:
    assert clean_title(" My\n pets \ud800") == "My pets"
    assert len(clean_title("x" * 1000)) == 200
