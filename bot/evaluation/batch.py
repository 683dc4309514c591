"""Plans for files of rows: `troupe plan --batch` and `troupe plan --read`."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from adapters.embedded.planner import plan_batch_row
from bot.evaluation.rows import Json, Row, Work, request_in, work_through
from bot.evaluation.taskbench import read_row, score_untouched
from bot.settings import Settings
from pipeline.errors import SettingsError
from pipeline.plan_draft import PlanDraft
from pipeline.planning.batch import as_row, request_of
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Llm, Prompt, Usage
from pipeline.prompts import Room
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
    from bot.app import open_app  # noqa: PLC0415 - much, and only needed here
    from bot.providers import row_planner  # noqa: PLC0415

    async with open_app(settings) as app:
        await work_through(
            file, by_llm(row_planner(app.llm, app.tools.catalogue, words), words), width=_AT_ONCE
        )


async def read_plans(settings: Settings, file: Path, *, words: str) -> None:  # noqa: ARG001 - as every command
    """Print how the raw plan in each row is understood, a line each. Raises FetchError."""

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
        draft = PlanDraft()
        meter = Meter(planner.llm)
        began = time.perf_counter()
        request = request_of(text, _files(row, _SENT) or "", _files(row, _EARLIER) or "")
        async for part in replace(planner, llm=meter).plan(request):
            draft.apply(part)
        return {
            "id": row.get("id", ""),
            **as_row(draft.plan, words=words),
            "confidence": score_untouched(draft.plan, draft.repairs),
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


@dataclass
class Meter:
    """Hands everything on to another, and counts. Tokens are those that the server told."""

    llm: Llm
    calls: int = 0
    used: list[Usage] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.llm.name

    @property
    def context_size(self) -> int:
        return self.llm.context_size

    @property
    def sees_images(self) -> bool:
        return self.llm.sees_images

    async def room(self) -> Room:
        return await self.llm.room()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        self.calls += 1
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    self.used.append(piece)
                yield piece

    @property
    def spent(self) -> dict[str, int]:
        """Calls, and the tokens of all of them where each told its own."""
        told = {
            "prompt_tokens": [usage.prompt_tokens for usage in self.used],
            "completion_tokens": [usage.completion_tokens for usage in self.used],
        }
        known = {
            name: sum(counts)
            for name, counts in told.items()
            if len(counts) == self.calls and min(counts, default=0) >= 0
        }
        return {"calls": self.calls, **known}
