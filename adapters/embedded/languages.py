"""The language that a text is written in, by py3langid; by the lexicon's words while that loads."""

import threading
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from adapters.embedded.lexicon import list_own_words, split_words
from pipeline.words import LOCALES

_LONGEST = 5_000
"""Characters of a text that are looked at."""
_CERTAIN = 0.9
"""A request has few words. Below this, they may be of another language."""
_LIKELY = 0.5
"""Among all languages, sentences of twelve had 0.54 and more, single words 0.16 and less."""
_LOADING_SECONDS = 1.5
"""How long a message waits for the model to load, once; platforms want an answer in three."""
_loading = threading.Lock()


@cache
def load_identifier(codes: frozenset[str]) -> Any:  # noqa: ANN401 - the library is untyped
    """A model that tells these languages apart, as far as it knows them; none: all it knows."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - takes a second

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    if codes:
        identifier.set_languages(sorted(codes & set(identifier.labels)))
    return identifier


def rank_languages(text: str, codes: Iterable[str] = ()) -> tuple[str, float]:
    """The likeliest of these languages (none: of all), and how likely it is."""
    with _loading:
        identifier = load_identifier(frozenset(codes))
    language, certainty = identifier.rank(text[:_LONGEST])[0]
    return str(language), float(certainty) if any(map(str.isalpha, text)) else 0.0


def find_text_language(text: str) -> str:
    """The language that a text is written in, of all that are known; "" if it is unsure.

    The more languages there are, the less certain a short text is: a greeting is of many.
    """
    language, certainty = rank_languages(text)
    return language if certainty >= _LIKELY else ""


def find_language_by_words(text: str) -> str:
    """The language in whose lexicon alone most words of a text stand; "" if none leads.

    "lies das vor" has "lies" and "vor", which only the German one has.
    """
    words = split_words(text[:_LONGEST])
    counts = Counter(
        {code: sum(map(own.__contains__, words)) for code, own in list_own_words().items()}
    )
    (best, most), (_, second) = counts.most_common(2)
    return best if most > second else ""


async def detect_locale(text: str, *, patience: float = _LOADING_SECONDS) -> str:
    """The language of a request, of those in which the program answers; "" if it is unsure.

    If the model has not been loaded after `patience` seconds, the lexicon's words have to do.
    """
    import asyncio  # noqa: PLC0415 - workers use this module, too, and need no loop

    # the thread goes on loading for the next message if this one does not wait for it
    ranking = asyncio.get_running_loop().run_in_executor(None, rank_languages, text, LOCALES)
    await asyncio.wait((ranking,), timeout=patience)
    if not ranking.done():
        return find_language_by_words(text)
    language, certainty = ranking.result()
    return language if certainty >= _CERTAIN else ""
