"""Texts made short (the most telling sentences, as they stand), and how alike texts are in their words."""

import re

from adapters.embedded.experts.finding import Args, Finding, several, some_words
from adapters.embedded.experts.tokens import cosine, rarity, sentences, tokens, weighted
from pipeline.domain import Number, Sentence, Text
from pipeline.errors import BadInput

_MOST_CHARACTERS, _MOST_SENTENCES = 200_000, 2000
_HEADING = re.compile(
    r"(?:\A|(?<=[.!?:。！？]\n)|(?<=\n\n))[^\n]{1,44}(?<![\s.!?:,;。！？])[ \r]*\n(?=[^\sa-z])"
)
"""A short line at a beginning, without an end, before one that begins anew."""
_ENDED = re.compile(r"[.!?:。！？][\"'”’)]*$")


def summarize(args: Args, _language: str) -> Finding:
    """A fifth of the sentences, at least one, at most five."""
    text = some_words(args, "text")[:_MOST_CHARACTERS]
    count = len(_units(text))
    short = shortened(text, max(1, min(5, round(count / 5))))
    note = (
        "embedded-summary-whole"
        if len(short) >= len(" ".join(text.split()))
        else "embedded-summary"
    )
    return Finding({"text": Text(short)}, (Sentence(note),))


def shortened(text: str, count: int) -> str:
    """The sentences nearest to all the others in their words, in the order of the text; earlier ones count a little more."""
    units = _units(text)
    if len(units) <= count:
        return " ".join(units) or text.strip()
    words = [tokens(unit) for unit in units]
    rare = rarity(words)
    whole = weighted([word for unit in words for word in unit], rare)
    early = [1.0 + 0.3 * (1 - place / len(units)) for place in range(len(units))]
    scores = [
        cosine(weighted(unit, rare), whole) * lift for unit, lift in zip(words, early, strict=True)
    ]
    best = sorted(range(len(units)), key=lambda place: -scores[place])[:count]
    return " ".join(units[place] for place in sorted(best))


def _units(text: str) -> list[str]:
    """The sentences, each once; headings only where there is little else."""
    parts = [one for one in sentences(_HEADING.sub(r"\g<0>\n", text)) if len(one) > 1]
    whole = [one for one in parts if _ENDED.search(one)]
    return list(dict.fromkeys(whole if len(whole) > len(parts) / 2 else parts))[:_MOST_SENTENCES]


def compare(args: Args, _language: str) -> Finding:
    """How like the first text the likest of the others is, from 0 to 1."""
    first, *others = several(args, "sentences") or [""]
    if not others or not first.strip():
        raise BadInput("expert-one-sentence")
    words = [tokens(one) for one in (first, *others)]
    rare = rarity(words)
    vectors = [weighted(one, rare) for one in words]
    scores = [min(cosine(vectors[0], other), 1.0) for other in vectors[1:]]
    best = max(range(len(scores)), key=lambda place: scores[place])
    notes = [Sentence("embedded-alike")]
    if len(others) > 1:
        notes.append(Sentence("embedded-likest", {"text": others[best][:200]}))
    return Finding({"number": Number(round(scores[best], 3))}, tuple(notes))
