"""The few words of people's languages by which an answer is compared with the record."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

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
_ENGLISH_TOO = ("once", "due", "sei")

_TEENS = (
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    "trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    "tredici quattordici quindici sedici diciassette diciotto diciannove",
    "treze catorze quinze dezesseis dezessete dezoito dezenove",
    "dertien veertien vijftien zestien zeventien achttien negentien",
    "тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
)
_TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
)
_DOZENS = "dozen dutzend douzaine docena dozzina dúzia dozijn дюжина"
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
_ALL: Mapping[str, int] = {
    **{word: n for line in (*_COUNTING, *_DECLINED) for n, word in enumerate(line.split(), 2)},
    **{word: n for line in _TEENS for n, word in enumerate(line.split(), 13)},
    **{word: 10 * n for line in _TENS for n, word in enumerate(line.split(), 2)},
    **dict.fromkeys(_DOZENS.split(), 12),
}
_COUNTED = {word: number for word, number in _ALL.items() if word not in _ENGLISH_TOO}
_NOT_MARKED = _AMBIGUOUS | {"venti", *" ".join(_DECLINED).split()}
NUMBER_WORDS: Mapping[str, int] = {
    word: number for word, number in _ALL.items() if word not in _NOT_MARKED
}
COUNTED = re.compile(
    r"([二两三四五六七八九十](?=[个個只隻匹人名本枚つ台张張辆条條头頭羽])"
    rf"|(?<![가-힣])(?:{_KOREAN.replace(' ', '|')})(?=\s?(?:마리|명|개|장|대|권|번|병|잔|채|사람)))"
)
"""A number in front of a word for counting."""
FIGURES: Mapping[str, int] = {
    **{sign: number for number, sign in enumerate("二三四五六七八九十", 2)},
    "两": 2,
    **{word: number for number, word in enumerate(_KOREAN.split(), 2)},
}

_PARTS = (
    "a an one ein eine einem einer eines un une uno una um uma een 一",
    "two zwei deux dos due dois duas twee 二",
    "three drei trois tres tre três drie 三",
    "four vier quatre cuatro quattro quatro 四",
)
PARTS: Mapping[str, int] = {
    word: number for number, line in enumerate(_PARTS, 1) for word in line.split()
}
_WHOLES: Mapping[int, str] = {
    3: "third thirds drittel dritteln tiers tercio tercios terzo terzi tercera terceras terço terços derde 三",
    4: "quarter quarters fourths viertel vierteln quart quarts cuarta cuartas quarti quartos kwart 四",
    5: "fifth fifths fünftel cinquième cinquièmes quinta quintas 五",
    10: "tenth tenths zehntel dixième dixièmes décima décimas 十",
}
WHOLES: Mapping[str, int] = {
    word: number for number, line in _WHOLES.items() for word in line.split()
}
"""How many parts of how many: "two thirds"."""
_HALVES = (
    "half halves hälfte halb halbe halben halber halbes moitié demi demie mitad medio media metà mezzo mezza "
    "metade meio meia helft halve половина половину половины yarısı"
)
HALVES = frozenset(_HALVES.split())
_MOST = (
    "most majority bulk mostly mainly meist meisten meistens mehrheit großteil größte größter größten überwiegend "
    "plupart majorité mayoría maggior maggioranza maioria meeste meerderheid большинство çoğu"
)
MOST = frozenset(_MOST.split())

PERCENT = re.compile(
    r"\s?(?:%|％|per ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b|процент)", re.IGNORECASE
)

FAILING = re.compile(
    r"\b(?:fail\w*|error|unable|unavailable|skipp\w+|stopp\w+|unfortunately|gave up|given up|too (?:busy|long)|took longer"
    r"|(?:could|can|did)(?: not|n['’]t)|cannot|(?:was|were|has|have)(?: not|n['’]t) (?:\w+ ){0,2}(?:\w+ed|done|begun|made|possible|available|able)"
    r"|not (?:possible|available|finished|done|begun|started)|without success"
    r"|fehlgeschlagen|gescheitert|konnten?|abgebrochen|übersprungen|leider|nicht (?:möglich|geklappt|funktioniert|verfügbar|begonnen|erstellt|gemacht)"
    r"|échou\w*|échec|impossible|malheureusement|indisponible|n['’]a pas (?:pu|été|fonctionné)"
    r"|fall[oó]|imposible|lamentablemente|no (?:se )?(?:pudo|ha podido|fue posible|funcionó)"
    r"|mislukt\w*|niet (?:gelukt|mogelijk|beschikbaar)|kon(?:den)? (?:\w+ ){0,4}niet|helaas|overgeslagen"
    r"|fallit\w|non (?:è |sono )?(?:riuscit\w|stat\w possibile|disponibil\w)|impossibile|purtroppo|saltat\w"
    r"|falhou|falharam|não (?:foi possível|foram? \w+|pôde|conseguiu|conseguimos)|infelizmente|indisponível|ignorad\w"
    r"|не (?:удалось|получилось|вышло|выполнен\w*)|невозможно|к сожалению|недоступ\w+|ошибк\w+|пропущен\w*"
    r"|başarısız|yapılamadı|\w+[ae]madı|maalesef|mümkün (?:olmadı|değil)|atlandı)\b"
    r"|失败|無法|无法|失敗|できません|できなかった|스킵|실패|못했|할 수 없|불가능|건너뛰",
    re.IGNORECASE,
)
"""That something was not done; more than a mere "not", which may belong to the result."""
NOT_FAILING = re.compile(
    r"\b(?:(?:did|does|do|has|have|was|were)(?: not|n['’]t) fail\w*|never fail\w*|without (?:any |an )?(?:errors?|problems?|fail\w*|trouble)"
    r"|no (?:errors?|problems?|failures?)|nicht (?:fehlgeschlagen|gescheitert)|ohne Fehler|n['’]a pas échoué|sans (?:erreur|échec)|no falló|sin error\w*)\b",
    re.IGNORECASE,
)
"""That something did not go wrong, in words that look like the contrary."""
IN_THE_END = re.compile(
    r"\b(?:then|later|eventually|in the end|finally|second try|dann|schließlich|ensuite|finalement|después|al final)\b[^.!?]*"
    r"\b(?:work(?:ed|s)|succeeded|went (?:well|through)|funktioniert\w*|geklappt|gelungen|gelang|marché|réussi|funcionó)\b",
    re.IGNORECASE,
)
"""That it went well after all."""
TOPICS: Mapping[str, re.Pattern[str]] = {
    "image": re.compile(
        r"\b(?:bild\w*|photo\w*|imagen|afbeelding\w*|foto\w*|plaatje|immagin\w+|imagem|изображен\w+|картин\w+|resim\w*|resm\w+|görüntü\w*)|图|画像|写真|이미지|사진|그림",
        re.IGNORECASE,
    ),
    "audio": re.compile(
        r"\b(?:aloud|vorles\w*|sprach\w*|ton\w*|voix|son|voz|spraak\w*|geluid\w*|voorle\w+|voce|suono|lettura|som|leitura|áudio|звук\w*|аудио\w*|реч\w+|озвуч\w+|ses\w*)|语音|音声|朗读|음성|소리|오디오|낭독",
        re.IGNORECASE,
    ),
    "video": re.compile(r"\b(?:film\w*|vídeo|видео\w*)|视频|動画|동영상|영상", re.IGNORECASE),
    "translation": re.compile(
        r"\b(?:übersetz\w*|tradu\w+|vertal\w+|перевод\w*|перевести|çevir\w*)|翻译|翻訳|번역",
        re.IGNORECASE,
    ),
    "summarization": re.compile(
        r"\b(?:zusammenfass\w*|résum\w+|resum\w+|samenvat\w+|riassun\w+|резюм\w+|özet\w*)|总结|摘要|要約|요약",
        re.IGNORECASE,
    ),
}
"""What people call what a task is about."""
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
_LARGE = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August "
    "September October November December Christmas Easter English German French Spanish Italian Portuguese Dutch "
    "Chinese Japanese Korean Russian Turkish Arabic Polish Ukrainian Swedish Danish Norwegian Finnish Greek Latin "
    "Hebrew Hindi Czech Hungarian Romanian Vietnamese Thai Indonesian Persian Catalan Cyrillic Mandarin British "
    "American European Internet Earth God Celsius Fahrenheit Kelvin Markdown Unicode Python Excel Word Slack "
    "Discord Troupe Hugging Face Hub Yes No True False Unknown None Positive Negative Neutral Other Image Picture "
    "Photo Audio Sound Recording Video Film Document File Page Table Row Column Figure Step Task Speaker Person "
    "Model Label Text Part Section Line Box Option Note Answer Result Results Details "
    "Summary Steps Description Confidence Score Scores Object Objects Count Total"
)
LARGE = frozenset(_LARGE.split())
"""What English writes with a capital letter within a sentence though it names nobody."""

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


def counted_in(texts: Iterable[str]) -> frozenset[float]:
    """The numbers that stand in texts as words, whatever their language, or as Chinese signs before what is counted."""
    words = [word for text in texts for word in _words(text)]
    signs = [found for text in texts for found in COUNTED.findall(text)]
    return frozenset(
        [float(_COUNTED[word]) for word in words if word in _COUNTED]
        + [float(_ALL[a] + _ALL[b]) for a, b in pairwise(words) if a in _ALL and b in _ALL]
        + [float(FIGURES[sign]) for sign in signs]
    )


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
