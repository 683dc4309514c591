"""Requests to providers other than the Hub's own, prepared by the Hub's client library.

The library's `InferenceClient` blocks, has no timeout and fetches any URL that a provider returns.
So we only use its private code that knows the URLs and bodies of each provider. That is imported
here and nowhere else; the minor version is pinned, and a test fails when a release changes it
(docs/adr/0081).
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

from adapters.huggingface.parameters import find_known
from adapters.huggingface.tags import TAGS, find_task
from adapters.wire.formats import read_argument, read_inputs, to_base64
from adapters.wire.parameters import write_parameters
from pipeline.domain import Blob
from pipeline.errors import ExpertRefused
from pipeline.ports import Job
from pipeline.prompts.chat_tasks import CHAT_TASKS

HELPERS: Mapping[Any, Mapping[str, Any]] = PROVIDERS
"""The library's request builders, by provider and task."""
MAPS = "_prepare_mapping_info"
"""Their method that would fetch, and block for, a mapping that we already have."""
_PLACEHOLDER_TOKEN = "hf_through-the-router"  # noqa: S105 - the real one is the session's
_OWN_HEADERS = frozenset({"authorization", "user-agent"})
_CHAT = "conversational"
_CHAT_TOKENS = 1024
"""Of a reply, at most."""


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A prepared request, without the token. `base`: the provider's URL at the router."""

    base: str
    url: str
    headers: Mapping[str, str]
    data: bytes


def can_call(provider: str, task: str) -> bool:
    """Whether the library can build a provider's requests for a task."""
    return task in HELPERS.get(provider, {})


def prepare_call(job: Job, router: str) -> ProviderCall:
    """The request to the first provider of the job's model. Raises ExpertRefused, BadInput.

    Encodes files, so it should run in a thread.
    """
    provider, _, provider_id = job.model.providers[0].partition(":")
    task = find_task(TAGS.get(job.kind.name, ""))
    if not can_call(provider, task):
        raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
    inputs, parameters = _read_chat(job) if task == _CHAT else read_inputs(job)
    parameters |= write_parameters(job, find_known(job, provider))
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
    """The request builder for a task at a provider, which calls the model `provider_id`."""
    constants.HF_HUB_DISABLE_TELEMETRY = True  # else the first call contacts the Hub
    mapping = InferenceProviderMapping(  # type: ignore[no-untyped-call]
        provider=provider, hf_model_id=model, providerId=provider_id, status="live", task=task
    )
    helper = copy(HELPERS[provider][task])
    setattr(helper, MAPS, lambda _model: mapping)
    return helper


def _read_chat(job: Job) -> tuple[Any, dict[str, Any]]:
    """One message: what to do, the texts, and the picture if the kind takes one."""
    task = "" if job.kind.name == _CHAT else CHAT_TASKS[job.kind.name]
    slots = {slot.name for slot in job.kind.takes}
    texts = "\n".join(read_argument(job, slot) for slot in ("text", "question") if slot in slots)
    content: Any = f"{task}\n\n{texts}".strip()
    for slot in slots & {"image", "document"}:
        blob = read_argument(job, slot)
        url = f"data:{blob.media_type};base64,{to_base64(blob)}"
        picture = {"type": "image_url", "image_url": {"url": url}}
        content = [{"type": "text", "text": content}, picture]
    return [{"role": "user", "content": content}], {"max_tokens": _CHAT_TOKENS}
