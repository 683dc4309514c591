"""Runs that this process did not see, and whole conversations."""

from collections.abc import Iterator, Sequence
from mimetypes import guess_type
from urllib.parse import quote

import structlog

from adapters.web.event_stream import final_json
from adapters.web.options import WebState
from adapters.web.run_logs import FILE_SCHEME, RunLog
from adapters.web.serialization import Json, event_json, merge_events, sent_file_json
from adapters.web.sessions import parse_thread
from pipeline.codec import load_union
from pipeline.domain import (
    Answered,
    AnswerPart,
    Apologised,
    Event,
    Finished,
    Incoming,
    Link,
    LocalizedText,
    Planned,
    Run,
    RunId,
    RunState,
    Thread,
    Turn,
)

log = structlog.get_logger()

_MAX_TURNS = 400
_MAX_RUNS = 200
_FINAL_STATES = frozenset({RunState.ANSWERED, RunState.APOLOGISED, RunState.STOPPED})


async def find_recent_log(state: WebState, run: RunId) -> RunLog | None:
    """The log of a run that this process saw; None where it saw none, or the run was forgotten."""
    run_log = state.runs.get(run)
    if run_log is None or not run_log.is_over or await state.ports.is_kept(run):
        return run_log
    state.runs.drop(run)
    return None


async def find_thread_logs(state: WebState, thread: Thread) -> Sequence[tuple[RunId, RunLog]]:
    """The recent logs of a thread, oldest first."""
    runs = [run for run, _ in state.runs.of(thread)]
    return [(run, found) for run in runs if (found := await find_recent_log(state, run))]


async def load_log(state: WebState, run: RunId) -> RunLog | None:
    """The log of a run from the store.

    For a run that is not over, a log is opened, which is filled when the run goes on.
    """
    record = await state.ports.store.load(run)
    thread = parse_thread(record.thread) if record else None
    if record is None or thread is None:
        return None
    return _to_log(state, record, thread, await state.ports.store.events(run))


def _to_log(state: WebState, record: Run, thread: Thread, events: Sequence[str]) -> RunLog:
    """The log of a stored run and its stored events."""
    if record.state not in _FINAL_STATES:
        return state.runs.open(record.id, thread)
    run_log = RunLog(thread)
    for event in _parse_events(record.id, events) or _events_of(record):
        run_log.add(event)
    if run_log.last is None:
        run_log.add(_final_event(record))
    return run_log


def _parse_events(run: RunId, texts: Sequence[str]) -> list[Event]:
    """The events of a run; none if one of them is of another version."""
    try:
        return [load_union(Event, text) for text in texts]
    except ValueError as error:
        log.warning("stored events skipped", run=run, reason=str(error)[:200])
        return []


def _events_of(record: Run) -> Iterator[Event]:
    yield Planned(record.plan, record.repairs)
    for task, outcome in record.outcomes.items():
        yield Finished(task, outcome)


def _final_event(record: Run) -> Event:
    if record.answer is not None:
        return Answered(record.answer)
    return Apologised(LocalizedText("stopped"), "")


def run_json(run: RunId, run_log: RunLog, locale: str) -> Json:
    """What is known of a run."""
    merged = merge_events(run_log.events)
    events = [
        event_json(event, locale)
        for event in merged
        if not isinstance(event, Answered | AnswerPart)
    ]
    return {
        "run": run,
        "thread": run_log.thread.root,
        "live": not run_log.is_over,
        "events": [{"type": name, **data} for name, data in events],
        "answer": final_json(run_log, run, locale, html=True) if run_log.is_over else None,
    }


async def thread_json(state: WebState, thread: Thread, locale: str) -> Json:
    """A conversation: what was said and what came of it, oldest first."""
    context = await state.ports.store.context(thread, turns=_MAX_TURNS, tail=0)
    turns = {turn.key: turn for turn in context.turns if not turn.person.is_bot}
    records = await state.ports.store.runs(thread, limit=_MAX_RUNS)
    logs = {record.id: await find_recent_log(state, record.id) for record in records}
    missing = [run for run, run_log in logs.items() if run_log is None]
    events = await state.ports.store.events_of(missing)
    answered: set[str] = set()
    exchanges: list[Json] = []
    for record in reversed(records):
        again = record.message in answered
        answered.add(record.message)
        turn = None if again else turns.get(record.message)
        stored = logs[record.id] or _to_log(state, record, thread, events[record.id])
        exchanges.append({**_exchange_json(record, stored, turn, locale), "again": again})
    exchanges += [
        {**_message_json(run_log.message), **run_json(run, run_log, locale)}
        for run, run_log in await find_thread_logs(state, thread)
        if run not in logs and (len(records) < _MAX_RUNS or not run_log.is_over)
    ]
    return {"thread": thread.root, "runs": exchanges}


def _exchange_json(record: Run, run_log: RunLog, turn: Turn | None, locale: str) -> Json:
    return {
        **run_json(record.id, run_log, locale),
        "text": record.text,
        "files": [sent_file_json(file) for file in turn.files] if turn else [],
        "at": turn.at.isoformat() if turn else "",
    }


def _message_json(message: Incoming | None) -> Json:
    """What a person said whose run is not in the store yet."""
    if message is None:
        return {"text": "", "files": [], "at": "", "again": True}
    return {
        "text": message.text,
        "files": [_link_json(link) for link in message.files],
        "at": message.at.isoformat(),
        "again": False,
    }


def _link_json(link: Link) -> Json:
    """A file that is not looked at yet."""
    url = link.url
    if url.startswith(FILE_SCHEME):
        url = f"/files/{url.removeprefix(FILE_SCHEME)}/{quote(link.name, safe='')}"
    return {"name": link.name, "media_type": guess_type(link.name)[0] or "", "url": url, "alt": ""}
