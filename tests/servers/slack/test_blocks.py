"""The played Slack takes the blocks that Slack takes, and refuses what it refuses."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import SlackServer, views
from tests.servers.slack.blocks import complaints
from tests.servers.slack.workspace import Json

PLAIN = {"type": "plain_text", "text": "words"}
BUTTON: Json = {"type": "button", "text": PLAIN, "action_id": "a", "value": "v"}
THUMB = {"text": PLAIN, "value": "v"}
VOTE = {"type": "feedback_buttons", "positive_button": THUMB, "negative_button": THUMB}
INPUT: Json = {"type": "plain_text_input", "action_id": "a", "max_length": 3000}
RICH: Json = {
    "type": "rich_text",
    "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}],
}
CARD: Json = {"type": "task_card", "task_id": "1", "title": "t", "status": "error", "output": RICH}
CELLS = [[{"type": "raw_text", "text": "a"}, RICH]]
OPTION = {"text": PLAIN, "value": "v"}


@pytest.mark.parametrize(
    "block",
    [
        {"type": "plan", "title": "t", "tasks": [CARD]},
        {"type": "table", "rows": CELLS, "column_settings": [{"align": "right"}]},
        {"type": "context_actions", "elements": [VOTE]},
        {"type": "input", "label": PLAIN, "element": INPUT},
        {"type": "actions", "elements": [BUTTON]},
        {"type": "alert", "text": PLAIN, "level": "warning"},
        {"type": "markdown", "text": "**x**"},
        RICH,
    ],
)
def test_what_slack_documents_is_taken(block: Json) -> None:
    assert list(complaints([block])) == []


@pytest.mark.parametrize(
    "block",
    [
        {"type": "hologram"},
        {"type": "divider", "colour": "red"},
        {"type": "divider", "block_id": None},
        {"type": "header", "text": {**PLAIN, "size": 3}},
        {"type": "alert", "text": PLAIN, "level": "loud"},
        {"type": "plan", "title": "t", "tasks": [{**CARD, "status": "done"}]},
        {"type": "plan", "title": "t", "tasks": [{**CARD, "output": "words"}]},
        {"type": "context_actions", "elements": [BUTTON]},
        {"type": "actions", "elements": [VOTE]},
        {"type": "input", "label": PLAIN, "element": BUTTON},
        {"type": "input", "label": PLAIN, "element": {**INPUT, "max_length": 3001}},
        {"type": "actions", "elements": [{"type": "radio_buttons", "options": [OPTION] * 11}]},
        {"type": "table", "rows": [[PLAIN]]},
        {"type": "rich_text", "elements": [{"type": "text", "text": "x"}]},
    ],
)
def test_what_slack_does_not_document_is_refused(block: Json) -> None:
    assert list(complaints([block]))


def test_a_message_has_one_table_and_a_view_none() -> None:
    table = {"type": "table", "rows": CELLS}
    home = {"type": "home", "blocks": [table]}

    assert list(complaints([table, table]))
    assert list(views.complaints(home, "home"))


async def test_blocks_messages_and_views_are_validated_without_being_sent() -> None:
    section = {"type": "section", "text": PLAIN}
    modal = {"type": "modal", "title": PLAIN, "blocks": [section]}
    async with SlackServer() as slack:
        client = AsyncWebClient(slack.bot_token, base_url=slack.api, retry_handlers=[])

        await client.blocks_validate(blocks=[section])
        await client.blocks_validate(message={"blocks": [section]})
        await client.blocks_validate(view=modal)
        with pytest.raises(SlackApiError) as refused:
            await client.blocks_validate(view={**modal, "title": {**PLAIN, "text": "t" * 25}})

        assert refused.value.response["error"] == "invalid_view"
        assert refused.value.response["errors"][0]["code"] == "failed_constraint"
        assert slack.violations == []
