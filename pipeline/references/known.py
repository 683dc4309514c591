"""The references in a run's record: what an answer may name and link."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from pipeline.references.syntax import SIGNS, TOKEN, WINDOW, find_urls, list_keys, normalize

_MAX_WORDS = 4000
"""Words of a record that are read, if they may be references."""
MAX_CHARACTERS = 100_000
"""Characters of a record that are read."""


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """The file names and URLs in a run's record, and the ids of its steps."""

    names: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()

    def has(self, plain: str) -> bool:
        """Whether a normalized reference is known, with or without its scheme."""
        return not self.names.isdisjoint(list_keys(plain))


def collect_references(texts: Iterable[str], steps: Iterable[int] = ()) -> KnownReferences:
    """Collect the file names and URLs in the texts of a run.

    Only the first words and characters are read, so pass what people wrote before long documents.
    `steps`: the numbers that an answer may cite; without any, all citations stay.
    """
    different, signs = dict.fromkeys(texts), SIGNS | {"["}
    words = (word for text in different for word in text.split() if not signs.isdisjoint(word))
    names, numbers, left = set[str](), set(map(str, steps)), MAX_CHARACTERS
    for part in (word[:WINDOW] for word in islice(words, _MAX_WORDS)):
        left -= len(part)
        if left < 0:
            break
        for whole in find_urls(part):
            names.update(list_keys(whole))
        for token in TOKEN.finditer(part.replace("](", "  ").replace("<", " ")):
            if token.lastgroup == "cite" and numbers:
                numbers.add(token.group().strip(" []"))
            elif token.lastgroup == "word":
                plain = normalize(token.group())
                for value in {plain, plain.replace("=", ":").rpartition(":")[2]}:
                    for key in list_keys(value):
                        names.update((key, key.partition("/")[0]))
    return KnownReferences(frozenset(names), frozenset(numbers))
