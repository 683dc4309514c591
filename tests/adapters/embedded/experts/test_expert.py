"""The table of embedded experts, and their way through real worker processes."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models
from adapters.embedded.experts.work import WORK, find_work
from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.domain import Blob
from pipeline.errors import ExpertRefused
from pipeline.task_kinds import KINDS
from tests.fakes.jobs import job
from tests.fakes.places import EMBEDDED


def test_every_row_is_a_kind_that_can_run_as_installed() -> None:
    assert embedded_models().keys() <= KINDS.keys()
    assert embedded_models().keys() == WORK.keys() | {"automatic-speech-recognition"}
    assert all(map(callable, map(find_work, WORK)))


def test_every_model_is_described_with_licence_and_place() -> None:
    models = embedded_models().values()

    assert all(model.description and model.licence for model in models)
    assert {model.places for model in models} == {(EMBEDDED,)}
    assert max(Counter(model.id for model in models).values()) == 1


async def test_a_kind_that_nothing_here_can_do_is_refused(
    expert: EmbeddedExpert,
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("text-to-video", text="a dancing bear"))

    assert caught.value.sentence.id == "llm-cannot"


@pytest.mark.program
async def test_results_and_refusals_come_back_from_worker_processes() -> None:
    async with process_workers(1, child_environment()) as workers:
        expert = EmbeddedExpert(workers)

        made = await expert.run(job("text-to-speech", text="hello"))
        with pytest.raises(ExpertRefused) as caught:
            await expert.run(job("text-to-speech", text="hello", language="Martian"))

    assert isinstance(made.slots["audio"], Blob)
    assert caught.value.sentence.args == {"language": "Martian"}


@pytest.mark.program
def test_nothing_heavy_is_loaded_until_it_is_needed() -> None:
    heavy = (
        "cv2 numpy PIL rapidocr onnxruntime pocketsphinx sklearn pypdfium2 docx espeakng_loader"
        " pandas py3langid lxml"
    )
    code = (
        "import sys, adapters.embedded.experts.expert as e; e.embedded_models();"
        f"print([m for m in {heavy.split()!r} if m in sys.modules])"
    )

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert printed.stdout.strip() == b"[]"


def test_every_embedded_model_stands_in_the_documentation() -> None:
    page = (Path(__file__).parents[4] / "docs/experts.md").read_text(encoding="utf-8")

    listed = {
        (cells[1].strip(), cells[2].strip())
        for line in page.splitlines()
        if len(cells := line.split("|")) == 7  # the table of what each can do
    }
    models = {(model.kind, model.id) for model in embedded_models().values()}
    assert models <= listed, "add a row to the table of built-in experts in docs/experts.md"
    assert len(listed) == len(embedded_models()) + 2
