"""Finds models in folders and in the Hub's cache, and the kind that each is made for."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from huggingface_hub import constants

from adapters.local.model_files import CONFIGS, is_whole, list_weights


def find_hub_cache() -> Path:
    """The folder where `hf download` puts models."""
    return Path(constants.HF_HUB_CACHE)


def find_files(folders: Sequence[Path]) -> Sequence[str]:
    """The folders, and whatever links in them lead to: where files of models lie."""
    paths = (path for folder in folders for path in (folder, *folder.rglob("*")))
    links = {path.resolve() for path in paths if path.is_symlink()}
    within = tuple(folder.resolve() for folder in folders)
    outside = (link for link in links if not any(map(link.is_relative_to, within)))
    return sorted(map(str, (*within, *outside)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOnDisk:
    """A model in a folder.

    `kind` is the task it was made for, "" if unknown; `cls` is the class that its
    configuration names; `base` is the model that a ControlNet guides.
    """

    id: str
    path: Path
    kind: str
    cls: str
    weight_bytes: int
    base: Path | None = None
    revision: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()


class ModelFolders:
    """All models in some folders: `name/`, `org/name/`, or the layout of the Hub's cache.

    One that is being downloaded is none: it has to have all parts of its weights.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._known: dict[str, ModelOnDisk] = {}

    def find(self, model: str) -> ModelOnDisk | None:
        """The model with this id, from the first folder that has it."""
        if model not in self._known:
            self.list_models()
        return self._known.get(model)

    def list_models(self) -> Sequence[ModelOnDisk]:
        """Every model, sorted by id."""
        paths: dict[str, Path] = {}
        for folder in self._folders:
            for model, path in (*_list_plain(folder), *_list_cached(folder)):
                paths.setdefault(model, path)
        models = {model: _read_model(model, paths[model]) for model in sorted(paths)}
        self._known = {id_: _add_base(model, models) for id_, model in models.items()}
        return tuple(self._known.values())


def _list_plain(folder: Path) -> Iterator[tuple[str, Path]]:
    for pattern, name in itertools.product(("*", "*/*"), CONFIGS):
        for config in folder.glob(f"{pattern}/{name}"):
            if is_whole(config.parent):
                yield config.parent.relative_to(folder).as_posix(), config.parent


def _list_cached(folder: Path) -> Iterator[tuple[str, Path]]:
    """Lists the revision called main before the others."""
    # Imported here because it takes a third of the server's start.
    from huggingface_hub import scan_cache_dir  # noqa: PLC0415

    if not any(folder.glob("models--*")):
        return
    for repo in scan_cache_dir(folder).repos:
        for revision in sorted(repo.revisions, key=lambda each: "main" not in each.refs):
            if repo.repo_type == "model" and is_whole(revision.snapshot_path):
                yield repo.repo_id, revision.snapshot_path


def _find_config(path: Path) -> Path | None:
    return next((file for name in CONFIGS if (file := path / name).is_file()), None)


def _read_model(id_: str, path: Path) -> ModelOnDisk:
    config, card = _read_config(path), _read_card(path)
    languages = card.get("language") or ()
    cls = str(config.get("_class_name") or next(iter(config.get("architectures") or ()), ""))
    labels = config.get("label2id") or {}
    kind = _find_kind(id_, str(card.get("pipeline_tag") or ""), cls)
    if kind == "text-classification" and any(
        str(label).casefold().startswith("entail") for label in labels
    ):
        kind = "zero-shot-classification"
    return ModelOnDisk(
        id=id_,
        path=path,
        kind=kind,
        cls=cls,
        weight_bytes=sum(file.stat().st_size for file in list_weights(path)),
        revision=path.name if path.parent.name == "snapshots" else "",
        licence=str(card.get("license") or ""),
        languages=(languages,) if isinstance(languages, str) else tuple(map(str, languages)),
    )


