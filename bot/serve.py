"""The running programs: the bot with its chats and its periodic jobs, and the expert server."""

import asyncio
import gc
import importlib.util
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog
import typer
from yarl import URL

from adapters.local.options import ExpertServerOptions
from adapters.store import exclusive
from adapters.web import WebChat
from adapters.workers.sandbox import find_missing
from bot.app import App, open_app
from bot.chats import open_chats, open_console
from bot.cleaning import prune, sweep
from bot.environment import child_environment
from bot.home import name_lock
from bot.logs import begin_logging
from bot.metrics import OUTSIDE
from bot.nearby import point_out, report_choice
from bot.own_server import list_model_folders
from bot.owner import open_owner_ports
from bot.planners import load_planner
from bot.program_status import open_health
from bot.setting_sources import read_settings
from bot.settings import LOOPBACK, Settings
from bot.setup.env_file import ENV
from bot.setup.history import SettingsHistory
from bot.setup.panel import SetupPanel
from bot.setup.renewal import Renewal
from bot.supervision import listen_to_all
from pipeline.background import run_beside
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError, TroupeError, cause
from pipeline.metering import meter_calls
from pipeline.ports import Chat, Leases
from pipeline.words import say

log = structlog.get_logger()

_PRUNE_EVERY = 24 * 3600
"""Seconds between two deletions of data past its retention time."""
_SWEEP_EVERY = 3600
"""Seconds between two deletions of files that nothing refers to."""
_LOOK_EVERY = 600
"""Seconds between two looks whether what another program does is due."""
_SHARE_OF_PERIOD = 0.95
"""For so much of a period a job is ours: it must not come too late for the next one."""
_RECORDS_EVERY = 60
"""Seconds between two readings of the track records of models."""
_CLEAR_EVERY = 60
"""Seconds between two deletions of the progress of runs that are over."""
_PROGRESS_KEPT = timedelta(minutes=2)
"""For how long it is kept: a reader may be late, and finds the stored run then."""
_SAMPLE_EVERY = 30
"""Seconds between two signs of life in the database."""
_STARTING = 60.0
"""How long a database that is away is waited for: it may be starting, too."""
_RENEWING = 120.0
"""Seconds within which new settings have to start; then the ones before are put back."""
_FIRST_PAGE = 1.0
"""Seconds that a browser has to open the page undisturbed: loading the planner takes 0.2."""
_RECENT = timedelta(days=7)
"""How far back track records count: models and their servers change."""


async def serve(settings: Settings) -> None:
    """Run every configured chat until stopped. Raises SettingsError if none can work.

    After SIGTERM or SIGINT, unfinished runs are resumed at the next start. When the set-up asks for
    it, everything is closed like that and opened again with the settings as they are then.
    """
    stop_on_sigterm()
    _report_sandbox()
    renewal, recorded = Renewal(), SettingsHistory(settings.home, ENV)
    while True:
        history = SettingsHistory(settings.home, ENV)
        try:
            await _serve_until_asked(settings, renewal, history)
        except Exception as error:
            if not renewal.is_unproved:
                raise
            if not renewal.is_asked:
                settings = _put_back(renewal, recorded, error)
                continue
            log.exception("not closed cleanly")  # the new settings are not to blame
        if not renewal.is_asked:
            return
        recorded, settings = history, _read_anew(renewal, history)


async def _serve_until_asked(
    settings: Settings, renewal: Renewal, history: SettingsHistory
) -> None:
    """Open everything and work, until stopped or until the settings are to be read anew."""
    settings = renewal.begin(settings)
    async with (
        asyncio.timeout(_RENEWING if renewal.is_unproved else None) as limit,
        open_app(settings, starting=_STARTING, serves=True) as app,
    ):
        panel = SetupPanel(app, renewal, history)
        chats = open_chats(app, panel, open_owner_ports(app))
        async with (
            open_health(app.monitor),
            run_beside(app.monitor.measure_lag()),
            run_beside(repeat(app.monitor.sample_storage, _SAMPLE_EVERY)),
            run_beside(_announce(chats, settings, app)),
            run_beside(_warm_up(chats, is_first=not renewal.is_unproved)),
            run_beside(_approve(chats, renewal, limit)),
        ):
            await renewal.run_until_asked(work(app, chats))


async def _approve(chats: Sequence[Chat], renewal: Renewal, limit: asyncio.Timeout) -> None:
    """Note that the settings are good enough to stay: the page is served."""
    for chat in chats:
        if isinstance(chat, WebChat):
            renewal.port = URL(await chat.address()).port or 0
    limit.reschedule(None)
    renewal.approve()


def _read_anew(renewal: Renewal, history: SettingsHistory) -> Settings:
    """The settings as they are now; the ones before if they can't be read."""
    try:
        changed = read_settings()
    except SettingsError as error:
        return _put_back(renewal, history, error)
    begin_logging(changed.troupe_log_level)
    return changed


def _put_back(renewal: Renewal, history: SettingsHistory, error: Exception) -> Settings:
    """The settings that worked last; those in `.env` are put back, too."""
    known = cause(error)
    sentence = known.sentence if known else LocalizedText("setup-too-slow")
    bug = None if known or isinstance(error, TimeoutError) else error
    log.error("new settings do not start", why=say("en", sentence), exc_info=bug)
    try:
        history.undo()
    except SettingsError as undone:
        log.error("settings not put back", why=say("en", undone.sentence))  # noqa: TRY400 - no bug
    return renewal.put_back(sentence)


