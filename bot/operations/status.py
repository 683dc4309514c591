"""`troupe status`: what the running program does, and what its database says, also when it is down.

For operators, in English; ids and numbers only. Imports little: it is asked at night, repeatedly.
"""

import asyncio
import http.client
import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import typer

from adapters.store import open_overview
from adapters.store.overview import DatabaseOverview, StepFailure
from bot import VERSION
from bot.home import name_sign_of_life
from bot.operations.status_text import Json, format_duration, format_moment, render_status
from bot.settings import Settings
from pipeline.domain import ModelCall
from pipeline.errors import cause
from pipeline.words import say

_ASK_SECONDS = 5.0
"""How long the program may take: it waits two seconds for its database before it answers."""
_DATABASE_SECONDS = 5.0
"""How long the database may take."""
_FRESH_SECONDS = 75.0
"""The program writes into its database every 30 seconds."""
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_OK = 200


async def show_status(settings: Settings, since: str, *, as_json: bool) -> int:
    """Print the status. Returns 1 if the program is down, or cannot take messages."""
    now = datetime.now(UTC)
    began = parse_since(since, now)
    today = find_midnight(now)
    overview, problem = await _read_database(settings, min(began, today))
    record = json.loads(overview.program.value) if overview and overview.program else {}
    running = await asyncio.to_thread(_ask_program, settings.troupe_health_port, record)
    status = {
        "version": VERSION,
        "state": _name_state(running, overview, record, now),
        "running": running,
        **describe_database(overview, began, today, problem),
    }
    typer.echo(json.dumps(status, indent=2) if as_json else "\n".join(render_status(status)))
    return 0 if running.get("ready") else 1


