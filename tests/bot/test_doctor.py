"""The doctor asks before it says that something works."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.doctor import examine
from bot.settings import read_settings
from pipeline.domain import LocalizedText
from pipeline.words import say
from tests.adapters.local.conftest import model_on_disk
from tests.servers.hub import hub_at_work

DEAD = "http://127.0.0.1:9"
Printed = Callable[..., Awaitable[tuple[int, str]]]
"""Settings → the exit status and what the doctor prints."""


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Printed:
    async def examined(**given: str) -> tuple[int, str]:
        code = await examine(read_settings({"TROUPE_HOME": str(tmp_path), **given}))
        return code, capsys.readouterr().out

    return examined


def words(sentence: str, **args: str | float) -> str:
    return say("en", LocalizedText(sentence, args))


async def test_what_is_built_in_works_without_any_setting(printed: Printed) -> None:
    code, told = await printed()

    assert code == 0
    assert "FIX" not in told
    assert words("doctor-ffmpeg-good") in told
    assert words("doctor-done", wrong=0) in told


async def test_a_dead_expert_server_is_something_to_mend(printed: Printed) -> None:
    code, told = await printed(TROUPE_EXPERTS_URL=DEAD)

    setting = "TROUPE_EXPERTS_URL"
    assert code == 1
    assert "FIX " + words("doctor-unreached", status=0, address=DEAD, setting=setting) in told


async def test_a_refused_hub_token_is_something_to_mend_and_its_models_do_not_count(
    printed: Printed,
) -> None:
    async with hub_at_work() as hub:
        addresses = {"HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        refused = await printed(HF_TOKEN="hf_refused", **addresses)
        known = await printed(HF_TOKEN="hf_ann", **addresses)
    bare = await printed()

    assert (refused[0], known[0]) == (1, 0)
    assert "FIX " + words("doctor-hub-refused") in refused[1]
    assert words("doctor-hub-good", name="ann") in known[1]
    assert _kinds(refused[1]) == _kinds(bare[1])


def _kinds(told: str) -> str:
    return next(line for line in told.splitlines() if "kinds of tasks" in line)


async def test_a_language_model_that_does_not_answer_is_something_to_mend(printed: Printed) -> None:
    code, told = await printed(OPENAI_BASE_URL=DEAD, TROUPE_LLM_SECONDS="0.2")

    assert code == 1
    assert "FIX " + words("doctor-llm-bad", model="gpt-4.1-mini") in told


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra was installed, and no model in the Hub's cache."""
    for name in ("torch", "transformers"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("local")
async def test_the_doctor_tells_that_the_own_server_runs(printed: Printed, tmp_path: Path) -> None:
    model_on_disk(tmp_path / "models", "org/writer", 1000, "T5ForConditionalGeneration")

    _, told = await printed()

    assert words("doctor-experts-good", address="http://127.0.0.1:")[:-1] in told


@pytest.mark.usefixtures("local")
async def test_the_doctor_tells_when_models_are_missing(printed: Printed, tmp_path: Path) -> None:
    _, told = await printed()

    assert str(tmp_path / "models") in told
