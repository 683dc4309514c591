"""The few words of people's languages by which an answer is compared with the record."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterator, Mapping

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
    r"|(?:could|did)(?: not|n['’]t)|can(?:not|['’]t)|neither|none (?:of \w+ )?worked|nothing (?:worked|could|can|was (?:made|done|begun))|(?:was|were|has|have)(?: not|n['’]t) (?:\w+ ){0,2}(?:\w+ed|done|begun|made|possible|available|able|reachable)"
    r"|(?:not|\w+n['’]t) (?:possible|available|finished|done|begun|started)|without success"
    r"|fehlgeschlagen|gescheitert|konnten?|abgebrochen|übersprungen|leider|nicht (?:möglich|geklappt|funktioniert|verfügbar|begonnen|erstellt|gemacht)"
    r"|échou\w*|échec|impossible|malheureusement|indisponible|n['’](?:a|ai|ont) (?:\w+ ){0,2}?pas (?:\w+ )?(?:pu|été|fonctionné)"
    r"|fall[oó]|imposible|lamentablemente|no (?:se )?(?:pudo|puedo|puede|ha podido|pude|fue posible|es posible|funcionó)|(?:kann|können)\b[^.!?\n]{0,60}\bnicht|ne (?:peux|peut) pas"
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
NOTHING = re.compile(
    r"\b(?:no|none|nothing|not|empty|without|zero|kein\w*|nicht|nichts|leer|ohne|rien|aucune?|pas|vide|nada|ning[uú]n\w*"
    r"|vac[ií]\w*|niente|nessun\w*|vuot\w|nenhum\w*|vazi\w|niets|geen|ничего|нет|hiçbir|yok)\b|n['’]t\b|(?<![\d.,])0(?![\d.,])"
    r"|没有|沒有|無|何も|ありません|없",
    re.IGNORECASE,
)
UNSURE = re.compile(
    r"\b(?:not (?:\w+ )?(?:sure|certain|confident)|\w+n['’]t (?:\w+ )?(?:sure|certain|confident|agree)|disagree|(?:do|does) not agree|unsure|uncertain|(?-i:may\b)|maybe\b|might|perhaps|possibl|guess|low confidence"
    r"|hardly|hard to (?:say|tell)|unclear|(?<!no )(?<!without )(?<!without any )(?<!beyond )(?<!beyond any )doubt|unsicher|nicht (?:\w+ )?sicher|vielleicht|vermutlich|möglicherweise|peut-être|pas s[uû]r|incertain"
    r"|quizá|tal vez|no (?:\w+ )?segur|incert|forse|non (?:\w+ )?sicur|talvez|misschien|onzeker|niet zeker|возможно|не уверен"
    r"|belki|emin değil)|可能|也许|不确定|かもしれ|確信が|아마",
    re.IGNORECASE,
)
OFFER = re.compile(
    r"\b(?:if you(?:['’]d)? (?:like|want|wish|prefer|need)|would you like|(?:shall|should) I|let me know|wenn du (?:magst|willst|möchtest)"
    r"|möchtest du|möchten Sie|soll ich|si (?:vous|tu) (?:le )?(?:voulez|souhaitez|veux|souhaites)|si (?:lo )?(?:quieres|desea|deseas|prefieres))\b"
    r"|如果(?:你|您)(?:愿意|需要|想)|要不要|よろしければ|ご希望",
    re.IGNORECASE,
)
"""That something is only offered."""
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
    "Summary Mid Early Late Steps Description Confidence Score Scores Object Objects Count Total"
)
LARGE = frozenset(_LARGE.split())
"""What English writes with a capital letter within a sentence though it names nobody."""

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


def _words(text: str) -> Iterator[str]:
    for found in re.finditer(r"[^\W_]+", text.casefold()):
        yield found.group()
