"""Which of a thread's files a task works on."""

# ruff: noqa: RUF001, SIM905 - words of many scripts

import re
from collections.abc import Sequence

from adapters.embedded.planner.called import SPOKEN, File, called, words_of
from adapters.embedded.planner.picking import is_place, picked
from adapters.embedded.planner.typed import spoken_of
from adapters.embedded.planner.words import is_idle, says, wants_all
from pipeline.domain import Type

_ORIGINAL = (
    r"\b(?:originals?|originale[ns]?|originalbild|originalfoto|originales|originele|origineel|ursprüngliche[nsr]?|оригинал\w*|исходн\w+|"
    r"orijinal\w*)\b|原图|原片|原始|原来的|元の(?:写真|画像|音声|録音|動画|ファイル)|オリジナル|원본"
)
_NOUN = (
    r"(?:one|picture|photo|image|pic|file|recording|clip|video|document|pdf|table|bild|foto|datei|aufnahme|dokument|image|fichier|"
    r"enregistrement|vidéo|imagen|archivo|grabación|documento|immagine|imagem)"
)
_PREVIOUS = (
    rf"\b(?:previous|earlier|preceding) {_NOUN}\b|\bthe one before\b|\b(?:vorherige|vorige|frühere)[nrs]? {_NOUN}\b|\bdas davor\b|"
    rf"\b{_NOUN} (?:précédente?|anterior|precedente|d'avant|de antes)\b|上一[张个段份]|前一[张个段份]|前の(?:写真|画像|音声|録音|動画|ファイル)|"
    r"\b(?:предыдущ\w+)|이전 |\bönceki\b"
)
_OTHER = (
    rf"\bthe other {_NOUN}\b|\b(?:das|die|den) andere[n]?(?: {_NOUN})?\b(?! \w+en\b)|\bl'autre(?: {_NOUN})?\b|\b(?:la otra|el otro)(?: {_NOUN})?\b|"
    r"\bl'altr[ao]\b|\b[oa] outr[oa]\b|另[一外]?[张个段份]|もう[一1](?:つ|枚|個)|別の(?:写真|画像)|다른 (?:사진|파일)"
)
_TWO = frozenset(
    "both beide beiden ambas ambos deux entrambe entrambi allebei оба обе ikisi".split()
)
_THEM = "them these those ces ceux celles estas estos esas esos queste questi deze 它们 他们 这些 那些 これら それら".split()

_WHICH = frozenset(
    "no nope not oops sorry wait i meant mean wanted and now one ones other before previous nein nicht ich meinte meine und jetzt sondern "
    "andere anderen davor non pas je voulais dire parlais et maintenant autre d précédente perdón y ahora otra otro quise decir refería "
    "anterior ma e ora intendevo altra altro outra outro nee en nu niet bedoelde ik die нет и а я имел имела виду теперь другую".split()
)
"""Words beside those for a file and its place with which people say which they mean."""
_WHICH_WRITTEN = "不对 不是 错了 我是说 我指的是 应该是 而是 那张 这张 张 个 第 いや いえ 違います 違う じゃなくて ではなく の方 のほう です 枚目 番目 つ目 아니 말고 번째".split()


_END = 400


def files_for(
    before: Sequence[File], sent: Sequence[File], types: Sequence[Type], said: str, whole: str
) -> tuple[File, ...]:
    """The files a task takes of these types: named or pointed at in what is said of it, else in the whole request; else those of this message, else the newest of before.

    None where a place is named at which there is none.
    """
    pool = [file for file in (*before, *sent) if file.type in types]
    sent = [file for file in sent if file.type in types]
    for text in dict.fromkeys((_ends(said), _ends(whole)) if said else ()):
        if names := called(pool, text):
            return names
        if text != _ends(said) and len(spoken_of(text)) > 1:
            continue
        some, of_sent = _of_type(pool, text), _of_type(sent, text)
        if (found := _pointed(some, of_sent, text)) is not None:
            return found
    return tuple(_of_type(sent, said) or _of_type(pool, said)[-1:])


def _ends(text: str) -> str:
    """Where a long message may speak of files: its beginning and its end."""
    return text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"


def chosen(files: Sequence[File], said: str) -> tuple[File, ...]:
    """The files that a text names or points at; () where it does neither."""
    return called(files, said) or _pointed([*files], [], said) or () if files else ()


def says_which(said: str, files: Sequence[File]) -> bool:
    """Whether a text says nothing but which files are meant."""
    names = {word for file in files for word in words_of(file)}
    low = said.casefold()
    for name in (*(file.attachment.name.casefold() for file in files), *_WHICH_WRITTEN):
        low = low.replace(name, " ")
    words = re.findall(r"[^\W_]+", low)
    return all(
        word in _WHICH or word in names or word in SPOKEN or is_place(word) or is_idle(word)
        for word in words
    )


def _of_type(files: list[File], said: str) -> list[File]:
    """Those of the one type that is spoken of, if there are any."""
    kinds = spoken_of(said)
    return [file for file in files if len(kinds) == 1 and file.type in kinds] or files


def _pointed(pool: list[File], sent: list[File], said: str) -> tuple[File, ...] | None:
    """The files at the places that a text names; None where it names none."""
    low = said.casefold()
    if not sent and re.search(_ORIGINAL, low):
        return tuple([file for file in pool if not file.made][-1:] or pool[:1])
    if re.search(_PREVIOUS, low) or (len(sent) < 2 and re.search(_OTHER, low)):  # noqa: PLR2004
        before = [file for file in pool if file not in sent] if sent else pool[:-1]
        return tuple(before[-1:]) or None
    group = sent or _newest(pool)
    places = picked(said, len(group))
    if not places or len(pool) < 2:  # noqa: PLR2004 - nothing to choose from
        return _several(pool, sent, group, said)
    for files in (group, pool):
        if places[0] >= 0 and places[-1] < len(files):
            return tuple(files[at] for at in places)
    return ()


def _several(
    pool: list[File], sent: list[File], group: list[File], said: str
) -> tuple[File, ...] | None:
    """All, both or "them"."""
    if sent or len(pool) < 2:  # noqa: PLR2004 - one is all
        return None
    if wants_all(said):
        two = not {*re.findall(r"[^\W\d_]+", said.casefold())}.isdisjoint(_TWO)
        return tuple(group[-2:] if two else group)
    return tuple(group) if says(said, _THEM) and group[0].turn == group[-1].turn else None


def _newest(pool: list[File]) -> list[File]:
    """The files that came last, where those were several; else all."""
    last = [file for file in pool if file.turn == pool[-1].turn]
    return last if len(last) > 1 else pool
