"""Numbers in words: "two hundred and forty", "fünfundzwanzig", "quatre-vingt-dix", "二十五匹"."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterable, Iterator, Mapping

_COUNTING: Mapping[str, str] = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "ru": "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
}
_TEENS: Mapping[str, str] = {
    "en": "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "de": "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    "es": "trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    "it": "tredici quattordici quindici sedici diciassette diciotto diciannove",
    "pt": "treze catorze quinze dezesseis dezessete dezoito dezenove",
    "nl": "dertien veertien vijftien zestien zeventien achttien negentien",
    "ru": "тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
}
_TENS: Mapping[str, str] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "ru": "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
}
_HUNDREDS: Mapping[str, str] = {
    "en": "hundred",
    "de": "hundert",
    "fr": "cent cents",
    "es": "cien ciento cientos",
    "it": "cento",
    "pt": "cem cento centos",
    "nl": "honderd",
}
_MANY: Mapping[str, str] = {
    "es": "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
}
_THOUSANDS: Mapping[str, str] = {
    "en": "thousand",
    "de": "tausend",
    "fr": "mille",
    "es": "mil",
    "it": "mille mila",
    "pt": "mil",
    "nl": "duizend",
}
_DOZENS = "dozen dutzend douzaine docena dozzina dúzia dozijn дюжина"
_AMBIGUOUS = frozenset({"tre", "sei", "due", "once", "dix", "nove", "drie", "onze", "venti"})
"""Too often something else than a number."""
_ENGLISH_TOO = ("once", "due", "sei")
_KOREAN = "두 세 네 다섯 여섯 일곱 여덟 아홉 열"
_DECLINED = (
    "двух трёх четырёх пяти шести семи восьми девяти десяти",
    "двое трое четверо пятеро шестеро семеро",
    "два трех четырех",
    _KOREAN,
    "둘 셋 넷",
    "iki üç dört beş altı yedi sekiz dokuz",
    "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć",
)
"""Understood in what experts and people say; too often something else to be marked in an answer."""
_FIRST: Mapping[str, int] = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
    "erste": 1,
    "ersten": 1,
    "dritte": 3,
    "dritten": 3,
    "siebte": 7,
    "siebten": 7,
    "achte": 8,
    "twentieth": 20,
    "thirtieth": 30,
    "achten": 8,
    "premier": 1,
    "première": 1,
    "neuvième": 9,
}
_ORDINAL = re.compile(r"(?:th|s?te[nrs]?|ième)$")
_LONGEST, _MOST = 60, 12
"""Letters of a German number, words of any other."""
_HUNDRED, _THOUSAND, _TEN = 100, 1000, 10


def _by_language(*tables: tuple[Mapping[str, str], int, int]) -> Mapping[str, Mapping[str, int]]:
    """Words and values of each language, out of tables that begin at some number and go up by some step."""
    return {
        language: {
            word: first + step * at
            for table, first, step in tables
            for at, word in enumerate(table.get(language, "").split())
        }
        for language in _COUNTING
    }


_SMALL = _by_language((_COUNTING, 2, 1), (_TEENS, 13, 1), (_TENS, 20, 10), (_MANY, 200, 100))
_SCALES = _by_language((_HUNDREDS, 100, 0), (_THOUSANDS, 1000, 0))
_WORDS = {language: {**_SMALL[language], **_SCALES[language]} for language in _SMALL}
NUMBER_WORDS: Mapping[str, int] = {
    word: number
    for words in (dict.fromkeys(_DOZENS.split(), 12), *_SMALL.values())
    for word, number in words.items()
    if word not in _AMBIGUOUS
}
"""Numbers that stand for themselves."""
_LENIENT: Mapping[str, int] = {
    **{word: number for words in _SMALL.values() for word, number in words.items()},
    **{word: number for line in _DECLINED for number, word in enumerate(line.split(), 2)},
    **NUMBER_WORDS,
}
_COMPOUND = r"\w{0,40}?(?:hundert|tausend)\w{0,40}|\w{1,40}?und(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)"
_ANY = "|".join(sorted({word for words in _WORDS.values() for word in words}, key=len)[::-1])
_ALONE = "|".join(sorted(NUMBER_WORDS, key=len)[::-1])
SPELLED = re.compile(
    rf"(?<![\w-])(?:(?P<compound>{_COMPOUND})|(?:(?:a|one|un|mille|cien|ciento|cent)(?=[ -](?:{_ANY})\b)[ -])?"
    rf"(?:{_ALONE}|(?:hundred|thousand|mille|cien|ciento|cent)(?= (?:and )?(?:{_ALONE})\b))"
    rf"(?:(?:-| | y | e | et |-et-| and | und )(?:{_ANY})(?![\w])){{0,9}})(?!\w)",
    re.IGNORECASE,
)
"""A number in words as it stands in an answer: up to ten of them joined."""
_PIECE = re.compile(r"[^\W\d_]+")
_SIGNS = "〇零一二两三四五六七八九"
RUN = rf"[{_SIGNS}十百千]{{1,9}}"
COUNTERS = "[个個只隻匹人名本枚つ台张張辆輛条條头頭羽脚把棵层階岁歳月日号點点時时年次回元円件位]"
"""Words for counting."""
COUNTED = re.compile(
    rf"((?<![{_SIGNS}十百千星期周第万])(?!十分[^钟鐘])(?!一(?![〇零一二三四五六七八九十百千])){RUN}"
    rf"(?={COUNTERS})"
    rf"|(?<![가-힣])(?:{_KOREAN.replace(' ', '|')})(?=\s?(?:마리|명|개|장|대|권|번|병|잔|채|사람)))"
)
"""A number in front of a word for counting."""
_CHINESE = re.compile(RUN)


def value_of(words: str) -> int | None:
    """What a number in words is; None where it is several."""
    pieces = [word.casefold() for word in _PIECE.findall(words)]
    if whole := NUMBER_WORDS.get(words.casefold()):
        return whole
    if len(pieces) == 1:
        return _compound(pieces[0])
    if len(pieces) > _MOST:
        return None
    values = (_joined(pieces, table) for table in _WORDS.values())
    return next((value for value in values if value is not None), None)


def each_of(words: str) -> list[int]:
    """The numbers in some words, one by one."""
    pieces = [word.casefold() for word in _PIECE.findall(words)]
    return [NUMBER_WORDS[word] for word in pieces if word in NUMBER_WORDS]


def sign_value(signs: str) -> int:
    """What a number in Chinese signs, or a Korean word for one, is."""
    korean = dict(zip(_KOREAN.split(), range(2, 11), strict=True))
    if signs in korean:
        return korean[signs]
    total, digits = 0, 0
    if not set(signs) & set("十百千"):
        return int("".join(str(_digit(sign)) for sign in signs))
    for sign in signs:
        if (scale := {"十": 10, "百": 100, "千": 1000}.get(sign)) is not None:
            total += (digits or 1) * scale
            digits = 0
        else:
            digits = _digit(sign)
    return total + digits


def counted_in(texts: Iterable[str]) -> frozenset[float]:
    """The numbers that stand in texts as words, whatever their language, alone and joined, or as Chinese signs."""
    return frozenset(float(value) for text in texts for value in _counted(text))


def _counted(text: str) -> Iterator[int]:
    words = [word.casefold() for word in _PIECE.findall(text)]
    yield from (_LENIENT[word] for word in words if word in _LENIENT and word not in _ENGLISH_TOO)
    yield from (value for word in words if (value := _place(word)))
    for found in SPELLED.finditer(text):
        if (value := value_of(found.group())) is not None:
            yield value
    yield from (sign_value(signs) for signs in COUNTED.findall(text))
    yield from (sign_value(signs) for signs in _CHINESE.findall(text))


def _digit(sign: str) -> int:
    return (
        0
        if sign == "零"
        else _SIGNS.replace("零", "").replace("两", "").index(sign if sign != "两" else "二")
    )


def _place(word: str) -> int | None:
    """What number an ordinal belongs to: "ninth", "elften", "deuxième"."""
    if word in _FIRST:
        return _FIRST[word]
    stem = _ORDINAL.sub("", word)
    return _LENIENT.get(stem) if stem != word else None


def _compound(word: str) -> int | None:
    """A German number in one word."""
    if len(word) > _LONGEST:
        return None
    for scale, times in (("tausend", _THOUSAND), ("hundert", _HUNDRED)):
        head, found, rest = word.partition(scale)
        if found:
            many = _compound(head) if head else 1
            more = _compound(rest.removeprefix("und")) if rest else 0
            return None if many is None or more is None else many * times + more
    unit, found, tens = word.partition("und")
    german = {"ein": 1, "eins": 1, **_SMALL["de"]}
    if found and unit in german and tens in german:
        return german[unit] + german[tens]
    return german.get(word)


def _joined(pieces: list[str], table: Mapping[str, int]) -> int | None:
    """Several words of one language as one number: hundreds and thousands multiply, smaller ones are added."""
    total, current = 0, 0
    for word in pieces:
        if word in ("and", "und", "et", "y", "e"):
            continue
        value = 1 if word in ("a", "one", "un") else table.get(word)
        if value is None:
            return None
        if value == _THOUSAND:
            total, current = total + (current or 1) * value, 0
        elif value == _HUNDRED:
            current = (current or 1) * value
        elif (current, value) == (4, 20):  # quatre-vingt
            current = 80
        elif current and (_fits(current) <= value):
            return None
        else:
            current += value
    return total + current


def _fits(current: int) -> int:
    """Below what a number must be to be added: 20 takes 3, 100 takes 23, 60 takes 17 in French."""
    if current % _HUNDRED == 0:
        return _HUNDRED
    if current % _HUNDRED in (60, 80):
        return 2 * _TEN
    return _TEN if current % _TEN == 0 and current % _HUNDRED > _TEN else 0
