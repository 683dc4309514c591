"""The models on disk: folders of `org/name/`, and the Hub's cache; and the kind each is for."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from huggingface_hub import constants

_CONFIGS = ("model_index.json", "config.json")
_WEIGHTS = re.compile(
    r"^(model|pytorch_model|diffusion_pytorch_model)(-\d+-of-\d+)?\.(safetensors|bin)$"
)
_ONLY_ENTAILMENT = "zero-shot-classification"
_GUIDED = "-text-to-image"
_HEARING = "automatic-speech-recognition"


def find_hub_cache() -> Path:
    """Where `hf download` puts models."""
    return Path(constants.HF_HUB_CACHE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOnDisk:
    """A model in a folder.

    `kind` is the kind of task it is for, "" when nothing tells; `weight_bytes` is the size of its
    weights; `cls` is the class that its configuration names.
    """

    id: str
    path: Path
    kind: str
    weight_bytes: int
    revision: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    knows_entailment: bool = False
    cls: str = ""

    def can_do(self, kind: str) -> bool:
        """Whether it does a kind of its family: a ControlNet has one guide, for example."""
        if self.kind.endswith(_GUIDED):
            return kind == self.kind
        return kind != _ONLY_ENTAILMENT or self.knows_entailment


class ModelFolders:
    """All models in some folders: `name/`, `org/name/`, or the layout of the Hub's cache."""

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
        self._known = {model: _read_model(model, paths[model]) for model in sorted(paths)}
        return tuple(self._known.values())


def _list_plain(folder: Path) -> Iterator[tuple[str, Path]]:
    for pattern, name in itertools.product(("*", "*/*"), _CONFIGS):
        for config in folder.glob(f"{pattern}/{name}"):
            yield config.parent.relative_to(folder).as_posix(), config.parent


def _list_cached(folder: Path) -> Iterator[tuple[str, Path]]:
    """The revision called main first, then the others."""
    # Imported here, since it is a third of the server's start.
    from huggingface_hub import scan_cache_dir  # noqa: PLC0415

    if not any(folder.glob("models--*")):
        return
    for repo in scan_cache_dir(folder).repos:
        for revision in sorted(repo.revisions, key=lambda one: "main" not in one.refs):
            if repo.repo_type == "model" and _find_config(revision.snapshot_path):
                yield repo.repo_id, revision.snapshot_path


def _find_config(path: Path) -> Path | None:
    return next((file for name in _CONFIGS if (file := path / name).is_file()), None)


def find_companion(path: Path, cls: str) -> Path | None:
    """A model of a class in the same folder of models as the one at `path`.

    The one that its card names as its base comes first.
    """
    if path.parent.name == "snapshots":
        root = path.parents[2]
    else:
        root = path.parent if _find_config(path.parent) else path.parents[1]
    base = _read_card(path).get("base_model") or ""
    base = str(base[0] if isinstance(base, list) else base)
    companions = [entry for entry in ModelFolders([root]).list_models() if entry.cls == cls]
    return min(companions, key=lambda entry: entry.id != base).path if companions else None


def _read_model(model: str, path: Path) -> ModelOnDisk:
    config, card = _read_config(path), _read_card(path)
    languages = card.get("language") or ()
    cls = str(config.get("_class_name") or next(iter(config.get("architectures") or ()), ""))
    labels = config.get("label2id") or {}
    knows_entailment = any(str(label).casefold().startswith("entail") for label in labels)
    return ModelOnDisk(
        id=model,
        path=path,
        kind=_find_kind(model, str(card.get("pipeline_tag") or ""), cls, knows_entailment),
        weight_bytes=_measure_weights(path),
        revision=path.name if path.parent.name == "snapshots" else "",
        licence=str(card.get("license") or ""),
        languages=(languages,) if isinstance(languages, str) else tuple(map(str, languages)),
        knows_entailment=knows_entailment,
        cls=cls,
    )


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


def _measure_weights(path: Path) -> int:
    """Bytes of each part's weights in one format: safetensors where there are both."""
    sizes: dict[Path, dict[str, int]] = {}
    for file in path.rglob("*"):
        if _WEIGHTS.match(file.name):
            formats = sizes.setdefault(file.parent, {})
            formats[file.suffix] = formats.get(file.suffix, 0) + file.stat().st_size
    return sum(part.get(".safetensors") or sum(part.values()) for part in sizes.values())


