"""`troupe status`: what the running program does, and what its database says, also when it is down.

For operators, in English; ids and numbers only. Imports little: it is asked at night, repeatedly.
"""

import asyncio
import http.client
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import typer

from adapters.store import open_overview
from adapters.store.overview import Overview, StepFailure
from bot import VERSION
from bot.settings import Settings
from pipeline.domain import ModelCall
from pipeline.errors import cause
from pipeline.words import say

_ASK_SECONDS, _DATABASE_SECONDS = 5.0, 5.0
"""The program waits two seconds for its database before it answers."""
_FRESH_SECONDS = 75.0
"""The program writes into its database every 30 seconds."""
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_MOST_SHOWN, _MOST_CHANNELS = 20, 5
_OK = 200
Json = Mapping[str, Any]


async def show_status(settings: Settings, since: str, *, as_json: bool) -> int:
    """Print the status. Returns 1 if the program is down, or cannot take messages."""
    now = datetime.now(UTC)
    began, today = parse_since(since, now), _begin_of_day(now)
    overview, problem = await _read_database(settings.database_url, min(began, today))
    record = json.loads(overview.program.value) if overview and overview.program else {}
    running = await asyncio.to_thread(_ask, settings.troupe_health_port, record)
    database = _describe_database(overview, began, now) if overview else {"problem": problem}
    status = {
        "version": VERSION,
        "state": _name_state(running, overview, record, now),
        "running": running,
        "database": database,
        "spent_today": _spend(overview, today) if overview else {},
    }
    typer.echo(json.dumps(status, indent=2) if as_json else "\n".join(_render(status)))
    return 0 if running.get("ready") else 1


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


# --- asking ---


async def _read_database(url: str, since: datetime) -> tuple[Overview | None, str]:
    """What the database says, or why it says nothing."""
    try:
        async with asyncio.timeout(_DATABASE_SECONDS), open_overview(url) as database:
            return await database.load(since), ""
    except FileNotFoundError:
        return None, "there is none yet"
    except TimeoutError:
        return None, f"no answer within {_DATABASE_SECONDS:.0f} s"
    except Exception as error:  # noqa: BLE001 - whatever it is, the rest is shown
        known = cause(error)
        return None, say("en", known.sentence) if known else type(error).__name__


def _ask(port: int | str, record: Json) -> Json:
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


def _name_state(running: Json, overview: Overview | None, record: Json, now: datetime) -> str:
    """Whether the program is there, in words."""
    if running:
        started = datetime.fromisoformat(running["started_at"])
        ready = "ready" if running["ready"] else "NOT READY"
        return f"up since {_moment(started)} ({_duration(_since(started, now))}), {ready}"
    if overview is None or overview.program is None:
        return "DOWN, as far as can be told"
    seen = overview.program.fetched_at
    silent = _since(seen, now)
    if silent > _FRESH_SECONDS:
        return f"DOWN since about {_moment(seen)} ({_duration(silent)})"
    if not record["at"]:
        return f"up {_duration(silent)} ago; it serves no health: see TROUPE_HEALTH_PORT"
    return f"NO ANSWER at {record['at']}; it wrote into the database {_duration(silent)} ago"


# --- the database ---


def _describe_database(seen: Overview, since: datetime, now: datetime) -> Json:
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
            | {"seconds": _since(each.accepted_at, now)}
            for each in seen.waiting
        ],
        "unanswered": {
            platform: {"count": len(times), "seconds": _since(times[0], now)}
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
        "spent": _spend(seen, since),
    }


def _spend(seen: Overview, since: datetime) -> Json:
    """Calls, tokens and dollars of the runs that ended since a moment, also by model."""
    calls = [call for run in seen.runs if run.at >= since for call in run.calls]
    names = dict.fromkeys(call.model for call in calls)
    models = {name: _sum([call for call in calls if call.model == name]) for name in names}
    return {**_sum(calls), "models": models}


def _sum(calls: Sequence[ModelCall]) -> Json:
    answered = [call for call in calls if not call.error]
    return {
        "calls": len(calls),
        "failed": len(calls) - len(answered),
        "prompt_tokens": sum(max(call.prompt_tokens, 0) for call in calls),
        "reply_tokens": sum(max(call.completion_tokens, 0) for call in calls),
        "usd": round(sum(call.cost or 0.0 for call in calls), 6),
        "unpriced": sum(call.cost is None for call in answered),
    }


# --- showing ---


def _render(status: Json) -> Iterator[str]:
    yield f"Troupe {status['version']}: {status['state']}"
    running, database = status["running"], status["database"]
    if running:
        yield from _render_program(running)
    if "problem" in database:
        yield _line("Database", f"not read: {database['problem']}")
        yield from _render_waiting(running.get("waiting", ()))
        return
    yield _line("Database", _size(database["bytes"]))
    taken = {each["run"] for each in running.get("running", ())}
    yield from _render_waiting([each for each in database["waiting"] if each["run"] not in taken])
    for platform, unanswered in database["unanswered"].items():
        oldest = _duration(unanswered["seconds"])
        yield _line("Unanswered", f"{unanswered['count']} {platform} commands and clicks, {oldest}")
    marks = database["read_up_to"].items()
    yield from _list("Read up to", [f"{place} {_moment_of(at)}" for place, at in marks])
    yield from _render_ended(database)
    yield _line("Spent today", _format_spent(status["spent_today"]))


