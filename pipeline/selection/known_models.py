"""What is known of models by their names: the table in `models.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

Fields = Mapping[str, Any]
"""Fields of a request to a chat model."""
_TABLE = Path(__file__).with_name("models.toml")


@dataclass(frozen=True, slots=True)
class ChatFamily:
    """Chat models that are asked alike: the fields for low and for medium effort."""

    names: str
    """A pattern of names, as in a shell."""
    low: Fields
    medium: Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModels:
    """The table. `models.toml` says what each entry is."""

    router: Sequence[str]
    seeing: Sequence[str]
    unopened: Sequence[str]
    thoughtless: Fields
    combining: str
    chat: Sequence[ChatFamily]
    media: Mapping[str, Sequence[str]]
    sizes: Mapping[str, Sequence[tuple[int, int]]]
    prefixes: Mapping[str, str]
    voices: Mapping[str, Mapping[str, str]]


@cache
def load_known() -> KnownModels:
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    del table["checked"]
    table["chat"] = tuple(ChatFamily(**row) for row in table["chat"])
    table["sizes"] = {
        name: tuple((width, height) for width, height in sizes)
        for name, sizes in table["sizes"].items()
    }
    return KnownModels(**table)


def find_chat_family(model: str) -> ChatFamily | None:
    """The first family that a chat model is of, by its name."""
    families = (family for family in load_known().chat if matches_any(model, [family.names]))
    return next(families, None)


def matches_any(model: str, patterns: Sequence[str]) -> bool:
    """Whether a model's name, in any case, fits one of these patterns."""
    return any(fnmatchcase(model.casefold(), pattern) for pattern in patterns)
