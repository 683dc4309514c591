"""A conversation to keep: as one HTML file with its media inside, or as Markdown with its media."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Literal
from urllib.parse import quote

from aiohttp import web
from pydantic import BaseModel, Field

from adapters.web import sessions
from adapters.web.history import find_listed
from adapters.web.inputs import read_query
from adapters.web.operations import Operation, declare
from adapters.web.options import STATE, WebState
from adapters.web.pages import FOLDER
from adapters.web.sharing import find_ended_runs
from adapters.web.streams import send_body
from adapters.web.transcript import Passage, read_passages
from adapters.web.transcript_html import EmbeddedFile, PageFrame, Part, format_moment, render_page
from adapters.web.transcript_markdown import write_heading, write_passage
from adapters.web.zip_stream import ZipMember, stream_zip
from pipeline.domain import Attachment, FileHash, LocalizedText, RunId
from pipeline.ports import Files
from pipeline.text.names import clean_file_name, make_unique, slugify
from pipeline.words import say

_MOST_RUNS = 2000
"""The newest of a conversation."""
_MOST_EMBEDDED = 100_000_000
"""Bytes of all files in one HTML file; the rest is named."""
_ENCODED_AT_ONCE = 3 << 16
"""Bytes that are encoded at once; a multiple of three."""


class ExportQuery(BaseModel):
    """As what, and which branch: the one that leads through a run."""

    format: Annotated[
        Literal["html", "markdown"],
        Field(description="One HTML file, or a zip with conversation.md and its media."),
    ] = "html"
    at: Annotated[str, Field(max_length=200)] = ""


@declare(Operation(gives={200: "text/html, application/zip"}, query=ExportQuery))
async def export_thread(request: web.Request) -> web.StreamResponse:
    """GET /api/threads/{thread}/export: a conversation with its media, models, licences, times."""
    state, listed = request.app[STATE], await find_listed(request)
    asked, locale = read_query(request, ExportQuery), sessions.read_locale(request)
    runs = (await find_ended_runs(state, listed.thread, asked.at))[-_MOST_RUNS:]
    passages = read_passages(state.ports.store, runs)
    about = LocalizedText("transcript-exported", {"made": format_moment(datetime.now(UTC))})
    frame = PageFrame(heading=listed.title, about=say(locale, about), style="", locale=locale)
    if asked.format == "html":
        pieces, ending = _write_html(state, frame, passages), "html"
    else:
        pieces, ending = _write_zip(state, frame, passages), "zip"
    name = slugify(listed.title) or "conversation"
    headers = {
        "Content-Type": "text/html; charset=utf-8" if ending == "html" else "application/zip",
        "Content-Disposition": f'attachment; filename="{name}.{ending}"',
        "Cache-Control": "no-store",
        "Content-Security-Policy": "sandbox",
    }
    return await send_body(request, headers, pieces)


async def _write_html(
    state: WebState, frame: PageFrame, passages: AsyncIterator[Passage]
) -> AsyncIterator[bytes]:
    style = (FOLDER / "shared.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; media-src data:"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>'
    left, sizes = _MOST_EMBEDDED, dict[FileHash, int]()

    def place_file(file: Attachment, _run: RunId) -> Part:
        nonlocal left
        size = sizes.get(file.hash, left + 1)
        if size > left:
            return ""
        left -= size
        return EmbeddedFile(file.hash, file.media_type)

    passages = _note_sizes(passages, state.ports.files, sizes)
    async for part in render_page(replace(frame, style=head), passages, place_file, state.turns):
        if isinstance(part, str):
            yield part.encode(errors="replace")
        else:
            async for piece in _encode(part, state.ports.files):
                yield piece


async def _note_sizes(
    passages: AsyncIterator[Passage], files: Files, sizes: dict[FileHash, int]
) -> AsyncIterator[Passage]:
    """The same passages. Before one comes, `sizes` has those of its files that are there."""
    async for passage in passages:
        for file in (*passage.sent, *(made.attachment for made in passage.made)):
            if file.hash not in sizes:
                with suppress(KeyError):
                    sizes[file.hash] = await files.size(file.hash)
        yield passage


async def _encode(file: EmbeddedFile, files: Files) -> AsyncIterator[bytes]:
    """A data URI. All but pictures, sounds and films have a type that no browser runs."""
    yield f"data:{file.shown_type};base64,".encode()
    rest = b""
    async for piece in files.stream(file.hash):
        rest += piece
        if (whole := len(rest) // _ENCODED_AT_ONCE * _ENCODED_AT_ONCE) > 0:
            yield base64.b64encode(rest[:whole])
            rest = rest[whole:]
    yield base64.b64encode(rest)


async def _write_zip(
    state: WebState, frame: PageFrame, passages: AsyncIterator[Passage]
) -> AsyncIterator[bytes]:
    members: dict[FileHash, ZipMember] = {}
    taken, sizes = set[str](), dict[FileHash, int]()

    def name_file(file: Attachment) -> str:
        if file.hash not in members:
            if file.hash not in sizes:
                return ""
            name = make_unique(clean_file_name(file.name), taken)
            taken.add(name.casefold())
            members[file.hash] = ZipMember(f"media/{name}", file.hash)
        return quote(members[file.hash].name)

    texts = [write_heading(frame.heading, frame.about)]
    texts += [
        await asyncio.to_thread(write_passage, passage, frame.locale, name_file)
        async for passage in _note_sizes(passages, state.ports.files, sizes)
    ]
    whole = "".join(texts).encode(errors="replace")
    contents = (ZipMember("conversation.md", whole), *members.values())
    async for piece in stream_zip(contents, state.ports.files):
        yield piece
