"""What was before: runs that this process did not see, and whole conversations."""

from collections.abc import Iterator, Sequence
from mimetypes import guess_type
from urllib.parse import quote

from adapters.web.feed import ending
from adapters.web.persons import thread_behind
from adapters.web.receiving import FILE_SCHEME
from adapters.web.runs import RunLog
from adapters.web.showing import Json, event_json, merged, named_json
from adapters.web.state import WebState
from pipeline.codec import load_union
from pipeline.domain import (
    Answered,
    AnswerPart,
    Apologised,
    Event,
    Finished,
    Incoming,
    Link,
    Planned,
    Run,
    RunId,
    RunState,
    Sentence,
    Thread,
    Turn,
)

_TURNS = 400
_RUNS = 200
_ENDED = frozenset({RunState.ANSWERED, RunState.APOLOGISED, RunState.STOPPED})


async def recent_log(state: WebState, run: RunId) -> RunLog | None:
    """The log of a run that this process saw; None where it saw none, or where the run was forgotten since."""
    log = state.runs.get(run)
    if log is None or not log.over or await state.ports.kept(run):
        return log
    state.runs.drop(run)
    return None


async def recent_logs(state: WebState, thread: Thread) -> Sequence[tuple[RunId, RunLog]]:
    """The same for all runs of a thread, oldest first."""
    runs = [run for run, _ in state.runs.of(thread)]
    return [(run, log) for run in runs if (log := await recent_log(state, run)) is not None]


async def lasting_log(state: WebState, run: RunId) -> RunLog | None:
    """The log of a run out of the store; one that goes on is opened, to be filled when it is followed again."""
    record = await state.ports.store.load(run)
    thread = thread_behind(record.thread) if record else None
    if record is None or thread is None:
        return None
    if record.state not in _ENDED:
        return state.runs.open(run, thread)
    return await _told(state, record, thread)


async def _told(state: WebState, record: Run, thread: Thread) -> RunLog:
    log = RunLog(thread)
    stored = [load_union(Event, each) for each in await state.ports.store.events(record.id)]
    for event in stored or _events_of(record):
        log.add(event)
    if log.last is None:
        log.add(_last_of(record))
    return log


def _events_of(record: Run) -> Iterator[Event]:
    yield Planned(record.plan, record.repairs)
    for task, outcome in record.outcomes.items():
        yield Finished(task, outcome)


def _last_of(record: Run) -> Event:
    if record.answer is not None:
        return Answered(record.answer)
    return Apologised(Sentence("stopped"), "")


def run_json(run: RunId, log: RunLog, locale: str) -> Json:
    """What is known of a run."""
    told = [event for event in merged(log.events) if not isinstance(event, Answered | AnswerPart)]
    events = [event_json(event, locale) for event in told]
    return {
        "run": run,
        "thread": log.thread.root,
        "live": not log.over,
        "events": [{"type": name, **data} for name, data in events],
        "answer": ending(log, run, locale, html=True) if log.over else None,
    }


async def thread_json(state: WebState, thread: Thread, locale: str) -> Json:
    """A conversation: what was said, and what came of it, the oldest first."""
    context = await state.ports.store.context(thread, turns=_TURNS, tail=0)
    said = [turn for turn in context.turns if not turn.person.is_bot]
    runs = await state.ports.store.runs(thread, limit=_RUNS)
    turns = _paired(list(reversed(runs)), said)
    told = [await _exchange(state, thread, record, turn, locale) for record, turn in turns]
    repeats = {
        turn.text for turn in said
    }  # what is no turn of its own is one of them done again, or a command
    for exchange in told:
        exchange["again"] = exchange["again"] and exchange["text"] in repeats
    stored = {record.id for record in runs}
    told += [
        {**_said(log.message), **run_json(run, log, locale)}
        for run, log in await recent_logs(state, thread)
        if run not in stored and (len(runs) < _RUNS or not log.over)  # not those before the first
    ]
    return {"thread": thread.root, "runs": told}


def _said(message: Incoming | None) -> Json:
    """What a person said whose run is not in the store yet."""
    if message is None:
        return {"text": "", "files": [], "at": "", "again": True}
    return {
        "text": message.text,
        "files": [_sent(link) for link in message.files],
        "at": message.at.isoformat(),
        "again": False,
    }


def _sent(link: Link) -> Json:
    """A file that is being looked at still."""
    url = link.url
    if url.startswith(FILE_SCHEME):
        url = f"/files/{url.removeprefix(FILE_SCHEME)}/{quote(link.name, safe='')}"
    return {"name": link.name, "media_type": guess_type(link.name)[0] or "", "url": url, "alt": ""}


def _paired(runs: Sequence[Run], said: Sequence[Turn]) -> list[tuple[Run, Turn | None]]:
    """Each run with the turn that it answers; a run that was begun again shares its turn with the first."""
    left = list(said)
    pairs: list[tuple[Run, Turn | None]] = []
    for run in runs:
        turn = next((each for each in left if each.text == run.text), None)
        if turn is not None:
            left.remove(turn)
        pairs.append((run, turn))
    return pairs


async def _exchange(
    state: WebState, thread: Thread, record: Run, turn: Turn | None, locale: str
) -> Json:
    log = (
        await recent_log(state, record.id) or await lasting_log(state, record.id) or RunLog(thread)
    )
    return {
        **run_json(record.id, log, locale),
        "text": record.text,
        "files": [named_json(file) for file in turn.files] if turn else [],
        "at": turn.at.isoformat() if turn else "",
        "again": turn is None,
    }
