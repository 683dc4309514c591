"""The file: JSON Lines, a head and then one exchange per line. docs/recording.md describes it."""

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import structlog
from pydantic import TypeAdapter
from yarl import URL

from tests.cassettes.secrets import HIDDEN, Cleaner, Json, map_strings

Fields = Mapping[str, Json]

_MAX_SENT = 400
"""Characters of a longest word in a request. Files in base64 are longer: only hashes are kept."""
_QUOTED = quote(HIDDEN)


def describe_body(body: bytes, cleaner: Cleaner) -> Fields:
    """A body as JSON, text or base64. Only base64 is clean, as it would hide secrets."""
    if not body:
        return {}
    with suppress(ValueError):
        return {"json": json.loads(body)}
    with suppress(ValueError):
        return {"text": body.decode()}
    clean = cleaner.clean_binary(body.decode("utf-8", "surrogateescape"))
    return {"base64": base64.b64encode(clean.encode("utf-8", "surrogateescape")).decode()}


def describe_request(method: str, path: str, body: bytes, cleaner: Cleaner) -> Fields:
    """A request as it is taped and compared: forms without their boundary, which is random."""
    boundary = body.partition(b"\r\n")[0] if body.startswith(b"--") else b""
    described = describe_body(body.replace(boundary, b""), cleaner)
    return clean_request({"method": method, "path": path, **described}, cleaner)


def clean_request(request: Fields, cleaner: Cleaner) -> Fields:
    """A request without secrets, and with hashes for its long words."""
    clean = cleaner.clean_json(request)
    return {**map_strings(clean, _shorten), "path": clean["path"].replace(_QUOTED, HIDDEN)}


def _shorten(text: str) -> str:
    if len(text) <= _MAX_SENT or not text.isascii() or len(text.split()) > 1:
        return text
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()} ({len(text)} characters)"


def read_pieces(answer: Fields) -> list[bytes]:
    """The body of a taped answer: a stream in its pieces."""
    match answer:
        case {"chunks": chunks}:
            return [text.encode() for _, text in chunks]
        case {"json": value}:
            return [json.dumps(value).encode()]
        case {"text": str(text)}:
            return [text.encode()]
        case {"base64": str(data)}:
            return [base64.b64decode(data)]
        case _:
            return []


