"""Trains which messages without a mention are wishes: `python -m benchmarks.planning.manners`.

A row of `overheard.jsonl` is a thread, a line after it, and whether the line is for the bot.
Everyday requests stand beside them, after an answer of the bot or words of somebody else.
"""

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from adapters.embedded.planner.decision import FileTypes
from adapters.embedded.planner.manners import MANNERS, WISH, list_tags
from adapters.embedded.planner.model import KindModel
from adapters.embedded.planner.reading import Reading, read
from adapters.embedded.planner.view import view
from benchmarks.planning import fit, train
from benchmarks.planning.rows import HERE, everyday_file, read_lines
from bot.evaluation.rows import find_files
from pipeline.domain import Channel, Context, Person, Request, RunId, Thread, Turn, Type

BOT = "Troupe"
EVERYDAY, WEIGHT = 12000, 0.1
"""Everyday requests besides all that ask for nothing, and what each counts."""
KEPT, LEVELS, PENALTY, ROUNDS = (9000, 9000), 31, 2.0, 10
PARTS = 5
LEAST = 1.3
"""Log-odds that make a message a wish: of 120 lines of talk by another author, one has them."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Message:
    """A message as the model reads it, and whether it is for the bot."""

    reading: Reading
    tags: list[str]
    is_wish: bool
    part: int
    weight: float = 1.0


def main() -> None:
    rows = read_lines(HERE / "overheard.jsonl")
    messages = [*map(_read, rows), *_everyday()]
    parts = np.array([message.part for message in messages])
    odds = np.zeros(len(messages))
    for part in range(PARTS):
        model = _fit([message for message in messages if message.part != part])
        for at in np.flatnonzero(parts == part).tolist():
            odds[at] = _score(model, messages[at])
    answered, wishes = odds[: len(rows)] > LEAST, np.array([row["meant"] for row in rows])
    print(f"threads not seen: {answered[wishes].mean():.1%} of wishes are answered")
    print(f"and {answered[~wishes].mean():.1%} of talk, most of it hard to tell from wishes")
    _write(replace(_fit(messages), rules={"least": LEAST}))


def request_of(row: dict[str, Any]) -> Request:
    """The message of a row, in its thread."""
    *turns, last = (
        Turn(str(at), _person(said["who"]), said["text"], find_files(" ".join(said["files"])), NOW)
        for at, said in enumerate((*row["thread"], row["line"]))
    )
    thread, context = Thread(Channel("test", "w", "c"), "0"), Context(tuple(turns))
    run = RunId("r")
    return Request(run, thread, last.person, last.text, last.files, context=context, overheard=True)


def _person(name: str) -> Person:
    return Person(name, name, is_bot=name == BOT)


def _read(row: dict[str, Any]) -> Message:
    """Lines of one thread fall into the same part."""
    request = request_of(row)
    seen = view(request)
    part = zlib.crc32(row["thread"][0]["text"].encode()) % PARTS
    tags = list_tags(request, seen)
    return Message(read(seen.text), tags, row["meant"], part)


def _everyday() -> list[Message]:
    """All everyday requests that ask for nothing, and some of the others."""
    names = sorted(file.stem for file in (HERE / "written").glob("*.jsonl.xz"))
    rows = [row for name in names for row in everyday_file(f"written/{name}")]
    rows = [row for row in rows if read(row.text).clauses]
    wishes = [row for row in rows if row.kinds]
    some = random.Random(1).sample(wishes, EVERYDAY)
    messages = []
    for at, row in enumerate([*some, *(row for row in rows if not row.kinds)]):
        before = FileTypes(before=tuple(map(Type, row.thread_files)))
        last = ("after-bot", "after-people")[at % 2]
        tags = [last, *before.tags, *(["brings"] if row.files else [])]
        messages.append(Message(read(row.text), tags, bool(row.kinds), at // 2 % PARTS, WEIGHT))
    return messages


def _fit(messages: Sequence[Message]) -> KindModel:
    known = fit.data(
        [message.reading for message in messages],
        [message.tags for message in messages],
        np.array([[message.is_wish] for message in messages], float),
        np.array([message.weight for message in messages]),
    )
    return fit.fit(known, (WISH,), penalty=PENALTY, rounds=ROUNDS, rows=KEPT, levels=LEVELS)


def _score(model: KindModel, message: Message) -> float:
    return model.score(message.reading, message.tags)[WISH]


def _write(model: KindModel) -> None:
    with np.load(train.TARGET) as old:
        kept = {name: part for name, part in old.items() if not name.startswith(f"{MANNERS}.")}
    np.savez_compressed(train.TARGET, **kept, **train.pack(model, MANNERS))
    print(f"{train.TARGET.name}: {train.TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
