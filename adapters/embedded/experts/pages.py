"""Pages of PDFs and pictures joined, split, taken out, turned and drawn, as ordered in words."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from adapters.embedded.experts.orders import list_numbers, read_order, refuse
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_files, require_text
from adapters.embedded.lexicon import Phrases, phrases
from adapters.media import pages
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.names import find_ending

MOST_FILES = 20
"""Files that one order may make."""
_CAN = "embedded-can-pages"
_PDF = "application/pdf"
_SPELLINGS = {"png*": "png", "jpg*": "jpeg", "jpeg*": "jpeg", "webp": "webp"}
"""How people call the types of pictures that pages can be drawn as."""
_DONE = frozenset(
    {"merge", "split", "images", "rotate", "drop", "keep", "reverse", "smaller", "metadata"}
)
_BESIDE = frozenset(
    {"page", "file", "to", "and", "left", "right", "around", "turn", "after", "every", "quarter"}
)
_WHICH = frozenset({"first", "last", "odd", "even", "degrees", "counter"})
_RUN = re.compile(r"(?:(?:page|to|and|N[\d:.,]+)(?: |$))+")
_ENDS = re.compile(
    r"(?:first|last)(?: N\d+)? page|N\d+ (?:first|last) page|page (?:first|last)"
    r"|(?:odd|even)(?: page)?|page (?:odd|even)"
)
_BOTH_ENDS = re.compile(r"\b((?:first|last)(?: N\d+)?) and (?=(?:first|last)\b)")
_ANGLE = re.compile(r"N(\d+) degrees|(?<!page )\bN(90|180|270)\b(?! page)")
_CHUNK = re.compile(r"\bevery N(\d+) page\b")
_COUNT = re.compile(
    r"(page N[\d:.,]+(?: (?:page|to|and|N[\d:.,]+)\b)*)|\bN\d+ (?:counter ?|(?=file\b|images\b))"
)
"""A number of files, after whatever are numbers of pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOrder:
    """What is to be done with pages; `ranges` are of pages from 1, negative ones from the end."""

    operations: frozenset[str]
    ranges: tuple[tuple[int, int], ...] = ()
    parity: str = ""
    angle: int = 0
    encoder: str = ""
    """The file type of the pictures that pages are drawn as; "" for a PDF."""
    splits_after: bool = False
    chunk: int = 1
    """Pages in each part of a document that is split."""

    @property
    def selects(self) -> bool:
        return bool(self.ranges or self.parity)

    def find_pages(self, count: int) -> list[int]:
        """The selected pages of a document, from 0. Raises ExpertRefused for one it has not."""
        if self.parity:
            return [*range(self.parity == "even", count, 2)]
        return [page for part in self.find_parts(count) for page in part]

    def find_parts(self, count: int) -> list[range]:
        """The selected ranges; all pages if none was named."""
        parts = []
        for first, last in self.ranges or ((1, count),):
            start = first - 1 if first > 0 else max(count + first, 0)
            end = last if last > 0 else count + last + 1
            if end > count or start >= end:
                raise ExpertRefused("embedded-pages-missing", page=max(first, last), pages=count)
            parts.append(range(start, end))
        return parts


def convert(args: ExpertInput, _language: str) -> WorkerResult:
    """The PDF or pictures that were ordered. Raises BadInput, ExpertRefused, MediaError."""
    blobs = get_files(args, "documents", Type.DOCUMENT, Type.IMAGE)
    order = parse_order(require_text(args, "text"), [blob.type for blob in blobs])
    readers = [pages.open_pages(blob) for blob in blobs]
    if _joins(order, blobs):
        joined = Blob(pages.join(readers), _PDF, _name(blobs[0], "merged", "pdf"))
        blobs, readers = [joined], [pages.open_pages(joined)]
        if not order.operations - {"merge"}:
            return _finish([joined], "merged", len(readers[0].pages))
    made = [made for pair in zip(blobs, readers, strict=True) for made in _make(order, *pair)]
    if not made:
        raise ExpertRefused("embedded-no-pictures")
    if len(made) > MOST_FILES:
        raise BadInput("embedded-too-many-files", files=len(made), limit=MOST_FILES)
    done = _name_operation(order)
    if done == "smaller" and not any(map(pages.has_pictures, readers)):
        done = "smaller-text"
    return _finish(made, done, sum(len(each.pages) for each in readers))


