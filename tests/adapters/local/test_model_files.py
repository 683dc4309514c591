"""Which files of a model are fetched, and when a folder holds a whole model."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from adapters.local.model_files import choose_files, is_whole
from adapters.local.models_on_disk import ModelFolders

_PIPELINE: Mapping[str, object] = {
    "_class_name": "StableDiffusionPipeline",
    "unet": ["diffusers", "UNet2DConditionModel"],
    "tokenizer": ["transformers", "CLIPTokenizer"],
    "safety_checker": [None, None],
}
_PARTS = ["unet/config.json", "tokenizer/vocab.json", "model_index.json"]


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (
            ["README.md", "config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5"],
            ["model.safetensors", "README.md", "config.json"],
        ),
        (["config.json", "pytorch_model.bin"], ["pytorch_model.bin", "config.json"]),
        (
            [
                *("config.json", "model.safetensors.index.json", "pytorch_model.bin.index.json"),
                *("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"),
                *("pytorch_model-00001-of-00001.bin", "onnx/model.onnx", "onnx/config.json"),
            ],
            [
                *("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"),
                *("model.safetensors.index.json", "config.json"),
            ],
        ),
        (
            ["1_Pooling/config.json", "config.json", "model.safetensors", "model.fp32.safetensors"],
            ["model.safetensors", "1_Pooling/config.json", "config.json"],
        ),
        (["config.json", "modeling.py", "model.safetensors"], ["model.safetensors", "config.json"]),
        (["config.json", "model-00001-of-00002.safetensors"], []),
        (["config.json", "model.gguf"], []),
        (["model.safetensors"], []),
    ],
)
def test_only_what_the_server_reads_is_fetched_and_no_weights_twice(
    names: Sequence[str], chosen: Sequence[str]
) -> None:
    assert choose_files(names) == chosen


@pytest.mark.parametrize(
    ("weights", "chosen"),
    [
        (["diffusion_pytorch_model.safetensors"], ["diffusion_pytorch_model.safetensors"]),
        (
            ["diffusion_pytorch_model.fp16.safetensors", "diffusion_pytorch_model.safetensors"],
            ["diffusion_pytorch_model.fp16.safetensors"],
        ),
        (["diffusion_pytorch_model.bin"], ["diffusion_pytorch_model.bin"]),
        (
            [
                "diffusion_pytorch_model.fp16-00001-of-00001.safetensors",
                "diffusion_pytorch_model.safetensors.index.fp16.json",
            ],
            [
                "diffusion_pytorch_model.fp16-00001-of-00001.safetensors",
                "diffusion_pytorch_model.safetensors.index.fp16.json",
            ],
        ),
    ],
)
def test_of_a_pipeline_its_parts_are_fetched_in_half_precision_if_there_is_one(
    weights: Sequence[str], chosen: Sequence[str]
) -> None:
    others = ["v1-5-pruned.safetensors", "vae_1_0/config.json", "safety_checker/config.json"]

    files = choose_files([*_PARTS, *others, *(f"unet/{name}" for name in weights)], _PIPELINE)

    expected = [f"unet/{name}" for name in chosen]
    assert files == [*expected, "unet/config.json", "tokenizer/vocab.json", "model_index.json"]


def test_a_pipeline_without_the_weights_of_a_part_is_none() -> None:
    assert choose_files(_PARTS, _PIPELINE) == []


@pytest.mark.parametrize(
    "missing", ["unet/diffusion_pytorch_model.safetensors", "tokenizer/vocab.json", *_PARTS[:0]]
)
def test_a_pipeline_is_whole_only_with_all_its_parts(tmp_path: Path, missing: str) -> None:
    content = json.dumps(_PIPELINE)
    for name in (*_PARTS, "unet/diffusion_pytorch_model.safetensors"):
        if name != missing:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(content)

    assert not is_whole(tmp_path)

    (tmp_path / missing).parent.mkdir(exist_ok=True)
    (tmp_path / missing).write_text(content)
    assert is_whole(tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        ["config.json"],
        ["config.json", "model-00001-of-00002.safetensors"],
        ["config.json", "model-00001-of-00002.safetensors", "model.safetensors.index.json"],
        ["model.safetensors"],
    ],
)
def test_a_model_that_is_half_downloaded_is_not_listed(
    tmp_path: Path, files: Sequence[str]
) -> None:
    folder = tmp_path / "org" / "name"
    folder.mkdir(parents=True)
    for name in files:
        (folder / name).write_text('{"architectures": ["BertForMaskedLM"]}')

    assert ModelFolders([tmp_path]).list_models() == ()


def test_a_link_to_nowhere_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").symlink_to(tmp_path / "blobs" / "gone")

    assert not is_whole(tmp_path)
