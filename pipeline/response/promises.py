"""Files that an answer says are there ("I attached an audio", "anbei das Bild"): marked when the run made none of that type."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Mapping

from pipeline.domain import FILE_TYPES, Type
from pipeline.response.edits import Edits
from pipeline.response.record import Record
from pipeline.response.spelled import NUMBER_WORDS
from pipeline.response.vocabulary import FAILING, NEGATED, normal

_NOUNS: Mapping[frozenset[Type], str] = {
    frozenset({Type.IMAGE}): (
        r"(?:picture|image|photo|photograph|drawing|illustration|painting|sketch|portrait)s?(?: files?)?"
        r"|bild(?:er)?|fotos?|zeichnung(?:en)?|dessins?|im[aá]gen(?:es)?|dibujos?|图片|图像|照片|画像|写真|イラスト"
    ),
    frozenset({Type.AUDIO}): (
        r"(?:audio|sound)s?(?: (?:files?|clips?|recordings?|versions?))?|voice (?:messages?|notes?|recordings?)|narration|podcast"
        r"|audiodatei(?:en)?|tonaufnahmen?|sprachnachricht(?:en)?|音频|语音|音声"
    ),
    frozenset({Type.AUDIO, Type.VIDEO}): (
        r"recordings?|clips?|aufnahmen?|enregistrements?|grabaci(?:ón|ones)|录音|録音"
    ),
    frozenset(
        {Type.VIDEO}
    ): r"(?:video|film|movie)s?(?: (?:files?|clips?))?|filme|vidéos?|vídeos?|视频|動画",
    frozenset({Type.IMAGE, Type.VIDEO}): r"animations?|gifs?|animation(?:en)?",
    frozenset({Type.DOCUMENT, Type.TABLE}): (
        r"pdfs?|spreadsheets?|csvs?|(?:excel|word) (?:files?|documents?)|excel-datei"
    ),
    FILE_TYPES: r"files?|attachments?|(?:edited|annotated|marked|new) (?:copy|copies|versions?)|datei(?:en)?|fichiers?|archivos?|文件|ファイル",
}
_WHAT = re.compile("|".join(f"(?P<t{at}>{nouns})" for at, nouns in enumerate(_NOUNS.values())))
_NOUN = "|".join(_NOUNS.values())
_DET = (
    r"(?:an?|the|your|some|two|three|four|five|both|beiden?|zwei|drei|deux|trois|dos|tres|ambas|ambos|another|ein|eine|einen|das|die|der|den|deine?n?|Ihre?n?"
    r"|une?|les?|la|votre|ton|ta|una|el|l[oa]s|tu|su) |l['’]"
)
_ADJECTIVE = (
    r"(?!(?:of|in|from|for|on|about|and|to|that|with|by|what|how|von|vom|im|zum|zur|der|des|aus|für|auf|über|und|zu|mit|de|du|dans|pour|sur|et|del|en|para|y|con)\b)"
    r"[\w-]+ "
)
_ENDS = (
    r"(?=[ \t]*(?:[.,:;!?)*\n—–]|\Z)"
    r"| (?:of|with|for|like|you|below|that|which|made|showing|from|at|attached|here|and (?:the|an?|your)"
    r"|von|vom|mit|für|zum|de|du|des|que|qui|pour|avec|con|para)\b| d['’])"
)
_THING = rf"(?:{_DET})(?:{_ADJECTIVE}){{0,3}}?(?:{_NOUN}){_ENDS}"
_BARE = rf"(?:{_DET})(?:{_ADJECTIVE}){{0,3}}?(?:{_NOUN})"
_SEVERAL = {"both": 2, "beide": 2, "beiden": 2, "ambas": 2, "ambos": 2}
_HERE = (
    r"\bhere(?:['’]s| is| are)|\b(?:please find|find (?:attached|enclosed|below))(?: attached| enclosed| below)?|\b(?:see|listen to|hear|watch|open|download)(?= [^.!?\n]{3,40}(?:below|attached|here)\b)"
    r"|\b(?:attached|enclosed|below) (?:is|are|you(?:['’]ll| will| can)? find)"
    r"|\b(?:hier|anbei|unten|im anhang|beigefügt|angehängt) (?:ist|sind|kommt|findest du|finden sie|siehst du|hörst du)(?: auch| nun)?"
    r"|\b(?:voici|ci-joint(?:e|s|es)?|vous trouverez(?: ci-joint| ci-dessous)?)"
    r"|\b(?:aquí (?:está|están|tienes?|tiene|va)|adjunto|adjunta)"
)
_I = r"\b(?:I|we)(?:['’]ve| have)?(?: also| now| just)?"
_GIVEN = re.compile(
    rf"(?:{_I} (?:attached|enclosed|uploaded|added)|(?:{_HERE})(?: [^.,!?\n]{{2,30}}? (?:and|und|et|y))??|\bj['’]ai joint|\bhe adjuntado) (?P<thing>{_THING})"
    rf"|(?P<lies>{_BARE}) (?:is|are|has been|have been)(?: also| now)? (?:attached|enclosed|below|ready)\b"
    rf"|(?P<liegt>{_BARE}) (?:ist|sind|findest du|finden Sie|liegt|liegen|hängt|hängen)(?: auch)? (?:unten|anbei|im Anhang|angehängt|beigefügt|fertig)\b"
    rf"|(?P<est>{_BARE}) (?:est|sont|se trouve|está|están) (?:ci-joint\w*|ci-dessous|adjunt\w+|abajo|a continuación)\b"
    rf"|\bich habe (?:dir |Ihnen |euch )?(?:auch |noch )?(?P<habe>{_BARE}) (?:\w+ ){{0,4}}?(?:angehängt|beigefügt|hochgeladen|mitgeschickt)"
    rf"|(?:附上|已附|附件[是为中])(?:了)?[^。，！\n]{{0,8}}?(?P<fu>{_NOUN})|(?P<wo>{_NOUN})(?:ファイル)?を添付し",
    re.IGNORECASE,
)
_MADE = re.compile(
    rf"{_I} (?:made|created|generated|produced|drew|drawn|painted|sketched|recorded|rendered|saved) (?P<thing>{_THING})"
    rf"|\bich habe (?:dir |Ihnen |euch )?(?:auch |noch )?(?P<habe>{_BARE}) (?:\w+ ){{0,4}}?(?:erstellt|erzeugt|gemalt|gezeichnet|generiert|aufgenommen|gemacht)\b"
    rf"|\b(?:j['’]ai (?:créé|généré|dessiné|enregistré|fait)|he (?:creado|generado|dibujado|grabado|hecho)) (?P<ai>{_THING})"
    rf"|(?:生成|制作|绘制|录制)了[^。，！\n]{{0,8}}?(?P<le>{_NOUN})|(?P<wo>{_NOUN})(?:ファイル)?を(?:作成|生成|録音|制作)し(?:まし)?た",
    re.IGNORECASE,
)


_SHOWN = re.compile(
    rf"(?:{_HERE}|{_I} (?:made|created|generated|drew|painted|rendered)|\bich habe (?:dir |Ihnen )?|\bj['’]ai (?:dessiné|créé|généré) |\bhe (?:dibujado|creado) ) ?"
    rf"(?P<thing>(?:{_DET})[^.,;:!?\n]{{2,40}})",
    re.IGNORECASE,
)
"""Something shown, whatever it is called."""


def look_at_promises(edits: Edits, known: Record, *, made: bool = True) -> None:
    """Marks files that nobody made; with `made`, also those that are said to have been made, by what they were to show, too."""
    if made and known.unmade:
        for found in edits.open(_SHOWN):
            about = known.unmade & set(normal(found["thing"]).split())
            failing = FAILING.search(_sentence(edits.text, found.start()))
            if about and not failing:
                edits.mark(*found.span("thing"))
    for pattern in (_GIVEN, _MADE) if made else (_GIVEN,):
        for found in edits.open(pattern):
            name, thing = next((name, text) for name, text in found.groupdict().items() if text)
            negated = NEGATED.search(edits.text[max(0, found.start() - 20) : found.start()])
            if not (negated or _is_there(thing, known) or known.says(found.group())):
                edits.mark(found.start(name), found.start(name) + len(thing.rstrip()))


def _sentence(text: str, at: int) -> str:
    return re.split(r"[.!?\n]", text[at:], maxsplit=1)[0]


def _is_there(thing: str, known: Record) -> bool:
    """Whether as many files were made as may be called so; the last word says what they are."""
    last = [found for found in _WHAT.finditer(thing.casefold()) if found.end() == len(thing)]
    types = list(_NOUNS)[int((last[0].lastgroup or "t0")[1:])] if last else FILE_TYPES
    first = thing.casefold().split()[0]
    return sum(known.made[one] for one in types) >= _SEVERAL.get(first, NUMBER_WORDS.get(first, 1))
