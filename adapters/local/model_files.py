"""Which files of a model the expert server reads, and whether a folder has them all."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

PIPELINE = "model_index.json"
"""The configuration of a pipeline of diffusers; its parts are folders."""
CONFIG = "config.json"
CONFIGS = (PIPELINE, CONFIG)
"""What makes a folder a model, the strongest first."""
_WEIGHTS = (  # the first that a folder has is read
    re.compile(r"(diffusion_pytorch_)?model\.safetensors"),
    re.compile(r"(diffusion_pytorch_)?model-\d+-of-(?P<count>\d+)\.safetensors"),
    re.compile(r"(diffusion_)?pytorch_model\.bin"),
    re.compile(r"(diffusion_)?pytorch_model-\d+-of-(?P<count>\d+)\.bin"),
)
"""Other names are variants and formats of other libraries, which nobody reads here."""
_HALF = (
    re.compile(r"(diffusion_pytorch_)?model\.fp16\.safetensors"),
    re.compile(r"(diffusion_pytorch_)?model\.fp16-\d+-of-(?P<count>\d+)\.safetensors"),
)
"""In a part of a pipeline these go before others: they take half the room."""
HALF = "fp16"
"""What diffusers calls them."""
_PART = re.compile(r"-\d+-of-\d+$")
_INDEX = re.compile(r".*\.index(\.[^.]+)?\.json")
"""Lists of the parts of weights, also of formats that nobody reads here."""
_SMALL = frozenset({".bpe", ".jinja", ".json", ".model", ".spm", ".tiktoken", ".txt"})
"""Endings of configurations and of words."""
_CARD = "README.md"
_POOLING = "1_Pooling"
"""A folder of sentence-transformers, which says how vectors are pooled."""


def is_weights(name: str) -> bool:
    """Whether a file of this name holds weights that are read."""
    return any(pattern.fullmatch(name) for pattern in (*_HALF, *_WEIGHTS))


def choose_files(names: Iterable[str], pipeline: Mapping[str, Any] | None = None) -> list[str]:
    """The files of a repository to fetch: no weights twice, and what makes it a model last.

    `pipeline`: what is in its model_index.json, if it has one. Empty if there are no weights that
    the server reads, or if a part of the pipeline has none.

    ["config.json", "model.safetensors", "pytorch_model.bin", "onnx/model.onnx"] gives
    ["model.safetensors", "config.json"].
    """
    folders: dict[str, list[str]] = {}
    for name in sorted(names):
        folder, _, file = name.rpartition("/")
        folders.setdefault(folder, []).append(file)
    parts = ["", _POOLING] if pipeline is None else ["", *list_parts(pipeline)]
    chosen: list[str] = []
    for folder in parts:
        files = folders.get(folder, [])
        weights = [] if pipeline is not None and not folder else _choose_weights(files, pipeline)
        if not weights and _needs_weights(folder, files, pipeline):
            return []
        kept = [*weights, *(file for file in files if _is_small(file, weights))]
        chosen += [f"{folder}/{file}" if folder else file for file in kept]
    config = PIPELINE if pipeline is not None else CONFIG
    return [*(name for name in chosen if name != config), config] if config in chosen else []


def is_whole(path: Path) -> bool:
    """Whether a folder holds a model with all parts of its weights."""
    index, config = path / PIPELINE, path / CONFIG
    if not index.is_file():
        return config.is_file() and _has_weights(path)
    try:
        pipeline = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    parts = list_parts(pipeline)
    return bool(parts) and all(
        (path / part).is_dir()
        and (not (path / part / CONFIG).exists() or _has_weights(path / part, pipeline))
        for part in parts
    )


def list_weights(path: Path) -> list[Path]:
    """The weights in a folder that are read, each once."""
    pipeline = path / PIPELINE
    folders = [path]
    if pipeline.is_file():
        folders = [folder for folder in path.iterdir() if folder.is_dir()]
    return [
        folder / name
        for folder in folders
        for name in _choose_weights(_list_names(folder), pipeline if folder != path else None)
        if is_weights(name)
    ]


def list_parts(pipeline: object) -> list[str]:
    """The folders of a pipeline's parts: {"vae": ["diffusers", "AutoencoderKL"]} gives ["vae"]."""
    entries = pipeline.items() if isinstance(pipeline, dict) else ()
    return [
        str(name)
        for name, value in entries
        if isinstance(value, list) and value and isinstance(value[0], str)
        if PurePosixPath(str(name)).name == name
    ]


def _needs_weights(folder: str, files: Collection[str], pipeline: object) -> bool:
    """Whether a folder is a model: a tokenizer and a scheduler have a configuration alone."""
    return not folder if pipeline is None else bool(folder) and CONFIG in files


def _choose_weights(files: Collection[str], pipeline: object = None) -> list[str]:
    """The weights of one form, all their parts with the list of these; empty if a part is missing.

    A file in one piece goes before parts: so do the libraries.
    """
    for pattern in _WEIGHTS if pipeline is None else (*_HALF, *_WEIGHTS):
        matches = [match for file in files if (match := pattern.fullmatch(file))]
        if matches and "count" not in pattern.groupindex:
            return [matches[0][0]]
        if matches and len(matches) == int(matches[0]["count"]):
            parts = [match[0] for match in matches]
            return [*parts, *(file for file in files if _is_index(file, parts[0]))]
    return []


def _is_index(file: str, part: str) -> bool:
    """Whether a file lists the parts of weights, of which one is given.

    That of model.fp16-00001-of-00002.safetensors is model.safetensors.index.fp16.json.
    """
    stem, _, ending = part.rpartition(".")
    name, _, variant = _PART.sub("", stem).partition(".")
    return file == ".".join(filter(None, (name, ending, "index", variant, "json")))


def _has_weights(folder: Path, pipeline: object = None) -> bool:
    return bool(_choose_weights(_list_names(folder), pipeline))


def _list_names(folder: Path) -> list[str]:
    """Files that are links to nowhere do not count: the cache of the Hub's library has such."""
    try:
        return sorted(file.name for file in folder.iterdir() if file.is_file())
    except OSError:
        return []


def _is_small(file: str, weights: Collection[str]) -> bool:
    is_named = file == _CARD or file.upper().startswith("LICEN")
    is_read = PurePosixPath(file).suffix in _SMALL and not _INDEX.fullmatch(file)
    return file not in weights and (is_named or is_read)