def find_midnight(now: datetime) -> datetime:
    """When the day began, on this machine's clock."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def describe_database(
    overview: DatabaseOverview | None, began: datetime, today: datetime, problem: str = ""
) -> Json:
    """What is open, what ended since a moment and what was spent today; else the problem."""
    if overview is None:
        return {"database": {"problem": problem}, "spent_today": {}}
    seen = _describe_database(overview, began, datetime.now(UTC))
    return {"database": seen, "spent_today": _sum_since(overview, today)}


def parse_since(text: str, now: datetime) -> datetime:
    """The moment that "6h", "30m", "2d", "18:00" or "2026-11-29T18:00" means.

    A time of day is the last one that was, on this machine's clock. Raises typer.BadParameter.
    """
    if found := re.fullmatch(r"(\d{1,4})([mhd])", text):
        return now - timedelta(**{_UNITS[found[2]]: int(found[1])})
    here = now.astimezone()
    try:
        if found := re.fullmatch(r"(\d{1,2}):(\d\d)", text):
            hour, minute = map(int, found.groups())
            today = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
            return today if today <= here else today - timedelta(days=1)
        return datetime.fromisoformat(text).astimezone()
    except ValueError as error:
        raise typer.BadParameter("Say 6h, 30m, 2d, 18:00 or 2026-11-29T18:00.") from error


async def _read_database(
    settings: Settings, since: datetime
) -> tuple[DatabaseOverview | None, str]:
    """What the database says, or why it says nothing."""
    try:
        async with (
            asyncio.timeout(_DATABASE_SECONDS),
            open_overview(settings.database_url) as database,
        ):
            return await database.load(since, name_sign_of_life(settings)), ""
    except FileNotFoundError:
        return None, "there is none yet"
    except TimeoutError:
        return None, f"no answer within {_DATABASE_SECONDS:.0f} s"
    except Exception as error:  # noqa: BLE001 - whatever it is, the rest is shown
        known = cause(error)
        return None, say("en", known.sentence) if known else type(error).__name__


def _ask_program(port: int | str, record: Json) -> Json:
    """What the program says of itself; empty if it does not answer, or another one does."""
    address = record.get("at", "" if port == "off" else f"http://127.0.0.1:{port}")
    where = urlsplit(address)
    if not where.hostname:
        return {}
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=_ASK_SECONDS)
    try:
        connection.request("GET", "/status")
        response = connection.getresponse()
        said = json.loads(response.read()) if response.status == _OK else {}
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()
    is_ours = isinstance(said, dict) and said.get("instance") == record.get(
        "instance", said.get("instance")
    )
    return said if is_ours else {}


def _name_state(
    running: Json, overview: DatabaseOverview | None, record: Json, now: datetime
) -> str:
    """Whether the program is there, in words."""
    if running:
        started = datetime.fromisoformat(running["started_at"])
        ready = "ready" if running["ready"] else "NOT READY"
        since = f"{format_moment(started)} ({format_duration(_count_seconds(started, now))})"
        return f"up since {since}, {ready}"
    if overview is None or overview.program is None:
        return "DOWN, as far as can be told"
    seen = overview.program.fetched_at
    silent = _count_seconds(seen, now)
    if silent > _FRESH_SECONDS:
        return f"DOWN since about {format_moment(seen)} ({format_duration(silent)})"
    if not record["at"]:
        return f"up {format_duration(silent)} ago; it serves no health: see TROUPE_HEALTH_PORT"
    return f"NO ANSWER at {record['at']}; it wrote into the database {format_duration(silent)} ago"


def _describe_database(seen: DatabaseOverview, since: datetime, now: datetime) -> Json:
    recent = [run for run in seen.runs if run.at >= since]
    outcomes: dict[str, Counter[str]] = {}
    for run in recent:
        outcomes.setdefault(run.channel.partition(":")[0], Counter())[run.outcome] += 1
    steps: dict[tuple[str, str, str, str], list[StepFailure]] = {}
    for each in seen.failures:
        if each.at >= since:
            steps.setdefault((each.reason, each.kind, each.place, each.model), []).append(each)
    most = sorted(steps.items(), key=lambda item: -len(item[1]))
    answered = next((run for run in seen.runs if run.outcome == "answered"), None)
    return {
        "bytes": seen.size,
        "waiting": [
            {"run": each.run, "channel": each.channel, "attempts": each.attempts}
            | {"seconds": _count_seconds(each.accepted_at, now)}
            for each in seen.waiting
        ],
        "unanswered": {
            platform: {"count": len(times), "seconds": _count_seconds(times[0], now)}
            for platform, times in seen.unanswered.items()
        },
        "read_up_to": {place: at.isoformat() for place, at in seen.read_up_to.items()},
        "since": since.isoformat(),
        "outcomes": outcomes,
        "last_answered": answered and {"at": answered.at.isoformat(), "run": answered.run},
        "channels": dict(Counter(run.channel for run in recent).most_common()),
        "apologies": [
            {"at": run.at.isoformat(), "run": run.run, "channel": run.channel, "reason": run.reason}
            for run in recent
            if run.outcome == "apologised"
        ],
        "failed_steps": [
            {"times": len(them), "reason": reason, "kind": kind, "place": place, "model": model}
            | {"last": them[0].at.isoformat(), "run": them[0].run}
            for (reason, kind, place, model), them in most
        ],
        "spent": _sum_since(seen, since),
    }


def _sum_since(seen: DatabaseOverview, since: datetime) -> Json:
    """Calls, tokens and dollars of the runs that ended since a moment, also by model."""
    calls = [call for run in seen.runs if run.at >= since for call in run.calls]
    names = dict.fromkeys(call.model for call in calls)
    models = {name: _sum_calls([call for call in calls if call.model == name]) for name in names}
    return {**_sum_calls(calls), "models": models}


def _sum_calls(calls: Sequence[ModelCall]) -> Json:
    answered = [call for call in calls if not call.error]
    return {
        "calls": len(calls),
        "failed": len(calls) - len(answered),
        "prompt_tokens": sum(max(call.prompt_tokens, 0) for call in calls),
        "reply_tokens": sum(max(call.completion_tokens, 0) for call in calls),
        "usd": round(sum(call.cost or 0.0 for call in calls), 6),
        "unpriced": sum(call.cost is None for call in answered),
    }


def _count_seconds(moment: datetime, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds())
