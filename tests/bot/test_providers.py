"""Whether the program runs an expert server of its own."""

from pathlib import Path

import pytest

from bot.providers import find_closed_places, find_own_options
from bot.settings import Settings, read_settings
from pipeline.domain import Place
from tests.adapters.local.conftest import model_on_disk


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"TROUPE_HOME": str(tmp_path / "home")})


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra was installed and the Hub's cache was empty."""
    for name in ("torch", "transformers"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))


async def test_without_the_extra_or_models_there_is_none(settings: Settings) -> None:
    assert await find_own_options(settings) is None


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize(
    ("more", "runs"),
    [
        ({}, 1),
        ({"TROUPE_EXPERTS": "off"}, 0),
        ({"TROUPE_EXPERTS_URL": "http://127.0.0.1:8090"}, 0),
        ({"TROUPE_PLACES": "hosted,embedded"}, 0),
    ],
)
async def test_it_runs_where_models_lie_unless_told_otherwise(
    more: dict[str, str], runs: int, tmp_path: Path
) -> None:
    model_on_disk(tmp_path / "models", "org/writer", 1000, "T5ForConditionalGeneration")

    options = await find_own_options(read_settings({"TROUPE_HOME": str(tmp_path), **more}))

    assert (options.workers if options else 0) == runs


def test_places_that_are_set_up_and_left_out_are_known(tmp_path: Path) -> None:
    given = {"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "embedded", "OPENAI_API_KEY": "sk-x"}

    assert find_closed_places(read_settings(given), [Place.HOSTED, Place.EMBEDDED]) == {
        Place.HOSTED,
        Place.LLM,
    }
