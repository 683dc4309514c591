"""Calls of media models: pictures drawn and changed, texts spoken, recordings written down."""

import base64
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import log
from pathlib import PurePosixPath

from openai import AsyncOpenAI, omit

from pipeline.domain import Blob, ExpertOutput, Text
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertGarbled
from pipeline.parameters import choose_size, read_parameters
from pipeline.ports import Job
from pipeline.selection.known_models import load_known
from pipeline.text import cut
from pipeline.text.names import find_ending, sniff

_SPEECH_CHARACTERS = 4000
"""How much the speech endpoint takes in one call."""
_VOICE = "alloy"
"""Where no voice was asked for."""
_NO_INSTRUCTION = "as it stands"
"""The prompt for a picture that comes without words."""
_SIDE_STEP = 16
"""Other models take sides that are multiples of this."""
_SAME_RATIO = 0.02
"""How much a size may miss the ratio that was asked for (a logarithm)."""
HEARD_AS = {
    "audio/flac": "flac",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "webm",
    "video/mp4": "mp4",
    "video/webm": "webm",
}
"""The containers that transcription endpoints take → the endings by which they know them."""


async def _make_image(client: AsyncOpenAI, job: Job) -> ExpertOutput:
    """A new picture, or one that is given changed."""
    size, used = _choose_size(job)
    # Models of this name always send the picture itself, and refuse to be asked for it.
    form = {} if "gpt-image" in job.model.id else {"response_format": "b64_json"}
    if any(slot.name == "image" for slot in job.kind.takes):
        words = join_texts(job).strip() or _NO_INSTRUCTION
        uploads = _upload(job, "image")
        if re.search(load_known().combining, job.model.id.casefold()):
            used |= {"image"}
        else:
            del uploads[1:]
        reply = await client.images.edit(
            model=job.model.id,
            prompt=words,
            image=uploads if len(uploads) > 1 else uploads[0],
            size=size or omit,
            extra_body=form,
        )
    else:
        words = _words_in(job)
        reply = await client.images.generate(
            model=job.model.id, prompt=words, size=size or omit, extra_body=form
        )
    encoded = reply.data[0].b64_json if reply.data else None
    if not encoded:
        raise ExpertGarbled("llm-garbled", model=job.model.id)
    data = base64.b64decode(encoded)
    image = Blob(data, sniff(data) or "image/png", alt=words)
    return ExpertOutput({"image": image}, used=used)


def _choose_size(job: Job) -> tuple[str, frozenset[str]]:
    """The size to ask for ("": none), and the parameters that it satisfies."""
    wanted = choose_size(read_parameters(job.kind, job.args))
    if wanted is None:
        return "", frozenset()
    exact = tuple(max(1, round(side / _SIDE_STEP)) * _SIDE_STEP for side in wanted)
    made = (sizes for name, sizes in load_known().sizes.items() if name in job.model.id)

    def differ(size: Sequence[int]) -> tuple[float, int]:
        """How far a size is from the wanted ratio, and from the wanted width."""
        return abs(log(size[0] / size[1] / (wanted[0] / wanted[1]))), abs(size[0] - wanted[0])

    nearest = min(next(made, (exact,)), key=differ)
    used = {"size"} if nearest in (wanted, exact) else set[str]()
    if differ(nearest)[0] <= _SAME_RATIO:
        used.add("aspect_ratio")
    return f"{nearest[0]}x{nearest[1]}", frozenset(used)


async def _speak(client: AsyncOpenAI, job: Job) -> ExpertOutput:
    """A long text is spoken in parts, which MP3 allows to be joined."""
    words = _words_in(job)
    voice = str(read_parameters(job.kind, job.args).get("voice", _VOICE))
    parts: list[bytes] = []
    media_type = "audio/mpeg"
    for part in cut(words, _SPEECH_CHARACTERS):
        reply = await client.audio.speech.create(
            model=job.model.id, voice=voice, input=part, response_format="mp3"
        )
        media_type = reply.response.headers.get("Content-Type", media_type).partition(";")[0]
        parts.append(reply.content)
    if not parts or not parts[0]:
        raise ExpertGarbled("llm-garbled", model=job.model.id)
    audio = Blob(b"".join(parts), media_type, alt=words)
    return ExpertOutput({"audio": audio}, used=frozenset({"voice"}))


async def _transcribe(client: AsyncOpenAI, job: Job) -> ExpertOutput:
    upload = _upload(job, "audio")[0]
    reply = await client.audio.transcriptions.create(model=job.model.id, file=upload)
    return ExpertOutput({"text": Text(reply.text.strip())})


MEDIA_CALLS: Mapping[str, Callable[[AsyncOpenAI, Job], Awaitable[ExpertOutput]]] = {
    "text-to-image": _make_image,
    "image-text-to-image": _make_image,
    "image-to-image": _make_image,
    "text-to-speech": _speak,
    "automatic-speech-recognition": _transcribe,
}
"""Kind of task → the call that does it."""


def _words_in(job: Job) -> str:
    words = join_texts(job).strip()
    if not words:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    return words


def _upload(job: Job, slot: str) -> list[tuple[str, bytes, str]]:
    """The files of a slot as the SDK takes them, at least one. Raises BadInput."""
    files = [value for value in job.args.get(slot, ()) if isinstance(value, Blob)]
    if not files:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    return [(_name_upload(file, slot), file.data, find_real_type(file)) for file in files]


def find_real_type(file: Blob) -> str:
    """The media type by the file's bytes: what a sender says of it may be wrong."""
    return sniff(file.data) or file.media_type


def _name_upload(file: Blob, slot: str) -> str:
    """A name whose ending is that of the real container: endpoints go by it."""
    stem, media_type = PurePosixPath(file.name).stem or slot, find_real_type(file)
    ending = HEARD_AS.get(media_type) or find_ending(media_type)
    return f"{stem}.{ending}" if ending else file.name or slot


def join_texts(job: Job) -> str:
    return "\n".join(as_text(value) for value in job.args.get("text", ()))
