"""Files out of answers, believed by their bytes only."""

import base64
import binascii

import filetype

from pipeline.domain import Blob, Type, type_of
from pipeline.errors import ExpertGarbled
from pipeline.ports import Job

_USUAL = {"audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac", "audio/x-aiff": "audio/aiff"}


def sniffed(data: bytes, wanted: Type, job: Job) -> Blob:
    """The file. Raises ExpertGarbled when the bytes are not of the wanted type."""
    guess = filetype.guess_mime(data) or ""
    media_type = _USUAL.get(guess, guess)
    if type_of(media_type) != wanted:
        raise ExpertGarbled("expert-garbled", model=job.model.id)
    return Blob(data, media_type)


def from_base64(content: str, wanted: Type, job: Job) -> Blob:
    """A file in base64, also as a data URL."""
    if content.startswith("data:"):
        content = content.partition(",")[2]
    try:
        data = base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise ExpertGarbled("expert-garbled", model=job.model.id) from error
    return sniffed(data, wanted, job)
