"""The body of a POST: text and files, as JSON or as a form, parsed once into values."""

import asyncio
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import unquote

from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.web import RequestPayloadError
from pydantic import AnyHttpUrl, BaseModel, ConfigDict, FailFast, UrlConstraints, ValidationError

from adapters.web.options import MEBI, Refused, WebOptions
from pipeline.domain import Blob, Link
from pipeline.text.names import clean_file_name

OTHER_FIELDS = 8
"""Form fields that need not be files, at most."""
_BROKEN_FORM = (ValueError, LookupError, RuntimeError, HttpProcessingError, RequestPayloadError)
"""What aiohttp raises for malformed forms."""
_SMALL = 4 << 10
"""Bytes; less is parsed sooner than a thread is called."""


Body = tuple[str, str, Sequence[Blob | Link]]
"""Text, conversation ("" for a new one) and files of a message."""


class _Attachment(BaseModel):
    """A file in JSON: its bytes or its address."""

    model_config = ConfigDict(extra="forbid", val_json_bytes="base64")

    name: str = ""
    data_base64: bytes | None = None
    url: Annotated[AnyHttpUrl, UrlConstraints(max_length=4000)] | None = None

    def read(self, number: int) -> Blob | Link:
        """The file; `number` names one without a name. Raises Refused."""
        name = clean_file_name(self.name, f"file {number}")
        match self.data_base64, self.url:
            case bytes(data), None:
                return Blob(data, "", name)
            case None, AnyHttpUrl() as url:
                return Link(str(url), clean_file_name(self.name or unquote(url.path or "")))
            case _:
                raise Refused(400, "web-two-sources", name=name)


class JsonBody(BaseModel):
    """A message in JSON."""

    model_config = ConfigDict(extra="forbid")

    text: str = ""
    thread: str | None = None
    attachments: Annotated[list[_Attachment], FailFast()] = []


async def read_message(request: web.Request, options: WebOptions) -> Body:
    """The message in a request. Raises Refused if it is malformed or over a limit."""
    if (request.content_length or 0) > options.max_body:
        raise web.HTTPRequestEntityTooLarge(options.max_body)
    async with asyncio.timeout(options.body_seconds):
        if request.content_type == "multipart/form-data":
            text, thread, files = await _read_form(request, options)
        elif request.content_type == "application/json":
            raw = await request.read()
            is_small = len(raw) < _SMALL
            text, thread, files = (
                _parse_json(raw) if is_small else await asyncio.to_thread(_parse_json, raw)
            )
        else:
            raise Refused(415, "web-wrong-media-type", media_type=request.content_type)
    _check_files(files, options)
    if len(text) > options.max_text:
        raise Refused(413, "web-text-too-long", limit=options.max_text)
    if not text.strip() and not files:
        raise Refused(400, "web-empty")
    return text, thread, files


def _check_files(files: Sequence[Blob | Link], options: WebOptions) -> None:
    if len(files) > options.max_files:
        raise Refused(400, "web-too-many-files", limit=options.max_files)
    for file in files:
        if isinstance(file, Blob) and not file.data:
            raise Refused(400, "web-file-empty", name=file.name)
        if isinstance(file, Blob) and len(file.data) > options.max_file:
            limit = options.max_file // MEBI
            raise Refused(413, "web-file-too-large", name=file.name, limit=limit)


def _parse_json(raw: bytes) -> Body:
    try:
        body = JsonBody.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "$"
        message = "web-bad-json" if first["type"] == "json_invalid" else "web-bad-shape"
        raise Refused(400, message, where=where, problem=first["msg"]) from error
    files = [file.read(number) for number, file in enumerate(body.attachments, 1)]
    return body.text, body.thread or "", files


async def _read_form(request: web.Request, options: WebOptions) -> Body:
    """Read a form; aiohttp limits its size and the number of its fields."""
    try:
        form = await request.post()
    except web.HTTPRequestEntityTooLarge as error:
        if request.content.total_bytes > options.max_body:
            raise
        raise Refused(400, "web-too-many-files", limit=options.max_files) from error
    except _BROKEN_FORM as error:
        raise Refused(400, "web-bad-form", problem=str(error)[:200]) from error
    uploads = [field for field in form.values() if isinstance(field, web.FileField)]
    files = [
        Blob(
            await asyncio.to_thread(field.file.read),
            "",
            clean_file_name(field.filename, f"file {number}"),
        )
        for number, field in enumerate(uploads, 1)
    ]
    fields = {name: field for name, field in form.items() if isinstance(field, str)}
    text = fields.get("text", "").replace("\r\n", "\n")  # browsers send CRLF
    return text, fields.get("thread", ""), files
