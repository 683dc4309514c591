"""What comes with a POST: words and files, as JSON or as a form, parsed once into values."""

import asyncio
import base64
import binascii
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import unquote, urlsplit

from aiohttp import BodyPartReader, web
from pydantic import BaseModel, ConfigDict, StrictStr, StringConstraints, ValidationError

from adapters.web.options import MEBI, WebOptions
from adapters.web.refusals import refused
from pipeline.domain import Link
from pipeline.text.names import harmless

FILE_SCHEME = "file:"
"""Links to files that are in our own store already."""
_BIG = 256 * 1024
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Upload:
    """A file whose bytes came along."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Posted:
    """What a caller says and sends; `thread` is empty for a new conversation."""

    text: str
    thread: str = ""
    files: tuple[Upload | Link, ...] = ()


@dataclass(slots=True)
class _Form:
    """A form while it is read."""

    text: str = ""
    thread: str = ""
    files: list[Upload] = field(default_factory=list)
    size: int = 0


class _Attachment(BaseModel):
    """A file in JSON."""

    model_config = ConfigDict(extra="forbid")

    name: StrictStr = ""
    data_base64: StrictStr | None = None
    url: Annotated[StrictStr, StringConstraints(max_length=4000)] | None = None


class _Body(BaseModel):
    """A message in JSON."""

    model_config = ConfigDict(extra="forbid")

    text: StrictStr = ""
    thread: StrictStr | None = None
    attachments: list[_Attachment] = []


async def posted(request: web.Request, options: WebOptions) -> Posted:
    """The message in a request. Raises HTTPException with a sentence for whatever is wrong with it."""
    if (request.content_length or 0) > options.max_body:
        raise refused(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
    if request.content_type == "multipart/form-data":
        made = await _from_form(request, options)
    elif request.content_type == "application/json":
        made = await _from_json(request, options)
    else:
        raise refused(request, 415, "web-wrong-media-type", media_type=request.content_type)
    _check(request, made, options)
    return made


def _check(request: web.Request, made: Posted, options: WebOptions) -> None:
    if len(made.files) > options.max_files:
        raise refused(request, 400, "web-too-many-files", limit=options.max_files)
    for file in made.files:
        if isinstance(file, Upload) and not file.data:
            raise refused(request, 400, "web-file-empty", name=file.name)
        if isinstance(file, Upload) and len(file.data) > options.max_file:
            limit = options.max_file // MEBI
            raise refused(request, 413, "web-file-too-large", name=file.name, limit=limit)
    if len(made.text) > options.max_text:
        raise refused(request, 413, "web-text-too-long", limit=options.max_text)
    if not made.text.strip() and not made.files:
        raise refused(request, 400, "web-empty")


async def _from_json(request: web.Request, options: WebOptions) -> Posted:
    raw = await request.read()
    if len(raw) > options.max_body:
        raise refused(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
    if len(raw) > _BIG:
        return await asyncio.to_thread(_parsed, request, raw)
    return _parsed(request, raw)


def _parsed(request: web.Request, raw: bytes) -> Posted:
    try:
        body = _Body.model_validate_json(raw)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        if not where:
            raise refused(request, 400, "web-bad-json", problem=problem["msg"]) from error
        raise refused(request, 400, "web-bad-shape", where=where, problem=problem["msg"]) from error
    files = tuple(_file(request, file, number) for number, file in enumerate(body.attachments, 1))
    return Posted(body.text, body.thread or "", files)


def _file(request: web.Request, file: _Attachment, number: int) -> Upload | Link:
    name = harmless(file.name, f"file {number}")
    if (file.data_base64 is None) == (file.url is None):
        raise refused(request, 400, "web-two-sources", name=name)
    if file.url is not None:
        return _link(request, file.url, file.name)
    assert file.data_base64 is not None
    encoded = file.data_base64
    if encoded.startswith("data:"):
        encoded = encoded.partition(",")[2]
    try:
        return Upload(name, base64.b64decode("".join(encoded.split()), validate=True))
    except (binascii.Error, ValueError) as error:
        raise refused(request, 400, "web-bad-base64", name=name) from error


def _link(request: web.Request, url: str, name: str) -> Link:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise refused(request, 400, "web-bad-address", url=url[:200]) from error
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise refused(request, 400, "web-bad-address", url=url[:200])
    return Link(url, harmless(name or unquote(parts.path), "file"))


async def _from_form(request: web.Request, options: WebOptions) -> Posted:
    form = _Form()
    try:
        parts = await request.multipart()
        async for part in parts:
            if isinstance(part, BodyPartReader):
                await _take(request, part, form, options)
    except (ValueError, AssertionError) as error:
        raise refused(request, 400, "web-bad-form", problem=str(error)[:200]) from error
    return Posted(form.text, form.thread, tuple(form.files))


async def _take(
    request: web.Request, part: BodyPartReader, form: _Form, options: WebOptions
) -> None:
    name = harmless(part.filename, f"file {len(form.files) + 1}") if part.filename else ""
    data = bytearray()
    while chunk := await part.read_chunk(_CHUNK):
        data += chunk
        form.size += len(chunk)
        if form.size > options.max_body:
            raise refused(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
        if name and len(data) > options.max_file:
            limit = options.max_file // MEBI
            raise refused(request, 413, "web-file-too-large", name=name, limit=limit)
    if part.filename is not None:
        form.files.append(Upload(name or f"file {len(form.files) + 1}", bytes(data)))
    elif part.name == "text":
        form.text = data.decode().replace("\r\n", "\n")  # as browsers send new lines
    elif part.name == "thread":
        form.thread = data.decode()
