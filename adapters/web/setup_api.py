"""The HTTP API of the set-up, for whoever runs the program, on this machine only.

`sessions.may_set_up` says who that is.
"""

from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from adapters.web import sessions
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
_MAX_FIELDS = 8


class SetupBody(BaseModel):
    """What a person entered for a step. `check`: nothing is written."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    fields: Annotated[
        dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=4000)]],
        Field(max_length=_MAX_FIELDS),
    ] = {}
    check: bool = False


class Nothing(BaseModel):
    """An empty object."""

    model_config = ConfigDict(extra="forbid")


class Example(TypedDict):
    """A request that works here now."""

    id: str
    title: str
    text: str
    sample: str
    """A file that the page draws for it: "invoice", "lake", or "" for none."""


class Start(TypedDict):
    """What there is to begin with."""

    examples: list[Example]
    owner: bool
    """Whether the caller runs the program."""
    do_more: bool
    """Whether the caller may set up more here: the owner, at the machine itself."""
    signed_in: bool
    """Whether the caller entered a token, and so can sign out."""
    sharing: bool
    """Whether conversations can be shared."""


class Finding(TypedDict):
    """What a check has found."""

    good: bool
    id: str
    text: str
    why: str
    mend: str
    """What fixes it: a command, a line for .env, or a link."""


class Result(TypedDict):
    """What a step has led to."""

    good: bool
    findings: list[Finding]
    written: list[str]
    """The names of the settings that are now others."""
    renews: bool
    """Whether the program reads its settings anew after this."""
    problem: str
    """Why nothing could be checked or written."""


class State(TypedDict):
    """One thing that can be set up."""

    id: str
    on: bool
    text: str
    problem: str
    """Why something that is on does not work at the moment."""


class Count(TypedDict):
    """How many kinds of tasks run here."""

    can: int
    all: int


class Missing(TypedDict):
    """Kinds of tasks that do not run here, and what they need."""

    needs: str
    kinds: list[str]


class Provider(TypedDict):
    """Whose key may be entered."""

    id: str
    name: str
    address: str
    keys_at: str


class Server(TypedDict):
    """A server of language models on this machine."""

    name: str
    address: str
    models: list[str]
    used: bool


class Local(TypedDict):
    """Models on this machine, and where they are looked for."""

    folders: list[str]
    models: list[str]


class SlackStart(TypedDict):
    """How the app for Slack is made."""

    manifest_url: str


class Status(TypedDict):
    """What is configured, what works, and what each missing thing needs."""

    generation: str
    """Another one each time the settings are read anew."""
    states: list[State]
    kinds: Count
    missing: list[Missing]
    providers: list[Provider]
    servers: list[Server]
    local: Local
    slack: SlackStart
    file: str
    """Where settings are written."""
    undo: list[str]
    """The names of the settings of the last change."""
    problem: str
    """Why the last new settings were put back."""


@gives(Start)
async def start(request: web.Request) -> web.Response:
    """GET /api/start: three requests that work now, and whether the caller may set up more."""
    state, locale = request.app[STATE], sessions.read_locale(request)
    setup, options = state.ports.setup, state.options
    examples = await setup.list_examples() if setup else ()
    body: Start = {
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


@gives(Status)
async def describe_setup(request: web.Request) -> web.Response:
    """GET /api/setup: what is configured, what works, and what each missing thing needs."""
    status = await _open_setup(request).describe()
    return _tell(_serialize_status(status, sessions.read_locale(request)))


@gives(Result, takes=SetupBody)
async def apply_setup(request: web.Request) -> web.Response:
    """POST /api/setup/{step}: check what was entered, then write it and use it."""
    setup, step = _open_setup(request), request.match_info["step"]
    if step not in set(SetupStep):
        raise Refused(404, "web-unknown-page")
    body = await read_model(request, SetupBody, _MAX_BODY)
    await _limit(request)
    result = await setup.apply(
        SetupRequest(step=SetupStep(step), fields=body.fields, only_check=body.check)
    )
    return await _finish(request, setup, result)


@gives(Result, takes=Nothing)
async def undo_setup(request: web.Request) -> web.Response:
    """POST /api/setup/undo: take the last change of the settings back."""
    setup = _open_setup(request)
    await read_model(request, Nothing, _MAX_BODY)
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


def _tell(body: Result | Status) -> web.Response:
    return web.json_response(body, headers={"Cache-Control": "no-store"})


def _serialize_result(result: SetupResult, locale: str) -> Result:
    return {
        "good": result.is_good,
        "findings": [_serialize_finding(finding, locale) for finding in result.findings],
        "written": list(result.written),
        "renews": result.renews,
        "problem": _say(locale, result.problem),
    }


def _serialize_finding(finding: HealthCheck, locale: str) -> Finding:
    return {
        "good": finding.good,
        "id": finding.what.id,
        "text": say(locale, finding.what),
        "why": finding.why,
        "mend": finding.mend,
    }


def _serialize_state(state: SetupState, locale: str) -> State:
    return {
        "id": state.id,
        "on": state.is_on,
        "text": say(locale, state.text),
        "problem": state.problem,
    }


def _serialize_status(status: SetupStatus, locale: str) -> Status:
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
        "problem": _say(locale, status.problem),
    }


def _say(locale: str, sentence: LocalizedText | None) -> str:
    return say(locale, sentence) if sentence else ""
