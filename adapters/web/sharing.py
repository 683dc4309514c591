"""Conversations that a person shares: a page for whoever has the link, until it ends."""

import re
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from adapters.chat.links import Signer
from adapters.web import sessions
from adapters.web.history import find_listed
from adapters.web.inputs import read_model
from adapters.web.operations import Operation, declare, gives
from adapters.web.options import STATE, Refused, WebState
from adapters.web.stored_files import name_share
from adapters.web.streams import send_body
from adapters.web.task_schemas import make_address
from adapters.web.transcript import Passage, read_passages
from adapters.web.transcript_html import EmbeddedFile, PageFrame, Part, format_moment, render_page
from adapters.web.urls import make_url
from pipeline.domain import Attachment, LocalizedText, RunId, Thread
from pipeline.ports import Share, make_mark
from pipeline.words import say

_MOST_SHARES = 100
"""Of one conversation at a time."""
_MOST_RUNS = 500
"""Of one share: the newest."""
_MAX_WISH = 4096
"""Bytes of a request for a share."""
_ID = re.compile(r"[A-Za-z0-9_-]{22,64}")
_STYLE = (
    '<link rel="icon" href="/page/icon.svg" type="image/svg+xml">\n'
    '<link rel="stylesheet" href="/page/shared.css">'
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
}


class ShareWish(BaseModel):
    """For how many days, and which branch: the one that leads through a run."""

    model_config = ConfigDict(extra="forbid")

    days: Annotated[int, Field(ge=1, le=90)] = 7
    at: Annotated[str, Field(max_length=200)] = ""


class ShareBody(TypedDict):
    """A link under which everybody can read a conversation as it was then."""

    share: str
    url: str
    at: str
    """When it was made (ISO 8601)."""
    expires: str


class ShareList(TypedDict):
    """The links of a conversation that have not ended."""

    shares: list[ShareBody]


@gives(ShareBody, status=201, takes=ShareWish)
async def share_thread(request: web.Request) -> web.Response:
    """POST /api/threads/{thread}/shares: make a link under which everybody can read it.

    It shows the conversation as it is now, not what is said later.
    """
    state, listed = request.app[STATE], await find_listed(request)
    _require_sharing(state)
    wish = await read_model(request, ShareWish, _MAX_WISH)
    runs = await find_ended_runs(state, listed.thread, wish.at)
    if not runs:
        raise Refused(409, "web-nothing-to-share")
    if len(await state.ports.store.list_shares(listed.thread)) >= _MOST_SHARES:
        raise Refused(429, "web-too-many-shares", limit=_MOST_SHARES)
    now = datetime.now(UTC).replace(microsecond=0)
    share = Share(
        id=secrets.token_urlsafe(24),
        thread=listed.thread,
        person=sessions.find_person(request).id,
        runs=tuple(runs[-_MOST_RUNS:]),
        made_at=now,
        expires=now + timedelta(days=wish.days),
        title=listed.title,
    )
    await state.ports.store.add_share(share)
    return web.json_response(_serialize(request, share), status=201)


@gives(ShareList)
async def list_shares(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}/shares: the links of a conversation that have not ended."""
    state, listed = request.app[STATE], await find_listed(request)
    _require_sharing(state)
    shares = await state.ports.store.list_shares(listed.thread)
    return web.json_response(ShareList(shares=[_serialize(request, each) for each in shares]))


@declare(Operation(gives={204: None}))
async def end_share(request: web.Request) -> web.Response:
    """DELETE /api/shares/{share}: end a link; its page and files are gone at once."""
    store, share = request.app[STATE].ports.store, await _find_share(request)
    if share is None or not sessions.may_see(sessions.find_person(request), share.thread):
        raise Refused(404, "web-unknown-share")
    await store.end_share(share.mark)
    return web.Response(status=204)


async def show_share(request: web.Request) -> web.StreamResponse:
    """GET /shared/{share}: a conversation that was shared, to read."""
    state, locale = request.app[STATE], sessions.read_locale(request)
    share, signer = await _find_share(request), state.options.signer
    if share is None or signer is None or not state.options.sharing:
        return await _show_end(request)
    made, until = format_moment(share.made_at), format_moment(share.expires)
    about = LocalizedText("transcript-shared", {"made": made, "until": until})
    frame = PageFrame(heading=share.title, about=say(locale, about), style=_STYLE, locale=locale)
    passages = read_passages(state.ports.store, share.runs)

    def place_file(file: Attachment, run: RunId) -> str:
        return _sign(signer, file, share, run)

    headers = {**_HEADERS, "Content-Type": "text/html; charset=utf-8"}
    parts = render_page(frame, passages, place_file, state.turns)
    return await send_body(request, headers, _encode(parts))


async def _encode(parts: AsyncIterator[Part]) -> AsyncIterator[bytes]:
    async for part in parts:
        assert not isinstance(part, EmbeddedFile)
        yield part.encode(errors="replace")


async def _show_end(request: web.Request) -> web.Response:
    """A page that says that the link has ended; nobody learns whether it ever was one."""
    locale = sessions.read_locale(request)
    about = say(locale, LocalizedText("web-unknown-share"))
    frame = PageFrame(heading="Troupe", about=about, style=_STYLE, locale=locale)
    turns = request.app[STATE].turns
    parts = [part async for part in render_page(frame, _no_passages(), lambda *_: "", turns)]
    text = "".join(part for part in parts if isinstance(part, str))
    return web.Response(text=text, status=404, content_type="text/html", headers=_HEADERS)


async def _no_passages() -> AsyncIterator[Passage]:
    nothing: tuple[Passage, ...] = ()
    for passage in nothing:
        yield passage


async def find_ended_runs(state: WebState, thread: Thread, at: str) -> list[RunId]:
    """The runs of a branch that are over, oldest first. Raises Refused for an unknown run."""
    branches = await state.ports.store.branches(thread)
    if at and branches.find(at) is None:
        raise Refused(404, "web-unknown-run")
    return [each.run for each in branches.find_path(at) if not each.is_open]


def _require_sharing(state: WebState) -> None:
    if not state.options.can_share:
        raise Refused(403, "web-sharing-off")


async def _find_share(request: web.Request) -> Share | None:
    id_ = request.match_info["share"]
    if _ID.fullmatch(id_) is None:
        return None
    return await request.app[STATE].ports.store.find_share(make_mark(id_))


def _sign(signer: Signer, file: Attachment, share: Share, run: RunId) -> str:
    """An address of a file that is good as long as the share is."""
    query = signer.sign(file.hash, name_share(share.mark, run), share.expires)
    return f"{make_address(file)}?{query}"


def _serialize(request: web.Request, share: Share) -> ShareBody:
    return {
        "share": share.id,
        "url": make_url(request, f"/shared/{share.id}"),
        "at": share.made_at.isoformat(),
        "expires": share.expires.isoformat(),
    }
