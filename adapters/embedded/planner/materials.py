"""Finds in a request what tasks work on and are told: texts, questions, instructions, labels, columns, files."""

# ruff: noqa: RUF001, SIM905 - what people type, in many scripts
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.embedded.planner.reading import LONGEST, Quote, Reading, shorten
from adapters.embedded.planner.view import View
from adapters.embedded.planner.wishes import left

_HEAD = re.compile(r"^[^\n:：]{2,120}(?::\s+|[:：]?\n+|：)")
_MARKS = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_NUMBERED = re.compile(
    r"(?<!\w)(?:\(?[1a][).:]|①)\s*(.{2,}?)[\s;,]*(?<!\w)(?:\(?[2b][).:]|②)\s*(.{2,})",
    re.IGNORECASE | re.DOTALL,
)
_COLON = re.compile(r"：|:(?:\s+|(?=[\u3040-\u30ff\u3400-\u9fff]))")
_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_OFFERED = 600
"""Characters of a request in which labels are looked for."""
_BESIDE = 120
"""Characters that stand before and behind a long quotation at most."""
_OR = r"(?P<or>\bor\b|\boder\b|\bou\b|\bo\b|\bof\b|\bили\b|\bveya\b|\bmi\b|还是|或者?|か?[、,]?\s?それとも|か|또는|아니면)"
_ITEM = r"[^\W\d](?:[\w'-]| (?=[\w'-])){0,30}?"
_END = r"(?=\s*(?:$|[^\w\s'’,，、/-]|[–-]\s)|の(?:どれ|どちら|うち|どこ)|どれ|どっち|哪)"
_CHOICE = re.compile(
    rf"((?:{_ITEM}\s*[,、，/]\s*)*{_ITEM})\s*,?\s*{_OR}\s*(?P<last>{_ITEM})(?:{_END}|(?=[,，、]))",
    re.IGNORECASE,
)
_LISTS = tuple(
    re.compile(rf"{_ITEM}(?:\s*{sign}\s*{_ITEM})+{_END}", re.IGNORECASE)
    for sign in ("・", "、", "[,，]", "/")
)
_LEADING = re.compile(
    r"^(?:is|it|this|that|these|a|an|the|are|as|with|of|either|label|classify|which|fits|best|ist|das|es|ein|eine|der|die|den|"
    r"eher|als|es|esto|un|una|el|la|como|c'est|est-ce|une|le|comme|è|é|het|een|dit|dat|это|es|son|on|one|into|"
    r"would|you|say|tag|sort|does|do|shows?|following|zeigt|muestra|montre|mostra|toont|about|text|sobre|über|acerca|de quoi|parle de)\b\s*|^(?:这(?:张图|个|段话|句话)?是|那是|是|属于|关于|これは|それは|これ)",
    re.IGNORECASE,
)
_COLUMN = re.compile(
    r"(?:column|spalte|columna|colonne|coluna|colonna|kolom|столбец|列)\s+[\"'“„«]?([\w -]+?)[\"'”“»]?(?=[\s,.?!]|$)"
    r"|(?:the|die|la)\s+(?!(?:other|remaining|missing|last|first|next|empty)\b)([\w-]+)\s+(?:number\s+|class\s+)?(?:column|spalte|values)",
    re.IGNORECASE,
)
_ANY = frozenset(
    "objects everything thing things objekte alles objetos todo objets tout oggetti it them these those this that ela ele lo la".split()
)
"""What names no thing."""
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
    r"(?<![a-zà-ÿ])(?:where(?:'s| is| are)|find|mark|spot|locate|count|circle|detect|(?:box(?:es)?|frames?)(?: around| round| on| over)?|"
    r"how many|point out|show me|look for|wo (?:ist|sind|liegt|steht)|finde?|markiere?|zähle?|wie ?viele?|dónde está[n]?|busca|encuentra|"
    r"marca|cuenta|cuánt[oa]s|où (?:est|sont)|trouve|entoure|repère|compte|combien de|trova|conta|quant[ie]|dove sono|encontra|conte|"
    r"hoeveel|vind|tel|找一下|找出|圈出|数一下|数)(?![a-zà-ÿ])\s*"
    r"(?:(?:(?:all|every|each|the|my|a|an|any|of|me|us|mal|mir|uns|bitte|doch|alle|die|der|das|den|mein|meine|meinen|las|los|el|la|mi|mis|"
    r"un|una|todas|todos|les|le|des|mon|ma|mes|tous|toutes|gli|i|tutti|tutte|as|os|de|het|up|out|please|around|round|on|over)"
    r"(?![a-zà-ÿ]))\s*|有几个|所有的|我的)*(?P<thing>[^?？.,，!;:+]{1,60})",
    re.IGNORECASE,
)
_THING_BEFORE = re.compile(
    r"(?:^|[,;.+]|\b(?:alle|die|den|das|mal)\s)\s*(?P<thing>(?!(?:alle|die|den|das|mal|bitte|mir)\b)[^\W\d]+)"
    r"(?:\s+(?:im|in der|in|auf|am)\s[\w ]+?)?\s+(?:durch)?(?:zählen|markieren|einkreisen|suchen|finden)\b",
    re.IGNORECASE,
)
"""The thing where the verb stands behind it."""
_AFTER_THING = re.compile(
    r"(?:^|\s+)(?:in|on|are|is|do|does|can|at|here|there|please|pls|auf|aufm|im|in|sind|ist|hier|bitte|en|hay|ves|dans|sur|tu|il|y|"
    r"for|that|and|und|et|around|with|stehe?n|sitzen|liegen|fehlen|drauf|davor|da|vor|unter|bei|am|you|we|us|it|them|em|fit|sit|"
    r"stand|mal|mir|den|ci|ces|see|left|mit|con|avec|von|of|then|dann|se|aparecen?|whatever|everything|everyone)\b.*$",
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
        pieces: list[str] = []
        wanted = sorted(set(clauses))
        for at in wanted:
            end = spans[at + 1][0].start if at + 1 < len(spans) else len(self.reading.text)
            piece = self.reading.text[spans[at][0].start : end]
            pieces.append(piece if at + 1 in wanted else f"{piece.strip(' ,;')} ")
        return _HANGING.sub("", "".join(pieces).strip(" ,;"))

    @property
    def given_text(self) -> str:
        """The text that was given to be worked on: quoted, pasted, or ""."""
        return self.given("")

    def quoted(self, said: str) -> tuple[str, ...]:
        """What is quoted in a part of the request; where nothing is, in all of it."""
        quotes = tuple(dict.fromkeys(self.quotes))
        return tuple(quote for quote in quotes if quote in said) or quotes

    def given(self, said: str) -> str:
        """The text that was given with a part of the request, else with all of it."""
        quotes = self.quoted(said)
        texts = [quote for quote in quotes if not quote.rstrip().endswith(("?", "？"))]
        if not texts:
            texts = list(quotes)
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
    """What follows the colon after a wish: "read aloud: good morning"; else the last colon."""
    ends = [match.end() for match in _COLON.finditer(text)]
    wishes = (end for end in ends if _is_wish(text[:end]))
    end = next(wishes, ends[-1] if ends else 0)
    return unfenced(text[end:]) if end else ""


def own_text(text: str) -> str:
    """What stands above or below the line of a request that only says what is wanted; all of it where there is none."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    for wish, rest in ((lines[-1], lines[:-1]), (lines[0], lines[1:])) if len(lines) > 1 else ():
        if len(wish) <= _BESIDE and _is_wish(wish) and left(" ".join(rest)):
            start, end = text.find(rest[0]), text.rfind(rest[-1]) + len(rest[-1])
            return unfenced(text[start:end])
    return text


def _is_wish(line: str) -> bool:
    """Whether a line says what is wanted, and nothing else."""
    return any(map(str.isalnum, line)) and not left(line)


def unfenced(text: str) -> str:
    """A text without the fence or the marks of a quotation around it."""
    text = text.strip()
    if match := _FENCE.fullmatch(text):
        return match[1].strip()
    lines = text.split("\n")
    if all(line.startswith(">") for line in lines):
        return "\n".join(line.lstrip("> ") for line in lines)
    return text


def asked(said: str) -> str:
    """The question in a part of a request: what follows its last question mark belongs to another wish."""
    end = max(said.rfind("?"), said.rfind("？")) + 1
    return said[:end] if end else said


def asked_of_text(found: Material) -> str:
    """The question that a request asks about a text that it holds."""
    text = found.view.text
    for head in (r"(?:^[^?？]{0,40}[:：])?\s*", ""):
        rest = text
        for quote in found.quotes:
            rest = re.sub(rf"{head}[\"“„«「]?\s*{re.escape(quote)}\s*[\"”“»」]?", " ", rest)
        if any(map(str.isalnum, rest)):
            text = rest
            break
    parts = re.findall(r"[^.!?。！？\n]+[.!?。！？]*", text)
    asks = [part.strip() for part in parts if part.rstrip().endswith(("?", "？"))]
    if asks and len(asks) < len(parts):
        text = " ".join(asks)
    return text.lstrip(" .").strip(" \n-–—:：,，<>")


def choices(text: str) -> tuple[str, ...]:
    """The labels that a text offers: "a husky, a malamute or a wolf"."""
    text = text if len(text) <= _OFFERED else f"{text[: _OFFERED // 2]}\n{text[-_OFFERED // 2 :]}"
    offered = re.findall(r"['\"“„«「]([^'\"”“»」]{1,40})['\"”“»」]", text)
    if len(offered) > 1:
        return tuple(dict.fromkeys(offered))
    found = list(_CHOICE.finditer(text))
    sure = [match for match in found if match["or"].lower() != "of"]
    offers = [[*re.split(r"[,、，/]", match[1]), match["last"]] for match in (sure or found)[:1]]
    if not sure:  # in English, "of" offers nothing
        lists = (list_[0] for one in _LISTS for list_ in one.finditer(text))
        offers += [re.split(r"[,、，/・]", one) for one in lists]
    items = max(offers, key=len, default=[])
    cleaned = [_bare(item) for item in items]
    cleaned[:1] = [_label_of(first, cleaned[1:]) for first in cleaned[:1]]
    return tuple(dict.fromkeys(item for item in cleaned if item))


def _label_of(first: str, others: Sequence[str]) -> str:
    """The first label without the question that leads to it: "does the salad look fresh", "ok", "dead"."""
    words, most = first.split(), max((len(other.split()) for other in others), default=0)
    return " ".join(words[-most:]) if most and len(words) - most > 1 else first


def numbered(text: str) -> tuple[str, ...]:
    """Two texts that a text counts: "A: one B: other", "1) one 2) other"."""
    match = _NUMBERED.search(shorten(text))
    return (match[1].strip(), match[2].strip()) if match else ()


def things(text: str) -> tuple[str, ...]:
    """The things that a text wants found or counted; () if it names none."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if any(face in words or (not face.isascii() and face in text) for face in _FACES):
        return ("face",)
    for match in (*_THINGS.finditer(text), *_THING_BEFORE.finditer(text)):
        thing = _AFTER_THING.sub("", match["thing"]).strip(" '\"-")
        if (len(thing) > 1 or thing > "\u2e80") and thing.lower() not in _ANY:
            return (thing,)
    return ()


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
    """What stands beside a line that only says what is wanted, or follows a head and a colon, or the whole of a long text."""
    if len(text) <= LONGEST and (own := own_text(text)) != text:
        return own
    head = _HEAD.match(text)
    if head and len(text) - head.end() > len(text) // 3:
        return unfenced(text[head.end() :])
    return text if len(text) > LONGEST else ""
