"""Languages by name and by code, from the Unicode locale data."""

from collections.abc import Mapping
from functools import cache, lru_cache

from babel import Locale
from babel.core import get_global

_NAMED_IN = ("en", "de", "fr", "es", "ja", "zh")


def find_language(name: str) -> str:
    """The code "ja" for "Japanese", "Japanisch", "日本語", "jpn" or "ja-JP"; "" if it is none."""
    folded = " ".join(name.split()).casefold()
    if not folded:  # reading the names takes 40 ms, and most tasks name no language
        return ""
    return _codes_by_name().get(folded) or normalize_code(folded)


@lru_cache(4096)
def normalize_code(code: str) -> str:
    """The shortest code of a language, as in "ja" for "jpn_Jpan"; "" if it is none."""
    short = code.casefold().replace("_", "-").partition("-")[0]
    short = get_global("language_aliases").get(short, short).partition("_")[0]
    short = "no" if short == "nb" else short
    return short if short in Locale("en").languages else ""


def name_language(code: str) -> str:
    """The English name of a language; "" if the code is unknown."""
    return str(Locale("en").languages.get(code, ""))


@cache
def _codes_by_name() -> Mapping[str, str]:
    names: dict[str, str] = {}
    for locale in _NAMED_IN:
        for code, name in Locale(locale).languages.items():
            names.setdefault(str(name).casefold(), normalize_code(code))
    return names
