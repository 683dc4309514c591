"""The Hub with some of what it served in August 2026 (hub-docs, inference-providers): models that
fit and popular ones that do not; no provider takes a model that it does not serve.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.servers.experts import ExpertServer
from tests.servers.hub.providers import Providers, Told
from tests.servers.hub.rows import Row, row
from tests.servers.hub.server import HubServer

OWN = "hf-inference"
_CHAT: Any = {"task": "conversational"}
_SST = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
_ASR = "automatic-speech-recognition"
_T5 = ("en", "fr", "ro", "de")
_MANY = ("en", "de", "fr", "es", "ja", "zh")


def list_rows() -> list[Row]:
    """Downloads are made up; where a model does not fit its task, it is the most used."""
    return [
        row("BAAI/bge-reranker-v2-m3", "text-classification", OWN, downloads=9000),
        row(_SST, "text-classification", OWN),
        row("OpenMed/OpenMed-PII-Detector", "token-classification", OWN, downloads=9000),
        row("dslim/bert-base-NER", "token-classification", OWN),
        row("facebook/bart-large-cnn", "summarization", OWN),
        row("google-t5/t5-small", "translation", OWN, downloads=9000, languages=_T5),
        row("google-t5/t5-base", "translation", OWN, languages=_T5),
        row("Helsinki-NLP/opus-mt-en-de", "translation", OWN, languages=("en", "de")),
        row("deepset/roberta-base-squad2", "question-answering", OWN),
        row("google/tapas-base-finetuned-wtq", "table-question-answering", OWN),
        row("google-bert/bert-base-uncased", "fill-mask", OWN),
        row("facebook/bart-large-mnli", "zero-shot-classification", OWN),
        row("sentence-transformers/all-MiniLM-L6-v2", "sentence-similarity", OWN),
        row("intfloat/multilingual-e5-large-instruct", "feature-extraction", OWN, "together"),
        row("Falconsai/nsfw_image_detection", "image-classification", OWN, downloads=9000),
        row("google/vit-base-patch16-224", "image-classification", OWN),
        row("facebook/detr-resnet-50", "object-detection", OWN),
        row("nvidia/segformer-b0-finetuned-ade-512-512", "image-segmentation", OWN),
        row("black-forest-labs/FLUX.1-schnell", "text-to-image", "nscale", "together", OWN),
        row("Tongyi-MAI/Z-Image-Turbo", "text-to-image", "fal-ai", "replicate", "wavespeed"),
        row("black-forest-labs/FLUX.2-klein-9B", "image-to-image", "fal-ai", "replicate"),
        row("Qwen/Qwen-Image-Edit-2511", "image-to-image", "wavespeed", languages=("en", "zh")),
        row("openai/whisper-large-v3", _ASR, OWN, "fal-ai", "deepinfra", languages=_MANY),
        row("hexgrad/Kokoro-82M", "text-to-speech", "together", "replicate"),
        row("Wan-AI/Wan2.2-TI2V-5B", "text-to-video", **_at_fal("wan/v2.2-5b/text-to-video")),
        row("Wan-AI/Wan2.1-I2V-14B-480P", "image-to-video", **_at_fal("wan-i2v/image-to-video")),
        row("deepseek-ai/DeepSeek-V4-Flash-0731", "text-generation", "together", **_CHAT),
        row("moonshotai/Kimi-K3", "image-text-to-text", "together", **_CHAT),
    ]


def _at_fal(name: str) -> dict[str, Any]:
    """A model by its name at fal, which tells what comes back."""
    task = name.rpartition("/")[2]
    mapping = {"provider": "fal-ai", "providerId": name, "status": "live", "task": task}
    return {"inferenceProviderMapping": [mapping]}


@dataclass
class OfficialProviders(Providers):
    """Take the models that the rows say, by the names that the rows say."""

    rows: Sequence[Row] = field(default_factory=list_rows)

    def refusal(self, told: Told) -> web.Response | None:
        names = {
            mapping["providerId"]
            for served in self.rows
            for mapping in served["inferenceProviderMapping"]
            if mapping["provider"] == told.provider
        }
        asked = told.document.get("model") if told.body else None
        if asked in names or any(name in told.path for name in names):
            return None
        return web.json_response({"error": "no such model"}, status=404)


def official_hub() -> HubServer:
    """The Hub, its own inference and the other providers."""
    rows = list_rows()
    own = {
        served["id"]: served["pipeline_tag"]
        for served in rows
        for mapping in served["inferenceProviderMapping"]
        if mapping["provider"] == OWN
    }
    return HubServer(rows, experts=ExpertServer(kinds=own), providers=OfficialProviders(rows=rows))
