"""Sentences for people, before they are put into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A Fluent message id with its arguments, translated only where it is shown."""

    id: str
    args: Mapping[str, "str | int | float | LocalizedText"] = field(default_factory=dict)
