"""`troupe experts pull`: what is fetched for which machine, and what is said."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from adapters.local.kinds import LOCAL_KINDS
from adapters.local.models_on_disk import ModelFolders
from bot.operations.pull import PullOptions, format_size, pull
from bot.settings import Settings
from pipeline.errors import SettingsError
from pipeline.selection.known_models import load_known
from pipeline.selection.recommended import CARDS, find_class, find_row, is_free, recommend
from pipeline.task_kinds import KINDS
from tests.servers.hub import HubServer, hub_at_work, row

NER = "dslim/bert-base-NER"
SEGMENTS = "nvidia/segformer-b0-finetuned-ade-512-512"
FILES = {"config.json": b'{"architectures": ["Any"]}', "model.safetensors": b"weights" * 1000}


@pytest.fixture
async def hub() -> AsyncIterator[HubServer]:
    async with hub_at_work() as server:
        yield server


def _add(hub: HubServer, name: str, licence: str = "mit") -> None:
    hub.rows.append(row(name, "token-classification", licence=licence))
    hub.repositories.files[name] = FILES | {"README.md": name.encode()}


async def _run(
    hub: HubServer, folder: Path, *words: str, card: str = "cpu", any_licence: bool = False
) -> int:
    settings = Settings(hf_endpoint=hub.base, troupe_home=folder / "home")
    options = PullOptions(folder=folder, card=card, any_licence=any_licence)
    return await asyncio.to_thread(pull, settings, words, options)


def _list(folder: Path) -> list[str]:
    return [model.id for model in ModelFolders([folder]).list_models()]


async def test_the_best_model_of_a_kind_is_fetched(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _add(hub, NER)

    assert await _run(hub, tmp_path, "token-classification") == 0

    said = capsys.readouterr().out
    assert _list(tmp_path) == [NER]
    assert f"{NER}, 7 kB, mit" in said
    assert "100 %" in said


async def test_what_is_here_already_is_not_fetched_again(hub: HubServer, tmp_path: Path) -> None:
    _add(hub, NER)
    await _run(hub, tmp_path, NER)
    hub.repositories.sent.clear()

    assert await _run(hub, tmp_path, NER, "token-classification") == 0

    assert hub.repositories.sent == []


async def test_one_model_that_cannot_be_had_does_not_keep_the_others(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in load_known().starter[1:]:
        _add(hub, name)

    assert await _run(hub, tmp_path, "starter") == 1

    assert _list(tmp_path) == sorted(load_known().starter[1:])
    assert load_known().starter[0] in capsys.readouterr().out


async def test_without_words_it_lists_what_suits_the_machine_and_asks_nobody(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await _run(hub, tmp_path, card="24") == 0

    said = capsys.readouterr().out
    assert NER in said
    assert "openai/whisper-large-v3" in said
    assert hub.asked == []


async def test_a_licence_that_forbids_commercial_use_has_to_be_accepted(
    hub: HubServer, tmp_path: Path
) -> None:
    _add(hub, SEGMENTS, "other")

    with pytest.raises(SettingsError) as caught:
        await _run(hub, tmp_path, "image-segmentation")

    assert caught.value.sentence.id == "pull-only-licence"
    assert await _run(hub, tmp_path, "image-segmentation", any_licence=True) == 0
    assert _list(tmp_path) == [SEGMENTS]


async def test_the_licence_that_counts_is_the_one_at_the_hub(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _add(hub, NER, "cc-by-nc-4.0")

    assert await _run(hub, tmp_path, "token-classification") == 1

    assert "cc-by-nc-4.0" in capsys.readouterr().out
    assert _list(tmp_path) == []
    assert await _run(hub, tmp_path, NER) == 0


async def test_a_kind_for_larger_machines_says_which(hub: HubServer, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        await _run(hub, tmp_path, "text-to-video")

    assert caught.value.sentence.id == "pull-only-larger"
    assert caught.value.sentence.args["card"] == "24"


async def test_a_model_that_does_not_fit_the_memory_is_not_begun(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _add(hub, NER)
    size = 7_000_000_000
    hub.repositories.told_sizes["model.safetensors"] = size

    assert await _run(hub, tmp_path, NER, card="8") == 1

    assert "8.4 GB of memory, this machine has 8.0 GB" in capsys.readouterr().out
    assert hub.repositories.sent == []


async def test_a_download_that_does_not_fit_the_disk_is_not_begun(
    hub: HubServer, tmp_path: Path
) -> None:
    _add(hub, NER)
    hub.repositories.told_sizes["vocab.txt"] = 10**18
    hub.repositories.files[NER] = FILES | {"vocab.txt": b"a"}

    with pytest.raises(SettingsError) as caught:
        await _run(hub, tmp_path, NER)

    assert caught.value.sentence.id == "pull-no-room"
    assert hub.repositories.sent == []


async def test_a_guide_comes_with_the_model_that_it_guides(hub: HubServer, tmp_path: Path) -> None:
    guide, base = "lllyasviel/sd-controlnet-canny", "stable-diffusion-v1-5/stable-diffusion-v1-5"
    _add(hub, guide)
    _add(hub, base)

    assert await _run(hub, tmp_path, "canny-text-to-image", card="8") == 0

    assert _list(tmp_path) == [guide, base]


async def test_what_the_settings_forbid_is_not_fetched(hub: HubServer, tmp_path: Path) -> None:
    _add(hub, NER)
    settings = Settings(hf_endpoint=hub.base, troupe_deny_models=("dslim/*",))

    code = await asyncio.to_thread(pull, settings, [NER], PullOptions(folder=tmp_path, card="cpu"))

    assert code == 1
    assert _list(tmp_path) == []


async def test_offline_nothing_is_asked(
    hub: HubServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    constants.HF_HUB_OFFLINE = True
    try:
        assert await _run(hub, tmp_path, NER, "org/other") == 1
    finally:
        constants.HF_HUB_OFFLINE = False

    assert capsys.readouterr().out.count("HF_HUB_OFFLINE") == 1
    assert hub.asked == []


@pytest.mark.parametrize(("words", "id_"), [("bogus", "pull-what"), ("tabular-x", "pull-what")])
async def test_a_word_that_means_nothing_is_told(
    hub: HubServer, tmp_path: Path, words: str, id_: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        await _run(hub, tmp_path, words)

    assert caught.value.sentence.id == id_


async def test_a_class_that_is_none_is_told(hub: HubServer, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        await _run(hub, tmp_path, card="12")

    assert caught.value.sentence.id == "pull-no-class"


@pytest.mark.parametrize(
    ("mebibytes", "name"),
    [(0, "cpu"), (4_096, "cpu"), (8_188, "8"), (15_360, "16"), (24_564, "24"), (81_559, "80")],
)
def test_a_machine_is_of_the_class_of_its_card(mebibytes: int, name: str) -> None:
    assert find_class(mebibytes << 20) == name


@pytest.mark.parametrize("card", CARDS)
def test_recommended_models_fit_their_machine_and_may_be_used(card: str) -> None:
    best = recommend(LOCAL_KINDS, CARDS[card])

    assert best.keys() <= KINDS.keys()
    assert all(is_free(each.licence) for each in best.values())
    assert all(each.size * 1.2 <= max(each.card, 8) * 1e9 for each in best.values())


def test_the_first_set_needs_no_card_and_may_be_used() -> None:
    rows = [find_row(name) for name in load_known().starter]

    assert all(each and each.card == 0 and is_free(each.licence) for each in rows)


@pytest.mark.parametrize(
    ("size", "said"), [(7, "7 bytes"), (267_844_284, "268 MB"), (17_534_247_392, "17.5 GB")]
)
def test_sizes_are_told_as_the_hub_counts_them(size: int, said: str) -> None:
    assert format_size(size) == said
