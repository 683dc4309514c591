"""The body of a POST: text and files, as JSON or as a form, parsed once into values."""

import asyncio
import base64
import binascii
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import unquote, urlsplit

from aiohttp import BodyPartReader, web
from pydantic import BaseModel, ConfigDict, StrictStr, StringConstraints, ValidationError

from adapters.web.errors import problem
from adapters.web.options import MEBI, WebOptions
from pipeline.domain import Link
from pipeline.text.names import clean_file_name

_LARGE = 256 * 1024
"""Larger JSON is parsed in a thread."""
_CHUNK = 64 * 1024
_MAX_FIELD = 1000
_OTHER_PARTS = 8
"""How many parts of a form may be something else than files."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file whose bytes came along."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class MessageBody:
    """What a caller writes and sends. `thread` is empty for a new conversation."""

    text: str
    thread: str = ""
    files: tuple[UploadedFile | Link, ...] = ()


@dataclass(slots=True)
class _Form:
    """A form while it is read."""

    text: str = ""
    thread: str = ""
    files: list[UploadedFile] = field(default_factory=list)
    size: int = 0
    parts: int = 0


class _Attachment(BaseModel):
    """A file in JSON."""

    model_config = ConfigDict(extra="forbid")

    name: StrictStr = ""
    data_base64: StrictStr | None = None
    url: Annotated[StrictStr, StringConstraints(max_length=4000)] | None = None


class JsonBody(BaseModel):
    """A message in JSON."""

    model_config = ConfigDict(extra="forbid")

    text: StrictStr = ""
    thread: StrictStr | None = None
    attachments: list[_Attachment] = []


async def read_message(request: web.Request, options: WebOptions) -> MessageBody:
    """The message in a request. Raises HTTPException with a sentence for whatever is wrong."""
    if (request.content_length or 0) > options.max_body:
        raise problem(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
    async with asyncio.timeout(options.body_seconds):
        if request.content_type == "multipart/form-data":
            body = await _read_form(request, options)
        elif request.content_type == "application/json":
            body = await _read_json(request, options)
        else:
            media_type = request.content_type
            raise problem(request, 415, "web-wrong-media-type", media_type=media_type)
    _check(request, body, options)
    return body


def _check(request: web.Request, body: MessageBody, options: WebOptions) -> None:
    if len(body.files) > options.max_files:
        raise problem(request, 400, "web-too-many-files", limit=options.max_files)
    for file in body.files:
        if isinstance(file, UploadedFile) and not file.data:
            raise problem(request, 400, "web-file-empty", name=file.name)
        if isinstance(file, UploadedFile) and len(file.data) > options.max_file:
            limit = options.max_file // MEBI
            raise problem(request, 413, "web-file-too-large", name=file.name, limit=limit)
    if len(body.text) > options.max_text:
        raise problem(request, 413, "web-text-too-long", limit=options.max_text)
    if not body.text.strip() and not body.files:
        raise problem(request, 400, "web-empty")


async def _read_json(request: web.Request, options: WebOptions) -> MessageBody:
    raw = await request.read()
    if len(raw) > options.max_body:
        raise problem(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
    if len(raw) > _LARGE:
        return await asyncio.to_thread(_parse_json, request, raw)
    return _parse_json(request, raw)


def _parse_json(request: web.Request, raw: bytes) -> MessageBody:
    try:
        body = JsonBody.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        if not where:
            raise problem(request, 400, "web-bad-json", problem=first["msg"]) from error
        raise problem(request, 400, "web-bad-shape", where=where, problem=first["msg"]) from error
    files = tuple(
        _parse_attachment(request, file, number) for number, file in enumerate(body.attachments, 1)
    )
    return MessageBody(body.text, body.thread or "", files)


def _parse_attachment(request: web.Request, file: _Attachment, number: int) -> UploadedFile | Link:
    name = clean_file_name(file.name, f"file {number}")
    if (file.data_base64 is None) == (file.url is None):
        raise problem(request, 400, "web-two-sources", name=name)
    if file.url is not None:
        return _parse_link(request, file.url, file.name)
    assert file.data_base64 is not None
    encoded = file.data_base64
    if encoded.startswith("data:"):
        encoded = encoded.partition(",")[2]
    try:
        return UploadedFile(name, base64.b64decode("".join(encoded.split()), validate=True))
    except (binascii.Error, ValueError) as error:
        raise problem(request, 400, "web-bad-base64", name=name) from error


def _parse_link(request: web.Request, url: str, name: str) -> Link:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise problem(request, 400, "web-bad-address", url=url[:200]) from error
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise problem(request, 400, "web-bad-address", url=url[:200])
    return Link(url, clean_file_name(name or unquote(parts.path), "file"))


async def _read_form(request: web.Request, options: WebOptions) -> MessageBody:
    form = _Form()
    try:
        parts = await request.multipart()
        async for part in parts:
            form.parts += 1
            if form.parts > options.max_files + _OTHER_PARTS:
                raise problem(request, 400, "web-too-many-files", limit=options.max_files)
            if isinstance(part, BodyPartReader):
                await _read_part(request, part, form, options)
    except (ValueError, AssertionError, LookupError, web.RequestPayloadError) as error:
        raise problem(request, 400, "web-bad-form", problem=str(error)[:200]) from error
    return MessageBody(form.text, form.thread, tuple(form.files))


async def _read_part(
    request: web.Request, part: BodyPartReader, form: _Form, options: WebOptions
) -> None:
    data = bytearray()
    number = len(form.files) + 1
    name = clean_file_name(part.filename, f"file {number}") if part.filename is not None else ""
    while chunk := await part.read_chunk(_CHUNK):
        data += chunk
        form.size += len(chunk)
        if form.size > options.max_body:
            raise problem(request, 413, "web-body-too-large", limit=options.max_body // MEBI)
        if name and len(data) > options.max_file:
            limit = options.max_file // MEBI
            raise problem(request, 413, "web-file-too-large", name=name, limit=limit)
    if part.filename is not None:
        form.files.append(UploadedFile(name, bytes(data)))
    elif part.name == "text":
        form.text = data.decode().replace("\r\n", "\n")  # browsers send line ends so
    elif part.name == "thread":
        form.thread = data[:_MAX_FIELD].decode()