def _render_program(running: Json) -> Iterator[str]:
    down = running["problems"]
    names = [
        f"{name}: {'connected' if is_up else down.get(name, 'NOT CONNECTED, trying again')}"
        f" since {_moment_of(running['changed_at'][name])}"
        for name, is_up in running["platforms"].items()
    ]
    others = [f"{name}: {why}" for name, why in down.items() if name not in running["platforms"]]
    yield from _list("Platforms", names)
    yield from _list("Problems", others)
    places = running["places"].items()
    yield from _list("Places", [f"{name}: {why or 'open'}" for name, why in places])
    if workers := running["workers"]:
        facts = "{busy} of {count} at work, {waiting} calls wait, {lost} died"
        yield _line("Workers", facts.format(**workers))
    yield _line("Event loop", f"{running['loop_lag'] * 1000:.0f} ms late at most, last minute")
    free = [f"{name} {_size(number)} free" for name, number in running["free_bytes"].items()]
    yield _line("Disk", ", ".join(free))
    for reason, times in running["store_faults"].items():
        yield _line("Faults", f"{times} × {reason} of the database since the start")
    if held := running["store_waiting"]:
        yield _line("Held", f"{held} messages and steps, as nothing can be stored")
    runs = running["running"]
    yield _line("Running", f"{len(runs)}")
    for run in runs[:_MOST_SHOWN]:
        steps = "".join(
            f"; {step['kind']} at {step['place']} ({step['model']}) {_duration(step['seconds'])}"
            for step in run["steps"]
        )
        where = f"{run['run'][:8]}  {run['channel']}  {_duration(run['seconds'])}"
        yield _line("", f"{where}, at {run['stage']}{steps}")


def _render_waiting(waiting: Sequence[Json]) -> Iterator[str]:
    oldest = max((each["seconds"] for each in waiting), default=0.0)
    yield _line(
        "Waiting", f"{len(waiting)}" + (f", {_duration(oldest)} at most" if waiting else "")
    )
    for each in waiting[:_MOST_SHOWN]:
        tried = f", attempt {each['attempts']} broke off" if each.get("attempts") else ""
        seconds = _duration(each["seconds"])
        yield _line("", f"{each['run'][:8]}  {each['channel']}  {seconds}{tried}")


def _render_ended(database: Json) -> Iterator[str]:
    yield ""
    yield f"Since {_moment_of(database['since'])}"
    yield from _list("Runs", [_count(name, n) for name, n in database["outcomes"].items()] or ["0"])
    if answered := database["last_answered"]:
        yield _line("Last answer", f"{_moment_of(answered['at'])}  {answered['run'][:8]}")
    channels = list(database["channels"].items())[:_MOST_CHANNELS]
    yield from _list("Channels", [f"{channel} {number}" for channel, number in channels])
    apologies = database["apologies"][:_MOST_SHOWN]
    lines = [
        f"{_moment_of(each['at'])}  {each['run'][:8]}  {each['channel']}  {each['reason']}"
        for each in apologies
    ]
    yield from _list("Apologies", lines or ["0"])
    steps = [
        f"{step['times']} × {step['reason']}: {step['kind']} {step['place']} {step['model']}"
        f", last {_moment_of(step['last'])} in {step['run'][:8]}"
        for step in database["failed_steps"][:_MOST_SHOWN]
    ]
    yield from _list("Steps failed", steps or ["0"])
    spent = database["spent"]
    models = [f"{name}: {_format_spent(of)}" for name, of in spent["models"].items()]
    yield from _list("Spent", [_format_spent(spent), *models[:_MOST_SHOWN]])


def _count(platform: str, outcomes: Mapping[str, int]) -> str:
    parts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
    return f"{platform} {sum(outcomes.values())}: {parts}"


def _format_spent(spent: Json) -> str:
    words = "${usd:.4f}, {prompt_tokens:,} + {reply_tokens:,} tokens, {calls} calls"
    words += ", {failed} failed" if spent["failed"] else ""
    words += ", {unpriced} of unknown price" if spent["unpriced"] else ""
    return words.format(**spent)


def _list(title: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield _line("" if number else title, line)


def _line(title: str, text: str) -> str:
    return f"{title:<13} {text}"


def _since(moment: datetime, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds())


def _begin_of_day(now: datetime) -> datetime:
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def _moment(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _moment_of(text: str) -> str:
    return _moment(datetime.fromisoformat(text))


def _duration(seconds: float) -> str:
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 120:  # noqa: PLR2004 - two minutes
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{hours} h" if hours < 72 else f"{hours // 24} d"  # noqa: PLR2004


def _size(number: float) -> str:
    mebi = number / (1 << 20)
    return f"{mebi:,.1f} MiB" if mebi < 1024 else f"{mebi / 1024:,.1f} GiB"  # noqa: PLR2004
