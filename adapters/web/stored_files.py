"""Serves stored files: shown if that is harmless, else downloaded."""

import codecs
import re
from urllib.parse import quote

from aiohttp import web

from adapters.web import sessions
from adapters.web.operations import Operation, declare
from adapters.web.options import STATE, Refused
from adapters.web.ranges import Ranged, send_range
from adapters.web.run_logs import PLATFORM
from pipeline.domain import FileHash, RunId
from pipeline.text.names import clean_file_name, sniff

_HEAD = 8192
"""Bytes by which a file's type is told."""
_FAMILIES = frozenset({"image", "audio", "video"})
_DOWNLOAD = "application/octet-stream"
_ASK_AGAIN = "private, no-cache"
"""Browsers may keep a file, but ask us each time before they show it."""
_SHARE = re.compile(r"share ([0-9a-f]{32}) (.+)")
"""`name_share`; the id of a run has no blanks."""
_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'"
"""Nothing in a file can run or reach anything, nor have a style: what shows it needs none."""
_SANDBOX = f"{_POLICY}; sandbox"
_UNBOXED = ("audio/", "video/", "application/pdf")
"""Types that a browser does not play or show in a sandbox, and that run nothing without one."""


@declare(Operation(gives={200: "*/*", 206: "*/*", 302: None, 304: None, 416: None}))
async def serve_file(request: web.Request) -> web.StreamResponse:
    """GET /files/{hash}/{name}: a file of the caller's conversations, or the range asked for."""
    file = FileHash(request.match_info["hash"])
    if not await may_have(request, file):
        raise Refused(404, "web-unknown-file")
    return await respond_with_file(request, file)


async def respond_with_file(request: web.Request, file: FileHash) -> web.StreamResponse:
    """A file, under the name in the address of a request. Raises Refused if it is gone."""
    files = request.app[STATE].ports.files
    try:
        head = b"".join([piece async for piece in files.stream(file, 0, _HEAD)])
    except KeyError as error:
        raise Refused(404, "web-unknown-file") from error
    media_type = sniff_media_type(head)
    disposition = _disposition(media_type, request.match_info["name"])
    if _may_leave(request) and (link := await files.sign(file, media_type, disposition)):
        headers = {"Location": link, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        return web.Response(status=302, headers=headers)
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "Content-Security-Policy": _POLICY if media_type.startswith(_UNBOXED) else _SANDBOX,
        "Cache-Control": _ASK_AGAIN,
    }
    if path := files.local_path(file):
        return web.FileResponse(path, headers=headers)  # the system itself sends it: sendfile
    try:
        size = await files.size(file)
    except KeyError as error:
        raise Refused(404, "web-unknown-file") from error
    return await send_range(request, headers, Ranged(files, file, size))


def _may_leave(request: web.Request) -> bool:
    """Whether a browser opens or saves the file, and may follow a link to the store.

    What a page shows or fetches must come from us, by its policy. Other programs get it from us,
    too: they need not know of redirects.
    """
    wanted = request.headers.get("Sec-Fetch-Dest", "")
    return request.method == "GET" and wanted == "document" and "Range" not in request.headers


async def check_file(request: web.Request, file: FileHash) -> None:
    """Raises Refused if the caller may not see a file, or it is gone."""
    if not await may_have(request, file):
        raise Refused(404, "web-unknown-file")
    try:
        await request.app[STATE].ports.files.size(file)
    except KeyError as error:
        raise Refused(404, "web-unknown-file") from error


async def may_have(request: web.Request, file: FileHash) -> bool:
    """Whether the caller has seen the file, or has a link to it that we signed."""
    store, linked_by = request.app[STATE].ports.store, request.get(sessions.LINKED_RUN)
    if linked_by is not None and (shared := _SHARE.fullmatch(linked_by)):
        is_on, share = request.app[STATE].options.sharing, await store.find_share(shared[1])
        run = RunId(shared[2])
        is_shown = is_on and share is not None and run in share.runs
        return is_shown and await store.is_file_of(run, file)
    if linked_by is not None:
        return await store.is_file_of(RunId(linked_by), file)
    person = f"{PLATFORM}:{sessions.find_person(request).id}"
    return request.get(sessions.HOLDS_TOKEN, False) or await store.is_shown_file(person, file)


def name_share(mark: str, run: RunId) -> str:
    """What the link to a file of a share is bound to: the share, and the run with the file."""
    return f"share {mark} {run}"


def sniff_media_type(head: bytes) -> str:
    """The media type to serve a file with, by its first bytes alone.

    A file that could run code in a browser is served as a download.
    """
    if media_type := sniff(head):
        is_shown = media_type.partition("/")[0] in _FAMILIES or media_type == "application/pdf"
        return media_type if is_shown else _DOWNLOAD
    return "text/plain; charset=utf-8" if _is_plain_text(head) else _DOWNLOAD


def _is_plain_text(head: bytes) -> bool:
    """Whether this is UTF-8 text, but not HTML or XML."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < _HEAD)
    except UnicodeDecodeError:
        return False
    return "\0" not in text and not text.lstrip("\ufeff \t\r\n").startswith("<")


def _disposition(media_type: str, name: str) -> str:
    kind = "attachment" if media_type == _DOWNLOAD else "inline"
    safe = clean_file_name(name)
    ascii_name = re.sub(r"[^A-Za-z0-9 ._-]", "_", safe)
    return f"{kind}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(safe, safe='')}"
