"""The HTTP API of the set-up, for whoever runs the program, on this machine only.

`sessions.may_set_up` says who that is.
"""

from aiohttp import web

from adapters.web import sessions
from adapters.web import setup_shapes as shapes
from adapters.web.inputs import read_model
from adapters.web.operations import gives
from adapters.web.options import STATE, Refused
from pipeline.domain import (
    HealthCheck,
    LocalizedText,
    SetupRequest,
    SetupResult,
    SetupState,
    SetupStatus,
    SetupStep,
)
from pipeline.ports import Setup
from pipeline.words import say, title

_MAX_BODY = 1 << 14
"""Bytes; keys are short."""


@gives(shapes.Start)
async def start(request: web.Request) -> web.Response:
    """GET /api/start: three requests that work now, and whether the caller may set up more."""
    state, locale = request.app[STATE], sessions.read_locale(request)
    setup, options = state.ports.setup, state.options
    examples = await setup.list_examples() if setup else ()
    body: shapes.Start = {
        "examples": [
            {
                "id": example.id,
                "title": say(locale, example.title),
                "text": say(locale, example.text),
                "sample": example.sample,
            }
            for example in examples
        ],
        "owner": sessions.is_owner(request),
        "do_more": sessions.may_set_up(request),
        "signed_in": sessions.has_signed_in(options, request.get(sessions.SESSION)),
        "sharing": options.can_share,
    }
    return web.json_response(body)


@gives(shapes.SetupStatus)
async def describe_setup(request: web.Request) -> web.Response:
    """GET /api/setup: what is configured, what works, and what each missing thing needs."""
    status = await _open_setup(request).describe()
    return _tell(_serialize_status(status, sessions.read_locale(request)))


@gives(shapes.SetupResult, takes=shapes.SetupBody)
async def apply_setup(request: web.Request) -> web.Response:
    """POST /api/setup/{step}: check what was entered, then write it and use it."""
    setup, step = _open_setup(request), request.match_info["step"]
    if step not in set(SetupStep):
        raise Refused(404, "web-unknown-page")
    body = await read_model(request, shapes.SetupBody, _MAX_BODY)
    await _limit(request)
    result = await setup.apply(
        SetupRequest(step=SetupStep(step), fields=body.fields, only_check=body.check)
    )
    return await _finish(request, setup, result)


@gives(shapes.SetupResult, takes=shapes.EmptyBody)
async def undo_setup(request: web.Request) -> web.Response:
    """POST /api/setup/undo: take the last change of the settings back."""
    setup = _open_setup(request)
    await read_model(request, shapes.EmptyBody, _MAX_BODY)
    await _limit(request)
    return await _finish(request, setup, await setup.undo())


def _open_setup(request: web.Request) -> Setup:
    """The set-up, for whoever may use it. Raises Refused."""
    setup = request.app[STATE].ports.setup
    if setup is None:
        raise Refused(404, "web-unknown-page")
    sessions.check_owner(request)
    if not sessions.may_set_up(request):
        raise Refused(403, "setup-not-here")
    return setup


async def _limit(request: web.Request) -> None:
    """Each step asks servers of others: so only some in a minute. Raises Refused."""
    limiter = request.app[STATE].setups
    if not limiter.has_capacity():
        raise Refused(429, "setup-too-often")
    await limiter.acquire()


async def _finish(request: web.Request, setup: Setup, result: SetupResult) -> web.Response:
    """Tell the result, and only then let the program read its settings anew."""
    response = _tell(_serialize_result(result, sessions.read_locale(request)))
    await response.prepare(request)
    await response.write_eof()
    if result.renews:
        setup.renew()
    return response


def _tell(body: shapes.SetupResult | shapes.SetupStatus) -> web.Response:
    return web.json_response(body, headers={"Cache-Control": "no-store"})


def _serialize_result(result: SetupResult, locale: str) -> shapes.SetupResult:
    return {
        "good": result.is_good,
        "findings": [_serialize_finding(finding, locale) for finding in result.findings],
        "written": list(result.written),
        "renews": result.renews,
        "problem": _say(locale, result.problem),
    }


def _serialize_finding(finding: HealthCheck, locale: str) -> shapes.SetupFinding:
    return {
        "good": finding.good,
        "id": finding.what.id,
        "text": say(locale, finding.what),
        "why": finding.why,
        "mend": finding.mend,
        "note": finding.is_note,
        "advice": _say(locale, finding.advice),
    }


def _serialize_state(state: SetupState, locale: str) -> shapes.SetupState:
    return {
        "id": state.id,
        "on": state.is_on,
        "text": say(locale, state.text),
        "problem": state.problem,
    }


def _serialize_status(status: SetupStatus, locale: str) -> shapes.SetupStatus:
    return {
        "generation": status.generation,
        "states": [_serialize_state(state, locale) for state in status.states],
        "kinds": {"can": status.can, "all": status.of},
        "missing": [
            {
                "needs": say(locale, each.needs),
                "kinds": [title(locale, kind) for kind in each.kinds],
            }
            for each in status.missing
        ],
        "providers": [
            {"id": each.id, "name": each.name, "address": each.address, "keys_at": each.keys_at}
            for each in status.providers
        ],
        "servers": [
            {
                "name": each.name,
                "address": each.address,
                "models": list(each.models),
                "used": each.is_used,
            }
            for each in status.servers
        ],
        "local": {"folders": list(status.folders), "models": list(status.models)},
        "slack": {"manifest_url": status.manifest_url},
        "file": status.file,
        "undo": list(status.undo),
        "undo_step": status.undo_step,
        "problem": _say(locale, status.problem),
    }


def _say(locale: str, sentence: LocalizedText | None) -> str:
    return say(locale, sentence) if sentence else ""
