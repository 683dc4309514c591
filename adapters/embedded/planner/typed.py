"""The types of the files that a text speaks of as of something that is there: "the recording", "das Bild", "这张图片"."""

# ruff: noqa: RUF001 - words of many scripts

import re
from collections.abc import Collection, Sequence
from functools import cache

from pipeline.domain import Type

IMAGE, AUDIO, VIDEO, DOCUMENT, TABLE = (
    Type.IMAGE,
    Type.AUDIO,
    Type.VIDEO,
    Type.DOCUMENT,
    Type.TABLE,
)
_NOUNS = {
    IMAGE: "picture|pictures|photo|photos|image|images|pic|pics|screenshot|photograph|bild|bilder|bildern|foto|fotos|imagen|imágenes|imagem|"
    "immagine|immagini|afbeelding|photographie|图片|照片|图像|画像|写真",
    AUDIO: "recording|recordings|audio|voice message|voice note|voice memo|aufnahme|aufnahmen|sprachnachricht|sprachmemo|grabación|"
    "enregistrement|message vocal|mensaje de voz|nota de voz|nota vocale|messaggio vocale|registrazione|gravação|mensagem de voz|"
    "opname|spraakbericht|录音|音频|语音|録音|音声",
    VIDEO: "video|videos|film|clip|movie|vidéo|vidéos|vídeo|filmpje|视频|動画",
    DOCUMENT: "pdf|pdfs|docx|document|documents|dokument|dokumente|documento|documenti|documentos|文档|文書",
    TABLE: "csv|spreadsheet|tabelle|tabla|tabella|tabela|hoja de cálculo|feuille de calcul|表格",
}
_ALSO: dict[Type, frozenset[Type]] = {
    IMAGE: frozenset({IMAGE, VIDEO, DOCUMENT}),
    AUDIO: frozenset({AUDIO, VIDEO}),
    VIDEO: frozenset({VIDEO, AUDIO}),
    DOCUMENT: frozenset({DOCUMENT, IMAGE, TABLE}),
    TABLE: frozenset({TABLE, DOCUMENT, IMAGE}),
}
"""Type that is spoken of → the types of files that people may mean."""
_LED = (
    r"the|this|that|these|those|my|our|your|attached|der|die|das|den|dem|des|diese[rsnm]?|mein\w*|unser\w*|im|am|vom|beim|zum|le|la|les|"
    r"ce|cet|cette|ces|mon|ma|mes|du|au|el|los|las|este|esta|ese|esa|mi|mis|del|al|il|lo|gli|questo|questa|quel|quella|nel|nella|"
    r"dal|dalla|esse|essa|da|na|pela|de|het|deze|dit|dat|mijn"
)
_BETWEEN = r"(?:attached|angehängten?|beigefügten?|whole|ganze[nrs]?|first|last|second|same|old|new|uploaded|original)"
_THERE = r"(?:这[张个段份些]?|那[张个段份些]?|此|该|把|この|その|あの|附件的?|添付の)"


def spoken_of(text: str) -> tuple[Type, ...]:
    """The types of files that a text speaks of as being there, in its order."""
    found = sorted(
        (match.start(), kind)
        for kind, pattern in _patterns().items()
        for match in pattern.finditer(text.casefold())
    )
    return tuple(dict.fromkeys(kind for _, kind in found))


def absent(text: str, there: Collection[Type]) -> Type | None:
    """A type of file that a text speaks of as being there, where nothing that may be meant is."""
    for kind in spoken_of(text):
        if not _ALSO[kind] & set(there):
            return kind
    return None


@cache
def _patterns() -> dict[Type, re.Pattern[str]]:
    return {kind: _pattern(nouns.split("|")) for kind, nouns in _NOUNS.items()}


def _pattern(nouns: Sequence[str]) -> re.Pattern[str]:
    spaced = "|".join(noun for noun in nouns if noun[0] < "\u2e80")
    written = "|".join(noun for noun in nouns if noun[0] >= "\u2e80")
    return re.compile(
        rf"(?<!\w)(?:(?:{_LED})\s+(?:{_BETWEEN}\s+)?|l['’])(?:{spaced})(?!\w)"
        + (rf"|{_THERE}(?:{written})" if written else "")
    )
