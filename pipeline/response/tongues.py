"""Which language a text is in, as far as its small words tell: enough to know whether a capital letter says anything."""

import re
from collections import Counter

_SMALL = {
    "en": "the this that it it's there is are were with and of you i he she they has have not what which here its at by from into your his her to for but",
    "de": "der die das und ist nicht ein eine einen einem einer im auf mit zu dem von ich er sie sind hier kein keine auch für zeigt "
    "heißt sagt oder zwei drei vier fünf wie wo wer zum vom beim wird wurde nach bei über",
    "fr": "un le les une est et dans il elle sur du des sont pas avec pour ce cette qui",
    "es": "un el los las y en con del por una es se hay son",
    "it": "lo gli e di della che sono c'è un nella",
    "pt": "o os em uma um na não são tem",
    "nl": "het een van op zijn niet er",
}
_WORDS = {word: language for language, words in _SMALL.items() for word in words.split()}
_SETS = {language: frozenset(words.split()) for language, words in _SMALL.items()}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")  # noqa: RUF001 - an apostrophe
_ACCENTS = re.compile(r"[ß-ÿ]")
_KANA, _HAN = re.compile(r"[\u3041-\u30fa]"), re.compile(r"[\u3400-\u9fff]")
_OTHER = re.compile(r"[\u0370-\u1cff\u3040-\ud7ff]")


def language_of(text: str, otherwise: str) -> str:
    """The language that most of the small words of a text are in, else the one given."""
    if _KANA.search(text):
        return "ja"
    if len(_HAN.findall(text)) > 1:
        return "zh"
    words = [word.casefold() for word in _WORD.findall(text)]
    counts = Counter({tongue: sum(w in some for w in words) for tongue, some in _SETS.items()})
    most = max(counts.values())
    usual = otherwise.partition("-")[0]
    return usual if not most or counts[usual] == most else counts.most_common(1)[0][0]


def is_english(text: str) -> bool:
    """Whether most of what tells a language is English."""
    return bool(small := _small(text)) and 2 * small["en"] > small.total()


def is_foreign(text: str) -> bool:
    """Whether a text is in a language other than English, as far as one can tell."""
    small = _small(text)
    return 2 * small["en"] < small.total() or bool(_ACCENTS.search(text)) or other_letters(text)


def other_letters(text: str) -> bool:
    """Whether some letters of a text are not Latin."""
    return bool(_OTHER.search(text))


def is_german(text: str) -> bool:
    """Whether a text is rather in German, which writes every noun with a capital letter."""
    small = _small(text)
    return small["de"] > small["en"]


def _small(text: str) -> Counter[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))  # noqa: RUF001
    return Counter(_WORDS[word] for word in words if word in _WORDS)
