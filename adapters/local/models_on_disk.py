"""The models on disk: folders of `org/name/`, and the Hub's cache; and the kind each is for."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from huggingface_hub import constants

_ID = re.compile(r"^(?!.*\.\.)[\w][\w.-]*(/[\w][\w.-]*)?$")
_CONFIGS = ("model_index.json", "config.json")
_WEIGHTS = re.compile(
    r"^(model|pytorch_model|diffusion_pytorch_model)(-\d+-of-\d+)?\.(safetensors|bin)$"
)
_ONLY_ENTAILMENT = "zero-shot-classification"
_GUIDED = "-text-to-image"


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
    """All models in some folders. A model is read again when its configuration changes."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._read: dict[Path, tuple[int, ModelOnDisk]] = {}

    def find(self, model: str) -> ModelOnDisk | None:
        """The model with this id, from the first folder that has it."""
        if not _ID.match(model):
            return None
        for folder in self._folders:
            cached = folder / ("models--" + model.replace("/", "--"))
            for path in (folder / model, *_list_snapshots(cached)):
                if entry := self._read_cached(model, path):
                    return entry
        return None

    def list_models(self) -> Sequence[ModelOnDisk]:
        """Every model, sorted by id."""
        ids = {model for folder in self._folders for model in _list_ids(folder)}
        return [entry for model in sorted(ids) if (entry := self.find(model))]

    def _read_cached(self, model: str, path: Path) -> ModelOnDisk | None:
        config = next((file for name in _CONFIGS if (file := path / name).is_file()), None)
        if config is None:
            return None
        changed = config.stat().st_mtime_ns
        if path not in self._read or self._read[path][0] != changed:
            self._read[path] = changed, _read_model(model, path, config)
        return self._read[path][1]


def find_companions(path: Path, cls: str) -> Sequence[ModelOnDisk]:
    """The models of a class that lie in the same folder of models as the one at `path`.

    The one that its card names as its base comes first.
    """
    if path.parent.name == "snapshots":
        root = path.parents[2]
    else:
        nested = any((path.parent / name).is_file() for name in _CONFIGS)
        root = path.parent if nested else path.parents[1]
    base = _read_card(path / "README.md").get("base_model") or ""
    base = str(base[0] if isinstance(base, list) else base)
    companions = [entry for entry in ModelFolders([root]).list_models() if entry.cls == cls]
    return sorted(companions, key=lambda entry: entry.id != base)


def _read_model(model: str, path: Path, file: Path) -> ModelOnDisk:
    config, card = _read_json(file), _read_card(path / "README.md")
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


