"""Words of a text, and how telling each is (TF-IDF), in any language and with no model."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

_EMPTY = frozenset(
    re.findall(
        r"\S+",
        """a an the of to is are was were be been in on at for by with from and or not this that these those it its as do does did have
        has had what which who whom whose when where why how much many please tell me i you we they he she my your our his her their
        can could would will there here about into than then so if but also any some all according document text file page picture
        image say says said mean means mention contain contains content written write read aloud show shows give find
        der die das den dem des ein eine einen einem einer und oder ist sind war nicht zu von mit auf für im am was wer wie wo wann
        warum welche welcher welches viel viele bitte ich du wir sie es dieser diese dieses
        le la les un une des du de et ou est sont dans pour sur au aux avec ce cette ces qui que quoi quel quelle quand où comment
        combien pourquoi je vous nous il elle el los las uno una y o es son en por con del al qué que quién cuál cuándo dónde cómo
        cuánto cuánta""",
    )
)
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’][^\W_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“(]?[^\sa-z])|(?<=[。！？])|\n\s*\n")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s")
_STEM = 3


def tokens(text: str) -> list[str]:
    """The telling words, without endings; writing without spaces as pairs of characters."""
    found: list[str] = []
    for piece in _PIECE.findall(text.casefold()):
        if re.match(rf"[{_CJK}]", piece):
            found += [piece[place : place + 2] for place in range(max(len(piece) - 1, 1))]
        elif piece not in _EMPTY:
            found.append(_stem(piece))
    return found


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if word[-1] in "ey" and len(word) > _STEM else word


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line."""
    return [" ".join(one.split()) for one in _SENTENCE_END.split(text) if one and one.strip()]


def rarity(texts: Sequence[Sequence[str]]) -> Mapping[str, float]:
    """How telling each word is among texts (smoothed inverse document frequency)."""
    counts = Counter(word for text in texts for word in set(text))
    return {word: math.log((1 + len(texts)) / (1 + n)) + 1 for word, n in counts.items()}


def weighted(text: Sequence[str], rare: Mapping[str, float]) -> dict[str, float]:
    """A text as a vector of length one."""
    raw = {word: n * rare.get(word, 1.0) for word, n in Counter(text).items()}
    length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
    return {word: weight / length for word, weight in raw.items()}


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())
