"""Every kind that runs here: who loads its models, and how one runs. Only workers import torch."""

import importlib.util
from collections.abc import Callable
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
    measure_weights,
    start_torch,
)

_Read = Callable[[LoadedModel, InferenceRequest], tuple[Any, dict[str, Any]]]
_Write = Callable[[Any], InferenceResponse]


def _pipeline(kind: str, read: _Read, write: _Write = json_response, task: str = "") -> LocalKind:
    """A kind that a pipeline of transformers runs; kinds of one task share their models."""
    task = task or kind
    family = "text-classification" if kind == "zero-shot-classification" else task

    def run(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
        inputs, options = read(loaded, request)
        return write(loaded.pipeline(task)(inputs, **options))

    return LocalKind(kind, family, run)


def _read_text(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return request.text(), {}


def _read_classified(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return request.text(), {"top_k": request.integer("top_k", 100, 1, 1000), "truncation": True}


def _read_picture(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return vision.read_picture(request), {}


def _with_top_k(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return vision.read_picture(request), {"top_k": request.integer("top_k", 5, 1, 1000)}


def _with_threshold(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return vision.read_picture(request), {"threshold": request.number("threshold", 0.5, 0, 1)}


def _with_names(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    return vision.read_picture(request), {
        "candidate_labels": request.texts("candidate_labels"),
        "threshold": request.number("threshold", 0.1, 0, 1),
    }


def _with_labels(_loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    default = "This is a photo of {}."
    template = request.string("hypothesis_template", default)
    return vision.read_picture(request), {
        "candidate_labels": request.texts("candidate_labels"),
        "hypothesis_template": template if "{}" in template else default,
    }


def _read_sound(loaded: LoadedModel, request: InferenceRequest) -> tuple[Any, dict[str, Any]]:
    sound = audio.read_for_pipeline(loaded, request)
    return sound, {"top_k": request.integer("top_k", 5, 1, 1000)}


_KINDS: tuple[LocalKind, ...] = (
    # texts
    _pipeline("text-classification", _read_classified),
    _pipeline("zero-shot-classification", text.read_zero_shot, text.write_zero_shot),
    _pipeline("token-classification", text.read_entities),
    _pipeline("fill-mask", text.read_gap),
    _pipeline("table-question-answering", text.read_table, text.write_table_answer),
    LocalKind("feature-extraction", "encoder", text.embed),
    LocalKind("sentence-similarity", "encoder", text.compare),
    LocalKind("text-generation", "text-generation", text.continue_text),
    LocalKind("conversational", "text-generation", text.continue_text),
    LocalKind("text2text-generation", "seq2seq", text.rewrite),
    LocalKind("summarization", "seq2seq", text.summarize),
    LocalKind("translation", "seq2seq", text.translate),
    LocalKind("question-answering", "question-answering", text.answer_from_text),
    # pictures and films
    _pipeline("image-classification", _with_top_k),
    _pipeline("zero-shot-image-classification", _with_labels),
    _pipeline("object-detection", _with_threshold),
    _pipeline("zero-shot-object-detection", _with_names),
    _pipeline("image-segmentation", _read_picture, vision.write_regions),
    _pipeline("depth-estimation", _read_picture, vision.write_depth),
    LocalKind("mask-generation", "mask-generation", vision.find_masks),
    LocalKind("image-to-text", "image-to-text", vision.describe),
    LocalKind("optical-character-recognition", "image-to-text", vision.describe),
    LocalKind("visual-question-answering", "picture-questions", vision.answer_about_picture),
    LocalKind("document-question-answering", "document-questions", vision.answer_about_document),
    LocalKind("video-classification", "video-classification", vision.classify_film),
    # control images
    _pipeline("depth-control", _read_picture, vision.write_depth_picture, "depth-estimation"),
    _pipeline("normal-control", _read_picture, vision.write_normals, "depth-estimation"),
    LocalKind("seg-control", "image-segmentation", vision.draw_segments),
    LocalKind("openpose-control", "pose-estimation", vision.draw_pose),
    # sounds
    _pipeline("audio-classification", _read_sound),
    _pipeline("text-to-speech", _read_text, audio.write_speech),
    LocalKind("automatic-speech-recognition", "automatic-speech-recognition", audio.transcribe),
    LocalKind("audio-to-audio", "voice-conversion", audio.convert_voice),
)
_LOADERS: dict[str, Load] = {  # the other families are pipelines of transformers
    "encoder": load_by_class("AutoModel", tokenizer="AutoTokenizer"),
    "seq2seq": load_by_class("AutoModelForSeq2SeqLM", tokenizer="AutoTokenizer"),
    "question-answering": load_by_class("AutoModelForQuestionAnswering", tokenizer="AutoTokenizer"),
    "image-to-text": vision.load_captioner,
    "picture-questions": vision.load_question_answerer,
    "document-questions": vision.load_document_reader,
    "pose-estimation": load_by_class(
        "VitPoseForPoseEstimation", image_processor="AutoImageProcessor"
    ),
    "voice-conversion": audio.load_voice_converter,
}
_DIFFUSION_KINDS = (
    LocalKind("text-to-image", "text-to-image", diffusion.generate),
    LocalKind("image-to-image", "text-to-image", diffusion.generate),
    LocalKind("image-text-to-image", "editing", diffusion.edit),
    *(
        LocalKind(f"{guide}-text-to-image", "controlnet", diffusion.generate)
        for guide in diffusion.GUIDES
    ),
    LocalKind("text-to-video", "text-to-video", diffusion.generate),
    LocalKind("image-to-video", "image-to-video", diffusion.generate),
)
_DIFFUSION_LOADERS: dict[str, Load] = {
    "text-to-image": diffusion.load_diffusion,
    "editing": diffusion.load_editor,
    "controlnet": diffusion.load_controlnet,
    "text-to-video": diffusion.load_diffusion,
    "image-to-video": diffusion.load_diffusion,
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
    return KindTable(rows, pipelines | loaders, start_torch, measure_weights)


TABLE = _build_table()