log = structlog.get_logger()
_DETAILS = ("expand", "limit", "sort")
_SHOWN = 80
"""Characters of a difference that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first line: what was recorded. `cassette` is the version of the format.

    `services`: base URLs by name. `settings`: those that differ from the defaults and shape
    requests.
    """

    cassette: Literal[1] = 1
    recorded: str
    program: str
    command: tuple[str, ...]
    services: Mapping[str, str]
    settings: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer."""

    service: str
    request: Fields
    answer: Fields

    @property
    def key(self) -> str:
        """Equal for requests that count as the same."""
        return json.dumps([self.service, self.request], sort_keys=True)

    @property
    def place(self) -> str:
        """Service, method and path, whatever a list is asked to tell of each entry."""
        path = URL(self.request["path"], encoded=True).without_query_params(*_DETAILS)
        return f"{self.service} {self.request['method']} {path}"


_HEAD = TypeAdapter(Head)
_EXCHANGE = TypeAdapter(Exchange)
Chunk = tuple[float, str]
"""A piece of a stream, and the seconds after the request when it came."""


class Tape:
    """A cassette that is being recorded."""

    def __init__(self, path: Path, head: Head, cleaner: Cleaner) -> None:
        """Raises FileExistsError."""
        path.touch(mode=0o600, exist_ok=False)
        self.cleaner = cleaner
        self.count = self.refused = 0
        self._path = path
        self._write(cleaner.clean_json(asdict(head)))

    def append(self, exchange: Exchange) -> None:
        """Write one exchange, unless it still has a secret, as in the pieces of a stream."""
        line = self.cleaner.clean_json(asdict(exchange))
        stream = ""
        if "chunks" in line["answer"]:
            line["answer"]["chunks"] = chunks = self._clean_chunks(exchange.answer["chunks"])
            stream = _join_tokens("".join(text for _, text in chunks))
        if self.cleaner.finds(json.dumps(line)) or self.cleaner.finds(stream):
            self.refused += 1
            log.error("not recorded: a secret is in it", place=exchange.place)
        else:
            self.count += 1
            self._write(line)

    def _clean_chunks(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """The pieces of a stream without secrets; by lines, if one begins in one and ends later."""
        clean = [(at, self.cleaner.clean(text)) for at, text in chunks]
        whole = "".join(text for _, text in clean)
        if self.cleaner.clean(whole) == whole:
            return clean
        lines = _join_lines(chunks)
        return [(at, self.cleaner.clean(text)) for at, text in lines]

    def _write(self, line: Fields) -> None:
        text = json.dumps(line, ensure_ascii=False) + "\n"
        with self._path.open("ab") as file:  # half a surrogate pair becomes its JSON escape
            file.write(text.encode("utf-8", "backslashreplace"))


def _join_lines(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """The pieces of a stream, joined so that each ends with a line or with the stream."""
    lines = list[Chunk]()
    for at, text in chunks:
        is_open = bool(lines) and not lines[-1][1].endswith("\n")
        before = lines.pop()[1] if is_open else ""
        lines.append((at, before + text))
    return lines


def _join_tokens(stream: str) -> str:
    """The strings of server-sent events, each followed by those under the same key."""
    joined: dict[str, str] = defaultdict(str)

    def add(fields: Fields) -> None:
        for key, text in fields.items():
            joined[key] += text if isinstance(text, str) else ""

    for line in stream.splitlines():
        with suppress(ValueError):
            json.loads(line.removeprefix("data:"), object_hook=add)
    return "\n".join(joined.values())


class Deck:
    """The exchanges of a cassette, each handed out once, the last one to a GET again and again.

    A request that was not recorded gets the answer of the most similar one with the same path, and
    is listed in `unmatched`.
    """

    def __init__(self, path: Path) -> None:
        """Raises ValueError for a file that is no cassette, OSError."""
        head, *exchanges = map(json.loads, path.read_text("utf-8").rstrip("\n").split("\n"))
        self.head = _HEAD.validate_python(head)
        self.unused = [_read_exchange(each) for each in exchanges]
        self.unmatched: list[str] = []
        self._all = tuple(self.unused)

    def take(self, service: str, request: Fields) -> Exchange | None:
        """The next answer to a request; None if there is none."""
        asked = Exchange(service, request, {})
        recorded = [*self.unused, *(reversed(self._all) if request["method"] == "GET" else ())]
        equal = (each for each in recorded if each.key == asked.key)
        answer = next(equal, None) or self._find_nearest(asked)
        if answer in self.unused:
            self.unused.remove(answer)
        return answer

    def _find_nearest(self, asked: Exchange) -> Exchange | None:
        """The most similar unused request with the same path. The log names the nearest one."""
        candidates = [each for each in self.unused if each.place == asked.place]
        nearest = max(candidates or self._all, key=partial(_compare, asked), default=asked)
        pairs = enumerate(zip(asked.key, nearest.key, strict=False))
        at = next((at for at, (a, b) in pairs if a != b), len(asked.key))
        here, there = (key[at : at + _SHOWN] for key in (asked.key, nearest.key))
        why = f"{here!r} instead of {there!r}" if here or there else "all its answers are used"
        self.unmatched.append(f"{asked.place}; the nearest is {nearest.place}: {why}")
        log.error("not in the cassette", request=self.unmatched[-1])
        return nearest if candidates else None


def _read_exchange(line: Fields) -> Exchange:
    """A recorded exchange, whose request is cleaned as those that are compared with it."""
    exchange = _EXCHANGE.validate_python(line)
    return replace(exchange, request=clean_request(exchange.request, Cleaner(())))


def _compare(asked: Exchange, recorded: Exchange) -> float:
    """How alike two requests are: the share of words in common."""
    asked_words, recorded_words = set(asked.key.split()), set(recorded.key.split())
    return len(asked_words & recorded_words) / len(asked_words | recorded_words)
