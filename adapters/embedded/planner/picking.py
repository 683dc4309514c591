"""Which of several files a text means by their places: "the second", "the last two", "1 and 3", "all but the first"."""

# ruff: noqa: RUF001, SIM905 - words of many scripts

import re
from collections.abc import Mapping, Sequence
from functools import cache

_ORDINALS: Mapping[int, str] = {
    0: "first 1st erste erstes ersten erster primera primero primer primeras primeros première premier premières premiers prima "
    "primo prime primi primeira primeiro primeiras primeiros eerste первое первый первую первая первые первых birinci ilk",
    1: "second 2nd zweite zweites zweiten zweiter segunda segundo deuxième seconda secondo tweede второе второй вторую вторая ikinci",
    2: "third 3rd dritte drittes dritten dritter tercera tercero tercer troisième terza terzo terceira terceiro derde третье "
    "третий третью третья üçüncü",
    3: "fourth 4th vierte viertes vierten vierter cuarta cuarto quatrième quarta quarto vierde четвертое четвёртое четвертую "
    "четвёртую dördüncü",
    4: "fifth 5th fünfte fünftes fünften quinta quinto cinquième vijfde пятое пятый пятую beşinci",
    -1: "last latest letzte letztes letzten letzter última último últimas últimos ultima ultimo ultime ultimi dernière dernier "
    "dernières derniers laatste последнее последний последнюю последняя последние последних son",
}
_PLACES = {word: place for place, words in _ORDINALS.items() for word in words.split()}
_COUNTS = {
    word: count
    for count, words in {
        2: "2 two couple zwei beiden deux dos duas dois due twee два две двух iki",
        3: "3 three drei trois tres três tre drie три трёх трех üç",
        4: "4 four vier quatre cuatro quatro quattro vier четыре четырёх четырех dört",
        5: "5 five fünf cinq cinco cinque vijf пять пяти beş",
    }.items()
    for word in words.split()
}
_MEASURED = tuple(
    "second sec minute hour week month quarter year night time row column page line sentence paragraph word letter chapter section "
    "half halv question name person people speaker sekund stunde woche monat quartal jahr zeile spalte seite satz sätz absatz "
    "absätz wort wörter kapitel teil hälfte frage segundo minuto hora día semana años fila columna página pagina línea linea frase "
    "párrafo palabra parte mitad vez pregunta heure jour semaine mois année ligne colonne phrase paragraphe mot partie moitié fois "
    "chapitre secondi giorni settiman mesi righ volta parol linha meses seconden dagen weken regel bladzijde pagin zinnen woord "
    "секунд минут недел месяц строк страниц saniye dakika satır sayfa".split()
)
_MEASURED_SO = frozenset(
    "day days part parts tag tage tagen mal mes año ans ore riga di te me of dni дня дней час часа anos uur lines sein seine".split()
)
"""What else can be the first, the second or the last."""
_TURKISH = tuple("resm resim foto görsel görüntü kayd kayıt video belge dosya tablo gönder".split())
_ARTICLES = frozenset("a an per one".split())
_SHARES = frozenset("second third fourth fifth segundo secondo".split())
_MIDDLE = frozenset(
    "middle mittlere mittleren mittleres milieu medio central centrale midden".split()
)
_EXCEPT = (
    r"\b(?:except|excluding|all but|everything but|apart from|other than|außer|bis auf|ohne|sauf|excepté|excepto|menos|salvo|"
    r"tranne|eccetto|exceto|behalve|кроме)\b|除了|以外"
)
_NOUNS = (
    r"(?:images?|pictures?|photos?|pics?|files?|documents?|docs?|recordings?|audios?|videos?|clips?|screenshots?|tables?|bild(?:er)?|"
    r"fotos?|dateien|datei|dokumente?|aufnahmen?|vidéos?|fichiers?|enregistrements?|im[áa]gen(?:es)?|archivos?|documentos?|"
    r"v[íi]deos?|immagin[ei]|imagens?|afbeelding(?:en)?|foto's|фото|картинк\w+)"
)
_NUMBER = (
    rf"(?:\b{_NOUNS}\s*(?:no\.?|nr\.?|n°|#)?\s*|(?<!\w)(?:#|no\.?\s|nr\.?\s|n°\s?|number\s|nummer\s|numéro\s|número\s|numero\s))"
    r"(?P<first>\d{1,2})(?P<more>(?:\s*(?:,|and|und|et|y|e|en|и|&|\+|to|through|bis|à|a|-|–)\s*#?\d{1,2}(?![\w.]))*)(?![\d%]|[.:/x×]\d|\s*(?:px|pixel|%))"
)
_RANGE = r"(\d+)\s*(?:to|through|bis|à|a|-|–)\s*#?(\d+)"
_FIGURES = {sign: at + 1 for at, sign in enumerate("一二三四五六七八九十")} | {"两": 2, "両": 2}
_FIGURE = r"[一二三四五六七八九十两\d]"
_HAN = (
    rf"(?P<end>最后|最後|前|最初)の?(?P<many>{_FIGURE}+)(?:张|個|个|份|条|枚|つ|本|件|段|幅|点)"
    rf"|第(?P<zh>{_FIGURE}+)(?!页|頁|行|句|章|列|天|名|次|季|部分|ページ|文|章|回)"
    rf"|(?P<ja>{_FIGURE}+)(?:枚目|番目|つ目|個目|本目|件目)"
    r"|(?P<middle>中间|真ん中)|(?P<last>最后|最後)(?!の?\d*(?:页|行|句|秒|分|ページ))|(?P<one>最初)(?!の?\d*(?:页|行|句|秒|分|ページ))"
    r"|(?P<koend>처음|마지막)\s?(?P<komany>두|세|네|\d)\s?(?:개|장)|(?P<ko>첫|두|세|네|다섯)\s?번째|(?P<kolast>마지막)"
)
_KOREAN = {"첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5}


def picked(said: str, count: int) -> tuple[int, ...]:
    """The places that a text names among so many things, in their order, from 0; () where it names none. May lie outside."""
    low = said.casefold()
    found = {*_spaced(low, count), *_numbered(low), *_written(low, count)}
    if found and re.search(_EXCEPT, low):
        found = set(range(count)) - found
    return tuple(sorted(found))


def is_place(word: str) -> bool:
    """Whether a word is one for a place or a count of places."""
    return word in _PLACES or word in _COUNTS or word in _MIDDLE or word in _FIGURES


def _spaced(low: str, count: int) -> set[int]:
    words = re.findall(r"\d+(?:st|nd|rd|th)?|[^\W\d_]+", low)
    found: set[int] = set()
    for at, word in enumerate(words):
        if word in _MIDDLE and count > 2:  # noqa: PLR2004 - two have no middle
            found.add(count // 2)
        if word in _PLACES and not _other(words, at):
            found |= _counted(_PLACES[word], words, at, count)
    return found


def _other(words: Sequence[str], at: int) -> bool:
    """Whether a word for a place means something else: the first ten seconds, a second, my son."""
    following = words[at + 1 : at + 3]
    if words[at] == "son":
        return not any(word in _COUNTS or word.startswith(_TURKISH) for word in following)
    before = words[max(at - 1, 0) : at]
    if words[at] in _SHARES and any(word in _ARTICLES or word.isdigit() for word in before):
        return True
    counted = any(word in _COUNTS or word.isdigit() for word in following[:1])
    measured = following[1:] if counted else following[:1]
    return any(word in _MEASURED_SO or word.startswith(_MEASURED) for word in measured)


def _counted(place: int, words: Sequence[str], at: int, count: int) -> set[int]:
    """A place, or the first or last few where a number stands beside it."""
    beside = [*words[at + 1 : at + 2], *words[max(at - 1, 0) : at]]
    many = next((_COUNTS[word] for word in beside if word in _COUNTS), 0)
    if many and place == 0:
        return set(range(many))
    if many and place < 0:
        return {at for at in range(count - many, count) if at >= 0}
    return {place if place >= 0 else count + place}


def _numbered(low: str) -> set[int]:
    found: set[int] = set()
    for match in re.finditer(_NUMBER, low):
        numbers = [int(match["first"]), *map(int, re.findall(r"\d+", match["more"]))]
        found |= {number - 1 for number in numbers if number}
        for first, last in re.findall(_RANGE, f"{match['first']}{match['more']}"):
            found |= set(range(int(first) - 1, int(last)))
    return found


def _written(low: str, count: int) -> set[int]:
    """The same in scripts without spaces."""
    if low.isascii():
        return set()
    found: set[int] = set()
    for match in re.finditer(_HAN, low):
        if (end := match["end"] or match["koend"]) is not None:
            many = _figure(match["many"] or match["komany"])
            found |= set(range(many)) if end in "前最初처음" else set(range(count - many, count))
        elif (number := match["zh"] or match["ja"] or match["ko"]) is not None:
            found.add(_figure(number) - 1)
        elif match["middle"]:
            found.add(count // 2)
        else:
            found.add(0 if match["one"] else count - 1)
    return {place for place in found if place >= 0}


@cache
def _figure(written: str) -> int:
    return int(written) if written.isdigit() else _KOREAN.get(written) or _FIGURES.get(written, 0)
