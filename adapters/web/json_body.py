"""A message as JSON: files are cut out and decoded before the rest is parsed."""

import asyncio
import binascii
import re
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated
from urllib.parse import unquote

from aiohttp import web
from pydantic import (
    AnyHttpUrl,
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    UrlConstraints,
    ValidationError,
    WithJsonSchema,
)

from adapters.bounds import Spool, receive_whole, spool
from adapters.web.inputs import explain_misfit
from adapters.web.message_body import (
    AFTER,
    LONGEST_STORED,
    STORED_PATTERN,
    THREAD,
    MessageBody,
    UploadedFile,
    read_address,
)
from adapters.web.options import Refused, WebOptions, WebState
from pipeline.domain import Link
from pipeline.text.names import clean_file_name

_SMALL = 4 << 10
"""Bytes; less is parsed sooner than a thread is called."""
_MOST_ESCAPED = 12
"""Bytes of JSON that one character of a text may take."""
_MAX_NAMES = 1 << 17
"""Bytes of JSON for all but texts and files: names and addresses."""
_SIGNS = (b'"', b",", b":", b"[", b"{")
_MOST_SIGNS = 2000
"""The signs of JSON besides those in the longest text."""
_SLICE = 1 << 18
"""Bytes that are searched or decoded at once; the event loop may have to wait so long."""
_DATA = re.compile(rb'"data_base64"[ \t\r\n]{0,99}:[ \t\r\n]{0,99}"')
_URL_SAFE = bytes.maketrans(b"-_", b"+/")


class Attachment(BaseModel):
    """A file in JSON: its bytes or its address."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=1000)] = ""
    data_base64: Annotated[str, WithJsonSchema({"type": "string", "format": "base64"})] | None = (
        None
    )
    url: (
        Annotated[AnyHttpUrl, UrlConstraints(max_length=4000)]
        | Annotated[str, Field(pattern=f"^{STORED_PATTERN}$", max_length=LONGEST_STORED)]
        | None
    ) = None


class JsonBody(BaseModel):
    """A message in JSON. When it is read, files are numbers of what was cut out of it."""

    model_config = ConfigDict(extra="forbid")

    text: str = ""
    thread: Annotated[str, Field(max_length=100, description=THREAD)] | None = None
    after: Annotated[str, Field(max_length=100, description=AFTER)] | None = None
    attachments: Annotated[list[Attachment], FailFast(), Field(max_length=100)] = []


async def read_json(request: web.Request, state: WebState, spools: ExitStack) -> MessageBody:
    """Read a body of JSON; its files are in `spools`. Raises Refused, and what `receive` raises."""
    options = state.options
    whole = receive_whole(request, options.max_body, seconds=options.body_seconds)
    async with whole as content, state.memory.hold(content) as raw:
        if len(raw) < _SMALL:
            return _parse_json(raw, options, spools)
        return await asyncio.to_thread(_parse_json, raw, options, spools)


def _parse_json(raw: bytes, options: WebOptions, spools: ExitStack) -> MessageBody:
    """Parse what is not a file, and decode the files, slice by slice."""
    small, spans = _cut_out_files(raw, options)
    # A parser makes a value of each of these signs, unless they are part of a text.
    if sum(map(small.count, _SIGNS)) > options.max_text + _MOST_SIGNS:
        raise Refused(413, "web-body-too-large", limit=0)
    message = _validate(small)
    if len(message.attachments) > options.max_files:
        raise Refused(400, "web-too-many-files", limit=options.max_files)
    files: list[UploadedFile | Link] = []
    for number, file in enumerate(message.attachments, 1):
        name = clean_file_name(file.name, f"file {number}")
        match file.data_base64, file.url:
            case str(index), None:
                content = spools.enter_context(spool())
                try:
                    _decode(raw, *spans[int(index)], content)
                except (ValueError, LookupError) as error:
                    where, problem = f"attachments.{number - 1}.data_base64", "Not valid base64"
                    raise Refused(400, "web-bad-shape", where=where, problem=problem) from error
                files.append(UploadedFile(name, content))
            case None, AnyHttpUrl() as url:
                name = clean_file_name(file.name or unquote(url.path or ""))
                files.append(Link(str(url), name))
            case None, str(address) if stored := read_address(address, file.name):
                files.append(stored)
            case _:
                raise Refused(400, "web-two-sources", name=name)
    return MessageBody(message.text, message.thread or "", files, message.after)


def _validate(small: bytes) -> JsonBody:
    try:
        return JsonBody.model_validate_json(small)
    except ValidationError as error:
        raise explain_misfit(error) from error


def _cut_out_files(raw: bytes, options: WebOptions) -> tuple[bytes, Sequence[tuple[int, int]]]:
    """JSON with a number in place of each file's base64, and where that stands in `raw`.

    A parser would hold the interpreter for as long as it reads: 0.2 s for a file of 50 MB. In JSON,
    an unescaped quotation mark never stands within a string, so that the key is always a key.
    Raises Refused if too many files are cut out, or if too much remains.
    """
    most = options.max_text * _MOST_ESCAPED + _MAX_NAMES
    small, spans, start = bytearray(), list[tuple[int, int]](), 0
    while len(small) <= most and (found := _DATA.search(raw, start, start + most)):
        begin = found.end()
        end = _find_quote(raw, begin)
        small += raw[start:begin]
        small += b"%d" % len(spans)
        spans.append((begin, end))
        start = end
        if len(spans) > options.max_files:
            raise Refused(400, "web-too-many-files", limit=options.max_files)
    if len(small) + len(raw) - start > most:
        raise Refused(413, "web-body-too-large", limit=0)
    return bytes(small) + raw[start:], spans


def _find_quote(raw: bytes, start: int) -> int:
    """Where the next quotation mark is, else the end."""
    for begin in range(start, len(raw), _SLICE):
        if (found := raw.find(b'"', begin, begin + _SLICE)) >= 0:
            return found
    return len(raw)


def _decode(raw: bytes, start: int, end: int, content: Spool) -> None:
    """Decode base64, of either alphabet and with "/" escaped or not. Raises ValueError."""
    rest = b""
    for begin in range(start, end, _SLICE):
        piece = rest + raw[begin : min(begin + _SLICE, end)]
        piece = piece.replace(b"\\/", b"/").translate(_URL_SAFE)
        whole = 0 if b"\\" in piece or b"=" in piece else len(piece) // 4 * 4
        rest = piece[whole:]
        if len(rest) > 2 * _SLICE:
            raise ValueError("not base64")
        content.add(binascii.a2b_base64(piece[:whole], strict_mode=True))
    content.add(binascii.a2b_base64(rest + b"=" * (-len(rest) % 4), strict_mode=True))