def _joins(order: PageOrder, blobs: Sequence[Blob]) -> bool:
    """Pictures become one PDF unless each is to be one. Raises ExpertRefused."""
    pictures = all(blob.type is Type.IMAGE for blob in blobs)
    if len(blobs) > 1 and order.selects and "merge" in order.operations:
        raise ExpertRefused("embedded-pages-of-which")
    if "merge" in order.operations and len(blobs) == 1 and not pictures:
        raise BadInput("embedded-merge-one")
    return "merge" in order.operations or (pictures and "split" not in order.operations)


def _make(order: PageOrder, blob: Blob, reader: Any) -> list[Blob]:
    count = len(reader.pages)
    chosen = order.find_pages(count)
    if "pictures" in order.operations:
        found = pages.take_pictures(reader, chosen, MOST_FILES)
        return [
            replace(each, name=_name(blob, f"picture-{at}", find_ending(each.media_type)))
            for at, each in enumerate(found, 1)
        ]
    if order.encoder:
        if len(chosen) > MOST_FILES:
            raise BadInput("embedded-too-many-files", files=len(chosen), limit=MOST_FILES)
        data = pages.take(reader, range(count)) if blob.type is Type.IMAGE else blob.data
        media_type = f"image/{order.encoder}"
        ending = find_ending(media_type)
        return [
            Blob(drawn, media_type, _name(blob, f"page-{n + 1}", ending))
            for n, drawn in zip(chosen, pages.draw(data, chosen, order.encoder), strict=True)
        ]
    if "smaller" in order.operations:
        return [_compress(blob, reader)]
    parts = _find_parts(order, chosen, count)
    turned = chosen if "rotate" in order.operations else ()
    names = [_name_part(order, part, len(parts), count) for part in parts]
    return [
        Blob(pages.take(reader, part, turned, order.angle), _PDF, _name(blob, name, "pdf"))
        for part, name in zip(parts, names, strict=True)
    ]


def _find_parts(order: PageOrder, chosen: Sequence[int], count: int) -> list[Sequence[int]]:
    """The pages of each file that is made."""
    everything = range(count)
    if "split" in order.operations:
        if order.splits_after:
            cuts = [0, *sorted({page + 1 for page in chosen}), count]
            return [range(a, b) for a, b in itertools.pairwise(cuts) if a < b]
        if order.ranges:
            return [*order.find_parts(count)]
        return [chosen[at : at + order.chunk] for at in range(0, len(chosen), order.chunk)]
    if "drop" in order.operations:
        rest = [page for page in everything if page not in chosen]
        if not rest or not order.selects:
            raise BadInput("embedded-nothing-left-of-pages")
        chosen = rest
    elif "rotate" in order.operations and "keep" not in order.operations:
        chosen = everything
    return [chosen[::-1] if "reverse" in order.operations else chosen]


def _compress(blob: Blob, reader: Any) -> Blob:
    """The document with smaller pictures. Raises BadInput if that gains nothing."""
    data = pages.compress(reader)
    if len(data) > 0.95 * len(blob.data):
        raise BadInput("embedded-no-smaller")
    return Blob(data, _PDF, _name(blob, "smaller", "pdf"))


def _name_part(order: PageOrder, part: Sequence[int], parts: int, count: int) -> str:
    if parts == 1 and len(part) == count:
        return _name_operation(order)
    first, last = min(part) + 1, max(part) + 1
    if len(part) < last - first + 1:
        return "pages"
    return f"page-{first}" if first == last else f"pages-{first}-{last}"


def _name_operation(order: PageOrder) -> str:
    names = {
        "pictures": "pictures", "images": "drawn", "smaller": "smaller", "split": "split",
        "drop": "dropped", "rotate": "rotated", "reverse": "reversed",
        "metadata": "cleaned",
    }  # fmt: skip
    return next((name for word, name in names.items() if word in order.operations), "pages")


def _name(blob: Blob, what: str, ending: str) -> str:
    return f"{PurePosixPath(blob.name).stem or 'file'}-{what}.{ending}"


