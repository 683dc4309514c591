"""Plans for files of rows: `troupe plan --batch` and `troupe plan --read`."""

import time
from dataclasses import replace
from pathlib import Path

from adapters.embedded.planner import plan_batch_row
from bot.metering import Meter
from bot.rows import Json, Row, Work, request_in, work_through
from bot.settings import Settings
from pipeline.errors import SettingsError
from pipeline.planning.batch import as_row, read_row, request_of
from pipeline.planning.planner import LlmPlanner
from pipeline.planning.reading import unmended
from pipeline.run import Draft
from pipeline.words import say

_AT_ONCE = 8
_ENDINGS = {"image": "png", "audio": "wav", "video": "mp4", "document": "pdf", "table": "csv"}
_SENT, _EARLIER = "files", "thread_files"
_BEFORE = {_SENT: "", _EARLIER: "earlier-"}


async def plan_rows(settings: Settings, file: Path, *, planner: str, words: str) -> None:
    """A line with the plan for each row. Raises FetchError, SettingsError."""
    if planner == "embedded":
        await work_through(file, by_embedded(words), width=1)
        return
    if not settings.controller:
        raise SettingsError("rows-no-llm")
    from bot.wiring import opened, row_planner  # noqa: PLC0415 - much, and only needed here

    async with opened(settings) as house:
        await work_through(file, by_llm(row_planner(house, words), words), width=_AT_ONCE)


async def read_plans(settings: Settings, file: Path, *, words: str) -> None:  # noqa: ARG001 - as every command
    """A line with the plan as it is understood for each row that holds one as it was written. Raises FetchError."""

    async def read(row: Row, _number: int) -> Json:
        return read_row(row, words=words)

    await work_through(file, read, width=1)


def by_embedded(words: str) -> Work:
    """How the embedded planner plans a row; `words` is the vocabulary."""

    async def plan(row: Row, number: int) -> Json:
        sent, earlier = _files(row, _SENT), _files(row, _EARLIER) or ""
        planned = plan_batch_row(request_in(row, number), words or "everyday", sent, earlier)
        return {"id": row.get("id", ""), **planned}

    return plan


def by_llm(planner: LlmPlanner, words: str) -> Work:
    """How a language model plans a row; `words` is the vocabulary."""

    async def plan(row: Row, number: int) -> Json:
        text = request_in(row, number)
        draft = Draft(lambda _event: None)
        meter = Meter(planner.llm)
        began = time.perf_counter()
        request = request_of(text, _files(row, _SENT) or "", _files(row, _EARLIER) or "")
        async for part in replace(planner, llm=meter).plan(request):
            draft.note(part)
        return {
            "id": row.get("id", ""),
            **as_row(draft.plan, words=words),
            "confidence": unmended(draft.plan, draft.repairs),
            "ms": round((time.perf_counter() - began) * 1000, 1),
            "tokens": meter.spent,
            "repairs": [say("en", repair.what) for repair in draft.repairs],
            **({"reply": draft.reply} if draft.reply else {}),
        }

    return plan


def _files(row: Row, key: str) -> str | None:
    """The names under which files came with a row or stood in its thread, None if it does not say.

    A bare type stands for a file of it.
    """
    files = row.get(key)
    if not isinstance(files, list):
        return None
    names = [str(name) for name in files]
    return " ".join(
        f"{_BEFORE[key]}{name}-{at}.{_ENDINGS[name]}" if name in _ENDINGS else name
        for at, name in enumerate(names, 1)
    )