def _read_json(file: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _read_card(file: Path) -> Mapping[str, Any]:
    if not file.is_file():
        return {}
    # Imported here, since it brings all of the Hub's client along, a third of the server's start.
    from huggingface_hub import metadata_load  # noqa: PLC0415

    try:
        return metadata_load(file) or {}
    except ValueError:
        return {}


def _measure_weights(path: Path) -> int:
    """Bytes of each part's weights in one format: safetensors where there are both."""
    sizes: dict[Path, dict[str, int]] = {}
    for file in path.rglob("*"):
        if _WEIGHTS.match(file.name):
            formats = sizes.setdefault(file.parent, {})
            formats[file.suffix] = formats.get(file.suffix, 0) + file.stat().st_size
    return sum(part.get(".safetensors") or sum(part.values()) for part in sizes.values())


def _list_snapshots(cached: Path) -> Iterator[Path]:
    """The revision called main first, then the others."""
    main = cached / "refs" / "main"
    if main.is_file():
        yield cached / "snapshots" / main.read_text(encoding="utf-8").strip()
    if (cached / "snapshots").is_dir():
        yield from sorted((cached / "snapshots").iterdir())


def _list_ids(folder: Path) -> Iterator[str]:
    if not folder.is_dir():
        return
    for child in folder.iterdir():
        if child.name.startswith("models--"):
            yield child.name.removeprefix("models--").replace("--", "/", 1)
        elif child.is_dir():
            yield child.name
            yield from (f"{child.name}/{inner.name}" for inner in child.iterdir() if inner.is_dir())


_SAME_KIND: Mapping[str, str] = {  # the Hub's name of a kind → ours
    "image-text-to-text": "image-to-text",
    "keypoint-detection": "openpose-control",
    "ner": "token-classification",
    "sentiment-analysis": "text-classification",
    "text-to-audio": "text-to-speech",
    "vqa": "visual-question-answering",
}
_CLASSES: Sequence[tuple[str, str]] = (  # the first that matches; more particular ones come first
    ("document-question-answering", "LayoutLM*ForQuestionAnswering"),
    ("visual-question-answering", "ViltForQuestionAnswering BlipForQuestionAnswering"),
    ("table-question-answering", "TapasForQuestionAnswering"),
    ("question-answering", "*ForQuestionAnswering"),
    ("automatic-speech-recognition", "Whisper*Generation Speech2Text*Generation *ForSpeechToText"),
    ("automatic-speech-recognition", "Moonshine*Generation SeamlessM4TFor* SeamlessM4Tv2For* *CTC"),
    ("audio-to-audio", "SpeechT5ForSpeechToSpeech"),
    ("visual-question-answering", "Pix2StructForConditionalGeneration"),
    ("image-to-text", "Blip*Generation Git*CausalLM Kosmos2*Generation Llava*Generation"),
    ("image-to-text", "PaliGemma*Generation Qwen2VL*Generation Idefics3*Generation"),
    ("image-to-text", "VisionEncoderDecoderModel"),
    ("translation", "Marian* M2M100ForConditionalGeneration"),
    ("text-to-speech", "VitsModel BarkModel *ForTextToSpeech *ForTextToWaveform Musicgen*"),
    ("text2text-generation", "*ForConditionalGeneration"),
    ("audio-classification", "Wav2Vec2*SequenceClassification Hubert*SequenceClassification"),
    ("audio-classification", "WavLM*SequenceClassification UniSpeech*SequenceClassification"),
    ("audio-classification", "SEW*SequenceClassification Data2VecAudio*SequenceClassification"),
    ("audio-classification", "*ForAudioClassification *ForAudioFrameClassification Whisper*"),
    ("text-classification", "*ForSequenceClassification"),
    ("video-classification", "*ForVideoClassification"),
    ("token-classification", "*ForTokenClassification"),
    ("fill-mask", "*ForMaskedLM *ForPreTraining"),
    ("text-generation", "*ForCausalLM *LMHeadModel"),
    ("zero-shot-object-detection", "OwlViT*Detection Owlv2*Detection GroundingDino*Detection"),
    ("object-detection", "*ForObjectDetection"),
    ("", "CLIPSegForImageSegmentation"),  # no kind of its own: inpainting uses it
    ("image-segmentation", "*For*Segmentation"),
    ("image-classification", "*ForImageClassification"),
    ("depth-estimation", "*ForDepthEstimation"),
    ("mask-generation", "SamModel SamHQModel"),
    ("openpose-control", "*ForPoseEstimation"),
    (
        "zero-shot-image-classification",
        "CLIPModel SiglipModel Siglip2Model AltCLIPModel AlignModel",
    ),
    ("feature-extraction", "*Model"),
    # diffusers' pipelines
    ("image-to-video", "*ImageToVideo*Pipeline *VideoDiffusion*Pipeline *I2V*Pipeline"),
    ("text-to-video", "*TextToVideo*Pipeline Wan*Pipeline *Mochi*Pipeline *LTX*Pipeline"),
    ("text-to-video", "*CogVideoX*Pipeline *AnimateDiff*Pipeline *HunyuanVideo*Pipeline"),
    ("image-text-to-image", "*InstructPix2Pix*Pipeline *Kontext*Pipeline *ImageEdit*Pipeline"),
    ("image-text-to-image", "*Inpaint*Pipeline"),
    ("image-to-image", "*Img2Img*Pipeline *Upscale*Pipeline"),
    ("text-to-image", "*Pipeline"),
)
_GUIDES: Mapping[str, str] = {  # a word in a ControlNet's name → what guides it
    "canny": "canny",
    "hed": "hed",
    "softedge": "hed",
    "mlsd": "mlsd",
    "normal": "normal",
    "pose": "openpose",
    "scribble": "scribble",
    "sketch": "scribble",
    "depth": "depth",
    "seg": "seg",
}


def _find_kind(model: str, pipeline_tag: str, cls: str, knows_entailment: bool) -> str:  # noqa: FBT001
    """What the card says, else what the class says; a ControlNet's guide stands in its name."""
    if cls == "ControlNetModel":
        name = model.casefold()
        return next((guide + _GUIDED for word, guide in _GUIDES.items() if word in name), "")
    if pipeline_tag and pipeline_tag != "text-classification":
        return _SAME_KIND.get(pipeline_tag, pipeline_tag)
    kind = next((kind for kind, globs in _CLASSES if _matches(cls, globs)), "")
    return _ONLY_ENTAILMENT if kind == "text-classification" and knows_entailment else kind


def _matches(cls: str, globs: str) -> bool:
    return any(fnmatchcase(cls, glob) for glob in globs.split())
