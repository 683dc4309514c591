"""The played Discord refuses components with fields that Discord does not know."""

import pytest

from tests.servers.discord.rules import check_components
from tests.servers.discord.values import Json, Refusal

BUTTON: Json = {"type": 2, "style": 1, "label": "Stop", "custom_id": "a", "disabled": False}
SELECT: Json = {"type": 3, "custom_id": "a", "options": [{"label": "x", "value": "x"}]}


@pytest.mark.parametrize("part", [BUTTON, SELECT])
def test_a_field_that_discord_does_not_know_is_refused(part: Json) -> None:
    check_components([{"type": 1, "components": [part]}])

    with pytest.raises(Refusal):
        check_components([{"type": 1, "components": [{**part, "colour": "red"}]}])
