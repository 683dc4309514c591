"""The routes of the owner's pages. None answers anybody else."""

import asyncio
import re
from functools import wraps

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.web import sessions
from adapters.web import shapes as web_shapes
from adapters.web.inputs import read_model, read_query
from adapters.web.operations import Operation, declare, gives
from adapters.web.options import STATE, Refused
from adapters.web.owner import shapes
from adapters.web.owner.ports import OwnerPorts, SettingRefused
from adapters.web.owner.serialization import (
    find_thread,
    open_files,
    serialize_channel,
    serialize_checkup,
    serialize_details,
    serialize_listed,
    serialize_storage,
)
from adapters.web.run_logs import replay
from adapters.web.step_details import serialize_step
from adapters.web.stored_files import respond_with_file
from pipeline.domain import FileHash
from pipeline.ports import ListedRun, RunFilter

_REFERENCE = re.compile(r"[0-9a-zA-Z-]{4,64}")
"""The id of a run, or its beginning, or the reference of a failed request."""
_PAGING = frozenset({"after", "limit"})
"""Fields of the query that are no filters."""


def _for_owner(handler: Handler) -> Handler:
    """The handler, which refuses everybody but the owner, and whose responses nobody keeps."""

    @wraps(handler)
    async def answer(request: web.Request) -> web.StreamResponse:
        sessions.check_owner(request)
        response = await handler(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer


def _find_ports(request: web.Request) -> OwnerPorts:
    """The ports of these pages. Raises HTTPNotFound where there are none."""
    ports = request.app[STATE].ports.owner
    if ports is None:
        raise web.HTTPNotFound
    return ports


@gives(shapes.OwnerStatus, query=shapes.StatusQuery)
async def owner_status(request: web.Request) -> web.Response:
    """GET /api/owner/status: what `troupe status` shows: what goes on, waits, and ended."""
    since = read_query(request, shapes.StatusQuery).since
    try:
        return web.json_response(await _find_ports(request).administration.status(since))
    except (ValueError, OverflowError) as error:
        problem = "Say 6h, 30m, 2d, 18:00 or 2026-11-29T18:00."
        raise Refused(400, "web-bad-query", where="since", problem=problem) from error


@gives(shapes.Checkup)
async def last_checkup(request: web.Request) -> web.Response:
    """GET /api/owner/checks: what the doctor found last."""
    return web.json_response(serialize_checkup(_find_ports(request).administration.checkup))


@gives(shapes.Checkup)
async def check_everything(request: web.Request) -> web.Response:
    """POST /api/owner/checks: test everything that is configured with a real call.

    Takes seconds, or minutes where something does not answer. Calls of models may cost.
    """
    return web.json_response(serialize_checkup(await _find_ports(request).administration.check()))


@gives(shapes.RunPage, query=shapes.RunQuery)
async def find_runs(request: web.Request) -> web.Response:
    """GET /api/owner/runs: runs of all platforms, newest first."""
    query = read_query(request, shapes.RunQuery)
    wanted = RunFilter(**query.model_dump(exclude=set(_PAGING)))
    try:
        page = await _find_ports(request).runs.find_runs(
            wanted, after=query.after, limit=query.limit
        )
    except (ValueError, OverflowError) as error:
        raise Refused(400, "web-bad-query", where="after", problem="not a page") from error
    live = [] if query.after else await _find_ports(request).administration.live()
    runs = [serialize_listed(each) for each in page.runs]
    return web.json_response({"runs": runs, "live": [*live], "next": page.next})


@gives(shapes.RunDetails | shapes.LiveRun | shapes.FailedRequest)
async def show_run(request: web.Request) -> web.Response:
    """GET /api/owner/runs/{run}: all of a run, by its id or the reference a person was told."""
    reference = request.match_info["run"]
    listed = await _find_run(request, reference)
    if listed is None:
        live = (
            each
            for each in await _find_ports(request).administration.live()
            if each["run"].startswith(reference)
        )
        if (known := next(live, None)) is None:
            return _show_failure(request, reference)
        return web.json_response({"live": dict(known)})
    store, run = request.app[STATE].ports.store, listed.run.id
    events, prompts = (await store.events(run))[run], await store.prompts(run)
    details = await asyncio.to_thread(
        serialize_details,
        listed,
        [*events],
        [*prompts],
        _find_ports(request).administration,
    )
    return web.json_response(details)


def _show_failure(request: web.Request, reference: str) -> web.Response:
    """The request that a reference is of. Raises Refused if there is none."""
    known = (each for each in request.app[STATE].failures if each.reference == reference)
    if (failure := next(known, None)) is None:
        raise Refused(404, "web-unknown-run")
    told: shapes.Failure = {
        "reference": reference,
        "at": failure.at.isoformat(),
        "path": failure.path,
        "error": failure.error,
        "trace": failure.trace,
    }
    return web.json_response({"request": told})


@gives(web_shapes.Step)
async def show_step(request: web.Request) -> web.Response:
    """GET /api/owner/runs/{run}/steps/{step}: what went into a step, and how it was done."""
    listed, number = await _find_run(request, request.match_info["run"]), request.match_info["step"]
    if listed is None:
        raise Refused(404, "web-unknown-run")
    run = listed.run
    events = (await request.app[STATE].ports.store.events(run.id))[run.id]
    run_log = replay(run, find_thread(run), events)
    is_number = number.isascii() and number.isdigit() and len(number) < len("10000")
    step = serialize_step(run_log.events, int(number), "en") if is_number else None
    if step is None:
        raise Refused(404, "web-unknown-step")
    return web.json_response(open_files(step))


@declare(Operation(gives={200: "*/*", 206: "*/*", 302: None, 304: None, 416: None}))
async def show_file(request: web.Request) -> web.StreamResponse:
    """GET /api/owner/files/{hash}/{name}: a file of any conversation."""
    return await respond_with_file(request, FileHash(request.match_info["hash"]))


async def _find_run(request: web.Request, reference: str) -> ListedRun | None:
    if not _REFERENCE.fullmatch(reference):
        raise Refused(404, "web-unknown-run")
    return await _find_ports(request).runs.find_run(reference)


@gives(shapes.ChannelPage, query=shapes.ChannelQuery)
async def list_channels(request: web.Request) -> web.Response:
    """GET /api/owner/channels: the channels that are known, with their settings."""
    query = read_query(request, shapes.ChannelQuery)
    known = await _find_ports(request).administration.list_channels(
        query.query, after=query.after, limit=query.limit + 1
    )
    shown = known[: query.limit]
    page: shapes.ChannelPage = {
        "channels": [
            serialize_channel(each, dict(_find_ports(request).administration.list_values(each)))
            for each in shown
        ],
        "settings": [
            {"name": each.name, "choices": [*each.choices]}
            for each in _find_ports(request).administration.list_settings()
        ],
        "next": shown[-1].channel.key if len(known) > len(shown) else "",
    }
    return web.json_response(page)


@gives(shapes.SettingChanges, takes=shapes.ChannelChange)
async def change_channels(request: web.Request) -> web.Response:
    """POST /api/owner/channels: change settings of channels, or tell what would change."""
    body = await read_model(request, shapes.ChannelChange)
    change = _find_ports(request).administration.change_channels
    try:
        changes = await change(body.channels, body.changes, preview=body.preview)
    except SettingRefused as error:
        raise Refused(400, error.sentence.id, **error.words) from error
    told: list[shapes.SettingChange] = [
        {
            "channel": each.channel,
            "name": each.name,
            "before": each.before,
            "after": each.after,
        }
        for each in changes
    ]
    return web.json_response({"changes": told, "done": not body.preview})


@gives(shapes.Storage)
async def show_storage(request: web.Request) -> web.Response:
    """GET /api/owner/storage: what is stored, and what is deleted when."""
    return web.json_response(serialize_storage(await _find_ports(request).administration.measure()))


@gives(shapes.Storage)
async def sweep_now(request: web.Request) -> web.Response:
    """POST /api/owner/sweep: delete what is past its time now."""
    await _find_ports(request).administration.sweep()
    return web.json_response(serialize_storage(await _find_ports(request).administration.measure()))


ROUTES = tuple(
    web.route(method, f"/api/owner/{path}", _for_owner(handler))
    for method, path, handler in (
        ("GET", "status", owner_status),
        ("GET", "checks", last_checkup),
        ("POST", "checks", check_everything),
        ("GET", "runs", find_runs),
        ("GET", "runs/{run}", show_run),
        ("GET", "runs/{run}/steps/{step}", show_step),
        ("GET", "files/{hash:[0-9a-f]{64}}/{name:[^/]+}", show_file),
        ("GET", "channels", list_channels),
        ("POST", "channels", change_channels),
        ("GET", "storage", show_storage),
        ("POST", "sweep", sweep_now),
    )
)
