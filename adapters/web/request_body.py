"""The body of a POST: text and files, as JSON or as a form, parsed once into values."""

import asyncio
import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import unquote, urlsplit

from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.web import RequestPayloadError
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from adapters.web.options import MEBI, Refused, WebOptions
from pipeline.domain import Blob, Link
from pipeline.text.names import clean_file_name

OTHER_FIELDS = 8
"""How many fields of a form may be something else than files."""
_BROKEN_FORM = (ValueError, LookupError, RuntimeError, HttpProcessingError, RequestPayloadError)
"""What aiohttp raises for forms that it cannot read."""


@dataclass(frozen=True, slots=True)
class MessageBody:
    """What a caller writes and sends. `thread` is empty for a new conversation."""

    text: str
    thread: str
    files: Sequence[Blob | Link]


class _Attachment(BaseModel):
    """A file in JSON: its bytes or its address."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    data_base64: str | None = None
    url: Annotated[str, StringConstraints(max_length=4000)] | None = None


class JsonBody(BaseModel):
    """A message in JSON."""

    model_config = ConfigDict(extra="forbid")

    text: str = ""
    thread: str | None = None
    attachments: list[_Attachment] = []


async def read_message(request: web.Request, options: WebOptions) -> MessageBody:
    """The message in a request. Raises Refused with a sentence for whatever is wrong."""
    if (request.content_length or 0) > options.max_body:
        raise web.HTTPRequestEntityTooLarge(options.max_body)
    async with asyncio.timeout(options.body_seconds):
        if request.content_type == "multipart/form-data":
            body = await _read_form(request, options)
        elif request.content_type == "application/json":
            body = await asyncio.to_thread(_parse_json, await request.read())
        else:
            raise Refused(415, "web-wrong-media-type", media_type=request.content_type)
    _check(body, options)
    return body


def _check(body: MessageBody, options: WebOptions) -> None:
    if len(body.files) > options.max_files:
        raise Refused(400, "web-too-many-files", limit=options.max_files)
    for file in body.files:
        if isinstance(file, Blob) and not file.data:
            raise Refused(400, "web-file-empty", name=file.name)
        if isinstance(file, Blob) and len(file.data) > options.max_file:
            limit = options.max_file // MEBI
            raise Refused(413, "web-file-too-large", name=file.name, limit=limit)
    if len(body.text) > options.max_text:
        raise Refused(413, "web-text-too-long", limit=options.max_text)
    if not body.text.strip() and not body.files:
        raise Refused(400, "web-empty")


def _parse_json(raw: bytes) -> MessageBody:
    try:
        body = JsonBody.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        if not where:
            raise Refused(400, "web-bad-json", problem=first["msg"]) from error
        raise Refused(400, "web-bad-shape", where=where, problem=first["msg"]) from error
    files = [_parse_attachment(file, number) for number, file in enumerate(body.attachments, 1)]
    return MessageBody(body.text, body.thread or "", files)


def _parse_attachment(file: _Attachment, number: int) -> Blob | Link:
    name = clean_file_name(file.name, f"file {number}")
    if file.url is not None and file.data_base64 is None:
        return _parse_link(file.url, file.name)
    if file.data_base64 is None or file.url is not None:
        raise Refused(400, "web-two-sources", name=name)
    encoded = file.data_base64
    if encoded.startswith("data:"):
        encoded = encoded.partition(",")[2]
    try:
        return Blob(base64.b64decode("".join(encoded.split()), validate=True), "", name)
    except (binascii.Error, ValueError) as error:
        raise Refused(400, "web-bad-base64", name=name) from error


def _parse_link(url: str, name: str) -> Link:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise Refused(400, "web-bad-address", url=url[:200]) from error
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Refused(400, "web-bad-address", url=url[:200])
    return Link(url, clean_file_name(name or unquote(parts.path), "file"))


async def _read_form(request: web.Request, options: WebOptions) -> MessageBody:
    """The size of the form and the number of its fields are bounded while they come."""
    try:
        form = await request.post()
    except web.HTTPRequestEntityTooLarge as error:
        if request.content.total_bytes > options.max_body:
            raise
        raise Refused(400, "web-too-many-files", limit=options.max_files) from error
    except _BROKEN_FORM as error:
        raise Refused(400, "web-bad-form", problem=str(error)[:200]) from error
    files: list[Blob | Link] = []
    for field in form.values():
        if isinstance(field, web.FileField):
            name = clean_file_name(field.filename, f"file {len(files) + 1}")
            files.append(Blob(await asyncio.to_thread(field.file.read), "", name))
    words = {name: field for name, field in form.items() if isinstance(field, str)}
    text = words.get("text", "").replace("\r\n", "\n")  # browsers send line ends so
    return MessageBody(text, words.get("thread", ""), files)
