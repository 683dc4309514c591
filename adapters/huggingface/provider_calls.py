"""Requests to providers other than the Hub's own, prepared by the Hub's client library.

The library's `InferenceClient` blocks, knows no deadline and fetches whatever address a provider
names, so only its knowledge of each provider's addresses and bodies is used, from parts of it that
are not public. They are named here and nowhere else; a version without them ends in a plain
message (docs/adr/0081). Runs in a thread: the library is loaded when it is first needed.
"""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

from adapters.huggingface.formats import TAGS, read_argument, read_inputs, to_base64
from pipeline.domain import Blob
from pipeline.errors import ExpertRefused
from pipeline.ports import Job

PROVIDERS = "huggingface_hub.inference._providers:PROVIDERS"
MAPPING = "huggingface_hub.hf_api:InferenceProviderMapping"
BYTES = "huggingface_hub.inference._common:MimeBytes"
PROXY = "huggingface_hub.constants:INFERENCE_PROXY_TEMPLATE"
TELEMETRY = "huggingface_hub.constants:HF_HUB_DISABLE_TELEMETRY"
LIBRARY_PARTS = (PROVIDERS, MAPPING, BYTES, PROXY, TELEMETRY)
_MAPS = "_prepare_mapping_info"
_PLACEHOLDER_TOKEN = "hf_through-the-router"  # noqa: S105 - the real one is the session's
_OWN_HEADERS = frozenset({"authorization", "user-agent"})
_CHAT, _CHAT_TOKENS = "conversational", 1024


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A prepared request: an address below the router, headers without a token, and a body."""

    provider: str
    url: str
    headers: Mapping[str, str]
    data: bytes


def prepare_call(job: Job, router: str) -> ProviderCall:
    """The request to the first provider of the job's model. Raises ExpertRefused, BadInput."""
    provider, _, provider_id = job.model.providers[0].partition(":")
    task = TAGS[job.kind.name].task if job.kind.name in TAGS else ""
    helper = find_helper(provider, task, provider_id, job.model.id)
    if helper is None:
        raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
    inputs, parameters = _read_chat(job) if task == _CHAT else read_inputs(job)
    if isinstance(inputs, Blob):
        inputs = find_part(BYTES)(inputs.data, mime_type=inputs.media_type)
    request = helper.prepare_request(
        inputs=inputs,
        parameters=parameters,
        headers={},
        model=job.model.id,
        api_key=_PLACEHOLDER_TOKEN,
    )
    proxy = str(find_part(PROXY).format(provider=provider))
    url = f"{router}/{provider}{request.url.removeprefix(proxy)}"
    headers = {name: text for name, text in request.headers.items() if name not in _OWN_HEADERS}
    data = request.data if request.data is not None else json.dumps(request.json).encode()
    return ProviderCall(provider, url, headers, bytes(data))


def find_part(name: str) -> Any:  # noqa: ANN401 - whatever has the name
    """A part of the library, "module:name". Raises ExpertRefused where this version has none."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise _changed(name) from error


def can_call(provider: str, task: str) -> bool:
    """Whether the library knows how a provider is asked for a task."""
    return task in find_part(PROVIDERS).get(provider, {})


def find_helper(provider: str, task: str, provider_id: str, model: str) -> Any | None:  # noqa: ANN401 - the library's own
    """What prepares requests for a task at a provider; None when it does not do that task.

    It is told beforehand what it would ask the Hub for, and wait.
    """
    if not can_call(provider, task):
        return None
    constants = import_module("huggingface_hub.constants")
    find_part(TELEMETRY)
    constants.HF_HUB_DISABLE_TELEMETRY = True  # type: ignore[attr-defined] # it asks the Hub who we are
    helper = copy(find_part(PROVIDERS)[provider][task])
    if not callable(getattr(helper, _MAPS, None)):
        raise _changed(f"{type(helper).__name__}.{_MAPS}")
    mapping = find_part(MAPPING)(
        provider=provider, hf_model_id=model, providerId=provider_id, status="live", task=task
    )
    setattr(helper, _MAPS, lambda _model: mapping)
    return helper


def _changed(name: str) -> ExpertRefused:
    installed = version("huggingface_hub")
    return ExpertRefused("expert-client-changed", version=installed, part=name.replace(":", "."))


_ANSWER = "Answer the question on the picture in as few words as possible."
_INSTRUCTIONS = {
    "text-generation": "Write what is asked for, and nothing else.",
    "text2text-generation": "Change the text as told; answer with the result only.",
    "image-to-text": "Describe the picture in one sentence.",
    "optical-character-recognition": (
        "Write down all text in the picture as it stands, nothing else."
    ),
    "visual-question-answering": _ANSWER,
    "document-question-answering": _ANSWER,
}
"""What a chat model is told to do."""


def _read_chat(job: Job) -> tuple[Any, dict[str, Any]]:
    """One message: the instruction, the words, and the picture where the kind takes one."""
    slots = {slot.name for slot in job.kind.takes}
    words = "\n".join(read_argument(job, slot) for slot in ("text", "question") if slot in slots)
    content: Any = f"{_INSTRUCTIONS.get(job.kind.name, '')}\n\n{words}".strip()
    for slot in slots & {"image", "document"}:
        blob = read_argument(job, slot)
        url = f"data:{blob.media_type};base64,{to_base64(blob)}"
        picture = {"type": "image_url", "image_url": {"url": url}}
        content = [{"type": "text", "text": content}, picture]
    return [{"role": "user", "content": content}], {"max_tokens": _CHAT_TOKENS}
