"""Questions on tables: the model writes one SELECT, an engine carries it out (docs/adr/0171)."""

import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from pipeline.domain import (
    Blob,
    ExpertOutput,
    ExpertValue,
    LocalizedText,
    QueryResult,
    TableInfo,
    Text,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job, Message, Prompt, TableEngine, Usage
from pipeline.prompts import FENCES_HOLD_DATA, fence
from pipeline.prompts.chat_tasks import CHAT_TASKS
from pipeline.prompts.schemas import TEXT, strict_object
from pipeline.text.lenient_json import load_object
from pipeline.words import say

_SCHEMA = strict_object(sql=TEXT)
_MOST_CHARACTERS = 24_000
"""Characters of the description of all tables."""
_MOST_LINES = 20
_LONGEST_QUESTION = 4_000
"""Characters."""
_LONGEST_ABOUT = 100
"""Characters of the question that describe the table of a result."""
_FENCED = re.compile(r"```(?:sql)?\s*(.*?)```", re.DOTALL)
_SQL_STARTS = ("select", "with", "from")
Ask = Callable[[Prompt], AsyncIterator[str | Usage]]
"""Sends a prompt to the model."""


@dataclass(slots=True)
class _Query:
    """The queries that a model writes for a question, and what they cost."""

    ask: Ask
    prompt: Prompt
    used: Usage | None = None

    async def write(self) -> str:
        """The model's SQL; "" if it says that the tables do not hold the answer."""
        text = ""
        async for piece in self.ask(self.prompt):
            if isinstance(piece, Usage):
                self.used = piece if self.used is None else self.used + piece
            else:
                text += piece
        sql = read_sql(text)
        answer = Message("assistant", json.dumps({"sql": sql}, ensure_ascii=False))
        self.prompt = replace(self.prompt, messages=(*self.prompt.messages, answer))
        return sql

    def object_to(self, problem: str) -> None:
        """Tell the model what is wrong; a message of the engine may quote the table."""
        words = f"That did not work: {fence(problem)}\nWrite the statement again."
        messages = (*self.prompt.messages, Message("user", words))
        self.prompt = replace(self.prompt, messages=messages)


async def answer(job: Job, engine: TableEngine, ask: Ask) -> tuple[ExpertOutput, Usage | None]:
    """Answer a question on tables by a query that the model writes; returns what that used, too.

    A query that fails is written once more. Raises BadInput, ExpertRefused, MediaError, LlmError.
    """
    question = " ".join(map(as_text, job.args.get("question", ())))[:_LONGEST_QUESTION]
    files = [value for value in job.args.get("table", ()) if isinstance(value, Blob)]
    if not files or not question.strip():
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    tables = await engine.describe(files, job.ticket)
    query = _Query(ask, _build_prompt(question, tables))
    sql = await query.write()
    result = await _carry_out(sql, files, engine, job)
    if result.problem:
        query.object_to(result.problem)
        sql = await query.write()
        result = await _carry_out(sql, files, engine, job)
    if result.problem:
        raise ExpertRefused("llm-query-failed", model=job.model.id, problem=result.problem)
    notes = dict.fromkeys(say(job.locale, note) for table in tables for note in table.notes)
    return _format(result, [sql, *notes], question, job), query.used


async def _carry_out(sql: str, files: Sequence[Blob], engine: TableEngine, job: Job) -> QueryResult:
    if not sql:
        raise ExpertRefused("llm-not-in-table", model=job.model.id)
    return await engine.query(files, sql, job.ticket)


def _build_prompt(question: str, tables: Sequence[TableInfo]) -> Prompt:
    """The question, and the tables as data: names and values may hold anything."""
    described = "\n\n".join(map(_describe, tables))[:_MOST_CHARACTERS]
    words = f"question: {fence(question)}\ntables: {fence(described)}"
    system = f"{CHAT_TASKS['table-question-answering']} {FENCES_HOLD_DATA}"
    messages = (Message("system", system), Message("user", words))
    return Prompt(messages, schema=_SCHEMA, max_tokens=4096, temperature=0, effort="low")


def _describe(table: TableInfo) -> str:
    """A table's columns, and some of its rows."""
    lines = [f"table {table.name} ({_encode(table.title)}), {table.rows} rows, columns:"]
    for column in table.columns:
        remark = f" ({column.remark})" if column.remark else ""
        values = f", only: {_encode(column.values)}" if column.values else ""
        lines.append(f"{json.dumps(column.name, ensure_ascii=False)} {column.type}{remark}{values}")
    lines.append("first and last rows:")
    lines += [_encode(row) for row in table.samples]
    return "\n".join(lines)


def _encode(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_sql(text: str) -> str:
    """The statement in a reply: in JSON as it was asked for, in a block of code, or as it is."""
    match load_object(text):
        case {"sql": str(sql)}:
            return sql.strip()
        case dict() as reply:
            found = [value for value in reply.values() if isinstance(value, str)]
        case _:
            block = _FENCED.search(text)
            found = [block[1] if block else text]
    statements = (sql for sql in map(str.strip, found) if sql.casefold().startswith(_SQL_STARTS))
    return next(statements, "")


def _format(result: QueryResult, notes: list[str], question: str, job: Job) -> ExpertOutput:
    """The answer in a few words; several rows also as a table, which a later step may take."""
    if result.total > _MOST_LINES:
        facts = {"shown": _MOST_LINES, "count": result.total}
        notes.append(say(job.locale, LocalizedText("table-rows-more", facts)))
    slots: dict[str, ExpertValue] = {"text": Text(_to_words(result, job))}
    if result.file:
        about = " ".join(question.split())[:_LONGEST_ABOUT]
        slots["table"] = Blob(result.file, "text/csv", alt=about)
    return ExpertOutput(slots, note="\n".join(notes), used=frozenset({"table"}))


def _to_words(result: QueryResult, job: Job) -> str:
    """One value alone, one row with its names, several rows as lines."""
    if not result.rows:
        return say(job.locale, LocalizedText("table-rows-none"))
    if result.total == 1:
        (row,) = result.rows
        pairs = zip(result.columns, row, strict=True)
        return row[0] if len(row) == 1 else ", ".join(f"{name}: {cell}" for name, cell in pairs)
    rows = result.rows[:_MOST_LINES]
    head = () if len(result.columns) == 1 else (result.columns,)
    return "\n".join(" | ".join(row) for row in (*head, *rows))
