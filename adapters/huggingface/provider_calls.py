"""Requests to providers other than the Hub's own, prepared by the Hub's client library.

The library's `InferenceClient` blocks, knows no deadline and fetches whatever address a provider
names, so only its knowledge of each provider's addresses and bodies is used, from parts of it that
are not public. They are imported here and nowhere else; the minor version is pinned, and a test
fails when a release changes them (docs/adr/0081).
"""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from huggingface_hub import constants
from huggingface_hub.hf_api import InferenceProviderMapping
from huggingface_hub.inference._common import MimeBytes
from huggingface_hub.inference._providers import PROVIDERS

from adapters.huggingface.formats import TAGS, find_task, read_argument, read_inputs, to_base64
from pipeline.domain import Blob
from pipeline.errors import ExpertRefused
from pipeline.ports import Job

HELPERS: Mapping[Any, Mapping[str, Any]] = PROVIDERS
"""What prepares requests, by provider and task."""
MAPS = "_prepare_mapping_info"
"""The method that would ask the Hub, and wait, for what we know beforehand."""
_PLACEHOLDER_TOKEN = "hf_through-the-router"  # noqa: S105 - the real one is the session's
_OWN_HEADERS = frozenset({"authorization", "user-agent"})
_CHAT, _CHAT_TOKENS = "conversational", 1024


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A prepared request, with headers without a token. `base`: the provider at the router."""

    base: str
    url: str
    headers: Mapping[str, str]
    data: bytes


def can_call(provider: str, task: str) -> bool:
    """Whether the library knows how a provider is asked for a task."""
    return task in HELPERS.get(provider, {})


def prepare_call(job: Job, router: str) -> ProviderCall:
    """The request to the first provider of the job's model. Raises ExpertRefused, BadInput.

    Runs in a thread, because files are encoded.
    """
    provider, _, provider_id = job.model.providers[0].partition(":")
    task = find_task(TAGS.get(job.kind.name, ""))
    if not can_call(provider, task):
        raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
    inputs, parameters = _read_chat(job) if task == _CHAT else read_inputs(job)
    if isinstance(inputs, Blob):
        inputs = MimeBytes(inputs.data, mime_type=inputs.media_type)
    request = find_helper(provider, task, provider_id, job.model.id).prepare_request(
        inputs=inputs,
        parameters=parameters,
        headers={},
        model=job.model.id,
        api_key=_PLACEHOLDER_TOKEN,
    )
    path = request.url.removeprefix(constants.INFERENCE_PROXY_TEMPLATE.format(provider=provider))
    headers = {name: text for name, text in request.headers.items() if name not in _OWN_HEADERS}
    data = request.data if request.data is not None else json.dumps(request.json).encode()
    base = f"{router}/{provider}"
    return ProviderCall(base, base + path, headers, bytes(data))


def find_helper(provider: str, task: str, provider_id: str, model: str) -> Any:  # noqa: ANN401 - the library's own
    """What prepares requests for a task at a provider, told beforehand how that calls the model."""
    constants.HF_HUB_DISABLE_TELEMETRY = True  # or the first call asks the Hub who we are
    mapping = InferenceProviderMapping(  # type: ignore[no-untyped-call]
        provider=provider, hf_model_id=model, providerId=provider_id, status="live", task=task
    )
    helper = copy(HELPERS[provider][task])
    setattr(helper, MAPS, lambda _model: mapping)
    return helper


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
