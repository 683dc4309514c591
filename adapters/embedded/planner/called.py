"""What people call a file of their thread: "image 2", "Bild 2", "invoice.pdf", "the invoice", "Contract Final", "reprot.pdf"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adapters.embedded.planner.concepts import bare
from adapters.embedded.planner.wishes import is_wish
from pipeline.domain import Attachment, Type

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
SPOKEN = frozenset(word for words in _TYPES.values() for word in words.split("|")) | {
    "pictures",
    "photos",
    "images",
    "bilder",
}
_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[\w-]+(?:\.[a-z0-9]{2,4})?")
_LEAST, _LIKE, _LONG = 3, 5, 7
"""Letters of a word that tells files apart, from which a beginning of it will do, and from which it may be spelt wrong."""


@dataclass(frozen=True, slots=True)
class File:
    """A file, under the name people use for it. `turn` is the place of the one it came with, `made` whether the bot made it."""

    name: str
    attachment: Attachment
    turn: int = -1
    made: bool = False

    @property
    def type(self) -> Type:
        return self.attachment.type


def called(files: Sequence[File], said: str) -> tuple[File, ...]:
    """The files that a text names, in the surest of the ways in which it names any."""
    for way in (_by_name, _by_letters, _by_word, _by_likeness):
        if found := way(files, said):
            return tuple(found)
    return ()


def words_of(file: File) -> set[str]:
    """The words of a file's name that may tell it from others."""
    found = (bare(piece.casefold()) for piece in _PIECE.findall(_stem(file)))
    return {word for word in found if _tells(word)}


def speaks_of_files(said: str) -> bool:
    """Whether a text has a word for a type of file in it."""
    low = said.casefold()
    words = set(re.findall(r"[^\W\d_]+", low))
    return any(word in (words if word.isascii() or word[0] < "\u2e80" else low) for word in SPOKEN)


def _by_name(files: Sequence[File], said: str) -> list[File]:
    """By the number among those of its type, or by the own name, with its ending or without."""
    low = said.casefold()
    return [
        file
        for file in files
        if _pattern(file.type, file.name.casefold(), file.attachment.name.casefold()).search(low)
    ]


def _by_letters(files: Sequence[File], said: str) -> list[File]:
    """By the name with other signs between its words, or with another ending."""
    letters = _squeezed(said)
    stems = [_squeezed(_stem(file)) for file in files]
    return [
        file
        for file, stem in zip(files, stems, strict=True)
        if len(stem) > _SHORTEST
        and not is_wish(stem)
        and stem not in _PLAIN
        and re.search(rf"{re.escape(stem)}(?!\d)", letters)
    ]


def _by_word(files: Sequence[File], said: str) -> list[File]:
    """By a word that is in the name of one of them alone."""
    words = {bare(word) for word in _WORD.findall(said.casefold())}
    own = [words_of(file) for file in files]
    return [
        file
        for file, mine in zip(files, own, strict=True)
        if any(
            _is_said(word, words, said)
            for word in mine
            if sum(word in others for others in own) == 1
        )
    ]


def _by_likeness(files: Sequence[File], said: str) -> list[File]:
    """By a name that is spelt wrong in one place."""
    found: list[File] = []
    for match in _NAME.finditer(said.casefold()):
        stem, dot, ending = match[0].rpartition(".")
        given = bare(stem if dot else match[0])
        if len(given) < (_LIKE if dot else _LONG):
            continue
        found += [
            file
            for file in files
            if _slip(given, bare(_stem(file).casefold()))
            and (not dot or file.attachment.name.casefold().endswith(ending))
        ]
    return found


def _tells(word: str) -> bool:
    least = 2 if word[0] > "\u2e80" else _LEAST
    return len(word) >= least and word not in _PLAIN and not is_wish(word)


def _is_said(word: str, words: Iterable[str], said: str) -> bool:
    if word[0] > "\u2e80":
        return word in said
    return any(
        word == other
        or (len(other) >= _LIKE and word.startswith(other))
        or (len(word) >= _LIKE and other.startswith(word))
        for other in words
    )


def _slip(one: str, other: str) -> bool:
    """Whether two words differ in one letter, or by two that are exchanged."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])  # noqa: PLR2004


def _stem(file: File) -> str:
    own = file.attachment.name
    return own.rpartition(".")[0] or own


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", bare(text.casefold()))


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
