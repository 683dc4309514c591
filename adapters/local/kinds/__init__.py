"""Every kind that runs here: who loads its models, and how one runs. Only workers import torch."""

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from adapters.local.inference import (
    InferenceRequest,
    InferenceResponse,
    KindTable,
    Load,
    LocalKind,
    json_response,
)
from adapters.local.kinds import audio, diffusion, text, vision
from adapters.local.loaded_models import (
    LoadedModel,
    load_by_class,
    load_by_pipeline,
    start_torch,
)
from adapters.local.models_on_disk import GUIDES

_Read = Callable[[LoadedModel, InferenceRequest], Any]
_Write = Callable[[Any], InferenceResponse]


def _pipeline(
    kind: str,
    read: _Read,
    write: _Write = json_response,
    *,
    task: str = "",
    fixed: Mapping[str, object] | None = None,
    **options: Any,
) -> LocalKind:
    """A kind that a pipeline of transformers runs; kinds of one task share their models.

    `options` are parameters of the request: each has a default, or a function that reads it.
    """
    task = task or kind
    family = "text-classification" if kind == "zero-shot-classification" else task

    def run(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
        inputs = read(loaded, request)
        given = {
            name: option(loaded, request) if callable(option) else request.option(name, option)
            for name, option in options.items()
        }
        return write(loaded.pipeline(task)(inputs, **given, **(fixed or {})))

    return LocalKind(kind, family, run)


def _read_text(_loaded: LoadedModel, request: InferenceRequest) -> str:
    return request.text()


def _read_labels(_loaded: LoadedModel, request: InferenceRequest) -> list[str]:
    return request.texts("candidate_labels")


_KINDS: tuple[LocalKind, ...] = (
    # texts
    _pipeline("text-classification", _read_text, top_k=100, fixed={"truncation": True}),
    _pipeline(
        *("zero-shot-classification", _read_text, text.write_zero_shot),
        candidate_labels=_read_labels,
        multi_label=False,
        hypothesis_template="This example is {}.",
    ),
    _pipeline(
        *("token-classification", _read_text),
        aggregation_strategy="simple",
        stride=text.choose_stride,
    ),
    _pipeline(
        *("fill-mask", text.read_gap), top_k=5, fixed={"tokenizer_kwargs": {"truncation": True}}
    ),
    _pipeline(
        *("table-question-answering", text.read_table, text.write_table_answer),
        fixed={"truncation": "drop_rows_to_fit"},
    ),
    LocalKind("feature-extraction", "feature-extraction", text.embed),
    LocalKind("sentence-similarity", "feature-extraction", text.compare),
    LocalKind("text-generation", "text-generation", text.continue_text),
    LocalKind("conversational", "text-generation", text.continue_text),
    LocalKind("text2text-generation", "seq2seq", text.rewrite),
    LocalKind("summarization", "seq2seq", text.summarize),
    LocalKind("translation", "seq2seq", text.translate),
    LocalKind("question-answering", "question-answering", text.answer_from_text),
    # pictures and films
    _pipeline("image-classification", vision.read_picture, top_k=5),
    _pipeline(
        *("zero-shot-image-classification", vision.read_picture),
        candidate_labels=_read_labels,
        hypothesis_template="This is a photo of {}.",
    ),
    _pipeline("object-detection", vision.read_picture, threshold=0.5),
    _pipeline(
        *("zero-shot-object-detection", vision.read_picture),
        candidate_labels=_read_labels,
        threshold=0.1,
    ),
    _pipeline("image-segmentation", vision.read_picture, vision.write_regions),
    _pipeline("depth-estimation", vision.read_picture, vision.write_depth),
    LocalKind("mask-generation", "mask-generation", vision.find_masks),
    LocalKind("image-to-text", "image-to-text", vision.describe),
    LocalKind("optical-character-recognition", "image-to-text", vision.describe),
    LocalKind("visual-question-answering", "picture-questions", vision.answer_about_picture),
    LocalKind("document-question-answering", "document-questions", vision.answer_about_document),
    LocalKind("video-classification", "video-classification", vision.classify_film),
    # control images
    _pipeline(
        *("depth-control", vision.read_picture, vision.write_depth_picture),
        task="depth-estimation",
    ),
    _pipeline("normal-control", vision.read_picture, vision.write_normals, task="depth-estimation"),
    LocalKind("seg-control", "image-segmentation", vision.draw_segments),
    LocalKind("openpose-control", "pose-estimation", vision.draw_pose),
    # sounds
    _pipeline("audio-classification", audio.read_sound, top_k=5),
    _pipeline("text-to-speech", _read_text, audio.write_speech),
    LocalKind("automatic-speech-recognition", "automatic-speech-recognition", audio.transcribe),
    LocalKind("audio-to-audio", "voice-conversion", audio.convert_voice),
)
_LOADERS: dict[str, Load] = {  # the other families are pipelines of transformers
    "seq2seq": load_by_class("AutoModelForSeq2SeqLM", "tokenizer"),
    "question-answering": load_by_class("AutoModelForQuestionAnswering", "tokenizer"),
    "image-to-text": vision.load_captioner,
    "picture-questions": load_by_class("AutoModelForVisualQuestionAnswering", "processor"),
    "document-questions": vision.load_document_reader,
    "pose-estimation": load_by_class("VitPoseForPoseEstimation", "image_processor"),
    "voice-conversion": audio.load_voice_converter,
}
_DIFFUSION_KINDS = (
    LocalKind("text-to-image", "text-to-image", diffusion.generate),
    LocalKind("image-to-image", "text-to-image", diffusion.generate),
    LocalKind("image-text-to-image", "editing", diffusion.edit),
    *(LocalKind(f"{guide}-text-to-image", "controlnet", diffusion.generate) for guide in GUIDES),
    LocalKind("text-to-video", "text-to-video", diffusion.generate),
    LocalKind("image-to-video", "image-to-video", diffusion.generate),
)
_DIFFUSION_LOADERS: dict[str, Load] = {
    **dict.fromkeys(("text-to-image", "editing"), diffusion.load_diffusion),
    **dict.fromkeys(("text-to-video", "image-to-video"), diffusion.load_diffusion),
    "controlnet": diffusion.load_controlnet,
}
LOCAL_KINDS = frozenset(kind.kind for kind in (*_KINDS, *_DIFFUSION_KINDS))
"""Every kind that can run here with all extras installed."""


def _build_table() -> KindTable:
    """Without the extra [diffusion] the kinds that need it are unknown."""
    kinds, loaders = _KINDS, _LOADERS
    if importlib.util.find_spec("diffusers") is not None:
        kinds, loaders = (*_KINDS, *_DIFFUSION_KINDS), _LOADERS | _DIFFUSION_LOADERS
    pipelines = {kind.family: load_by_pipeline(kind.family) for kind in kinds}
    rows = {kind.kind: kind for kind in kinds}
    return KindTable(rows, pipelines | loaders, start_torch)


TABLE = _build_table()
