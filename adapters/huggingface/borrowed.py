"""What is taken from inside the Hub's client library, here and nowhere else: it has no public way to prepare a provider's request.

Each part is looked for by its name, so that another version of the library ends in a plain sentence and not in a riddle.
"""

from copy import copy
from importlib import import_module
from importlib.metadata import version
from typing import Any

from pipeline.domain import Blob
from pipeline.errors import ExpertRefused

PROVIDERS = "huggingface_hub.inference._providers:PROVIDERS"
MAPPING = "huggingface_hub.hf_api:InferenceProviderMapping"
BYTES = "huggingface_hub.inference._common:MimeBytes"
PROXY = "huggingface_hub.constants:INFERENCE_PROXY_TEMPLATE"
TELEMETRY = "huggingface_hub.constants:HF_HUB_DISABLE_TELEMETRY"
PARTS = (PROVIDERS, MAPPING, BYTES, PROXY, TELEMETRY)
_MAPS = "_prepare_mapping_info"


def part(name: str) -> Any:  # noqa: ANN401 - whatever has the name
    """A part of the library, module:name. Raises ExpertRefused where this version has none."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise _changed(name) from error


def can_ask(provider: str, task: str) -> bool:
    """Whether the library knows how a provider is asked for a task."""
    return task in part(PROVIDERS).get(provider, {})


def asks(provider: str, task: str, known_as: str, model: str) -> Any | None:  # noqa: ANN401 - the library's own
    """What prepares requests for a task at a provider, told beforehand what it would ask the Hub for; None when it does not do that task."""
    if not can_ask(provider, task):
        return None
    constants = import_module("huggingface_hub.constants")
    part(TELEMETRY)
    constants.HF_HUB_DISABLE_TELEMETRY = True  # type: ignore[attr-defined] # it would ask the Hub who we are, before the first request
    helper = copy(part(PROVIDERS)[provider][task])
    if not callable(getattr(helper, _MAPS, None)):
        raise _changed(f"{type(helper).__name__}.{_MAPS}")
    mapping = part(MAPPING)(
        provider=provider, hf_model_id=model, providerId=known_as, status="live", task=task
    )
    setattr(helper, _MAPS, lambda _model: mapping)  # else it asks the Hub, and waits
    return helper


def typed_bytes(blob: Blob) -> Any:  # noqa: ANN401 - the library's bytes with a type
    return part(BYTES)(blob.data, mime_type=blob.media_type)


def proxy(provider: str) -> str:
    """The address that the library gives to the router for a provider."""
    return str(part(PROXY).format(provider=provider))


def _changed(name: str) -> ExpertRefused:
    installed = version("huggingface_hub")
    return ExpertRefused("expert-client-changed", version=installed, part=name.replace(":", "."))
