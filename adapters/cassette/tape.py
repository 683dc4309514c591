"""The file: JSON Lines, a head and then one exchange per line. docs/recording.md describes it."""

import base64
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import structlog
from pydantic import TypeAdapter
from yarl import URL

Json = Any
Fields = Mapping[str, Json]

_HIDDEN = "(secret)"
_MIN_SECRET = 8
"""Shorter values are placeholders ("none", "ollama"), and part of ordinary words."""
_MAX_SENT = 400
"""Characters of a longest word in a request. Files in base64 are longer: only hashes are kept."""
_KEYS = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"  # the start of a word, also after an escaped line break
    r"(?:(?:sk-|xox[a-z]-|xapp-|r8_|gsk_)[\w*-]{12,}|(?:hf_|org-|proj_|user-)[A-Za-z0-9*]{16,})"
)
"""Keys of Hugging Face, OpenAI, Slack, Replicate and Groq, and OpenAI's ids of their owners."""


class Cleaner:
    """Removes secrets: the configured ones, and everything that looks like a key."""

    def __init__(self, secrets: Iterable[str]) -> None:
        secrets = sorted(secrets, key=len, reverse=True)
        spelled = ["".join(map(_spell, each)) for each in secrets if len(each) >= _MIN_SECRET]
        self._pattern = re.compile("|".join([*spelled, _KEYS]))

    def clean(self, text: str) -> str:
        """A string without secrets; a URL also without user, password and signed query."""
        if is_url(text):
            text = str(URL(text).with_user(None).with_query(None))
        return self._pattern.sub(_HIDDEN, text)

    def describe_body(self, body: bytes) -> Fields:
        """A body as JSON, text or base64. Only base64 is clean, as it would hide secrets."""
        if not body:
            return {}
        with suppress(ValueError):
            return {"json": json.loads(body)}
        with suppress(ValueError):
            return {"text": body.decode()}
        clean = self.clean(body.decode("utf-8", "surrogateescape"))
        return {"base64": base64.b64encode(clean.encode("utf-8", "surrogateescape")).decode()}

    def describe_request(self, method: str, path: str, body: bytes) -> Fields:
        """A request as it is taped and compared: forms without their boundary, which is random."""
        boundary = body.partition(b"\r\n")[0] if body.startswith(b"--") else b""
        short = map_strings(self.describe_body(body.replace(boundary, b"")), _shorten)
        return {"method": method, "path": self.clean(path), **map_strings(short, self.clean)}


def _spell(char: str) -> str:
    """A pattern for one character of a secret, also as it is escaped in URLs and in JSON."""
    if char.isascii() and char.isalnum():
        return char
    percents = "".join(f"%{byte:02x}" for byte in char.encode())
    return rf"(?i:\\*{re.escape(char)}|\\+u{ord(char):04x}|{percents})"


def _shorten(text: str) -> str:
    if len(text) <= _MAX_SENT or not text.isascii() or len(text.split()) > 1:
        return text
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()} ({len(text)} characters)"


def is_url(text: str) -> bool:
    """Whether a string is one web address and nothing else."""
    with suppress(ValueError):
        return text.startswith("http") and len(text.split()) == 1 and bool(URL(text).host)
    return False


def map_strings(value: Json, change: Callable[[str], str]) -> Json:
    """A JSON value with every string changed, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [map_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): map_strings(item, change) for key, item in value.items()}
    return value


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


class Tape:
    """A cassette that is being recorded."""

    def __init__(self, path: Path, head: Head, cleaner: Cleaner) -> None:
        """Raises FileExistsError."""
        path.touch(mode=0o600, exist_ok=False)
        self.cleaner = cleaner
        self.count = self.refused = 0
        self._path = path
        self._write(asdict(head))

    def append(self, exchange: Exchange) -> None:
        """Write one exchange, unless the pieces of its stream form a secret."""
        answer = map_strings(exchange.answer, self.cleaner.clean)
        stream = "".join(text for _, text in answer.get("chunks", ()))
        joined = stream + _join_tokens(stream)
        if self.cleaner.clean(joined) == joined:
            self.count += 1
            self._write(asdict(exchange))
        else:
            self.refused += 1
            log.error("not recorded: a secret is in it", place=exchange.place)

    def _write(self, line: Fields) -> None:
        text = json.dumps(map_strings(line, self.cleaner.clean), ensure_ascii=False) + "\n"
        with self._path.open("ab") as file:  # half a surrogate pair becomes its JSON escape
            file.write(text.encode("utf-8", "backslashreplace"))


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
        self.unused = [_EXCHANGE.validate_python(each) for each in exchanges]
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


def _compare(asked: Exchange, recorded: Exchange) -> float:
    """How alike two requests are: the share of words in common."""
    asked_words, recorded_words = set(asked.key.split()), set(recorded.key.split())
    return len(asked_words & recorded_words) / len(asked_words | recorded_words)
