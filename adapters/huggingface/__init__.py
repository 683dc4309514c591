"""Hugging Face: its inference format on the wire, and which models there are."""

from adapters.huggingface.formats import FORMS
from adapters.huggingface.hosted import HostedExpert, hosted_expert
from adapters.huggingface.hub import Hub, hub
from adapters.huggingface.known import known_models
from adapters.huggingface.live import HubCatalogue, live_catalogue
from adapters.huggingface.prices import priced_catalogue
from adapters.huggingface.wire import InferenceWire, inference_wire

__all__ = [
    "FORMS",
    "HostedExpert",
    "Hub",
    "HubCatalogue",
    "InferenceWire",
    "hosted_expert",
    "hub",
    "inference_wire",
    "known_models",
    "live_catalogue",
    "priced_catalogue",
]
