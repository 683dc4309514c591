"""The few words of people's languages by which an answer is compared with the record."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterator, Mapping

_COUNTING = (
    "two three four five six seven eight nine ten eleven twelve",
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "deux trois quatre cinq six sept huit neuf dix onze douze",
    "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "dois três quatro cinco seis sete oito nove dez onze doze",
    "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
)
_AMBIGUOUS = frozenset({"tre", "sei", "due", "once", "dix", "nove", "drie", "onze"})
"""Too often something else than a number."""

NUMBER_WORDS: Mapping[str, int] = {
    word: number
    for line in _COUNTING
    for number, word in enumerate(line.split(), 2)
    if word not in _AMBIGUOUS
}
COUNTED = re.compile(r"([二两三四五六七八九十])(?=[个個只隻匹人名本枚つ台张張辆])")
"""A number in front of a word for counting."""
FIGURES: Mapping[str, int] = {
    **{sign: number for number, sign in enumerate("二三四五六七八九十", 2)},
    "两": 2,
}

PERCENT = re.compile(
    r"\s?(?:%|％|per ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b|процент)", re.IGNORECASE
)

FAILING = re.compile(
    r"\b(?:fail\w*|error|unable|unavailable|skipp\w+|stopp\w+|unfortunately|gave up|given up|too (?:busy|long)|took longer"
    r"|(?:could|can|did)(?: not|n['’]t)|cannot|(?:was|were|has|have)(?: not|n['’]t) (?:\w+ ){0,2}(?:\w+ed|done|begun|made|possible|available|able)"
    r"|not (?:possible|available|finished|done|begun|started)|without success"
    r"|fehlgeschlagen|gescheitert|konnten?|abgebrochen|übersprungen|leider|nicht (?:möglich|geklappt|funktioniert|verfügbar|begonnen|erstellt|gemacht)"
    r"|échou\w*|échec|impossible|malheureusement|indisponible|n['’]a pas (?:pu|été|fonctionné)"
    r"|fall[oó]|imposible|lamentablemente|no (?:se )?(?:pudo|ha podido|fue posible|funcionó))\b"
    r"|失败|無法|无法|失敗|できません|できなかった",
    re.IGNORECASE,
)
"""That something was not done; more than a mere "not", which may belong to the result."""
NOTHING = re.compile(
    r"\b(?:no|none|nothing|not|empty|without|zero|kein\w*|nicht|nichts|leer|ohne|rien|aucune?|pas|vide|nada|ning[uú]n\w*"
    r"|vac[ií]\w*|niente|nessun\w*|vuot\w|nenhum\w*|vazi\w|niets|geen|ничего|нет|hiçbir|yok)\b|n['’]t\b|(?<![\d.,])0(?![\d.,])"
    r"|没有|沒有|無|何も|ありません|없",
    re.IGNORECASE,
)
UNSURE = re.compile(
    r"\b(?:not (?:\w+ )?(?:sure|certain|confident)|unsure|uncertain|may(?:be)?\b|might|perhaps|possibl|guess|low confidence"
    r"|hardly|unclear|doubt|unsicher|nicht (?:\w+ )?sicher|vielleicht|vermutlich|möglicherweise|peut-être|pas s[uû]r|incertain"
    r"|quizá|tal vez|no (?:\w+ )?segur|incert|forse|non (?:\w+ )?sicur|talvez|misschien|onzeker|niet zeker|возможно|не уверен"
    r"|belki|emin değil)|可能|也许|不确定|かもしれ|確信が|아마",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|no|never|nor|nicht|kein\w*|pas|non|ni|não|niet|geen)\W+$", re.IGNORECASE
)

_MOODS = "positive negative neutral"
_THINGS = (
    "bicycle motorcycle airplane boat bird cat dog horse sheep cow elephant bear zebra giraffe umbrella suitcase "
    "frisbee snowboard skateboard surfboard fork spoon banana apple sandwich broccoli carrot pizza donut cake couch "
    "toilet laptop keyboard microwave toaster refrigerator scissors truck bus bottle lion tiger wolf fox rabbit "
    "monkey whale shark snake frog duck chicken pig goat deer camel penguin"
)
_IRREGULAR = {
    "person": "people",
    "mouse": "mice",
    "knife": "knives",
    "sheep": "sheep",
    "man": "men",
    "woman": "women",
    "child": "children",
}


def plural(label: str) -> str:
    """An English label for several."""
    head, space, last = label.rpartition(" ")
    many = _IRREGULAR.get(last.casefold())
    if many is None:
        many = last + "s"
        if last.endswith(("s", "x", "ch", "sh")):
            many = last + "es"
        elif last.endswith("y") and last[-2:-1] not in "aeiou":
            many = last[:-1] + "ies"
    return f"{head}{space}{many}"


def forms(label: str) -> str:
    """A pattern for a label and its other names ("tabby, tabby cat"), one or several."""
    names = [name.strip() for name in label.casefold().replace("_", " ").split(",")]
    words = {form for name in names if name for form in (name, plural(name), f"{name}s")}
    longest_first = sorted(words or {label.casefold()}, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s_-]+") for word in longest_first)


def normal(text: str) -> str:
    """Letters and digits in small, everything between them one blank."""
    return " ".join(_words(text))


_LABELS = {form: label for label in _THINGS.split() for form in (label, plural(label))}
_MOOD = {mood: mood for mood in _MOODS.split()}
_COMMON = re.compile(rf"\b(?:{'|'.join({**_LABELS, **_MOOD})})\b", re.IGNORECASE)


def common_labels(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where a text names what experts often give as a label, and the label."""
    for found in _COMMON.finditer(text):
        word = found.group().casefold()
        yield found, _LABELS.get(word) or _MOOD[word]


def is_mood(label: str) -> bool:
    return label in _MOOD


def _words(text: str) -> Iterator[str]:
    for found in re.finditer(r"[^\W_]+", text.casefold()):
        yield found.group()
