"""The table of kinds: how models are loaded and run. Only workers import torch."""

import importlib.util
from collections.abc import Mapping
from typing import Any

from adapters.local.inference import (
    InferenceRequest,
    InferenceResponse,
    KindTable,
    LocalKind,
    Run,
    json_response,
)
from adapters.local.kinds import audio, chat, diffusion, text, vision
from adapters.local.kinds.diffusion import load_diffusion
from adapters.local.kinds.loading import choose_device, load_by_class, load_by_pipeline
from adapters.local.models_on_disk import GUIDES

_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "text-classification": {"top_k": 100, "truncation": True},
    "object-detection": {"threshold": 0.5},
    "zero-shot-object-detection": {"threshold": 0.1},
    "image-classification": {"top_k": 5},
    "audio-classification": {"top_k": 5},
}
"""Parameters of pipelines that a request may override."""

_CHAT = ("image-text-to-text",)
"""The kind of chat models that see pictures."""
_READERS = ("image-to-text", *_CHAT)


def _run_pipeline(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Run a transformers pipeline on a sound, a picture or a text, whichever it takes."""
    if pipe.feature_extractor:
        inputs = audio.read_sound(pipe, request)
    else:
        inputs = vision.read_picture(request) if pipe.image_processor else request.text()
    defaults = _DEFAULTS.get(request.kind, {})
    options: dict[str, Any] = {name: request.option(name, defaults[name]) for name in defaults}
    if request.kind.startswith("zero-shot-"):
        options["candidate_labels"] = request.texts("candidate_labels")
    return json_response(pipe(inputs, **options))


def _row(kind: str, run: Run = _run_pipeline, *others: str, task: str = "") -> LocalKind:
    """A kind whose models are loaded as a transformers pipeline."""
    return LocalKind(kind, load_by_pipeline(task or kind), run, others)


_KINDS = (
    _row("text-classification"),
    _row("zero-shot-classification"),
    _row("token-classification", text.find_entities),
    _row("fill-mask", text.fill_gap),
    _row("feature-extraction", text.embed, "sentence-similarity"),
    _row("sentence-similarity", text.compare, "feature-extraction", task="feature-extraction"),
    _row("text-generation", text.continue_text),
    _row("conversational", chat.converse, "text-generation", task="text-generation"),
    _row("image-classification"),
    _row("zero-shot-image-classification"),
    _row("object-detection"),
    _row("zero-shot-object-detection"),
    _row("image-segmentation", vision.find_regions),
    _row("depth-estimation", vision.estimate_depth),
    _row("depth-control", vision.draw_depth, "depth-estimation", task="depth-estimation"),
    _row("video-classification", vision.classify_video),
    _row("audio-classification"),
    _row("automatic-speech-recognition", audio.transcribe),
    _row("text-to-speech", audio.read_aloud),
    # transformers has no pipeline for these
    LocalKind("text2text-generation", load_by_class, text.rewrite),
    LocalKind("summarization", load_by_class, text.summarize, ("text2text-generation",)),
    LocalKind("translation", load_by_class, text.translate),
    LocalKind("question-answering", load_by_class, text.answer_from_text),
    LocalKind("image-to-text", load_by_class, vision.describe, _CHAT),
    LocalKind("optical-character-recognition", load_by_class, vision.describe, _READERS),
    LocalKind("visual-question-answering", load_by_class, vision.answer_question, _CHAT),
    LocalKind("document-question-answering", load_by_class, vision.answer_question, _CHAT),
)
_DIFFUSION_KINDS = (
    LocalKind("text-to-image", load_diffusion, diffusion.generate),
    LocalKind("image-to-image", load_diffusion, diffusion.generate, ("text-to-image",)),
    LocalKind("image-text-to-image", load_diffusion, diffusion.edit),
    LocalKind("text-to-video", load_diffusion, diffusion.generate),
    LocalKind("image-to-video", load_diffusion, diffusion.generate),
    *(LocalKind(f"{guide}-text-to-image", load_diffusion, diffusion.generate) for guide in GUIDES),
)
LOCAL_KINDS = frozenset(row.kind for row in (*_KINDS, *_DIFFUSION_KINDS))
"""Every kind that can run here with all extras installed."""

_HAS_DIFFUSERS = importlib.util.find_spec("diffusers") is not None
TABLE = KindTable(
    {row.kind: row for row in (*_KINDS, *(_DIFFUSION_KINDS if _HAS_DIFFUSERS else ()))},
    choose_device,
)
"""Without the extra [diffusion] the kinds that need it are missing."""
