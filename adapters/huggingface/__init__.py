"""Hugging Face: its inference format on the wire, its providers, and the models of its Hub."""

from adapters.huggingface.catalogue import HubCatalogue, load_known_models, open_live_catalogue
from adapters.huggingface.formats import TAGS, WIRE_FORMATS
from adapters.huggingface.hosted import HostedExpert, open_hosted_expert
from adapters.huggingface.hub import Hub, HubUnavailable, open_hub
from adapters.huggingface.wire import WireExpert, open_wire_expert

__all__ = [
    "TAGS",
    "WIRE_FORMATS",
    "HostedExpert",
    "Hub",
    "HubCatalogue",
    "HubUnavailable",
    "WireExpert",
    "load_known_models",
    "open_hosted_expert",
    "open_hub",
    "open_live_catalogue",
    "open_wire_expert",
]
