"""What a request speaks of and does not hold: a file that is not there, a text to work on."""

# ruff: noqa: RUF001, SIM905 - words of many scripts

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.embedded.planner.called import called
from adapters.embedded.planner.materials import Material, choices
from adapters.embedded.planner.typed import absent
from adapters.embedded.planner.wishes import left
from adapters.embedded.planner.words import FILM_WORDS, SOUND_WORDS, says
from pipeline.domain import FILE_TYPES, Sentence, Slot, TaskKind, Type

_NEW = frozenset({"text-generation", "conversational", "text-to-image", "text-to-video"})
"""Kinds that make something new of words; these may speak of files that nobody need see."""
_VOLUME = (
    "volume volumen volumes lautstärke louder quieter lauter leiser громкость ses_seviyesi 音量 볼륨"
).split()
_BRIEF = 40
_TEXTUAL = re.compile(r"\b(?:pdfs?|docx?|csv|xlsx?)\b", re.IGNORECASE)
"""Words for files that no answer of the bot's is called by."""
_TARGET = re.compile(
    r"\b(?:as|to|into|called|named|name|output|als|nach|namens|nenne?|en|como|comme|sous|llamado|come|in|save\w*)\W*$",
    re.IGNORECASE,
)
"""What stands before the name of a file that is still to be made."""
_BOTH = re.compile(
    r"\b(?:both|the two|these two|those two|(?:die|diese) beiden|beide|(?:les|ces) deux|(?:las|los|estas|estos) dos|(?:le|i|questi|queste) due)"
    r"\s+(?:picture|photo|image|pic|document|recording|video|clip|bild|foto|dokument|aufnahme|vid|enregistr|imágen|"
    r"imagen|grabacion|documento|immagin|registrazion)|[这那]?[两二](?:张|份|段)|[二2](?:枚|つ)の(?:写真|画像)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\s*(?:which|what(?! an?\b)|who|where|when|how|was|wer|wo|wann|wie|welche[rsnm]?|qui|que|quel\w*|combien|où|quand|quién|cuál|cuánt\w*|dónde|"
    r"chi|cosa|quale|quant\w*|qual|quem|wat|wie|welke|hoeveel)\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"\b(?:pictures|photos|images|pics|videos|films|pdfs|recordings|bilder[n]?|fotos|aufnahmen|vidéos|vídeos|imágenes|immagini|documents|"
    r"dokumente|documentos|documenti)\b|\bles pdf\b",
    re.IGNORECASE,
)
"""Words for files in general."""
_SENTENCE = re.compile(r"[.!?。！？\n](?=.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lacking:
    """What is asked for: an argument, a file that is spoken of, one that is named, or another one."""

    kind: TaskKind
    slot: Slot
    said: str = ""
    asks: str = "lacks"
    name: str = ""

    @property
    def sentence(self) -> Sentence:
        kind = "file" if self.slot.type in FILE_TYPES else "text"
        id_ = f"planner-lacks-{kind}" if self.asks == "lacks" else f"planner-{self.asks}"
        told = {"type": self.meant.value, "slot": self.slot.name, "kind": self.kind.name}
        return Sentence(id_, {**told, "name": self.name} if self.name else told)

    @property
    def meant(self) -> Type:
        """Of the types that would do the one whose words were said."""
        for kind, words in ((Type.AUDIO, SOUND_WORDS), (Type.VIDEO, FILM_WORDS)):
            if kind in self.slot.types and says(self.said, words):
                return kind
        return self.slot.type


def not_there(kinds: Sequence[TaskKind], found: Material) -> Lacking | None:
    """What a request speaks of as if it were there; None where all of it is, or where it need not be."""
    view, text = found.view, found.wish
    if not kinds or view.meant or (left(text) and all(kind.name in _NEW for kind in kinds)):
        return None
    if (view.asked or not view.files) and (name := _unknown(found)):
        return Lacking(kinds[0], Slot("file", (Type.DOCUMENT,)), asks="absent-name", name=name)
    if found.given_text:
        return None
    made = {type_ for kind in kinds for slot in kind.makes for type_ in slot.types}
    gone = _voiceless(kinds, text) or absent(text, {*view.types, *(made & FILE_TYPES)})
    if gone and not (
        view.said and gone in (Type.DOCUMENT, Type.TABLE) and not _TEXTUAL.search(text)
    ):
        return _asked(gone, kinds)
    if len(view.types) == 1 and _BOTH.search(text):
        return Lacking(kinds[0], Slot("file", view.types), asks="only-one")
    return None


def holds_text(kind: TaskKind, text: str) -> bool:
    """Whether a request that marks no text as what it is about holds any, beside the wish."""
    words = left(text)
    if kind.name == "zero-shot-classification":
        labels = {word for label in choices(text) for word in label.lower().split()}
        words = [word for word in words if word not in labels]
    return bool(words)


def tells_and_asks(text: str) -> bool:
    """Whether a text holds more than its question."""
    return bool(_SENTENCE.search(text.strip()))


def spoken_of_in_vain(text: str, there: Sequence[Type]) -> Sentence | None:
    """What to ask who asks about a file that is not there."""
    if len(text) < _BRIEF and Type.AUDIO not in there and (says(text, _VOLUME) or "le son" in text):
        return Sentence("planner-absent-type", {"type": Type.AUDIO.value})
    if not text.rstrip().endswith(("?", "？")) and not _ASKS.match(text):
        return None
    gone = None if _PLURAL.search(text) else absent(text, there)
    return Sentence("planner-absent-type", {"type": gone.value}) if gone else None


def _asked(gone: Type, kinds: Sequence[TaskKind]) -> Lacking:
    for kind in kinds:
        for slot in kind.takes:
            if slot.type is gone:
                return Lacking(kind, Slot(slot.name, (gone,)))
    return Lacking(kinds[0], Slot("file", (gone,)), asks="absent-type")


def _voiceless(kinds: Sequence[TaskKind], text: str) -> Type | None:
    """A sound, where its volume is spoken of and there is no word to be spoken."""
    speaks = [kind.name for kind in kinds] == ["text-to-speech"]
    return Type.AUDIO if speaks and says(text, _VOLUME) and len(text) < _BRIEF else None


def _unknown(found: Material) -> str:
    """A name of a file in the request that no file has, and none is to have."""
    for name in found.reading.names:
        before = found.reading.text[: name.start]
        if not called((*found.view.before, *found.view.files), name.text) and not _TARGET.search(
            before
        ):
            return name.text.strip("'\"“”‘’„«»「」")
    return ""
