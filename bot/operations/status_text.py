"""The status as lines of text, for operators: ids and numbers, in English."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

Json = Mapping[str, Any]
"""A part of the status, as `troupe status --json` prints it."""
_MOST_SHOWN = 20
"""Lines of one kind."""
_MOST_CHANNELS = 5
"""The busiest ones."""
_SECONDS_UNTIL = 120
"""From here on, durations are told in minutes."""
_MINUTES_UNTIL = 120
_HOURS_UNTIL = 72
_MEBI_UNTIL = 1024


def render_status(status: Json) -> Iterator[str]:
    """The lines of a status: the program, who waits, and what ended since a moment."""
    yield f"Troupe {status['version']}: {status['state']}"
    running, database = status["running"], status["database"]
    if running:
        yield from _render_program(running)
    if "problem" in database:
        yield _make_line("Database", f"not read: {database['problem']}")
        yield from _render_waiting(running.get("waiting", ()))
        return
    yield _make_line("Database", _format_size(database["bytes"]))
    taken = {each["run"] for each in running.get("running", ())}
    yield from _render_waiting([each for each in database["waiting"] if each["run"] not in taken])
    for platform, unanswered in database["unanswered"].items():
        oldest = format_duration(unanswered["seconds"])
        yield _make_line(
            "Unanswered", f"{unanswered['count']} {platform} commands and clicks, {oldest}"
        )
    marks = database["read_up_to"].items()
    yield from _list_lines("Read up to", [f"{place} {_format_iso(at)}" for place, at in marks])
    yield from _render_ended(database)
    yield _make_line("Spent today", _format_spent(status["spent_today"]))


def _render_program(running: Json) -> Iterator[str]:
    down = running["problems"]
    names = [
        f"{name}: {'connected' if is_up else down.get(name, 'NOT CONNECTED, trying again')}"
        f" since {_format_iso(running['changed_at'][name])}"
        for name, is_up in running["platforms"].items()
    ]
    others = [f"{name}: {why}" for name, why in down.items() if name not in running["platforms"]]
    yield from _list_lines("Platforms", names)
    yield from _list_lines("Problems", others)
    places = running["places"].items()
    yield from _list_lines("Places", [f"{name}: {why or 'open'}" for name, why in places])
    if workers := running["workers"]:
        facts = "{busy} of {count} at work, {waiting} calls wait, {lost} died"
        yield _make_line("Workers", facts.format(**workers))
    yield _make_line("Event loop", f"{running['loop_lag'] * 1000:.0f} ms late at most, last minute")
    free = [f"{name} {_format_size(number)} free" for name, number in running["free_bytes"].items()]
    yield _make_line("Disk", ", ".join(free))
    for reason, times in running["store_faults"].items():
        yield _make_line("Faults", f"{times} × {reason} of the database since the start")
    if held := running["store_waiting"]:
        yield _make_line("Held", f"{held} messages and steps, as nothing can be stored")
    runs = running["running"]
    yield _make_line("Running", f"{len(runs)}")
    for run in runs[:_MOST_SHOWN]:
        steps = "".join(map(_format_step, run["steps"]))
        where = f"{run['run'][:8]}  {run['channel']}  {format_duration(run['seconds'])}"
        yield _make_line("", f"{where}, at {run['stage']}{steps}")


def _format_step(step: Json) -> str:
    duration = format_duration(step["seconds"])
    return f"; {step['kind']} at {step['place']} ({step['model']}) {duration}"


def _render_waiting(waiting: Sequence[Json]) -> Iterator[str]:
    oldest = max((each["seconds"] for each in waiting), default=0.0)
    yield _make_line(
        "Waiting", f"{len(waiting)}" + (f", {format_duration(oldest)} at most" if waiting else "")
    )
    for each in waiting[:_MOST_SHOWN]:
        tried = f", attempt {each['attempts']} broke off" if each.get("attempts") else ""
        seconds = format_duration(each["seconds"])
        yield _make_line("", f"{each['run'][:8]}  {each['channel']}  {seconds}{tried}")


def _render_ended(database: Json) -> Iterator[str]:
    yield ""
    yield f"Since {_format_iso(database['since'])}"
    yield from _list_lines(
        "Runs", [_format_outcomes(name, n) for name, n in database["outcomes"].items()] or ["0"]
    )
    if answered := database["last_answered"]:
        yield _make_line("Last answer", f"{_format_iso(answered['at'])}  {answered['run'][:8]}")
    channels = list(database["channels"].items())[:_MOST_CHANNELS]
    yield from _list_lines("Channels", [f"{channel} {number}" for channel, number in channels])
    apologies = database["apologies"][:_MOST_SHOWN]
    lines = [
        f"{_format_iso(each['at'])}  {each['run'][:8]}  {each['channel']}  {each['reason']}"
        for each in apologies
    ]
    yield from _list_lines("Apologies", lines or ["0"])
    steps = [
        f"{step['times']} × {step['reason']}: {step['kind']} {step['place']} {step['model']}"
        f", last {_format_iso(step['last'])} in {step['run'][:8]}"
        for step in database["failed_steps"][:_MOST_SHOWN]
    ]
    yield from _list_lines("Steps failed", steps or ["0"])
    spent = database["spent"]
    models = [f"{name}: {_format_spent(of)}" for name, of in spent["models"].items()]
    yield from _list_lines("Spent", [_format_spent(spent), *models[:_MOST_SHOWN]])


def _format_outcomes(platform: str, outcomes: Mapping[str, int]) -> str:
    parts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
    return f"{platform} {sum(outcomes.values())}: {parts}"


def _format_spent(spent: Json) -> str:
    words = "${usd:.4f}, {prompt_tokens:,} + {reply_tokens:,} tokens, {calls} calls"
    words += ", {failed} failed" if spent["failed"] else ""
    words += ", {unpriced} of unknown price" if spent["unpriced"] else ""
    return words.format(**spent)


def _list_lines(title: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield _make_line("" if number else title, line)


def _make_line(title: str, text: str) -> str:
    return f"{title:<13} {text}"


def format_moment(moment: datetime) -> str:
    """A moment on this machine's clock, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _format_iso(text: str) -> str:
    return format_moment(datetime.fromisoformat(text))


def format_duration(seconds: float) -> str:
    """Seconds in the unit that fits: 90 is "90 s", 7000 is "117 min", 300000 is "3 d"."""
    if seconds < _SECONDS_UNTIL:
        return f"{seconds:.0f} s"
    if (minutes := round(seconds / 60)) < _MINUTES_UNTIL:
        return f"{minutes} min"
    hours = round(seconds / 3600)
    return f"{hours} h" if hours < _HOURS_UNTIL else f"{hours // 24} d"


def _format_size(number: float) -> str:
    mebi = number / (1 << 20)
    return f"{mebi:,.1f} MiB" if mebi < _MEBI_UNTIL else f"{mebi / _MEBI_UNTIL:,.1f} GiB"
