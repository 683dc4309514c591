"""Trains which messages without a mention are wishes: `python -m benchmarks.planning.manners`.

A row of `overheard.jsonl` is a thread, a line after it, and whether the line is for the bot; it
is natural talk, or written to be hard to tell from the other kind.
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
from adapters.embedded.planner.manners import (
    MANNERS,
    WISH,
    find_circumstances,
    list_tags,
    weigh,
)
from adapters.embedded.planner.model import Hashes, KindModel, document_features, hash_names
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.view import view
from benchmarks.planning import fit, train
from benchmarks.planning.rows import HERE, everyday_file, read_lines
from evaluation.rows import find_files
from pipeline.domain import Channel, Context, Person, Request, RunId, Thread, Turn, Type

BOT = "Troupe"
EVERYDAY, WEIGHT = 12000, 0.03
"""Everyday requests besides all that ask for nothing, and what each counts."""
NEAR_MISS = 2.0
"""What a row counts that is not natural: many are of threads in which the bot has not spoken."""
KEPT, LEVELS, PENALTY, ROUNDS, MANY = (30000, 9), 63, 2.0, 60, 100_000
PARTS = 5
MOST = 1 / 50
"""Of the natural talk in threads that the model has not seen, at most this share is answered."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Message:
    """A message as the model reads it, and whether it is for the bot."""

    words: Hashes
    circumstances: Hashes
    is_wish: bool
    part: int
    weight: float = 1.0


def main() -> None:
    rows = read_lines(HERE / "overheard.jsonl")
    messages, everyday = [*map(_read, rows)], _everyday()
    odds = np.full(len(messages), -np.inf)
    for part in range(PARTS):
        model = _fit([one for one in (*messages, *everyday) if one.part != part])
        for at, one in enumerate(messages):
            if one.part == part:
                odds[at] = weigh(model, one.words, one.circumstances)
    wishes = np.array([row["meant"] for row in rows])
    natural = np.array([row["natural"] for row in rows])
    talk = np.sort(odds[natural & ~wishes])
    least = round(float(talk[-1 - int(len(talk) * MOST)]), 2)
    for name, some in (("natural", natural), ("near misses", ~natural)):
        answered = odds > least
        print(f"{name}, threads not seen: {answered[some & wishes].mean():.1%} of wishes", end=", ")
        print(f"{answered[some & ~wishes].mean():.1%} of talk are answered ({least:.2f})")
    _write(replace(_fit([*messages, *everyday]), rules={"least": least}))


def request_of(row: dict[str, Any]) -> Request:
    """The message of a row, in its thread."""
    *turns, last = (
        Turn(
            key=str(at),
            person=_person(said["who"]),
            text=said["text"],
            files=find_files(" ".join(said["files"])),
            at=NOW,
        )
        for at, said in enumerate((*row["thread"], row["line"]))
    )
    thread, context = Thread(Channel("test", "w", "c"), "0"), Context(tuple(turns))
    run = RunId("r")
    return Request(
        run=run,
        thread=thread,
        person=last.person,
        text=last.text,
        files=last.files,
        context=context,
        overheard=True,
    )


def _person(name: str) -> Person:
    return Person(name, name, is_bot=name == BOT)


def _read(row: dict[str, Any]) -> Message:
    """Lines of one thread fall into the same part."""
    request = request_of(row)
    seen = view(request)
    return Message(
        document_features(read(seen.text), list_tags(request, seen)),
        find_circumstances(request),
        row["meant"],
        zlib.crc32(row["thread"][0]["text"].encode()) % PARTS,
        1.0 if row["natural"] else NEAR_MISS,
    )


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
        words = document_features(read(row.text), tags)
        messages.append(Message(words, hash_names(()), bool(row.kinds), at // 2 % PARTS, WEIGHT))
    return messages


def _fit(messages: Sequence[Message]) -> KindModel:
    known = fit.Data(
        [message.words for message in messages],
        [[message.circumstances] for message in messages],
        np.array([[message.is_wish] for message in messages], float),
        np.array([message.weight for message in messages]),
    )
    return fit.fit(
        known, (WISH,), penalty=PENALTY, rounds=ROUNDS, rows=KEPT, levels=LEVELS, many=MANY
    )


def _write(model: KindModel) -> None:
    with np.load(train.TARGET) as old:
        kept = {name: part for name, part in old.items() if not name.startswith(f"{MANNERS}.")}
    np.savez_compressed(train.TARGET, **kept, **train.pack(model, MANNERS))
    print(f"{train.TARGET.name}: {train.TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
