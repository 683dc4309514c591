"""The words of messages: text, blocks and attachments, each once and as they were written."""

import pytest

from adapters.slack.reading.contents import read_text, read_words
from adapters.slack.reading.entities import resolve_entities
from adapters.slack.web_api.client import Json
from tests.adapters.slack.stage import BOT, Stage
from tests.servers.slack.workspace import GENERAL

ALERT: Json = {
    "pretext": "Incident #42",
    "author_name": "Watcher",
    "title": "Disk usage above 90 %",
    "title_link": "https://monitor.example/42",
    "text": "db-1 is running full",
    "fallback": "[Alerting] disk usage",
    "fields": [{"title": "Host", "value": "db-1"}, {"title": "Used", "value": "93 %"}],
    "footer": "Watcher v3",
    "color": "danger",
}
PLAIN = {"type": "plain_text", "text": "R&D <3"}
BLOCKS: list[Json] = [
    {"type": "header", "text": PLAIN},
    {
        "type": "section",
        "text": {"type": "mrkdwn", "text": "Latency is *high*"},
        "fields": [{"type": "mrkdwn", "text": "p99: 4 s"}],
        "accessory": {
            "type": "button",
            "text": {"type": "plain_text", "text": "Open"},
            "url": "https://monitor.example/7",
        },
    },
    {"type": "actions", "elements": [{"type": "button", "text": PLAIN, "value": "x"}]},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "since 09:12"}]},
    {"type": "image", "image_url": "https://i.example/a.png", "alt_text": "a rising curve"},
    {
        "type": "table",
        "rows": [[{"type": "raw_text", "text": "eu"}, {"type": "raw_text", "text": "4.1"}]],
    },
]


def rich(*elements: Json) -> Json:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def test_all_words_of_an_attachment_are_read() -> None:
    text = read_text({"text": "Alert", "bot_id": "B1", "attachments": [ALERT]})

    assert text.splitlines() == [
        "Alert",
        "> Incident #42",
        "> Watcher",
        "> <https://monitor.example/42|Disk usage above 90 %>",
        "> db-1 is running full",
        "> Host: db-1",
        "> Used: 93 %",
        "> Watcher v3",
    ]


def test_a_fallback_counts_only_where_nothing_else_is() -> None:
    assert read_text({"attachments": [{"fallback": "it is down"}]}) == "> it is down"


@pytest.mark.parametrize("text", ["", "Latency alert"])
def test_all_words_of_blocks_are_read_also_beside_a_short_text(text: str) -> None:
    words = read_words({"text": text, "bot_id": "B1", "blocks": BLOCKS}).splitlines()

    assert words == [
        *([text] if text else []),
        "R&amp;D &lt;3",
        "Latency is *high*",
        "p99: 4 s",
        "<https://monitor.example/7|Open>",
        "since 09:12",
        "a rising curve",
        "eu | 4.1",
    ]


def test_blocks_in_an_attachment_are_read() -> None:
    attachment = {"color": "#f00", "fallback": "[no preview]", "blocks": BLOCKS[1:2]}

    assert "> p99: 4 s" in read_text({"text": "", "attachments": [attachment]})


def test_what_text_and_blocks_both_say_stands_once() -> None:
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "*Build 7* failed"}}
    for text in ("Build 7 failed", "Build 7 failed: see the log"):
        assert read_words({"text": text, "bot_id": "B1", "blocks": [section]}).count("failed") == 1


def test_what_a_person_typed_is_read_from_the_text() -> None:
    block = rich({"type": "text", "text": "hello & bye"})

    assert read_words({"text": "hello &amp; bye", "blocks": [block]}) == "hello &amp; bye"


def test_rich_text_keeps_people_links_lists_and_code() -> None:
    item = {"type": "rich_text_section", "elements": [{"type": "text", "text": "a < b"}]}
    code = {"type": "text", "text": "if x:\n\treturn  1"}
    parts = [
        {
            "type": "rich_text_section",
            "elements": [
                {"type": "user", "user_id": "U1"},
                {"type": "link", "url": "https://a.example", "text": "here"},
                {"type": "emoji", "name": "fire"},
            ],
        },
        {"type": "rich_text_list", "style": "ordered", "elements": [item, item]},
        {"type": "rich_text_preformatted", "elements": [code]},
    ]

    assert read_words({"blocks": [{"type": "rich_text", "elements": parts}]}) == (
        "<@U1><https://a.example|here>:fire:\n1. a &lt; b\n2. a &lt; b\n"
        "```\nif x:\n\treturn  1\n```"
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<@U9> why?\n```\nif x:\n\treturn  1\n```", "why?\n```\nif x:\n\treturn  1\n```"),
        ("<@U9>   draw a cat", "draw a cat"),
        ("please <@U9> draw", "please draw"),
        ("a  wide   gap\t.", "a  wide   gap\t."),
    ],
)
def test_blanks_and_tabs_stay_as_they_were_pasted(text: str, read: str) -> None:
    assert resolve_entities(text, {}, "U9") == read


async def test_an_alert_in_the_thread_is_read_whole(stage: Stage) -> None:
    message = {"text": "", "username": "Watcher", "attachments": [ALERT]}
    root = stage.slack.people.post_as_app(GENERAL, message)
    stage.slack.people.say(f"{BOT} what is this alert about?", thread=root)
    asked, _ = await stage.listener.next(2)

    (above,) = await stage.chat.history(asked.thread, before=asked.id, most=5)

    assert "Disk usage above 90 % (https://monitor.example/42)" in above.text
    assert "Host: db-1" in above.text
    assert above.person.is_bot
