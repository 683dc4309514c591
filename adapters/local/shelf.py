"""The models on disk: folders of one's own (`org/name/`), and the Hub's cache."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import constants

from adapters.local.tags import control, entails, guide, tag

_ID = re.compile(r"^(?!.*\.\.)[\w][\w.-]*(/[\w][\w.-]*)?$")
_CONFIGS = ("model_index.json", "config.json")
_WEIGHTS = re.compile(
    r"^(model|pytorch_model|diffusion_pytorch_model)(-\d+-of-\d+)?\.(safetensors|bin)$"
)
_ONLY_ENTAILING = "zero-shot-classification"
_GUIDED = "-text-to-image"


def hub_cache() -> Path:
    """Where `hf download` puts models."""
    return Path(constants.HF_HUB_CACHE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A model on disk. `tag` is the kind it is for, "" when nothing tells; `weight_bytes` what its weights take there."""

    id: str
    path: Path
    tag: str
    weight_bytes: int
    revision: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    entails: bool = False
    cls: str = ""

    def can(self, kind: str) -> bool:
        """What its family allows; but not every classifier can be given any labels, and a ControlNet has one guide."""
        if self.tag.endswith(_GUIDED):
            return kind == self.tag
        return kind != _ONLY_ENTAILING or self.entails


class Shelf:
    """All models in some folders. What was read of a model is kept until its configuration changes."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._read: dict[Path, tuple[int, Entry]] = {}

    def find(self, model: str) -> Entry | None:
        """The model with this id, in the first folder that has it."""
        if not _ID.match(model):
            return None
        for folder in self._folders:
            for path in (folder / model, *_snapshots(folder / _cached_name(model))):
                if entry := self._entry(model, path):
                    return entry
        return None

    def all(self) -> Sequence[Entry]:
        """Every model, by its id."""
        ids = {model for folder in self._folders for model in _ids(folder)}
        return [entry for model in sorted(ids) if (entry := self.find(model))]

    def base_of(self, path: Path) -> str:
        """The model that the card of another names as its base; "" when it names none."""
        named = _card(path / "README.md").get("base_model") or ""
        return str(named[0] if isinstance(named, list) else named)

    def _entry(self, model: str, path: Path) -> Entry | None:
        config = next((file for name in _CONFIGS if (file := path / name).is_file()), None)
        if config is None:
            return None
        changed = config.stat().st_mtime_ns
        kept = self._read.get(path)
        if kept is None or kept[0] != changed:
            kept = changed, _read(model, path, config)
            self._read[path] = kept
        return kept[1]


def root_of(path: Path) -> Path:
    """The folder of models in which a model lies."""
    if path.parent.name == "snapshots":
        return path.parents[2]
    inner = any((path.parent / name).is_file() for name in _CONFIGS)
    return path.parent if inner else path.parents[1]


def _read(model: str, path: Path, file: Path) -> Entry:
    config, card = _json(file), _card(path / "README.md")
    languages = card.get("language") or ()
    return Entry(
        id=model,
        path=path,
        tag=guide(model) if control(config) else tag(card, config),
        weight_bytes=_weight_bytes(path),
        revision=path.name if path.parent.name == "snapshots" else "",
        licence=str(card.get("license") or ""),
        languages=(languages,) if isinstance(languages, str) else tuple(map(str, languages)),
        entails=entails(config),
        cls=str(config.get("_class_name") or next(iter(config.get("architectures") or ()), "")),
    )


def _json(file: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _card(file: Path) -> Mapping[str, Any]:
    if not file.is_file():
        return {}
    # Imported here, since it brings all of the Hub's client along, a third of the server's start.
    from huggingface_hub import metadata_load  # noqa: PLC0415

    try:
        return metadata_load(file) or {}
    except ValueError:
        return {}


def _weight_bytes(path: Path) -> int:
    """Of each part in one format only: safetensors where there are both."""
    sizes: dict[Path, dict[str, int]] = {}
    for file in path.rglob("*"):
        if _WEIGHTS.match(file.name):
            kinds = sizes.setdefault(file.parent, {})
            kinds[file.suffix] = kinds.get(file.suffix, 0) + file.stat().st_size
    return sum(kinds.get(".safetensors") or sum(kinds.values()) for kinds in sizes.values())


def _cached_name(model: str) -> str:
    return "models--" + model.replace("/", "--")


def _snapshots(cached: Path) -> Iterator[Path]:
    """The revision called main first, then the others."""
    main = cached / "refs" / "main"
    if main.is_file():
        yield cached / "snapshots" / main.read_text(encoding="utf-8").strip()
    if (cached / "snapshots").is_dir():
        yield from sorted((cached / "snapshots").iterdir())


def _ids(folder: Path) -> Iterator[str]:
    if not folder.is_dir():
        return
    for child in folder.iterdir():
        if child.name.startswith("models--"):
            yield child.name.removeprefix("models--").replace("--", "/", 1)
        elif child.is_dir():
            yield child.name
            yield from (f"{child.name}/{inner.name}" for inner in child.iterdir() if inner.is_dir())
