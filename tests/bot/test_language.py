"""The languages that people are answered in: of the terminal, and of requests."""

from dataclasses import replace

import pytest

from bot.environment import find_locale
from pipeline.domain import Addressing, ChannelSettings
from tests.bot.scenes import GENERAL, Scene, message
from tests.fakes.stages import ANN


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de-DE"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"}, "fr-FR"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_whoever_sits_at_the_terminal_is_spoken_to_in_its_language(
    environment: dict[str, str], spoken: str
) -> None:
    assert find_locale(environment) == spoken


async def _detect(text: str) -> str:
    return "de" if "Katze" in text else ""


@pytest.mark.parametrize(
    ("text", "own", "chosen", "direct", "language"),
    [
        ("male eine Katze", "en-GB", "", False, "de"),
        ("male eine Katze", "de-AT", "", False, "de-AT"),
        ("male eine Katze", "en-GB", "", True, "en-GB"),
        ("male eine Katze", "en-GB", "fr", False, "fr"),
        ("ok", "en-GB", "", False, "en-GB"),
    ],
)
async def test_what_others_read_too_is_answered_in_the_language_of_the_request(
    text: str, own: str, chosen: str, *, direct: bool, language: str
) -> None:
    scene = Scene()
    await scene.store.set(GENERAL, ChannelSettings(language=chosen))
    person, to = replace(ANN, locale=own), Addressing(mentioned=not direct, direct=direct)
    conversation = replace(scene.conversation(), detect_locale=_detect)

    run = await conversation.on_message(message(text, person=person, addressing=to))

    assert run
    kept = await scene.inbox.message(run)
    assert kept
    assert kept.person.locale == language
