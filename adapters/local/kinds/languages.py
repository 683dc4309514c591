"""Languages as people name them, and as models write them."""

from functools import cache
from typing import Any

from babel import Locale

_SCRIPTS = {
    "ar": "arb_Arab", "bg": "bul_Cyrl", "bn": "ben_Beng", "ca": "cat_Latn", "cs": "ces_Latn", "da": "dan_Latn",
    "de": "deu_Latn", "el": "ell_Grek", "en": "eng_Latn", "es": "spa_Latn", "et": "est_Latn", "fa": "pes_Arab",
    "fi": "fin_Latn", "fr": "fra_Latn", "he": "heb_Hebr", "hi": "hin_Deva", "hr": "hrv_Latn", "hu": "hun_Latn",
    "id": "ind_Latn", "it": "ita_Latn", "ja": "jpn_Jpan", "ko": "kor_Hang", "lt": "lit_Latn", "lv": "lvs_Latn",
    "nl": "nld_Latn", "no": "nob_Latn", "pl": "pol_Latn", "pt": "por_Latn", "ro": "ron_Latn", "ru": "rus_Cyrl",
    "sk": "slk_Latn", "sl": "slv_Latn", "sr": "srp_Cyrl", "sv": "swe_Latn", "sw": "swh_Latn", "ta": "tam_Taml",
    "te": "tel_Telu", "th": "tha_Thai", "tr": "tur_Latn", "uk": "ukr_Cyrl", "ur": "urd_Arab", "vi": "vie_Latn",
    "zh": "zho_Hans",
}  # fmt: skip
"""How NLLB writes languages (FLORES-200)."""


def token_for(tokenizer: Any, language: str) -> str:
    """The tokenizer's own token for a language; "" when it has none."""
    added = tokenizer.get_added_vocab()
    code = _code(language)
    for token in (
        language,
        _SCRIPTS.get(code, ""),
        code,
        f"__{code}__",
        f"{code}_XX",
        f">>{code}<<",
    ):
        if token and token in added:
            return str(token)
    regional = (token for token in added if token.startswith(f"{code}_") and token[3:].isupper())
    return next(regional, "") if code else ""


def english_name(language: str) -> str:
    """For "de" German; names stay as they are."""
    code = _code(language)
    return str(Locale("en").languages.get(code, language)) if code else language


def _code(language: str) -> str:
    """For "German", "Deutsch" and "de-DE" de; "" when it is no language we know."""
    wanted = language.strip().casefold()
    short = wanted.replace("_", "-").partition("-")[0]
    return short if short in Locale("en").languages else _names().get(wanted, "")


@cache
def _names() -> dict[str, str]:
    """English names of all languages, and the names that the larger ones have for themselves."""
    english = {name.casefold(): code for code, name in Locale("en").languages.items()}
    own = {Locale(code).get_display_name(code): code for code in _SCRIPTS}
    return {str(name).casefold(): code for name, code in own.items() if name} | english
