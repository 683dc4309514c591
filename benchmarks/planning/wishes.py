"""The wishes of `wishes/`, inside and outside the planner's kinds, to train on and to score.

`python -m benchmarks.planning.wishes [FILE ...]` scores the shipped planner on them.
"""

import argparse
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from adapters.embedded.planner import tasks
from adapters.embedded.planner.model import NONE
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.view import view
from benchmarks.planning.compose import Composer, Row
from benchmarks.planning.rows import HERE
from pipeline.domain import (
    Attachment,
    Channel,
    FileHash,
    LocalizedText,
    NamedFile,
    Person,
    Request,
    RunId,
    Thread,
)

_MEDIA_TYPES = {
    "fimg": "image/png",
    "faud": "audio/wav",
    "fvid": "video/mp4",
    "ftab": "text/csv",
    "fdoc": "application/pdf",
}
_WRITTEN = frozenset({"text-generation", "text2text-generation", "conversational"})
"""Kinds of which a language model can do whatever they are asked for."""
_DECLINES = frozenset({"planner-outside", "planner-no-talk", "planner-welcome", "planner-hello"})
_LONGEST, _BRIEF = 120, 60
"""Characters of requests that others are put beside, and of those whose file is left out."""
WishRow = dict[str, Any]
_READ = "document-to-text"
_TEXT = {
    "translate the text": "translation",
    "speak the text aloud": "text-to-speech",
    "summarise the text": "summarization",
    "find the named entities in the text": "token-classification",
    "tell the sentiment of the text": "text-classification",
    "classify the text": "zero-shot-classification",
    "fill in the masked word": "fill-mask",
    "compare the similarity of sentences": "sentence-similarity",
}
"""Wishes about a text, which is read first where it comes as a document."""
_FILE = {
    "read the text in the picture": "optical-character-recognition",
    "detect objects in the picture": "object-detection",
    "detect faces in the picture": "object-detection",
    "answer a question about the picture": "visual-question-answering",
    "answer a question about the document": "document-question-answering",
    "answer a question from a text": "document-question-answering",
    "answer a question about the table": "table-question-answering",
    "transcribe the speech": "automatic-speech-recognition",
    "describe the picture": "image-to-text",
    "classify the picture": "image-classification",
    "segment the picture": "image-segmentation",
    "edit the picture": "image-text-to-image",
    "blur the picture": "image-to-image",
    "draw a picture from words": "text-to-image",
    "predict from the table": "tabular-regression",
    "clean noise from the sound": "audio-to-audio",
    "find the edges in the picture": "canny-control",
    "estimate the depth of the picture": "depth-estimation",
    "extract the text of the document": _READ,
    "draw a chart from the table": "table-to-chart",
}
_CONVERSIONS = {"table": "table-conversion", "PDF": "document-conversion"}
_ALIKE: Mapping[str, frozenset[str]] = {
    wish: frozenset(kinds.split())
    for wish, kinds in {
        "detect objects in the picture": "object-detection zero-shot-object-detection",
        "answer a question about the picture": "visual-question-answering "
        "document-question-answering optical-character-recognition object-detection",
        "answer a question about the document": "document-question-answering "
        "visual-question-answering",
        "classify the picture": "image-classification zero-shot-image-classification "
        "visual-question-answering",
        "segment the picture": "image-segmentation mask-generation zero-shot-object-detection",
        "edit the picture": "image-text-to-image image-to-image",
        "blur the picture": "image-to-image image-text-to-image media-conversion",
        "tell the sentiment of the text": "text-classification zero-shot-classification",
        "predict from the table": "tabular-regression tabular-classification",
        "find the edges in the picture": "canny-control hed-control scribble-control mlsd-control "
        "image-to-image",
        "estimate the depth of the picture": "depth-estimation depth-control",
        "draw a picture from words": "text-to-image",
    }.items()
}
"""Wishes that more than one kind may fulfil: rows that are not trained on, but scored."""


