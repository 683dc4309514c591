"""What people order, as the concepts of their words: every word must be understood."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from adapters.embedded.lexicon import Match, Phrases, phrases, split_words
from pipeline.domain import LocalizedText
from pipeline.errors import ExpertRefused

_DASH = re.compile(r"(?<=\d)\s*[-–—〜~～]\s*(?=\d)")
FILLERS = frozenset({"order.fill", "fillers.ask", "fillers.other", "table.fill"})
_SILENT = FILLERS | {"join.and"}
_ENDS = frozenset({"first", "last"})
_BEST = frozenset({"max", "min"})
"""Ends of a table in the order of a column that the words do not name."""
_SEQUENCES = frozenset({"descending", "ascending", "old_first", "young_first"})
_MOST_CHARACTERS = 1_000
"""Characters of an order that are read."""
_MOST_WORDS_TOLD = 5
"""Words that a refusal names."""


def read_order(text: str, vocabulary: Phrases, can: str, allowed: Collection[str]) -> list[str]:
    """The concepts of an order in its words' sequence, without sections: "keep page N2:3".

    Numbers are written N2, ranges N2:3, file types .png. `can` is the id of the sentence that says
    what can be ordered, `allowed` are the concepts that mean something there. Raises ExpertRefused
    that names the words that were not understood.
    """
    words = split_words(_DASH.sub(":", text[:_MOST_CHARACTERS]))
    matches = vocabulary.find(words)
    if unknown := list_unknown(words, matches, allowed):
        raise refuse(unknown, can)
    tokens = []
    for concept, start, _ in matches:
        section, _, name = concept.partition(".")
        if not concept:
            tokens.append(f"N{words[start]}")
        elif section == "number":
            tokens.append(f"N{name}")
        elif concept not in FILLERS:
            tokens.append(f".{name}" if section == "type" else name)
    return tokens


def list_unknown(
    words: Sequence[str], matches: Sequence[Match], allowed: Collection[str]
) -> list[str]:
    """The words that are not understood, phrase by phrase."""
    return [
        " ".join(words[match.start : match.end])
        for match in matches
        if not is_understood(match.concept, words[match.start], allowed)
    ]


def list_measures(text: str, *sections: str) -> list[str]:
    """The figures with a unit in a text that belong to no phrase of these sections: "50 %"."""
    words = split_words(text[:_MOST_CHARACTERS])
    matches = phrases(*sections, "number", "unit").find(words)
    return [
        " ".join(words[one.start : unit.end])
        for one, unit in pairwise(matches)
        if unit.concept.startswith("unit.")
        and (one.concept.startswith("number.") or words[one.start][0].isdigit())
        and one.end - one.start == 1
    ]


def says_only_sequence(text: str) -> bool:
    """Whether words say nothing but which rows come first: "highest first"."""
    told = [name for name, _ in _list_told(text)]
    is_pair = len(told) == 2 and told[0][:3] in ("max", "min") and told[1] == "first"  # noqa: PLR2004
    return is_pair or (bool(told) and _SEQUENCES.issuperset(told))


def says_only_rows(text: str, *, of_best: bool) -> bool:
    """Whether words say nothing but how many rows from an end: "the first 5 rows".

    `of_best`: also "top 3 only", which says by itself nothing of the column that is meant.
    """
    ends = _ENDS | _BEST if of_best else _ENDS
    told = _list_told(text)
    numbers = [word for name, word in told if not name and word.isdigit()]
    rest = {name for name, word in told if word not in numbers}
    return len(numbers) == 1 and bool(rest & ends) and rest <= ends | {"rows"}


def _list_told(text: str) -> list[tuple[str, str]]:
    """What the words of an order on rows mean, and the first word of each; fillers left out."""
    vocabulary = phrases("table_file", "table", "extreme", "join", "order")
    words = split_words(text[:_MOST_CHARACTERS])
    return [
        (match.concept.rpartition(".")[2], words[match.start])
        for match in vocabulary.find(words)
        if match.concept not in _SILENT
    ]


def is_understood(concept: str, word: str, allowed: Collection[str]) -> bool:
    """Whether a word is a number, says nothing, or means something of what is `allowed`."""
    section, _, name = concept.partition(".")
    if not concept:
        return word[0].isdigit()
    return concept in FILLERS or section in ("number", "type") or name in allowed


def list_numbers(tokens: Sequence[str]) -> list[str]:
    """The numbers among tokens, as they were written: all else is no word that people said."""
    return [token[1:] for token in tokens if token[0] == "N"]


def refuse(words: Sequence[str], can: str) -> ExpertRefused:
    """Says which words were not understood (none: nothing was asked for), and what can be."""
    if not words:
        return ExpertRefused("embedded-order-empty", can=LocalizedText(can))
    told = ", ".join(dict.fromkeys(words[:_MOST_WORDS_TOLD]))
    return ExpertRefused("embedded-order-unclear", words=told, can=LocalizedText(can))
