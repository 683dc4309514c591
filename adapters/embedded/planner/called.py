"""What people call a file of their thread: "image 2", "Bild 2", "invoice.pdf", "the invoice"."""

import re
from functools import lru_cache

from pipeline.domain import Type

_TYPES = {
    Type.IMAGE: "image|picture|photo|pic|bild|foto|imagen|imagem|immagine|afbeelding|изображение|картинка|фото|图片|图|画像|写真|이미지|사진|resim",
    Type.AUDIO: "audio|sound|recording|ton|aufnahme|sonido|son|enregistrement|grabación|gravação|registrazione|geluid|звук|запись|录音|音频|音声|소리|녹음|ses",
    Type.VIDEO: "video|film|clip|vídeo|vidéo|видео|视频|動画|영상",
    Type.DOCUMENT: "document|doc|file|pdf|dokument|datei|documento|fichier|archivo|bestand|документ|файл|文档|文件|文書|문서|belge",
    Type.TABLE: "table|csv|spreadsheet|tabelle|tabla|tableau|tabela|tabella|tabel|таблица|表格|表|표|tablo",
}
_PLAIN = frozenset(word for words in _TYPES.values() for word in words.split("|")) | {
    "img",
    "scan",
    "screenshot",
    "download",
    "untitled",
    "output",
    "result",
}
_SHORTEST = 4
_SPOKEN = frozenset(word for words in _TYPES.values() for word in words.split("|")) | {
    "pictures",
    "photos",
    "images",
    "bilder",
}


def is_called(kind: Type, name: str, own: str, said: str) -> bool:
    """Whether a text names a file: by its number among those of its type, or by its own name, with its ending or without."""
    return bool(_pattern(kind, name.casefold(), own.casefold()).search(said.casefold()))


def speaks_of_files(said: str) -> bool:
    """Whether a text has a word for a type of file in it."""
    low = said.casefold()
    words = set(re.findall(r"[^\W\d_]+", low))
    return any(word in (words if word.isascii() or word[0] < "\u2e80" else low) for word in _SPOKEN)


@lru_cache(maxsize=512)
def _pattern(kind: Type, name: str, own: str) -> re.Pattern[str]:
    number = name.rpartition(" ")[2]
    ways = [re.escape(name)] if " " in name or "." in name else []
    if number.isdigit():
        ways.append(
            rf"(?:{_TYPES[kind]})[ -]?(?:nr\.? ?|no\.? ?|#)?{number}" if kind in _TYPES else ""
        )
    stem, dot, _ = own.rpartition(".")
    if dot or " " in own:
        ways.append(re.escape(own))
    if len(stem) >= _SHORTEST and stem not in _PLAIN and re.search(r"[^\W\d_]{3}", stem):
        ways.append(re.escape(stem))
    some = "|".join(way for way in ways if way)
    return re.compile(rf"(?<![a-z0-9_])(?:{some})(?![a-z0-9_]|\.[a-z0-9])" if some else r"(?!)")