def _finish(made: Sequence[Blob], done: str, count: int) -> WorkerResult:
    note = LocalizedText("embedded-pages-done", {"op": done, "pages": count, "files": len(made)})
    return WorkerResult(slots={"file": made[0]}, extras=tuple(made[1:]), notes=(note,))


def parse_order(text: str, types: Sequence[Type]) -> PageOrder:
    """What is to be done with files of these types. Raises ExpertRefused."""
    tokens = read_order(text, _vocabulary(), _CAN, _DONE | _BESIDE | _WHICH)
    encoders = [token[1:] for token in tokens if token[0] == "."]
    tokens = [token for token in tokens if token[0] != "."]
    pictured = Type.IMAGE in types
    plain = _COUNT.sub(r"\1", " ".join(tokens))
    chunk = _CHUNK.search(plain)
    plain = _CHUNK.sub("", plain)
    angle = _ANGLE.search(plain) if {"rotate", "turn"} & {*tokens} else None
    plain = _ANGLE.sub("", plain, count=1) if angle else plain
    plain = _BOTH_ENDS.sub(r"\1 page and ", plain)
    ends = [end.split() for end in _ENDS.findall(plain)]
    parities = [word for end in ends for word in end if word in ("odd", "even")]
    plain = _ENDS.sub(" ", plain)
    ranges = _read_ranges(plain)
    ranges += [_read_end(end) for end in ends if not {"odd", "even"} & {*end}]
    words = {*plain.split()}
    if chunk and ("split" not in words or not int(chunk[1])):
        raise refuse([chunk[1]], _CAN)
    odd = [word for word in words if word not in _DONE | _BESIDE and word[0] != "N"]
    if odd or len({*encoders}) > 1:
        raise refuse(list_numbers(odd), _CAN)
    operations = {word for word in words if word in _DONE}
    if "metadata" in operations:
        operations -= {"drop"}
    if "turn" in words and (angle or {"left", "right", "around", "quarter"} & words):
        operations |= {"rotate"}
    if pictured:
        operations -= {"images"}
        if encoders:
            raise refuse(encoders, _CAN)
    elif "keep" in operations and "images" in operations and not {"page", "to"} & words:
        operations = {"pictures"}
    drawn = bool(encoders) or "images" in operations
    if not (operations or ranges or parities or drawn or (pictured and "file" in words)):
        raise refuse([], _CAN)
    degrees = int(angle[1] or angle[2]) if angle else 180 if "around" in words else 90
    if "rotate" in operations and degrees % 90:
        raise ExpertRefused("embedded-quarter-turns")
    return PageOrder(
        operations=frozenset(operations),
        ranges=tuple(ranges),
        parity=next(iter(parities), ""),
        angle=(-degrees if "left" in words else degrees) % 360,
        encoder=(encoders or ["png"])[0] if drawn else "",
        splits_after="after" in words,
        chunk=int(chunk[1]) if chunk else 1,
    )


def _read_end(words: Sequence[str]) -> tuple[int, int]:
    """The pages at an end: "last N3 page" gives (-3, -1)."""
    count = next((int(word[1:]) for word in words if word[0] == "N"), 1)
    return (1, count) if "first" in words else (-count, -1)


def _read_ranges(text: str) -> list[tuple[int, int]]:
    """The numbers of pages: "page N2 to N4 and N6" gives (2, 4), (6, 6)."""
    ranges: list[tuple[int, int]] = []
    for run in _RUN.findall(text):
        is_open = False
        for word in run.split():
            if word[0] != "N":
                is_open = bool(ranges) and (is_open if word == "page" else word == "to")
                continue
            for number in word[1:].split(","):
                first, _, last = number.strip(".").partition(":")
                if not f"{first}{last}".isdigit():  # 573.00 is no page
                    raise refuse([number], _CAN)
                pair = int(first[:6]), int((last or first)[:6])
                if is_open:
                    ranges[-1] = (ranges[-1][0], pair[1])
                else:
                    ranges.append(pair)
                is_open = False
    if any(first < 1 or last < first for first, last in ranges):
        raise ExpertRefused("embedded-pages-range")
    return ranges


@cache
def _vocabulary() -> Phrases:
    known = phrases("pages", "conversion", "number", "order", "unit", "join", "fillers")
    return known.with_types(_SPELLINGS)
