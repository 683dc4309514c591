"""Whether a text calls something by its name ("whisper large v3", "用whisper-large转写"), or by the beginning of it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

# ruff: noqa: RUF001 - what people type, in many scripts

_PIECE = re.compile(r"[a-z0-9\u00c0-\u024f\u0400-\u04ff]+")
_GLUE = re.compile(r"[-_./]+[a-z0-9]|\s+v?\d")
"""What a name goes on with: then it is another one."""
_PLAIN = re.compile(r"[^\W\d_]+(?:\s+[^\W\d_]+)*")
"""Mere words, which may mean anything."""
_TIES = re.compile(r"[-_./\s]{0,3}")
_SHORTEST = 3
_READ, _PLACES = 4_000, 20

_BEFORE = frozenset(
    [
        "with",
        "use",
        "uses",
        "using",
        "used",
        "via",
        "by",
        "through",
        "model",
        "let",
        "try",
        "run",
        "ask",
        "want",
        "take",
        "on",
        "means",
        "prefer",
        "choose",
        "pick",
        "than",
        "mit",
        "nutze",
        "benutze",
        "verwende",
        "nimm",
        "nehme",
        "per",
        "durch",
        "lass",
        "über",
        "mittels",
        "anhand",
        "probier",
        "probiere",
        "modell",
        "bitte",
        "con",
        "usa",
        "usando",
        "usar",
        "utiliza",
        "utilizando",
        "emplea",
        "mediante",
        "medio",
        "través",
        "prueba",
        "modelo",
        "avec",
        "utilise",
        "utilisant",
        "emploie",
        "sers",
        "via",
        "moyen",
        "aide",
        "grâce",
        "essaie",
        "modèle",
        "par",
        "com",
        "usando",
        "met",
        "gebruik",
        "через",
        "используя",
        "модель",
        "ile",
    ]
)
_BETWEEN = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "it",
        "your",
        "our",
        "new",
        "old",
        "model",
        "s",
        "openai",
        "meta",
        "google",
        "das",
        "dem",
        "den",
        "der",
        "die",
        "von",
        "vom",
        "modell",
        "toi",
        "le",
        "la",
        "les",
        "l",
        "el",
        "los",
        "de",
        "d",
        "du",
        "des",
        "à",
        "un",
        "une",
        "modèle",
        "modelo",
        "o",
        "do",
        "da",
    ]
)
_AFTER = frozenset(["model", "modell", "modèle", "modelo"])
_CJK_BEFORE = re.compile(r"(?:用|使用|通过|让|借助|以|采用|利用|请|模型|モデル)[\s：:「“\"`]*$")
_CJK_AFTER = re.compile(r"[\s」”\"`]*(?:で|を使|を用|を利用|に|モデル|模型|来)")
_OPENED = re.compile(r"[(（\[`\"'“「『]\s*$")
_CLOSED = re.compile(r"\s*[)）\]`\"'”」』]")
_SET_OFF = re.compile(r"\s*[:：,，]")


@dataclass(frozen=True, slots=True)
class _At:
    """A piece of the text, and where it stands."""

    word: str
    start: int
    end: int


class Said:
    """A text in which names are looked for."""

    def __init__(self, text: str) -> None:
        self._text = text[:_READ].casefold()
        self._pieces = [_At(m[0], m.start(), m.end()) for m in _PIECE.finditer(self._text)]
        self._at: dict[str, list[int]] = defaultdict(list)
        for place, piece in enumerate(self._pieces):
            self._at[piece.word].append(place)

    def calls(self, name: str, plain: frozenset[str] = frozenset()) -> tuple[int, str]:
        """How many parts of a name the text says from its beginning on, and in which words; (0, "") where it does not mean it.

        Mere words are only meant where the text says "with …", "用 …", "… で"; parts that are all `plain` words never are.
        """
        wanted = _PIECE.findall(name.casefold())
        best = (0, "")
        for place in self._places(wanted[0]) if wanted else ():
            count, end = self._along(place, wanted)
            words = self._text[self._pieces[place].start : end]
            telling = [part for part in wanted[:count] if part not in plain]
            long = any(len(part) >= _SHORTEST and not part.isdigit() for part in telling)
            whole = count == len(wanted)
            if not long or (not whole and _GLUE.match(self._text, end)):
                continue
            if count > best[0] and (not _PLAIN.fullmatch(words) or self._cued(place, end)):
                best = (count, words)
        return best

    def _places(self, first: str) -> Sequence[int]:
        """Where the first part stands, also without its figures ("qwen" for "Qwen2.5")."""
        bare = first.rstrip("0123456789")
        places = (*self._at.get(first, ()), *(self._at.get(bare, ()) if bare != first else ()))
        return places[:_PLACES]

    def _along(self, place: int, wanted: Sequence[str]) -> tuple[int, int]:
        """How many parts stand there one after the other, and where the last ends."""
        end, count = self._pieces[place].end, 1
        for piece, part in zip(self._pieces[place + 1 :], wanted[1:], strict=False):
            if piece.word != part or not _TIES.fullmatch(self._text, end, piece.start):
                break
            end, count = piece.end, count + 1
        return count, end

    def _cued(self, place: int, end: int) -> bool:
        """Whether the words around it say that it is something to be used."""
        start = self._pieces[place].start
        before, after = self._text[:start], self._text[end:]
        if _CJK_BEFORE.search(before[-12:]) or _CJK_AFTER.match(after):
            return True
        if _OPENED.search(before[-3:]) and _CLOSED.match(after):
            return True
        if place == 0 and _SET_OFF.match(after):
            return True
        following = self._pieces[place + 1 : place + 2]
        return self._led_to(place) or any(piece.word in _AFTER for piece in following)

    def _led_to(self, place: int) -> bool:
        for piece in reversed(self._pieces[max(0, place - 4) : place]):
            if piece.word in _BEFORE:
                return True
            if piece.word not in _BETWEEN:
                return False
        return False
