"""Languages by name and by code, from the Unicode locale data."""

import csv
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale
from babel.core import get_global

_NAMED_IN = ("en", "de", "fr", "es", "ja", "zh")
_MORE_NAMES = Path(__file__).with_name("language_names.csv")
"""Other common names, and those of large languages in themselves."""


def find_language(name: str) -> str:
    """The code "ja" for "Japanese", "Japanisch", "日本語", "jpn" or "ja-JP"; "" if it is none.

    What stands in brackets says which form of the language: "Portuguese (Brazil)".
    """
    folded = " ".join(name.split()).casefold()
    if not folded:  # reading the names takes 40 ms, and most tasks name no language
        return ""
    main = folded.partition("(")[0].strip()
    names = _codes_by_name()
    return names.get(folded) or normalize_code(folded) or names.get(main, "")


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
    with _MORE_NAMES.open(encoding="utf-8", newline="") as file:
        return names | {row["name"].casefold(): row["code"] for row in csv.DictReader(file)}
