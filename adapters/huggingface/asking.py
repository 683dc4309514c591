"""What providers other than the Hub's own are asked, prepared by the Hub's client library, sent by us.

The library's own sending blocks, knows no deadline and fetches whatever address it is given; so only its knowledge of each
provider's addresses and bodies is used. Runs in a thread: it is loaded when first needed.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.huggingface.body import Body, file, words
from adapters.huggingface.borrowed import asks, proxy, typed_bytes
from adapters.huggingface.tags import TAGS
from pipeline.domain import Type
from pipeline.errors import ExpertRefused
from pipeline.ports import Job

_ROUTED = "hf_through-the-router"
"""Stands for a token while a request is prepared; whatever begins so goes by the router. The real one is the session's."""
_NOT_OURS = frozenset({"authorization", "user-agent"})
_CHAT_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Call:
    """A prepared request: an address below the router, headers without a token, and a body."""

    provider: str
    url: str
    headers: Mapping[str, str]
    body: Body


Inputs = tuple[Any, dict[str, Any]]
"""What the library calls inputs and parameters."""


def prepared(job: Job, router: str) -> Call:
    """The request to the provider of the job's model. Raises ExpertRefused, BadInput."""
    provider, _, known_as = job.model.providers[0].partition(":")
    task = TAGS[job.kind.name].task if job.kind.name in TAGS else ""
    given = _INPUTS.get(job.kind.name)
    helper = asks(provider, task, known_as, job.model.id)
    if helper is None or given is None:
        raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
    inputs, parameters = given(job)
    made = helper.prepare_request(
        inputs=inputs, parameters=parameters, headers={}, model=job.model.id, api_key=_ROUTED
    )
    url = f"{router}/{provider}{made.url.removeprefix(proxy(provider))}"
    headers = {name: value for name, value in made.headers.items() if name not in _NOT_OURS}
    data = made.data if made.data is not None else json.dumps(made.json).encode()
    return Call(provider, url, headers, Body(bytes(data), headers.get("content-type", "")))


def _text(job: Job) -> Inputs:
    return words(job, "text"), {}


def _sound(job: Job) -> Inputs:
    return typed_bytes(file(job, "audio", Type.AUDIO)), {}


def _picture(job: Job) -> Inputs:
    prompt = words(job, "text")
    return typed_bytes(file(job, "image", Type.IMAGE)), {"prompt": prompt} if prompt else {}


def _chat(told: str, slot: str = "text") -> Callable[[Job], Inputs]:
    def ask(job: Job) -> Inputs:
        text = f"{told}\n\n{words(job, slot)}".strip()
        return [{"role": "user", "content": text}], {"max_tokens": _CHAT_TOKENS}

    return ask


def _look(told: str, slot: str = "image") -> Callable[[Job], Inputs]:
    def ask(job: Job) -> Inputs:
        blob = file(job, slot, Type.IMAGE)
        seen = f"data:{blob.media_type};base64,{base64.b64encode(blob.data).decode('ascii')}"
        content = [
            {"type": "text", "text": f"{told}\n\n{words(job, 'question')}".strip()},
            {"type": "image_url", "image_url": {"url": seen}},
        ]
        return [{"role": "user", "content": content}], {"max_tokens": _CHAT_TOKENS}

    return ask


_ANSWER = "Answer the question on the picture in as few words as possible."
_INPUTS: Mapping[str, Callable[[Job], Inputs]] = {
    "conversational": _chat(""),
    "text-generation": _chat("Write what is asked for, and nothing else."),
    "text2text-generation": _chat("Change the text as told; answer with the result only."),
    "image-to-text": _look("Describe the picture in one sentence."),
    "optical-character-recognition": _look(
        "Write down all text in the picture as it stands, nothing else."
    ),
    "visual-question-answering": _look(_ANSWER),
    "document-question-answering": _look(_ANSWER, "document"),
    "text-to-image": _text,
    "text-to-speech": _text,
    "text-to-video": _text,
    "feature-extraction": _text,
    "automatic-speech-recognition": _sound,
    "image-to-image": _picture,
    "image-text-to-image": _picture,
    "image-to-video": _picture,
    "image-segmentation": _picture,
}
