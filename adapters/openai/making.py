"""Pictures, speech and transcription by an endpoint that has models for them."""

import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import openai
from openai import AsyncOpenAI

from pipeline.conversions import as_text
from pipeline.domain import Blob, Raw, Text
from pipeline.errors import BadInput, ExpertGarbled
from pipeline.ports import Job
from pipeline.text import cut

Make = Callable[[AsyncOpenAI, Job], Awaitable[Mapping[str, Raw]]]

_SPOKEN_AT_ONCE = 4000
_VOICE = "alloy"
_UNTOLD = "as it stands"


async def picture(client: AsyncOpenAI, job: Job) -> Mapping[str, Raw]:
    """A picture from words."""
    words = _words(job, "text")
    answer = await _with_data(client.images.generate, model=job.model.id, prompt=words)
    return {"image": _image(answer, job, words)}


async def edited(client: AsyncOpenAI, job: Job) -> Mapping[str, Raw]:
    """A picture changed as told."""
    words = _words(job, "text", otherwise=_UNTOLD)
    image = _file(job, "image")
    sent = (image.name or "image.png", image.data, image.media_type)
    answer = await _with_data(client.images.edit, model=job.model.id, prompt=words, image=sent)
    return {"image": _image(answer, job, words)}


async def speech(client: AsyncOpenAI, job: Job) -> Mapping[str, Raw]:
    """A text read aloud; a long one in parts, which MP3 lets stand one after the other."""
    words = _words(job, "text")
    parts: list[bytes] = []
    media_type = "audio/mpeg"
    for part in cut(words, _SPOKEN_AT_ONCE):
        answer = await client.audio.speech.create(
            model=job.model.id, voice=_VOICE, input=part, response_format="mp3"
        )
        media_type = answer.response.headers.get("Content-Type", media_type).partition(";")[0]
        parts.append(answer.content)
    if not parts or not parts[0]:
        raise ExpertGarbled("llm-garbled", model=job.model.id)
    return {"audio": Blob(b"".join(parts), media_type, alt=words)}


async def transcript(client: AsyncOpenAI, job: Job) -> Mapping[str, Raw]:
    """What is said in a sound."""
    sound = _file(job, "audio")
    answer = await client.audio.transcriptions.create(
        model=job.model.id, file=(sound.name or "sound.wav", sound.data, sound.media_type)
    )
    return {"text": Text(answer.text.strip())}


MAKERS: Mapping[str, Make] = {
    "text-to-image": picture,
    "image-text-to-image": edited,
    "image-to-image": edited,
    "text-to-speech": speech,
    "automatic-speech-recognition": transcript,
}


async def _with_data(call: Callable[..., Awaitable[Any]], **args: object) -> Any:  # noqa: ANN401
    """Ask for the picture itself; endpoints that always send it refuse to be asked."""
    try:
        return await call(**args, response_format="b64_json")
    except openai.BadRequestError as error:
        if "response_format" not in error.message:
            raise
        return await call(**args)


def _image(answer: Any, job: Job, words: str) -> Blob:  # noqa: ANN401 - the client's model
    encoded = answer.data[0].b64_json if answer.data else None
    if not encoded:
        raise ExpertGarbled("llm-garbled", model=job.model.id)
    return Blob(base64.b64decode(encoded), "image/png", alt=words)


def _words(job: Job, slot: str, *, otherwise: str = "") -> str:
    words = "\n".join(as_text(value) for value in job.args.get(slot, ())).strip() or otherwise
    if not words:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    return words


def _file(job: Job, slot: str) -> Blob:
    file = next((value for value in job.args.get(slot, ()) if isinstance(value, Blob)), None)
    if file is None:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    return file
