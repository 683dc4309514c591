"""Runs, channels and what is stored, as the owner gets them."""

from datetime import datetime
from typing import Any

from adapters.web.owner import ports, shapes
from adapters.web.run_logs import replay
from adapters.web.serialization import serialize_run
from pipeline.domain import (
    Channel,
    Failed,
    LocalizedText,
    ModelCall,
    Run,
    SentPrompt,
    Thread,
    derive_trace_id,
)
from pipeline.ports import KnownChannel, ListedRun
from pipeline.words import has_message, say, say_whole, title

_REFERENCE = 8
"""Letters of a run's id that people are told."""
_EXCERPT = 160
"""Characters of a message in a list."""


def serialize_listed(listed: ListedRun) -> shapes.ListedRun:
    """A run in a list."""
    run = listed.run
    costs = [call.cost for call in run.calls if not call.error]
    counts = [(call.prompt_tokens, call.completion_tokens) for call in run.calls]
    return {
        "run": run.id,
        "reference": run.id[:_REFERENCE],
        "at": listed.at.isoformat(),
        "state": run.state.value,
        "failed": listed.failed,
        "channel": listed.channel,
        "thread": run.thread,
        "person": run.person,
        "text": run.text[:_EXCERPT],
        "kinds": [task.kind.name for task in run.plan.tasks],
        "failed_steps": sum(isinstance(each, Failed) for each in run.outcomes.values()),
        "problems": listed.problems,
        "seconds": round(sum(run.seconds.values()), 3) if run.seconds else None,
        "calls": len(run.calls),
        "tokens": sum(max(number, 0) for both in counts for number in both),
        "cost": None if None in costs else sum(cost or 0.0 for cost in costs),
    }


def serialize_details(
    listed: ListedRun,
    texts: list[str],
    prompts: list[SentPrompt],
    administration: ports.Administration,
) -> shapes.RunDetails:
    """All that is known of a run; `texts` are its events."""
    run = listed.run
    record = open_files(serialize_run(replay(run, find_thread(run), texts), "en"))
    return {
        **serialize_listed(listed),
        "message": run.text,
        "trace_id": derive_trace_id(run.id) if administration.is_traced else "",
        "prompts_version": run.prompts,
        "error": run.error,
        "trace": run.trace,
        "undelivered": run.undelivered,
        "stages": dict(run.seconds),
        "model_calls": [
            {
                "model": call.model,
                "took": round(call.took, 3),
                "prompt_tokens": call.prompt_tokens,
                "reply_tokens": call.completion_tokens,
                "cost": call.cost,
                "error": _word_error(call),
            }
            for call in run.calls
        ],
        "prompts": [
            {"model": each.model, "text": each.text, "reply": each.reply} for each in prompts
        ],
        "keeps_prompts": administration.keeps_prompts,
        "record": record,
    }


def _word_error(call: ModelCall) -> str:
    """Why a call failed, in words if there are any; "" if it did not."""
    sentence = LocalizedText(call.error, {"model": call.model})
    return say_whole("en", sentence) if has_message(call.error) else call.error


def open_files(told: Any) -> Any:  # noqa: ANN401 - JSON
    """The same JSON with the addresses under which files are shown to the owner."""
    match told:
        case dict():
            return {
                name: f"/api/owner{value}"
                if name == "url" and str(value).startswith("/files/")
                else open_files(value)
                for name, value in told.items()
            }
        case list() | tuple():
            return [open_files(each) for each in told]
        case _:
            return told


def find_thread(run: Run) -> Thread:
    """The thread of a run, by its key."""
    channel, _, root = run.thread.rpartition(":")
    return Thread(Channel.parse(channel), root)


def serialize_checkup(checkup: ports.Checkup | None) -> shapes.Checkup:
    if checkup is None:
        return {"at": None, "findings": [], "tasks": []}
    return {
        "at": checkup.at.isoformat(),
        "findings": [
            {
                "good": each.good,
                "what": say("en", each.what),
                "why": each.why,
                "mend": each.mend,
                "note": each.is_note,
            }
            for each in checkup.findings
        ],
        "tasks": [
            {
                "kind": each.kind.name,
                "title": title("en", each.kind.name),
                "model": each.model.id if each.model else "",
                "problem": say("en", each.problem) if each.problem and not each.model else "",
            }
            for each in checkup.abilities
        ],
    }


def serialize_channel(known: KnownChannel, values: dict[str, str]) -> shapes.KnownChannel:
    channel = known.channel
    return {
        "channel": channel.key,
        "platform": channel.platform,
        "workspace": channel.workspace,
        "id": channel.id,
        "at": _format_moment(known.at),
        "settings": values,
    }


def serialize_storage(storage: ports.Storage) -> shapes.Storage:
    return {
        "database": storage.database,
        "files": storage.files,
        "file_bytes": storage.file_bytes,
        "files_are_more": storage.files_are_more,
        "free": dict(storage.free),
        "tables": [
            {
                "name": each.name,
                "rows": each.rows,
                "oldest": _format_moment(each.oldest),
                "due": each.due,
                "due_soon": each.due_soon,
            }
            for each in storage.tables
        ],
        "most": storage.most,
        "retention_days": storage.retention_days,
        "cutoff": storage.cutoff.isoformat(),
        "keeps_prompts": storage.keeps_prompts,
        "swept_at": _format_moment(storage.swept_at),
    }


def _format_moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
