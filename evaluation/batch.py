"""Plans for files of rows: `troupe plan --batch` and `troupe plan --read`."""

import time
from collections.abc import Collection
from pathlib import Path

from adapters.embedded.planner import guess_bench_plan, guess_plan
from bot.settings import Settings
from evaluation.metered_llm import MeteredLlm
from evaluation.rows import Json, Row, Work, print_rows, request_of
from evaluation.taskbench import as_row, list_vocabulary, read_row, score_untouched
from pipeline.errors import PlanError, SettingsError
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Catalogue, Llm
from pipeline.run.plan_draft import PlanDraft
from pipeline.selection.candidates import Candidates
from pipeline.words import say

_ENDINGS = {"image": "png", "audio": "wav", "video": "mp4", "document": "pdf", "table": "csv"}
_SUPPOSED = ("", *(f"{name}-1.{ending}" for name, ending in _ENDINGS.items()))
"""Files that a row may mean if it does not say which were sent."""


async def plan_rows(settings: Settings, file: Path, *, planner: str, words: str) -> None:
    """Print a JSON line with the plan for each row. Raises FetchError, SettingsError."""
    if planner == "embedded":
        await print_rows(file, plan_by_embedded(words))
        return
    from bot.app import open_app  # noqa: PLC0415 - slow to import, only needed here

    async with open_app(settings) as app:
        work = plan_by_llm(require_llm(app.llm), app.tools.candidates.catalogue, words)
        await print_rows(file, work)


async def read_plans(settings: Settings, file: Path, *, words: str) -> None:  # noqa: ARG001 - the signature of every command
    """Print a JSON line with the parsed plan of each row. Raises FetchError."""

    async def read(row: Row, _number: int) -> Json:
        return read_row(row, words=words)

    await print_rows(file, read)


def plan_by_embedded(words: str) -> Work:
    """Plan rows with the embedded planner; `words` is the vocabulary."""

    async def plan(row: Row, number: int) -> Json:
        text, sent, earlier = _read_request(row, number)
        began = time.perf_counter()
        if words == "taskbench":
            guess = guess_bench_plan(text)
        else:
            supposed = _SUPPOSED if sent is None and not earlier else (sent or "",)
            guess = guess_plan([request_of(text, names, earlier) for names in supposed])
        ms = round((time.perf_counter() - began) * 1000, 3)
        sure = round(guess.confidence, 4)
        return {**as_row(guess.plan, words=words), "confidence": sure, "ms": ms}

    return plan


def require_llm(llm: Llm | None) -> Llm:
    """The language model. Raises SettingsError if none is configured."""
    if llm is None:
        raise SettingsError("rows-no-llm")
    return llm


def plan_by_llm(
    llm: Llm, catalogue: Catalogue, words: str, demonstrations: Collection[str] | None = None
) -> Work:
    """Plan rows with a language model; `words` is the vocabulary.

    `demonstrations`: headings of those to show; None: all.
    """
    kinds = list_vocabulary(words)

    async def plan(row: Row, number: int) -> Json:
        text, sent, earlier = _read_request(row, number)
        request = request_of(text, sent or "", earlier)
        draft, meter, began = PlanDraft(), MeteredLlm(llm), time.perf_counter()
        planner = LlmPlanner(
            meter,
            Candidates(catalogue),
            kinds=kinds,
            demonstrations=demonstrations,
            all_kinds=True,
        )
        async for part in planner.plan(request):
            draft.apply(part)
        return {
            **as_row(draft.plan, words=words),
            "confidence": score_untouched(draft.plan, draft.repairs),
            "ms": round((time.perf_counter() - began) * 1000, 1),
            "tokens": meter.spent,
            "repairs": [say("en", repair.what) for repair in draft.repairs],
            **({"reply": draft.reply.text} if draft.reply.text else {}),
        }

    return plan


def _read_request(row: Row, number: int) -> tuple[str, str | None, str]:
    """A row's text, its file names and those of its thread. Raises PlanError."""
    text = row.get("user_request")
    if not isinstance(text, str) or not text.strip():
        raise PlanError("row-no-request", line=number)
    return text, _name_files(row, "files"), _name_files(row, "thread_files", "earlier-") or ""


def _name_files(row: Row, key: str, prefix: str = "") -> str | None:
    """The names of a row's files; None if not given. "image" alone becomes "image-1.png"."""
    files = row.get(key)
    if not isinstance(files, list):
        return None
    return " ".join(
        f"{prefix}{name}-{number}.{_ENDINGS[name]}" if name in _ENDINGS else name
        for number, name in enumerate(map(str, files), 1)
    )