def read_wishes(name: str) -> list[WishRow]:
    with (HERE / "wishes" / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def kinds_of(wish: str, types: Sequence[str]) -> tuple[str, ...]:
    """The kinds that a wish inside needs, given the types of its files."""
    if wish in _TEXT:
        return ((_READ,) if types and types[0] == "document" else ()) + (_TEXT[wish],)
    if wish == "answer a question from a text" and not types:
        return ("question-answering",)
    if kind := _FILE.get(wish):
        return (kind,)
    about = next((kind for word, kind in _CONVERSIONS.items() if word in wish), None)
    return (about or "media-conversion",)


def files_of(names: Sequence[str]) -> tuple[NamedFile, ...]:
    """Files of these names; of unknown types none."""
    found, count = [], Counter[str]()
    for name in names:
        masks = [word.text for clause in read(name).clauses for word in clause]
        if media_type := next((_MEDIA_TYPES[mask] for mask in masks if mask in _MEDIA_TYPES), ""):
            file = Attachment(hash=FileHash(name), media_type=media_type, name=name, size=9)
            count[file.type] += 1
            found.append(NamedFile(f"{file.type.value} {count[file.type]}", file))
    return tuple(found)


def types_of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(file.attachment.type.value for file in files_of(names))


def inside(*, all_: bool = False) -> Iterator[Row]:
    for row in read_wishes("inside.jsonl"):
        if all_ or row["wish"] not in _ALIKE:
            types = types_of(row["files"])
            kinds = kinds_of(row["wish"], types)
            if types[:1] == ("video",) and kinds == ("automatic-speech-recognition",):
                kinds = ("media-conversion", *kinds)
            links = tuple(pairwise(kinds))
            yield Row(
                text=row["text"],
                language=row["lang"],
                files=types,
                thread_files=(),
                kinds=kinds,
                edges=links,
            )


def is_done(wish: str, wanted: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether kinds fulfil a wish inside."""
    return {*kinds} == {*wanted} or (len(kinds) == 1 and kinds[0] in _ALIKE.get(wish, ()))


def outside() -> Iterator[Row]:
    """Wishes that no kind fulfils, and those that only a language model does."""
    for row in read_wishes("outside.jsonl"):
        kinds = tuple(row.get("kinds", [NONE]))
        types = types_of(row["files"])
        if kinds[:1] == (_READ,) and "document" not in types:
            continue
        yield Row(
            text=row["text"],
            language=row["lang"],
            files=types,
            thread_files=(),
            kinds=kinds,
            edges=tuple(pairwise(kinds)),
        )


def rows() -> list[Row]:
    return [*inside(), *outside()]


def half(text: str) -> int:
    """Which half of the rows one belongs to: each is scored by a model of the other."""
    return zlib.crc32(text.encode()) % 2


def beside(rows: Sequence[Row], count: int, seed: int = 0) -> Iterator[Row]:
    """Wishes outside beside files they do not need, and beside requests that are fulfilled.

    And requests without the file that they need.
    """
    rng = random.Random(seed)
    apart = [row for row in rows if row.kinds == (NONE,) and not row.files and len(row.text) > 7]
    fulfilled = [row for row in rows if row.kinds and NONE not in row.kinds]
    short = [row for row in fulfilled if len(row.kinds) < 3 and len(row.text) < _LONGEST]
    by_language: dict[str, list[Row]] = {}
    for row in short:
        by_language.setdefault(row.language, []).append(row)
    composers = {language: Composer(language, rng) for language in by_language}
    filed = [row for row in short if row.files and len(row.text) < _BRIEF]
    for at in range(count):
        if at % 3 == 2:
            yield replace(rng.choice(filed), files=(), thread_files=())
            continue
        row = rng.choice(apart)
        other = rng.choice(by_language[row.language])
        if rng.random() < 0.5:
            yield replace(row, files=other.files, thread_files=other.thread_files)
            continue
        parts = [other.text, row.text]
        if rng.random() < 0.3:
            parts.reverse()
        composer = composers[row.language]
        composer.apart = True
        yield replace(other, text=composer.join(*parts), kinds=(*other.kinds, NONE))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the planner made of a wish: kinds, or the sentence that it said instead."""

    kinds: tuple[str, ...]
    said: str


def answer(row: WishRow) -> Outcome:
    """What the shipped planner makes of a wish, its files beside it."""
    files = files_of(row["files"])
    person, thread = Person("U", "ann", locale=row["lang"]), Thread(Channel("test", "w", "c"), "1")
    made = tasks(
        view(Request(run=RunId("r"), thread=thread, person=person, text=row["text"], files=files))
    )
    if isinstance(made, LocalizedText):
        return Outcome((), made.id)
    return Outcome(tuple(dict.fromkeys(task.kind.name for task in made)), "")


def judge(row: WishRow, outcome: Outcome) -> str:
    """How a wish was answered: "done", "declined", "asked", or "wrong" for another kind's tasks."""
    if not outcome.kinds:
        return "declined" if outcome.said in _DECLINES else "asked"
    if not row.get("wish"):
        written = {*outcome.kinds} <= {*_WRITTEN, _READ}
        return "needs a model" if written or [*outcome.kinds] == row.get("kinds") else "wrong"
    wanted = kinds_of(row["wish"], types_of(row["files"]))
    return "done" if is_done(row["wish"], wanted, outcome.kinds) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=["outside.jsonl", "inside.jsonl"])
    parser.add_argument("--half", type=int, help="only the rows of this half")
    parser.add_argument("--show", help="print the rows judged so (never for blind.jsonl)")
    args = parser.parse_args()
    for name in args.files:
        rows = read_wishes(name)
        if args.half is not None:
            rows = [row for row in rows if half(row["text"]) == args.half]
        outcomes = [answer(row) for row in rows]
        judged = [judge(row, outcome) for row, outcome in zip(rows, outcomes, strict=True)]
        _count(name, rows, judged)
        for row, outcome, how in zip(rows, outcomes, judged, strict=True):
            if how == args.show and name != "blind.jsonl":
                print(row["text"], row["files"], row.get("wish", row.get("kinds", "")), outcome)


def _count(name: str, rows: Sequence[WishRow], judged: Sequence[str]) -> None:
    for inside_ in (False, True):
        for filed in (True, False):
            some = [
                how
                for row, how in zip(rows, judged, strict=True)
                if bool(row.get("wish")) == inside_ and bool(row["files"]) == filed
            ]
            if some:
                which = f"{'inside' if inside_ else 'outside'}, {'a file' if filed else 'no file'}"
                print(f"{name}, {which}: {len(some)} rows,", dict(Counter(some)))


if __name__ == "__main__":
    main()
