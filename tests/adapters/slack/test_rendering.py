"""Markdown as Slack's mrkdwn."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.chat.erasure import ask_to_erase
from adapters.chat.markdown import write
from adapters.chat.pieces import pack
from adapters.chat.rendering import Page
from adapters.slack.showing.controls import render_confirmation
from adapters.slack.showing.mrkdwn import DIALECT, SECTION
from adapters.slack.showing.pages import render_content
from adapters.slack.showing.splitting import FIRST_MESSAGE, NEXT_MESSAGES, split_messages
from pipeline.domain import RunId
from pipeline.words import LOCALES, say
from tests.servers.slack.blocks import buttons, complaints, texts
from tests.servers.slack.workspace import PING, Json

GAP = "\u200b"


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("**bold** and *it* and ~~no~~ and `x`", "*bold* and _it_ and ~no~ and `x`"),
        ("# Title\n\ntext", "*Title*\n\ntext"),
        ("[a|b](https://x.y/?q=1&r=2)", "<https://x.y/?q=1&amp;r=2|a¦b>"),
        ("<https://x.y>", "<https://x.y>"),
        ("![a cat](https://x.y/cat.png)", "<https://x.y/cat.png|a cat>"),
        ("[bad](/relative)", "bad (/relative)"),
        ("see https://x.y/a_b_c?d=e.", "see <https://x.y/a_b_c?d=e>."),
        ("- a\n  - b\n    - c\n- d", "• a\n    ◦ b\n        ▪ c\n• d"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("> one\n> two", "> one\n> two"),
        ("```python\nx < 1\n```", "```\nx &lt; 1\n```"),
        ("- a\n\n  ```\n  x\n  ```", "• a\n```\nx\n```"),
        ("|a|b|\n|-|-|\n|1|22|", "```\na | b\n--+---\n1 | 22\n```"),
        ("a ```b", f"a `{GAP}`{GAP}`b"),
        ("---", "———"),
        ("foo**bar**baz", f"foo{GAP}*bar*{GAP}baz"),
        ("5 \\* 3 \\*x\\* snake_case", f"5 * 3 *{GAP}x* snake_case"),
        ("hey <!channel> <@U0ANNA001> @here", "hey &lt;!channel&gt; &lt;@U0ANNA001&gt; @here"),
    ],
)
def test_markdown_is_written_as_slack_reads_it(markdown: str, mrkdwn: str) -> None:
    assert pack(write(markdown, DIALECT), SECTION) == (mrkdwn,)


def test_a_table_too_wide_for_a_screen_becomes_records() -> None:
    row = "|" + "|".join("x" * 40 for _ in range(3)) + "|"

    ((text,),) = split_messages(f"|a|b|c|\n|-|-|-|\n{row}\n{row}")

    assert text.startswith(f"• a: {'x' * 40}\n  b: ")


TABLE = "|name|price|\n|-|-|\n|a <!channel>|1|\n|b||"


def blocks_of(markdown: str) -> list[list[Json]]:
    """The blocks of each message of an answer."""
    pages = map(Page, split_messages(markdown))
    contents = [render_content(page, RunId("r"), "en") for page in pages]
    assert [problem for each in contents for problem in complaints(each["blocks"])] == []
    return [content["blocks"] for content in contents]


def test_a_table_is_slacks_own_between_the_prose() -> None:
    ((before, table, after),) = blocks_of(f"Prices:\n\n{TABLE}\n\nThat is *all*.")

    assert (before["type"], after["type"]) == ("section", "section")
    cells = [[cell["text"].replace(GAP, "") for cell in row] for row in table["rows"]]
    assert cells == [["name", "price"], ["a <!channel>", "1"], ["b", "\u00a0"]]
    assert not any(PING.search(text) for text in texts(table))


def test_a_message_has_one_table_and_further_ones_are_text() -> None:
    ((first, second, *others),) = blocks_of("\n\n".join([TABLE] * 3))

    assert (first["type"], second["type"]) == ("table", "section")
    assert second["text"]["text"].startswith("```\nname")
    assert all(each["type"] == "section" for each in others)


def list_of(markdown: str) -> list[Json]:
    """The lists of the only block of an answer."""
    ((block,),) = blocks_of(markdown)
    lists: list[Json] = block["elements"]
    return lists


def test_a_list_is_slacks_own_with_its_marks_and_links() -> None:
    (listed,) = list_of("- **a**: `b` [c](https://d.e)\n- ~~f <!channel>~~")

    first, second = (item["elements"] for item in listed["elements"])
    assert listed["style"] == "bullet"
    assert [each.get("style") for each in first] == [
        {"bold": True},
        None,
        {"code": True},
        *2 * [None],
    ]
    assert first[-1] == {"type": "link", "url": "https://d.e", "text": "c"}
    assert second[0]["style"] == {"strike": True}
    assert not any(PING.search(text) for text in texts(listed))


def test_lists_in_a_list_are_indented_and_numbers_go_on() -> None:
    lists = list_of("3. a\n   - b\n4. c")

    shown = [(each["style"], each["indent"], each.get("offset")) for each in lists]
    assert shown == [("ordered", 0, 2), ("bullet", 1, None), ("ordered", 0, 3)]


def test_a_list_with_more_than_lines_stays_text() -> None:
    ((block,),) = blocks_of("- a\n\n  ```\n  x\n  ```")

    assert block["type"] == "section"


def test_many_lists_fit_into_the_blocks_of_a_message() -> None:
    ((*blocks,),) = blocks_of("\n\n".join(f"{n}:\n\n- {n}" for n in range(40)))

    assert len(blocks) < 50
    assert {block["type"] for block in blocks} == {"section"}


@pytest.mark.parametrize(("rows", "columns"), [(100, 2), (2, 21), (99, 20)])
def test_a_table_beyond_slacks_limits_stays_text(rows: int, columns: int) -> None:
    lines = ["|" + "x|" * columns, "|" + "-|" * columns, *(["|" + "word|" * columns] * rows)]

    messages = blocks_of("\n".join(lines))

    assert "table" not in {block["type"] for blocks in messages for block in blocks}


def test_a_wide_table_is_slacks_own_too() -> None:
    lines = ["|a|b|c|", "|-|-|-|", "|" + f"{'word ' * 12}|" * 3]

    ((table,),) = blocks_of("\n".join(lines))

    assert [len(row) for row in table["rows"]] == [3, 3]


def test_sixty_thousand_characters_fill_few_valid_messages() -> None:
    paragraph = "Some words of an answer that goes on and on, & on. " * 12
    markdown = "\n\n".join([paragraph] * 90 + ["```\n" + "code line\n" * 900 + "```"])

    parts = split_messages(markdown)

    assert len(markdown) > 60_000
    assert len(parts) <= 8
    for number, part in enumerate(parts):
        content = render_content(Page(part), RunId("r"), "en", drawn=())
        assert len(content["text"]) <= (NEXT_MESSAGES if number else FIRST_MESSAGE)
        assert content["text"].count("```") % 2 == 0
        assert list(complaints(content["blocks"])) == []
    whole = "".join(re.sub(r"\s|```|&amp;", "", "\n\n".join(part)) for part in parts)
    assert whole == re.sub(r"\s|```|&", "", markdown)


@settings(max_examples=60)
@given(st.text(alphabet="ab *_`~[]()<>|#-\n1.!\\&@U", max_size=400))
def test_whatever_a_model_writes_nobody_is_pinged_and_every_section_is_valid(text: str) -> None:
    assert blocks_of(f"{text}<!channel><@U0ANNA001>")
    for part in pack(write(f"{text}<!channel><@U0ANNA001>", DIALECT), SECTION):
        assert 1 <= len(part) <= SECTION
        assert not PING.search(part)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_question_before_something_is_deleted_is_asked_in_full(locale: str) -> None:
    (button,) = buttons(list(render_confirmation("forget channel", locale)))

    question = say(locale, ask_to_erase("forget channel"))
    assert button["confirm"]["text"]["text"] == question.replace("`", "")