_SAME_KIND: Mapping[str, str] = {  # the Hub's name of a kind → ours
    "image-text-to-text": "image-to-text",
    "keypoint-detection": "openpose-control",
    "ner": "token-classification",
    "sentiment-analysis": "text-classification",
    "text-to-audio": "text-to-speech",
    "vqa": "visual-question-answering",
}
_CLASSES: Mapping[str, str] = {  # the first that matches; more particular ones come first
    "LayoutLM*ForQuestionAnswering": "document-question-answering",
    "ViltForQuestionAnswering BlipForQuestionAnswering": "visual-question-answering",
    "TapasForQuestionAnswering": "table-question-answering",
    "*ForQuestionAnswering": "question-answering",
    "Whisper*Generation Speech2Text*Generation *ForSpeechToText *CTC": _HEARING,
    "Moonshine*Generation SeamlessM4TFor* SeamlessM4Tv2For*": _HEARING,
    "SpeechT5ForSpeechToSpeech": "audio-to-audio",
    "Blip*Generation Git*CausalLM Kosmos2*Generation Llava*Generation": "image-to-text",
    "PaliGemma*Generation Qwen2VL*Generation Idefics3*Generation": "image-to-text",
    "VisionEncoderDecoderModel Pix2Struct*Generation": "image-to-text",
    "Marian* M2M100ForConditionalGeneration": "translation",
    "VitsModel BarkModel *ForTextToSpeech *ForTextToWaveform Musicgen*": "text-to-speech",
    "*ForConditionalGeneration": "text2text-generation",
    "Wav2Vec2*Classification Hubert*Classification WavLM*Classification": "audio-classification",
    "UniSpeech*Classification SEW*Classification Whisper*": "audio-classification",
    "Data2VecAudio*Classification *ForAudio*Classification": "audio-classification",
    "*ForSequenceClassification": "text-classification",
    "*ForVideoClassification": "video-classification",
    "*ForTokenClassification": "token-classification",
    "*ForMaskedLM *ForPreTraining": "fill-mask",
    "*ForCausalLM *LMHeadModel": "text-generation",
    "OwlViT*Detection Owlv2*Detection GroundingDino*Detection": "zero-shot-object-detection",
    "*ForObjectDetection": "object-detection",
    "CLIPSegForImageSegmentation": "",  # wants the names of things beside the picture
    "*For*Segmentation": "image-segmentation",
    "*ForImageClassification": "image-classification",
    "*ForDepthEstimation": "depth-estimation",
    "SamModel SamHQModel": "mask-generation",
    "*ForPoseEstimation": "openpose-control",
    "CLIPModel Siglip*Model AltCLIPModel AlignModel": "zero-shot-image-classification",
    "*Model": "feature-extraction",
    # diffusers' pipelines
    "*ImageToVideo*Pipeline *VideoDiffusion*Pipeline *I2V*Pipeline": "image-to-video",
    "*TextToVideo*Pipeline Wan*Pipeline *Mochi*Pipeline *LTX*Pipeline": "text-to-video",
    "*CogVideoX*Pipeline *AnimateDiff*Pipeline *HunyuanVideo*Pipeline": "text-to-video",
    "*InstructPix2Pix*Pipeline *Kontext*Pipeline *ImageEdit*Pipeline": "image-text-to-image",
    "*Inpaint*Pipeline": "image-text-to-image",
    "*Img2Img*Pipeline *Upscale*Pipeline": "image-to-image",
    "*Pipeline": "text-to-image",
}
GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
"""What can guide a ControlNet."""
_GUIDE_NAMES = {"softedge": "hed", "pose": "openpose", "sketch": "scribble"}


def _find_kind(model: str, pipeline_tag: str, cls: str, knows_entailment: bool) -> str:  # noqa: FBT001
    """What the card says, else what the class says; a ControlNet's guide stands in its name."""
    if cls == "ControlNetModel":
        names = {guide: guide for guide in GUIDES} | _GUIDE_NAMES
        return next((names[name] + _GUIDED for name in names if name in model.casefold()), "")
    if pipeline_tag and pipeline_tag != "text-classification":
        return _SAME_KIND.get(pipeline_tag, pipeline_tag)
    matching = (
        kind
        for globs, kind in _CLASSES.items()
        if any(fnmatchcase(cls, one) for one in globs.split())
    )
    kind = next(matching, "")
    return _ONLY_ENTAILMENT if kind == "text-classification" and knows_entailment else kind
