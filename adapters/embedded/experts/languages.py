"""Languages: which one is named, and which one a text is written in (by its script and its commonest words)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

_OWN_NAMES: Mapping[str, str] = {
    "deutsch": "de", "allemand": "de", "alemán": "de", "德语": "de", "ドイツ語": "de",
    "englisch": "en", "anglais": "en", "inglés": "en", "english": "en", "英语": "en", "英語": "en",
    "français": "fr", "francais": "fr", "französisch": "fr", "francés": "fr", "french": "fr", "法语": "fr", "フランス語": "fr",
    "español": "es", "espanol": "es", "spanisch": "es", "espagnol": "es", "spanish": "es", "castellano": "es", "西班牙语": "es", "スペイン語": "es",
    "italiano": "it", "italienisch": "it", "italien": "it",
    "português": "pt", "portugues": "pt", "portugiesisch": "pt", "portugais": "pt", "portuguese": "pt",
    "nederlands": "nl", "niederländisch": "nl", "polski": "pl", "polnisch": "pl", "русский": "ru", "russisch": "ru",
    "中文": "zh", "汉语": "zh", "普通话": "zh", "chinesisch": "zh", "chinois": "zh", "chino": "zh", "chinese": "zh", "mandarin": "zh", "中国語": "zh",
    "日本語": "ja", "日语": "ja", "japanisch": "ja", "japonais": "ja", "japonés": "ja",
    "한국어": "ko", "koreanisch": "ko", "العربية": "ar", "arabisch": "ar", "हिन्दी": "hi", "türkçe": "tr", "türkisch": "tr",
    "ελληνικά": "el", "українська": "uk", "norwegian": "nb", "norsk": "nb", "svenska": "sv", "dansk": "da", "suomi": "fi", "farsi": "fa",
}  # fmt: skip

_SCRIPTS: Sequence[tuple[str, str]] = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", "\u4e00-\u9fff"),
    ("uk", "іїєґІЇЄҐ"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("fa", "پچژگ"),
    ("ar", "\u0600-\u06ff"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("te", "\u0c00-\u0c7f"),
    ("th", "\u0e00-\u0e7f"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
    ("am", "\u1200-\u137f"),
)

_COMMON: Mapping[str, str] = {
    "en": "the and of to is in that it you for was with are this have on what not be your my as at by from or an we he they has were will can do no come so more i me",
    "de": "der die das und ist nicht ich ein eine zu den mit auf für von wir sie es auch wie bitte",
    "fr": "le la les des et est une je ne pas que vous dans pour sur au avec ce qui nous bonjour",
    "es": "el los las y es una que no por para con del se su al lo como más hola está muy",
    "it": "il gli di che è un una non per con sono della del si ma ciao questo anche come più",
    "pt": "o os as e é um uma não que com para do da em se por mais você olá isso está",
    "nl": "het een en van is dat niet ik je met voor op zijn aan maar ook wij hallo deze",
    "pl": "i w nie na się z że do to jest jak o po co ale dla czy dzień tak",
    "sv": "och att det som en är på av för inte jag med den har till hej om vi",
    "tr": "ve bir bu için ile çok ama ne var değil ben sen merhaba olarak daha gibi",
}
_MAJORITY = 0.3


def named(name: str, voices: Sequence[tuple[str, str]]) -> str:
    """The code of a language that a person named in any way ("German", "de-DE", "Deutsch"); the name itself if unknown."""
    wanted = name.strip().casefold().replace("_", "-")
    codes = [code for code, _ in voices]
    if wanted in codes:
        return wanted
    if wanted in _OWN_NAMES:
        return _OWN_NAMES[wanted]
    english = [code for code, title in voices if re.split(r" \(", title.casefold())[0] == wanted]
    return english[0] if english else wanted.partition("-")[0]


def spoken_in(text: str, otherwise: str) -> str:
    """The language a text is written in; `otherwise` (a locale) when that cannot be told, then English."""
    return _by_script(text) or _by_words(text) or otherwise.partition("-")[0].lower() or "en"


def _by_script(text: str) -> str:
    letters = sum(character.isalpha() for character in text)
    for language, script in _SCRIPTS:
        few = language in ("ja", "uk", "fa")  # a few letters tell these from others of the script
        if len(re.findall(f"[{script}]", text)) > letters * (0.05 if few else _MAJORITY):
            return language
    return ""


def _by_words(text: str) -> str:
    counts = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    scores = {
        language: sum(counts[word] for word in common.split())
        for language, common in _COMMON.items()
    }
    best = max(scores, key=lambda language: scores[language])
    rest = max(score for language, score in scores.items() if language != best)
    return best if scores[best] > rest else ""
