"""Models are downloaded from the played Hub by the real library: resumed, checked, never half."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from huggingface_hub import scan_cache_dir, snapshot_download

from adapters.local.downloads import Downloads, HubModel, open_downloads
from adapters.local.models_on_disk import ModelFolders
from adapters.network.proxies import DIRECT
from pipeline.errors import FetchError, FetchUnavailable
from tests.house.source import ROOT
from tests.servers.hub import HubServer, hub_at_work, row

NAME = "org/tiny"
WEIGHTS = bytes(range(256)) * 16_000
FILES = {
    "README.md": b"---\nlicense: mit\npipeline_tag: fill-mask\n---\n",
    "config.json": json.dumps({"architectures": ["BertForMaskedLM"]}).encode(),
    "model.safetensors": WEIGHTS,
    "pytorch_model.bin": WEIGHTS[::-1],
    "vocab.txt": b"a\nb\n" * 1000,
}
_MOST_STEPS = 6000


@pytest.fixture
async def hub() -> AsyncIterator[HubServer]:
    server = HubServer([row(NAME, "fill-mask", licence="mit")])
    server.repositories.files[NAME] = FILES
    async with hub_at_work(server):
        yield server


async def _pull(hub: HubServer, folder: Path, name: str = NAME, token: str = "") -> list[int]:
    """Fetch a model; returns what was told of its progress."""
    told: list[int] = []

    def work() -> None:
        with open_downloads(hub.base, folder, token=token, network=DIRECT) as downloads:
            downloads.fetch(downloads.find(name), told.append)

    await asyncio.to_thread(work)
    return told


async def _find(hub: HubServer, folder: Path, name: str = NAME) -> tuple[HubModel, int]:
    def work(downloads: Downloads) -> tuple[HubModel, int]:
        model = downloads.find(name)
        return model, downloads.count_missing(model)

    with open_downloads(hub.base, folder, token="", network=DIRECT) as downloads:
        return await asyncio.to_thread(work, downloads)


def _find_partial(folder: Path) -> Path:
    (partial,) = folder.glob("models--*/blobs/*.incomplete")
    return partial


async def test_a_model_is_fetched_as_the_hubs_library_keeps_it(
    hub: HubServer, tmp_path: Path
) -> None:
    told = await _pull(hub, tmp_path)

    (model,) = ModelFolders([tmp_path]).list_models()
    assert (model.id, model.kind, model.licence) == (NAME, "fill-mask", "mit")
    assert (model.path / "model.safetensors").read_bytes() == WEIGHTS
    assert not (model.path / "pytorch_model.bin").exists()
    assert told == sorted(told)
    assert told[-1] == sum(len(FILES[name]) for name in FILES if name != "pytorch_model.bin")
    info = scan_cache_dir(tmp_path)
    assert not info.warnings
    (repository,) = info.repos
    assert set(repository.refs) == {"main"}
    again = await asyncio.to_thread(
        snapshot_download, NAME, revision=model.revision, cache_dir=tmp_path, local_files_only=True
    )
    assert Path(again) == model.path


async def test_the_exact_sizes_are_known_before(hub: HubServer, tmp_path: Path) -> None:
    model, missing = await _find(hub, tmp_path)

    assert model.weight_bytes == len(WEIGHTS)
    assert missing == model.size == sum(map(len, FILES.values())) - len(WEIGHTS)
    assert model.files[-1].path == "config.json"
    assert hub.repositories.sent == []


async def test_a_download_goes_on_where_a_killed_program_left_it(
    hub: HubServer, tmp_path: Path
) -> None:
    hub.repositories.stops_after = len(WEIGHTS) // 2
    program = await _begin_program(hub, tmp_path)
    begun = await _until_begun(tmp_path)

    os.kill(program.pid, signal.SIGKILL)
    await program.wait()
    hub.repositories.go_on.set()

    assert ModelFolders([tmp_path]).list_models() == ()
    assert _find_partial(tmp_path).stat().st_size >= begun > 0
    hub.repositories.sent.clear()
    second = await _begin_program(hub, tmp_path)
    said, _ = await second.communicate()
    assert second.returncode == 0, said.decode()
    ((_, where, count),) = [each for each in hub.repositories.sent if "safetensors" in each[0]]
    assert where >= begun
    assert where + count == len(WEIGHTS)
    (model,) = ModelFolders([tmp_path]).list_models()
    assert (model.path / "model.safetensors").read_bytes() == WEIGHTS
    assert not [*tmp_path.glob("models--*/blobs/*.incomplete")]  # noqa: ASYNC240 - a test


async def _begin_program(hub: HubServer, folder: Path, *before: str) -> Process:
    home, words = folder / "home", ("experts", "pull", NAME, "--models", str(folder))
    return await asyncio.create_subprocess_exec(
        *("/usr/bin/env", f"TROUPE_HOME={home}", f"HF_ENDPOINT={hub.base}", *before),
        *(sys.executable, "-m", "bot", *words),
        cwd=ROOT,
        stdout=PIPE,
        stderr=STDOUT,
    )


async def _until_begun(folder: Path) -> int:
    for _ in range(_MOST_STEPS):
        for partial in folder.glob("models--*/blobs/*.incomplete"):  # noqa: ASYNC240 - a test
            if size := partial.stat().st_size:
                return size
        await asyncio.sleep(0.01)
    raise AssertionError("nothing was fetched")


async def test_a_connection_that_is_cut_off_is_resumed_at_once(
    hub: HubServer, tmp_path: Path
) -> None:
    hub.repositories.cuts_after = [5 << 19]

    await _pull(hub, tmp_path)

    begun = [where for path, where, _ in hub.repositories.sent if path == "model.safetensors"]
    assert begun[0] == 0 < begun[1]
    (model,) = ModelFolders([tmp_path]).list_models()
    assert (model.path / "model.safetensors").read_bytes() == WEIGHTS


async def test_a_hub_that_sends_no_parts_sends_it_whole(hub: HubServer, tmp_path: Path) -> None:
    hub.repositories.sends_parts = False
    hub.repositories.cuts_after = [5 << 19]

    await _pull(hub, tmp_path)

    (model,) = ModelFolders([tmp_path]).list_models()
    assert (model.path / "model.safetensors").read_bytes() == WEIGHTS


async def test_a_damaged_file_is_fetched_once_more(hub: HubServer, tmp_path: Path) -> None:
    hub.repositories.damaged = ["model.safetensors", "vocab.txt"]

    await _pull(hub, tmp_path)

    (model,) = ModelFolders([tmp_path]).list_models()
    assert (model.path / "model.safetensors").read_bytes() == WEIGHTS
    assert (model.path / "vocab.txt").read_bytes() == FILES["vocab.txt"]


async def test_a_file_that_stays_damaged_is_never_shown(hub: HubServer, tmp_path: Path) -> None:
    hub.repositories.damaged = ["model.safetensors"] * 2

    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path)

    assert caught.value.sentence.id == "pull-damaged"
    assert caught.value.sentence.args["file"] == "model.safetensors"
    assert ModelFolders([tmp_path]).list_models() == ()


async def test_what_was_left_of_something_else_is_not_added_to(
    hub: HubServer, tmp_path: Path
) -> None:
    model, _ = await _find(hub, tmp_path)
    weights = next(file for file in model.files if file.path == "model.safetensors")
    blobs = tmp_path / "models--org--tiny" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{weights.name}.incomplete").write_bytes(b"other" * 1000)

    await _pull(hub, tmp_path)

    (found,) = ModelFolders([tmp_path]).list_models()
    assert (found.path / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("token", ["", "hf_stranger"])
async def test_a_gated_model_leads_to_its_terms(hub: HubServer, tmp_path: Path, token: str) -> None:
    hub.repositories.gated.add(NAME)

    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path, token=token)

    assert caught.value.sentence.id == "pull-gated"
    assert caught.value.sentence.args["page"] == f"{hub.base}/{NAME}"


async def test_who_accepted_the_terms_gets_a_gated_model(hub: HubServer, tmp_path: Path) -> None:
    hub.repositories.gated.add(NAME)
    hub.repositories.accepted.add("hf_ours")

    await _pull(hub, tmp_path, token="hf_ours")

    assert len(ModelFolders([tmp_path]).list_models()) == 1


async def test_a_renamed_model_is_told_by_its_new_name(hub: HubServer, tmp_path: Path) -> None:
    hub.renamed["org/old"] = NAME

    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path, "org/old")

    assert caught.value.sentence.id == "pull-renamed"
    assert caught.value.sentence.args["name"] == NAME


@pytest.mark.parametrize("name", ["org/none", "a b/c"])
async def test_a_model_that_is_not_there_is_told(hub: HubServer, tmp_path: Path, name: str) -> None:
    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path, name)

    assert caught.value.sentence.id == "pull-unknown"


async def test_a_model_without_weights_for_the_server_is_refused(
    hub: HubServer, tmp_path: Path
) -> None:
    hub.repositories.files[NAME] = {"config.json": b"{}", "model.gguf": WEIGHTS}

    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path)

    assert caught.value.sentence.id == "pull-no-weights"


async def test_names_of_files_that_lead_elsewhere_are_refused(
    hub: HubServer, tmp_path: Path
) -> None:
    hub.repositories.files[NAME] = {
        "model_index.json": b'{"..": ["diffusers", "Unet"], "a/../..": ["diffusers", "Unet"]}',
        "../model.safetensors": WEIGHTS,
        "config.json": b"{}",
    }

    with pytest.raises(FetchError):
        await _pull(hub, tmp_path)

    assert [*tmp_path.parent.glob("model.safetensors")] == []


async def test_a_hub_that_is_not_reached_is_told(tmp_path: Path) -> None:
    with (
        open_downloads("http://127.0.0.1:9", tmp_path, token="", network=DIRECT) as downloads,
        pytest.raises(FetchUnavailable) as caught,
    ):
        downloads.find(NAME)

    assert caught.value.sentence.id == "pull-unreached"


async def test_a_full_disk_loses_nothing_that_came(hub: HubServer, tmp_path: Path) -> None:
    program = await _begin_program(hub, tmp_path, "prlimit", f"--fsize={len(WEIGHTS) // 2}", "--")
    said, _ = await program.communicate()

    assert program.returncode == 1
    assert "disk is full" in said.decode()
    assert ModelFolders([tmp_path]).list_models() == ()
    assert _find_partial(tmp_path).stat().st_size == len(WEIGHTS) // 2
    await _pull(hub, tmp_path)
    assert len(ModelFolders([tmp_path]).list_models()) == 1


async def test_two_programs_do_not_write_one_file(hub: HubServer, tmp_path: Path) -> None:
    hub.repositories.stops_after = len(WEIGHTS) // 2
    first = await _begin_program(hub, tmp_path)
    await _until_begun(tmp_path)

    with pytest.raises(FetchError) as caught:
        await _pull(hub, tmp_path)

    assert caught.value.sentence.id == "pull-running"
    hub.repositories.go_on.set()
    await first.communicate()
    assert first.returncode == 0
    assert len(ModelFolders([tmp_path]).list_models()) == 1
