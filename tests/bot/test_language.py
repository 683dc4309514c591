"""The locale of the terminal."""

import pytest

from bot.settings import find_locale


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
