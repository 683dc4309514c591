"""The played Discord refuses bodies that break a limit, or with fields that Discord lacks."""

import pytest

from tests.servers.discord.rules import check_components, check_message
from tests.servers.discord.values import LAYOUT, Json, Refusal

BUTTON: Json = {"type": 2, "style": 1, "label": "Stop", "custom_id": "a", "disabled": False}
SELECT: Json = {"type": 3, "custom_id": "a", "options": [{"label": "x", "value": "x"}]}


@pytest.mark.parametrize("part", [BUTTON, SELECT])
def test_a_field_that_discord_does_not_know_is_refused(part: Json) -> None:
    check_components([{"type": 1, "components": [part]}])

    with pytest.raises(Refusal):
        check_components([{"type": 1, "components": [{**part, "colour": "red"}]}])


def _gallery(**item: object) -> Json:
    items = [{"media": {"url": "attachment://a.png"}} | item]
    return {"components": [{"type": 12, "items": items}]}


@pytest.mark.parametrize(
    "wrong",
    [
        _gallery(description=""),
        _gallery(description="x" * 1025),
        _gallery(media={"url": "https://example.org/" + "x" * 2048}),
        {"components": [{"type": 10, "content": "words", "id": 2**31}]},
        {"components": [{"type": 9, "components": [{"type": 10, "content": "words"}]}]},
        {"attachments": [{"id": 0, "filename": ""}]},
        {"attachments": [{"id": 0, "colour": "red"}]},
        {"components": [{"type": 1, "components": [{**SELECT, "max_values": 26}]}]},
        {"components": [{"type": 1, "components": [{**SELECT, "max_values": 2}]}]},
        {"components": [{"type": 1, "components": [{**SELECT, "min_values": 2}]}]},
    ],
)
def test_a_body_that_breaks_a_limit_of_the_specification_is_refused(wrong: Json) -> None:
    right: Json = {"flags": LAYOUT, "allowed_mentions": {"parse": []}}
    right |= {"components": [{"type": 1, "components": [BUTTON]}]}
    check_message(right)

    with pytest.raises(Refusal):
        check_message(right | wrong)


def test_a_follow_up_has_no_nonce() -> None:
    right: Json = {"content": "words", "allowed_mentions": {"parse": []}}
    check_message(right, interaction=True)

    with pytest.raises(Refusal):
        check_message(right | {"nonce": "k"}, interaction=True)
