"""Finds in a request what tasks work on and are told: texts, questions, instructions, labels, columns, files."""

# ruff: noqa: RUF001 - what people type, in many scripts
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.embedded.planner.reading import LONGEST, Quote, Reading
from adapters.embedded.planner.view import View

_HEAD = re.compile(r"^[^\n:：]{2,120}(?::\s+|[:：]?\n+|：)")
_MARKS = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_BESIDE = 120
"""Characters that stand before and behind a long quotation at most."""
_OR = r"(?:\bor\b|\boder\b|\bou\b|\bo\b|\bof\b|\bили\b|\bveya\b|\bmi\b|还是|或|か|それとも|또는|\bof\b)"
_ITEM = r"[^\W\d][\w' -]{0,30}?"
_CHOICE = re.compile(
    rf"((?:{_ITEM}\s*[,、，/]\s*)*{_ITEM})\s*,?\s*{_OR}\s*({_ITEM})(?=[?？.!:：,，、]|\s*$|\s*[\"“「«(])",
    re.IGNORECASE,
)
_LIST = re.compile(rf"({_ITEM}(?:\s*[,、，/]\s*{_ITEM})+)", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:is|it|this|that|these|a|an|the|are|as|with|of|either|label|classify|which|fits|best|ist|das|es|ein|eine|der|die|den|"
    r"eher|als|es|esto|un|una|el|la|como|c'est|est-ce|une|le|comme|è|é|het|een|это|es|son|on|one|into|"
    r"这是|是|属于|これは|これ|would|you|say|tag|sort)\b\s*",
    re.IGNORECASE,
)
_COLUMN = re.compile(
    r"(?:column|spalte|columna|colonne|coluna|colonna|kolom|столбец|列)\s+[\"'“„«]?([\w -]+?)[\"'”“»]?(?=[\s,.?!]|$)"
    r"|(?:the|die|la)\s+(?!(?:other|remaining|missing|last|first|next|empty)\b)([\w-]+)\s+(?:number\s+|class\s+)?(?:column|spalte|values)",
    re.IGNORECASE,
)
_FACES = [
    "face",
    "faces",
    "gesicht",
    "gesichter",
    "cara",
    "caras",
    "visage",
    "visages",
    "faccia",
    "facce",
    "rosto",
    "rostos",
    "gezicht",
    "gezichten",
    "лица",
    "лицо",
    "лиц",
    "脸",
    "人脸",
    "顔",
    "얼굴",
    "yüz",
    "yüzler",
]
_THINGS = re.compile(
    r"(?:where(?:'s| is| are)|find|mark|spot|locate|count|circle|detect|box|how many|point out|show me|look for|"
    r"wo (?:ist|sind|liegt)|finde|markiere?|zähle?|wie viele|dónde está[n]?|busca|encuentra|marca|cuenta|"
    r"cuánt[oa]s|où (?:est|sont)|trouve|entoure|repère|compte|combien de|找一下|找出|圈出|数一下|数)\s*"
    r"(?:all|every|the|my|a|an|any|of|die|der|das|den|alle|mein|meine|meinen|las|los|el|la|mi|mis|un|una|todas|todos|"
    r"les|le|des|mon|ma|mes|tous|有几个|所有的|我的)?\s*(?:the|of|my|les|las|los)?\s*(?P<thing>[^?？.,，!;]{2,60})",
    re.IGNORECASE,
)
_AFTER_THING = re.compile(
    r"\s+(?:in|on|are|is|do|does|can|at|here|there|please|pls|auf|im|in|sind|ist|hier|bitte|en|hay|ves|dans|sur|tu|il|y|"
    r"for|that|and|und|et|around|with)\b.*$",
    re.IGNORECASE,
)
_HANGING = re.compile(
    r"^(?:(?:and|then|also|und|dann|danach|y|luego|et|puis|ensuite)(?![\w'])[\s,]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Material:
    """The parts of a request that can become arguments."""

    view: View
    reading: Reading
    quotes: tuple[str, ...]
    paste: str

    def part(self, clauses: Sequence[int]) -> str:
        """The words of some clauses, as they were written, but for the "and then" that they hang on."""
        spans = self.reading.clauses
        if not spans:  # not a word in it
            return self.reading.text.strip()
        pieces = []
        for at in sorted(set(clauses)):
            start = spans[at][0].start
            end = spans[at + 1][0].start if at + 1 < len(spans) else len(self.reading.text)
            pieces.append(self.reading.text[start:end].strip(" ,;"))
        return _HANGING.sub("", " ".join(pieces).strip())

    @property
    def given_text(self) -> str:
        """The text that was given to be worked on: quoted, pasted, or ""."""
        texts = [quote for quote in self.quotes if not quote.rstrip().endswith(("?", "？"))]
        if not texts:
            texts = list(self.quotes)
        return texts[0] if len(texts) == 1 else " ".join(texts) or self.paste

    @property
    def wish(self) -> str:
        """What a request says besides what it quotes and brings along."""
        text = self.reading.text
        for quote in reversed(self.reading.quotes):
            text = f"{text[: quote.start]} {text[quote.end :]}"
        return text.replace(self.paste, " ") if self.paste else text

    @property
    def question(self) -> str:
        """A question that was quoted, or ""."""
        return next((q for q in self.quotes if q.rstrip().endswith(("?", "？"))), "")


def material(view: View, reading: Reading) -> Material:
    """What a request holds."""
    quotes = tuple(quote.text for quote in reading.quotes if not _is_paste(quote, reading))
    if quotes and len(view.text) > LONGEST:
        quotes = tuple(filter(None, [_long_quote(view.text)]))
    return Material(view, reading, quotes, "" if quotes else _paste(view.text))


def after_colon(text: str) -> str:
    """What a request ends with after its last colon: "read aloud: good morning"."""
    _, colon, rest = text.replace("：", ": ").rpartition(": ")
    return rest.strip() if colon else ""


def asked(said: str, text: str) -> str:
    """The question in a part of a request: what follows its last question mark belongs to another wish."""
    end = max(said.rfind("?"), said.rfind("？")) + 1
    return said[:end] if end and said != text else said


def choices(text: str) -> tuple[str, ...]:
    """The labels that a text offers: "a husky, a malamute or a wolf"."""
    offered = re.findall(r"['\"“„«「]([^'\"”“»」]{1,40})['\"”“»」]", text)
    if len(offered) > 1:
        return tuple(dict.fromkeys(offered))
    match = _CHOICE.search(text)
    if match:
        items = [*re.split(r"[,、，/]", match[1]), match[2]]
    elif listed := _LIST.search(text):
        items = re.split(r"[,、，/]", listed[1])
    else:
        return ()
    cleaned = [_bare(item) for item in items]
    return tuple(dict.fromkeys(item for item in cleaned if item))


def things(text: str) -> tuple[str, ...]:
    """The things that a text wants found or counted; () if it names none."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if any(face in words or (not face.isascii() and face in text) for face in _FACES):
        return ("face",)
    match = _THINGS.search(text)
    if match is None:
        return ()
    thing = _AFTER_THING.sub("", match["thing"]).strip()
    return (
        ()
        if thing.lower() in ("objects", "everything", "objekte", "objetos", "objets")
        else (thing,)
    )


def column(text: str) -> str:
    """The column of a table that a text speaks of, or ""."""
    match = _COLUMN.search(text)
    return (match[1] or match[2]).strip() if match else ""


def _bare(item: str) -> str:
    item = item.strip(" '\"")
    while (shorter := _LEADING.sub("", item)) != item:
        item = shorter
    return item.strip()


def _is_paste(quote: Quote, reading: Reading) -> bool:
    return reading.text[quote.start : quote.end].strip() == quote.text and quote.end == len(
        reading.text
    )


def _long_quote(text: str) -> str:
    """What a long message quotes, where that is nearly all of it; else ""."""
    first = min((at for mark in _MARKS if (at := text.find(mark)) >= 0), default=len(text))
    if first > _BESIDE:
        return ""
    last = text.rfind(_MARKS[text[first]])
    return text[first + 1 : last].strip() if len(text) - last <= _BESIDE else ""


def _paste(text: str) -> str:
    """What follows a head and a colon, or the whole of a long text."""
    head = _HEAD.match(text)
    if head and len(text) - head.end() > len(text) // 3:
        return text[head.end() :].strip()
    return text if len(text) > LONGEST else ""