def _add_base(model: ModelOnDisk, models: Mapping[str, ModelOnDisk]) -> ModelOnDisk:
    """Add a ControlNet's base: the model that its card names, else any Stable Diffusion.

    Without a base, a ControlNet cannot run.
    """
    if model.cls != _CONTROLNET:
        return model
    named = _read_card(model.path).get("base_model") or ""
    base = models.get(named if isinstance(named, str) else str(named[0]))
    base = base or next((each for each in models.values() if each.cls == _BASE), None)
    if base is None:
        return replace(model, kind="")
    return replace(model, base=base.path, weight_bytes=model.weight_bytes + base.weight_bytes)


def _read_config(path: Path) -> Mapping[str, Any]:
    try:
        return dict(json.loads((_find_config(path) or path).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _read_card(path: Path) -> Mapping[str, Any]:
    from huggingface_hub import metadata_load  # noqa: PLC0415 - as above

    try:
        return metadata_load(path / "README.md") or {}
    except (OSError, ValueError):
        return {}


_KINDS_OF_TAGS: Mapping[str, str] = {  # the Hub's name of a kind → ours
    "document-question-answering": "",  # LayoutLM and Donut do not run here
    "text-to-audio": "text-to-speech",
}
_KINDS_OF_CLASSES: Mapping[str, str] = {  # the first match counts
    "Vilt* LayoutLM* Tapas* CLIPSeg*": "",  # do not run here
    "BlipForQuestionAnswering": "visual-question-answering",
    "*ForQuestionAnswering": "question-answering",
    "Whisper*Generation Speech2Text*Generation *CTC": "automatic-speech-recognition",
    "Blip*Generation VisionEncoderDecoderModel": "image-to-text",
    "Llava*Generation *VL*Generation Idefics*Generation SmolVLM*": "image-text-to-text",
    "Marian* M2M100ForConditionalGeneration MBart*Generation": "translation",
    "VitsModel BarkModel *ForTextToSpeech *ForTextToWaveform Musicgen*": "text-to-speech",
    "*ForConditionalGeneration": "text2text-generation",
    "Wav2Vec2*Classification Hubert*Classification WavLM*Classification": "audio-classification",
    "*ForAudioClassification AST*Classification": "audio-classification",
    "*ForSequenceClassification": "text-classification",
    "*ForVideoClassification": "video-classification",
    "*ForTokenClassification": "token-classification",
    "*ForMaskedLM *ForPreTraining": "fill-mask",
    "*ForCausalLM *LMHeadModel": "text-generation",
    "OwlViT*Detection Owlv2*Detection GroundingDino*Detection": "zero-shot-object-detection",
    "*ForObjectDetection": "object-detection",
    "*For*Segmentation": "image-segmentation",
    "*ForImageClassification": "image-classification",
    "*ForDepthEstimation": "depth-estimation",
    "CLIPModel Siglip*Model": "zero-shot-image-classification",
    "*Model": "feature-extraction",
    # diffusers' pipelines
    "*ImageToVideo*Pipeline *VideoDiffusion*Pipeline *I2V*Pipeline": "image-to-video",
    "*TextToVideo*Pipeline Wan*Pipeline *LTX*Pipeline *CogVideoX*Pipeline": "text-to-video",
    "*InstructPix2Pix*Pipeline *Kontext*Pipeline *Edit*Pipeline": "image-text-to-image",
    "*Inpaint*Pipeline": "image-text-to-image",
    "*Img2Img*Pipeline *Upscale*Pipeline": "image-to-image",
    "*Pipeline": "text-to-image",
}
GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
"""The control images that ControlNets take."""
_CONTROLNET, _BASE = "ControlNetModel", "StableDiffusionPipeline"


def _find_kind(model: str, pipeline_tag: str, cls: str) -> str:
    """The kind by its card, else by its class; a ControlNet's by its name."""
    if cls == _CONTROLNET:
        name = model.casefold().replace("softedge", "hed")
        return next((f"{guide}-text-to-image" for guide in GUIDES if guide in name), "")
    matching = (
        kind
        for globs, kind in _KINDS_OF_CLASSES.items()
        if any(fnmatchcase(cls, pattern) for pattern in globs.split())
    )
    kind = next(matching, None)
    if kind == "" or not pipeline_tag or pipeline_tag == "text-classification":
        return kind or ""
    return _KINDS_OF_TAGS.get(pipeline_tag, pipeline_tag)
