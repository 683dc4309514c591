"""The requests of `troupe evaluate --suite paper`, in the manner of the paper's figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

FOLDER = Path(__file__).parent / "paper"
"""The requests and their files. benchmarks/paper_files.py makes the files."""


@dataclass(frozen=True, slots=True)
class SuiteTurn:
    """One message of a request."""

    text: str
    files: tuple[str, ...]
    """Names of files in the suite's folder."""
    kinds: tuple[tuple[str, ...], ...]
    """The kinds of tasks that a good plan has: any of these lists. An empty one: no task needed."""

    def accepts(self, kinds: Sequence[str]) -> bool:
        """Whether a plan with these kinds has at least those of one of the lists."""
        return any(Counter(accepted) <= Counter(kinds) for accepted in self.kinds)


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """A request: the messages of one thread."""

    id: str
    turns: tuple[SuiteTurn, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """The requests, and what each file shows, for the judge and the annotators."""

    requests: tuple[SuiteRequest, ...]
    contents: Annotated[Mapping[str, str], Field(validation_alias="files")]


@cache
def read_paper_suite() -> Suite:
    """The 24 requests."""
    return TypeAdapter(Suite).validate_json((FOLDER / "requests.json").read_bytes())
