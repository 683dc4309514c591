"""Markdown as Discord writes it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord.showing.markdown import LIMIT, escape, measure, split_messages

TABLE = "| a | b |\n|---|---|\n| 1 | two |\n"
WIDE = f"| name | words |\n|---|---|\n| one | {'long ' * 20}|\n"


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("#### Deep **title**", "### Deep **title**"),
        ("a *b* __c__ ~~d~~ `e`", "a *b* **c** ~~d~~ `e`"),
        ("[here](https://x.org/a_b)", "[here](https://x.org/a_b)"),
        ("<https://x.org>", "https://x.org"),
        ("![a cat](https://x.org/c.png)", "[a cat](https://x.org/c.png)"),
        (
            "[bad](javascript:alert)",
            "[bad](javascript:alert)".replace("[", r"\[").replace("]", r"\]"),
        ),
        ("snake_case and 2\\*3\\*4", r"snake\_case and 2\*3\*4"),
        ("see https://x.org/a_b_c now", "see https://x.org/a_b_c now"),
        ("- a\n  - b\n    - c\n- d", "- a\n  - b\n    - c\n- d"),
        ("3. x\n4. y", "3. x\n4. y"),
        ("> one\n> two", "> one\n> two"),
        ("```py\nx = 1\n```", "```py\nx = 1\n```"),
        ("    indented", "```\nindented\n```"),
        (TABLE, "```\na | b\n--+----\n1 | two\n```"),
        ("\\# no heading", r"\# no heading"),
        ("263.40 in all", "263.40 in all"),
        ("so much:\n263\\. and", "so much:\n263\\. and"),
        ("line\n\\- no list", "line\n\\- no list"),
        ("", None),
        ("\u00a0" * 5, None),
    ],
)
def test_each_thing_is_written_as_discord_reads_it(markdown: str, said: str | None) -> None:
    expected = () if said is None else (said,)

    assert split_messages(markdown) == expected


def test_a_table_too_wide_for_a_telephone_becomes_records() -> None:
    (page,) = split_messages(WIDE)

    assert page.startswith("- name: one\n  words: long long")


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="0123456789.)-+# \n", max_size=60))
def test_no_backslash_stands_before_a_digit(text: str) -> None:
    assert not re.search(r"\\[0-9]", "".join(split_messages(text)) + escape(text))


@pytest.mark.parametrize(
    "text",
    ["@everyone", "@here", "@everyone日本", "<@123456789012345678>", "<@&123456789012345678>"],
)
def test_nobody_is_pinged_by_words_or_code(text: str) -> None:
    for page in (
        *split_messages(text),
        *split_messages(f"`{text}`"),
        *split_messages(f"```\n{text}\n```"),
        escape(text),
    ):
        assert text not in page


@pytest.mark.parametrize("text", ["~~~\n``````\n~~~", "https://x.org/a```b"])
def test_backquotes_within_open_no_block_of_their_own(text: str) -> None:
    (page,) = split_messages(text)

    assert page.count("```") in {0, 2}


def test_a_long_fence_is_closed_and_opened_again_on_every_page() -> None:
    code = "\n".join(f"line {number} of the program" for number in range(400))

    found = split_messages(f"Before.\n\n```python\n{code}\n```\n\nAfter.")

    assert all(measure(page) <= LIMIT for page in found)
    assert all(page.count("```") % 2 == 0 for page in found)
    assert all(page.startswith("```python\n") for page in found[1:-1])
    assert "\n".join(page.replace("```python", "").replace("```", "") for page in found).count(
        "of the program"
    ) == len(code.split("\n"))


def test_sixty_thousand_characters_lose_no_word() -> None:
    words = [f"word{number}" for number in range(7000)]

    found = split_messages(" ".join(words))

    assert all(measure(page) <= LIMIT for page in found)
    assert " ".join(found).split() == words


def test_a_link_is_never_cut() -> None:
    link = "[the words of it](https://example.org/a/long/address)"
    found = split_messages(" ".join([link] * 120))

    assert sum(page.count(link) for page in found) == 120


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=600))
def test_whatever_is_written_fits(text: str) -> None:
    assert all(page.strip() and measure(page) <= LIMIT for page in split_messages(text * 5))
