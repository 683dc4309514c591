"""Pictures, sounds and films edited as ordered in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from adapters.embedded.experts.images import note_frames
from adapters.embedded.experts.orders import list_unknown, refuse
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from adapters.embedded.lexicon import Phrases, list_words, phrases, split_words
from adapters.media.edit_options import MEDIA_TYPES, SHAPING, UNFIT, Edit
from adapters.media.editing import can_move, edit
from pipeline.domain import LocalizedText, Type

_CAN = "embedded-can-files"
_LONGEST = 1_000
"""Characters of an instruction."""
_FILE_NAME = re.compile(rf"[\w()-]+(?=\.(?:{'|'.join(MEDIA_TYPES)}|jpg|tif)\b)", re.IGNORECASE)
"""What stands before the ending of a file: no figure in it says what to do."""
_FILE_NUMBER = re.compile(r"\d{1,2}")
"""A number that may name a file: "image 2"."""
_OF_PICTURES: Mapping[str, Edit] = {
    "smaller": Edit("scale", (0.5,)),
    "thumbnail": Edit("resize", (320, 320)),
}
"""What some operations do to a picture: fewer bytes in the same size would look like nothing."""
_OF_FILMS: Mapping[str, Edit] = {"thumbnail": Edit("poster", (0,))}
_UNITS: Mapping[str, str] = {
    "seconds": "s", "minutes": "s", "pixels": "px", "tall": "tall", "percent": "%",
    "degrees": "°", "times": "x",
}  # fmt: skip
_DROP = r"^(?=.*\b(?:drop|off)\b)"
_ENDS = ("first", "last")
_STAY = r"^(?!.*\b(?:drop|off|crop)\b)"
_KEEP = rf"{_STAY}(?=.*\bkeep\b)"
_MAYBE = (
    rf"{_STAY}(?=.*\b(?:keep|only)\b|(?!.*\b(?:mute|louder|quieter|faster|slower|flip|rotate)\b))"
)
"""A part of a recording may be kept without a word for it, unless something is done with it."""
_STILL = r"^(?!.*\b(?:faster|slower|louder|quieter)\b)"
_LESS = r"(?=.*\b(?:smaller|less)\b)"
_MORE = r"(?=.*\b(?:double|more)\b)"
"""Of these, "30 %" is the difference, unless it is "to 30 %"."""
_TURN = r"(?:rotate|turn)\b"
_ANGLE = r"N(?: °|(?: to)? (?=left|right)|$)"
_FIGURE = r"\d[\d.:]*"
"""A number in a normalized instruction."""
_RULES: Sequence[Sequence[tuple[str, str, Callable[..., Sequence[float]]]]] = (
    (
        ("drop", rf"{_DROP}.*\bfirst N s", lambda end: (end,)),
        ("keep", rf"{_MAYBE}.*\bfirst N s", lambda end: (0, end)),
        ("keep_end", rf"{_MAYBE}.*\blast N s", lambda length: (length,)),
        ("keep", rf"{_KEEP}.*?N(?: s)?(?: to)? N", lambda *ends: sorted(ends)),
        ("keep", rf"{_KEEP}.*?N s", lambda end: (0, end)),
    ),
    (
        ("crop", r"^(?=.*\bcrop\b).*?N x N", lambda *sides: sides),
        ("resize", r"N x N", lambda *sides: sides),
        ("aspect", r"^(?=.*\b(?:crop|shape)\b).*?([1-9]\d*):([1-9]\d*)", lambda *sides: sides),
        ("aspect", r"\bcrop\b.*\bsquare\b|\bsquare\b.*\bcrop\b", lambda: (1, 1)),
        ("resize", r"N px", lambda width: (width, 0)),
        ("resize", r"N tall", lambda height: (0, height)),
        ("scale", rf"{_STILL}.*?\bto N %", lambda target: (target / 100,)),
        ("scale", rf"{_STILL}.*?N % to\b", lambda target: (target / 100,)),
        ("scale", rf"{_STILL}{_LESS}.*?\b([1-9]\d?) %", lambda less: (1 - less / 100,)),
        ("scale", rf"{_STILL}{_MORE}.*?N %", lambda more: (1 + more / 100,)),
        ("scale", rf"{_STILL}(?!{_LESS}).*?N %", lambda target: (target / 100,)),
        ("scale", r"\bhalf\b", lambda: (0.5,)),
        ("scale", r"\bdouble\b", lambda: (2,)),
    ),
    (
        ("rotate", rf"^(?=.*\b{_TURN})(?=.*\bleft\b).*?{_ANGLE}", lambda angle: (-angle % 360,)),
        ("rotate", rf"^(?=.*\b{_TURN}).*?{_ANGLE}", lambda angle: (angle % 360,)),
        ("rotate", r"^(?!.*\bflip\b).*\baround\b", lambda: (180,)),
        ("rotate", rf"\b{_TURN}.*\bleft\b|\bleft\b.*\b{_TURN}", lambda: (270,)),
        ("rotate", rf"\brotate\b|\b{_TURN}.*\bright\b|\bright\b.*\b{_TURN}", lambda: (90,)),
    ),
    (
        ("flip", r"\bflip\b.*\bupright\b|\bupright\b.*\bflip\b", lambda: (1,)),
        ("flip", r"\bflip\b", lambda: (0,)),
    ),
    (
        ("speed", r"N x faster", lambda times: (times,)),
        ("speed", r"faster N x", lambda times: (times,)),
        ("speed", r"\bfaster\b", lambda: (2,)),
        ("speed", r"N x slower", lambda times: (1 / max(times, 0.1),)),
        ("speed", r"\bslower\b", lambda: (0.5,)),
    ),
    (
        ("thumbnail", r"\bthumbnail\b", tuple),
        ("frames", r"\bposter\b.*?\bevery N s", lambda seconds: (max(seconds, 0.04),)),
        ("frames", r"\bevery N s.*?\bposter\b", lambda seconds: (max(seconds, 0.04),)),
        ("frames", r"\bevery (?:s )?poster\b", lambda: (1,)),
        ("poster", r"\bposter\b.*?N", lambda moment: (moment,)),
        ("poster", r"\bposter\b", lambda: (0,)),
    ),
    (("sound", r"\bsound\b", tuple),),
    (("strip", r"\bmetadata\b", tuple),),
    (("mute", r"\bmute\b", tuple),),
    (("smaller", r"\bsmaller\b", tuple),),
    (("louder", r"\blouder\b", tuple), ("quieter", r"\bquieter\b", tuple)),
)
"""Operations, their patterns in a normalized instruction (N: a number), and their figures.

