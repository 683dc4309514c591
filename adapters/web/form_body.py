"""A message as a form, read as it comes."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated
from urllib.parse import unquote

from aiohttp import web
from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header
from pydantic import BaseModel, Field, WithJsonSchema

from adapters.bounds import Spool, receive, spool
from adapters.web.message_body import (
    AFTER,
    KEEP,
    THREAD,
    MessageBody,
    UploadedFile,
    check_size,
    read_address,
)
from adapters.web.options import Refused, WebOptions
from pipeline.domain import Link
from pipeline.text.names import clean_file_name

_OTHER_PARTS = 8
"""Parts of a form that need not be files, at most."""
_EXTENDED_NAME = re.compile(r";\s*filename\*=([\w-]+)'[\w-]*'([^;\s]+)", re.ASCII)
"""A file's name as RFC 5987 writes it; some clients send it beside or instead of the plain one."""
_PLAIN = frozenset({"7bit", "8bit", "binary"})


class FormFields(BaseModel):
    """A message as a form. Each part with a file name is a file, whatever the part is called."""

    text: str = ""
    thread: Annotated[str, Field(max_length=100, description=THREAD)] = ""
    after: Annotated[str, Field(max_length=100, description=AFTER)] | None = None
    keep: Annotated[list[str], Field(description=KEEP)] = []
    file: list[Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})]] = []


async def read_form(request: web.Request, options: WebOptions, spools: ExitStack) -> MessageBody:
    """Read a form as it comes."""
    form = _Form(options, spools)
    _, arguments = parse_options_header(request.headers["Content-Type"])
    try:
        parser = PushMultipartParser(arguments.get("boundary", ""), strict=True)
        async for piece in receive(request, options.max_body, seconds=options.body_seconds):
            for event in () if parser.closed else parser.parse(piece):
                if isinstance(event, MultipartSegment):
                    form.begin_part(event)
                elif event:  # None ends a part
                    await form.add(event)
        parser.close()
        text = await form.read_text("text")
        after = await form.read_text("after") if form.has("after") else None
        files: list[UploadedFile | Link] = [*await form.read_kept(), *form.files]
        thread = await form.read_text("thread")
        return MessageBody(text.replace("\r\n", "\n"), thread, files, after)
    except (MultipartError, ValueError, LookupError) as error:
        raise Refused(400, "web-bad-form", problem=str(error)[:200]) from error


class _Form:
    """The parts of a form so far."""

    def __init__(self, options: WebOptions, spools: ExitStack) -> None:
        self.files: list[UploadedFile] = []
        self._options, self._spools = options, spools
        self._fields: dict[str, tuple[Spool, str]] = {}
        """By name: content and charset."""
        self._kept: list[tuple[Spool, str]] = []
        """The addresses of files to send again."""
        self._count = 0
        self._part: UploadedFile | Spool = spools.enter_context(spool())

    def begin_part(self, segment: MultipartSegment) -> None:
        """Raises Refused for one part too many, ValueError for one that is encoded."""
        self._count += 1
        name = _read_file_name(segment)
        is_too_much = self._count > self._options.max_files + _OTHER_PARTS
        if is_too_much or (name and len(self.files) >= self._options.max_files):
            raise Refused(400, "web-too-many-files", limit=self._options.max_files)
        encoding = segment.header("Content-Transfer-Encoding", "binary").strip().lower()
        if encoding not in _PLAIN or segment.header("Content-Encoding"):
            raise ValueError("encoded part")
        content = self._spools.enter_context(spool())
        if name:
            self._part = UploadedFile(clean_file_name(name, f"file {len(self.files) + 1}"), content)
            self.files.append(self._part)
        else:
            self._part = content
            field = content, segment.charset or "utf-8"
            self._fields[segment.name or ""] = field
            self._kept += [field] if segment.name == "keep" else []

    async def add(self, piece: bytes) -> None:
        """Add to the part begun last. Raises Refused if it is too large."""
        if isinstance(self._part, UploadedFile):
            await self._part.content.write(piece)
            check_size(self._part, self._options)
        else:
            await self._part.write(piece)
            if self._part.size > 4 * self._options.max_text:  # bytes of UTF-8
                raise Refused(413, "web-text-too-long", limit=self._options.max_text)

    async def read_text(self, name: str) -> str:
        """A field, "" if there is none. Raises UnicodeDecodeError, LookupError."""
        if name not in self._fields:
            return ""
        content, charset = self._fields[name]
        return (await content.read()).decode(charset)

    def has(self, name: str) -> bool:
        return name in self._fields

    async def read_kept(self) -> Sequence[Link]:
        """The files to send again. Raises UnicodeDecodeError, LookupError, Refused."""
        links = []
        for content, charset in self._kept:
            link = read_address((await content.read()).decode(charset))
            if link is None:
                raise Refused(404, "web-unknown-file")
            links.append(link)
        return links


def _read_file_name(segment: MultipartSegment) -> str:
    """The name of a part that is a file, else "". Raises LookupError for an unknown charset."""
    if extended := _EXTENDED_NAME.search(segment.header("Content-Disposition", "")):
        charset, name = extended.groups()
        return unquote(name, charset, "replace")
    return segment.filename or ""
