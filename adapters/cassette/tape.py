"""The file: JSON Lines, a head and then one exchange per line. docs/recording.md describes it."""

import json
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import structlog
from pydantic import TypeAdapter
from yarl import URL

from adapters.cassette.cleaning import Cleaner, Fields, Json, map_strings

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