Of each group the first that matches counts.
"""


def convert(args: ExpertInput, _language: str) -> WorkerResult:
    """The file after all that was asked for, and what was done. Raises BadInput, ExpertRefused."""
    blob = get_file(args, "file", Type.IMAGE, Type.AUDIO, Type.VIDEO)
    instruction = require_text(args, "text")
    if unused := find_unused_numbers(instruction):
        raise refuse(unused, _CAN)
    edits = parse_instruction(instruction)
    notes = note_frames(blob) if blob.type is Type.IMAGE else ()
    meanings = _OF_PICTURES if blob.type is Type.IMAGE and not notes else _OF_FILMS
    edits = [meanings.get(each.op, each) for each in edits]
    if not edits:
        raise refuse([], _CAN)
    first, *others = edit(blob, edits, is_animated=bool(notes))
    left_out = () if can_move(first.media_type) else notes
    done = tuple(map(describe_edit, edits))
    return WorkerResult(slots={"file": first}, extras=tuple(others), notes=(*done, *left_out))


def describe_edit(done: Edit) -> LocalizedText:
    """What was done, with its figures as they are read."""
    one, *more = [f"{figure:g}" for figure in done.figures if figure or done.op == "keep"] or [""]
    facts = {"one": one, "two": "".join(more), "ending": done.ending.upper()}
    if done.op in SHAPING:
        facts["one"] = (":" if done.op == "aspect" else " × ").join((one, *more))
        facts["percent"] = f"{100 * sum(done.figures[:1]):g}"
    return LocalizedText("embedded-converted", {"op": done.op, "percent": "", **facts})


def parse_instruction(instruction: str) -> list[Edit]:
    """What an instruction asks for, in its order; empty for nothing."""
    tokens = _join(_read_tokens(instruction))
    found = _apply_rules(tokens)
    sized = {each.op for _, each in found} & {"resize", "scale"}
    ordered = sorted(found, key=lambda pair: pair[0].start(pair[0].lastindex or 0))
    edits = [each for _, each in ordered if not (sized and each.op in _OF_PICTURES)]
    types = re.findall(r"(\bto (?:\S+ )?)?\.([a-z]\w+)", tokens)
    named = [ending for to, ending in types if to]
    every = {ending for _, ending in types}
    ending = named[-1] if named else every.pop() if len(every) == 1 else ""
    return [*edits, Edit("type", (), ending)] if ending else edits


def find_unused_numbers(instruction: str) -> list[str]:
    """The figures that no operation uses, as they were written: "2 MB" of "shrink it to 2 MB"."""
    tokens = _read_tokens(instruction)
    used = {hit.start(group) for hit, _ in _apply_rules(_join(tokens)) for group in _groups(hit)}
    unused, place = [], 0
    for (token, word), (after, unit) in pairwise([*tokens, ("", "")]):
        has_unit = after in _UNITS.values()
        is_figure = token[0].isdigit() and (word[0].isdigit() or has_unit)
        if is_figure and place not in used:
            unused.append(f"{word} {unit}" if has_unit else word)
        place += len(token) + 1
    return unused


def _apply_rules(tokens: str) -> list[tuple[re.Match[str], Edit]]:
    """The operations that a normalized instruction asks for, and where it does."""
    found = []
    for rules in _RULES:
        for op, pattern, figures in rules:
            if hit := re.search(pattern.replace("N", f"({_FIGURE})"), tokens):
                found.append((hit, Edit(op, tuple(figures(*map(_parse_number, hit.groups()))))))
                break
    return found


def find_unknown(instruction: str, file: Type) -> list[str] | None:
    """The words of an order that are not understood; None if it asks for nothing of such a file."""
    ops = {each.op for each in parse_instruction(instruction)}
    if file not in UNFIT or not ops or ops & UNFIT[file]:
        return None
    words, known = split_words(instruction[:_LONGEST]), _vocabulary()
    fillers = phrases("order", "join", "fillers")
    matches = Phrases({**fillers.meanings, **known.meanings}).find(words)
    allowed = {name.partition(".")[2] for name in known.meanings.values()} | {"and"}
    return [*list_unknown(words, matches, allowed), *find_unused_numbers(instruction)]


def _groups(hit: re.Match[str]) -> range:
    return range(1, (hit.lastindex or 0) + 1)


def _join(tokens: Sequence[tuple[str, str]]) -> str:
    return " ".join(token for token, _ in tokens)


def _read_tokens(instruction: str) -> list[tuple[str, str]]:
    """The known words of an instruction by their concepts, its numbers, units and file types.

    Each with its last word as it was written. A number that counts or names files is left out.
    """
    words = split_words(_FILE_NAME.sub(" ", instruction[:_LONGEST]))
    tokens: list[tuple[str, str]] = []
    matches = _vocabulary().find(words)
    sections = ["", *(match.concept.partition(".")[0] for match in matches), ""]
    for at, (concept, start, end) in enumerate(matches, 1):
        section, _, name = concept.partition(".")
        token, written = "", words[end - 1]
        if section == "unit" and tokens and tokens[-1][0][0].isdigit():
            token = _UNITS[name]
            if name == "minutes":
                seconds = 60 * _parse_number(tokens[-1][0])
                tokens[-1] = (f"{seconds:g}", tokens[-1][1])
        elif section in ("cut", "conversion", "number"):
            token = name
        elif section == "type":
            token = f".{name}"
        elif words[start][0].isdigit():
            is_name = _FILE_NUMBER.fullmatch(words[start]) and sections[at - 1] == "files"
            is_of_file = sections[at + 1] == "files" or (is_name and sections[at + 1] != "unit")
            token = "" if is_of_file else words[start].replace(",", ".")
        goes_before = name in _ENDS and sections[at + 1] == "unit"  # "les 5 premières secondes"
        if token:
            tokens.insert(len(tokens) - goes_before, (token, written))
    return tokens


@cache
def _vocabulary() -> Phrases:
    spellings = {ending: ending for ending in MEDIA_TYPES} | {"jpg": "jpeg", "tif": "tiff"}
    nouns = (
        (word, "files.noun")
        for name, listed in list_words("rules").items()
        if name.partition(".")[0] in ("file", "files")
        for word in listed
    )
    known = phrases("cut", "conversion", "unit", "number").with_types(spellings)
    return Phrases({**Phrases.of(nouns).meanings, **known.meanings})


def _parse_number(word: str) -> float:
    """12, 1.5, 0:05 or 1:02:03; times in seconds."""
    total = 0.0
    for part in word.split(":"):
        whole, _, rest = part.partition(".")
        total = total * 60 + float(f"0{whole[:9]}.{rest.replace('.', '')[:6]}")
    return total