async def _warm_up(chats: Sequence[Chat], *, is_first: bool) -> None:
    """Load what the first request needs, once the page has had time to open: it would slow that."""
    for chat in chats:
        if isinstance(chat, WebChat):
            await chat.address()
    await asyncio.sleep(_FIRST_PAGE)
    await asyncio.to_thread(load_planner)
    if is_first:
        gc.freeze()  # permanent objects are no longer scanned: that took 0.1 s per collection


def stop_on_sigterm() -> None:
    """SIGTERM cancels the current task."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def _report_sandbox() -> None:
    if lacking := find_missing():
        log.warning("workers are not fully confined: see troupe doctor", lacking=lacking)


async def _announce(chats: Sequence[Chat], settings: Settings, app: App) -> None:
    """Print where the bot can be reached; last the address of the page, so that it is seen."""
    pages = [chat for chat in chats if isinstance(chat, WebChat)]
    for chat in chats:
        if chat not in pages:
            text = LocalizedText("serving-chat", {"platform": chat.platform.title()})
            typer.echo(say("en", text))
    await _announce_model(settings, app)
    for page in pages:
        options, address = page.state.options, await page.address()
        more = "yes" if options.loopback and not options.token else "no"
        text = LocalizedText("serving-page", {"address": address, "more": more})
        typer.echo(f"\n{say('en', text)}")


async def _announce_model(settings: Settings, app: App) -> None:
    """Print which language model on this machine is used, or could be."""
    text = report_choice(settings, app.settings, app.llm.name if app.llm else "")
    if text is None and not settings.language_model and settings.troupe_controller == "auto":
        text = await point_out(settings)
    if text is not None:
        typer.echo(say("en", text))


async def serve_experts(settings: Settings, options: ExpertServerOptions) -> None:
    """Run an expert server until stopped. Raises SettingsError."""
    if importlib.util.find_spec("torch") is None:
        raise SettingsError("local-extra-missing", extra="local")
    if options.host not in LOOPBACK and not settings.troupe_experts_token:
        raise SettingsError("local-token-missing", host=options.host)
    from adapters.local.server import run_server  # noqa: PLC0415 - half a second

    options = replace(
        options,
        folders=options.folders or list_model_folders(settings),
        threads=max(1, (os.cpu_count() or 1) // options.workers),
        token=settings.troupe_experts_token,
        environment=child_environment(),
    )
    stop_on_sigterm()
    _report_sandbox()
    async with run_server(options) as server:
        folders = ", ".join(map(str, options.folders))
        text = LocalizedText("local-serving", {"address": server.base, "folders": folders})
        typer.echo(say("en", text), err=True)
        await asyncio.Event().wait()


async def chat_here(settings: Settings) -> None:
    """Run the chat in the terminal. A server may run too: each takes only its own messages.

    The lock keeps a second terminal from answering this one's messages.
    """
    async with open_app(settings) as app, exclusive(name_lock(settings, "console")):
        await _announce_model(settings, app)
        await work(app, [open_console(app)])


async def work(app: App, chats: Sequence[Chat]) -> None:
    """Run the chats, the runner and the periodic jobs until cancelled or no chat is left."""
    app.runner.chats.update({chat.platform: chat for chat in chats})
    app.monitor.chats = chats
    leases = app.ports.persistence.leases
    with meter_calls(partial(app.monitor.metrics.note_call, OUTSIDE)):
        async with (
            run_beside(app.runner.serve()),
            run_beside(repeat_by_one(leases, "prune", partial(_prune, app, chats), _PRUNE_EVERY)),
            run_beside(repeat_by_one(leases, "sweep", partial(sweep, app), _SWEEP_EVERY)),
            run_beside(repeat(lambda: _refresh_records(app), _RECORDS_EVERY)),
            run_beside(_clear_progress(app)),
        ):
            await listen_to_all(chats, app.conversation, app.health)


async def _prune(app: App, chats: Sequence[Chat]) -> None:
    """Delete what is past its time, also on pages that show it."""
    await prune(app)
    for chat in chats:
        if isinstance(chat, WebChat):
            chat.start_anew()


async def repeat_by_one(
    leases: Leases, name: str, work: Callable[[], Awaitable[object]], every: float
) -> None:
    """Like `repeat`, but in each period only one of all programs on the database does it.

    It holds the lease for the period, also if it ends meanwhile, but not if the work failed; the
    others look again from time to time.
    """
    rest = every

    async def take_turn() -> None:
        nonlocal rest
        is_ours = await leases.acquire(name, _SHARE_OF_PERIOD * every)
        rest = every if is_ours else min(every, _LOOK_EVERY)
        if not is_ours:
            return
        try:
            await work()
        except Exception:
            rest = min(every, _LOOK_EVERY)
            await leases.release(name)
            raise

    await repeat(take_turn, lambda: rest)


async def repeat(work: Callable[[], Awaitable[object]], every: float | Callable[[], float]) -> None:
    """Do `work` now and every `every` seconds. An error is logged; the loop goes on."""
    while True:
        try:
            await work()
        except TroupeError as error:
            log.warning("put off", why=str(error))
        except Exception:  # boundary of a job: a file that vanishes meanwhile must not end us
            log.exception("job failed")
        await asyncio.sleep(every() if callable(every) else every)


async def _clear_progress(app: App) -> None:
    """Delete what was stored for the pages of other programs while runs were under way."""
    if (progress := app.ports.persistence.progress) is not None:
        clear = partial(progress.clear, _PROGRESS_KEPT)
        await repeat_by_one(app.ports.persistence.leases, "progress", clear, _CLEAR_EVERY)


async def _refresh_records(app: App) -> None:
    """Load the recent track records of models, so that requests need no query."""
    fresh = await app.ports.persistence.store.track_records(since=datetime.now(UTC) - _RECENT)
    app.ports.records.clear()
    app.ports.records.update(fresh)
