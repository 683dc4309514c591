"""Pictures, sounds and films edited as ordered in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from adapters.embedded.experts.images import note_frames
from adapters.embedded.experts.orders import list_unknown
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from adapters.embedded.lexicon import Phrases, phrases, split_words
from adapters.media.edit_options import MEDIA_TYPES, SHAPING, UNFIT, Edit
from adapters.media.editing import can_move, edit
from pipeline.domain import LocalizedText, Type
from pipeline.errors import ExpertRefused

_LONGEST = 1_000
"""Characters of an instruction."""
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
_KEEP = r"^(?!.*\b(?:drop|crop)\b)(?=.*\bkeep\b)"
_TURN = r"(?:rotate|turn)\b"
_RULES: Sequence[Sequence[tuple[str, str, Callable[..., Sequence[float]]]]] = (
    (
        ("drop", r"^(?=.*\bdrop\b).*\bfirst N s", lambda end: (end,)),
        ("keep", r"\bfirst N s", lambda end: (0, end)),
        ("keep_end", r"\blast N s", lambda length: (length,)),
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
        ("scale", r"N %", lambda percent: (percent / 100,)),
        ("scale", r"\bhalf\b", lambda: (0.5,)),
        ("scale", r"\bdouble\b", lambda: (2,)),
    ),
    (
        ("rotate", rf"^(?=.*\b{_TURN})(?=.*\bleft\b).*?N °", lambda angle: (-angle % 360,)),
        ("rotate", rf"^(?=.*\b{_TURN}).*?N °", lambda angle: (angle % 360,)),
        ("rotate", r"^(?!.*\bflip\b).*\baround\b", lambda: (180,)),
        ("rotate", rf"\b{_TURN}.*\bleft\b|\bleft\b.*\b{_TURN}", lambda: (270,)),
        ("rotate", r"\brotate N$", lambda angle: (angle % 360,)),
        ("rotate", rf"\brotate\b|\b{_TURN}.*\bright\b|\bright\b.*\b{_TURN}", lambda: (90,)),
    ),
    (
        ("flip", r"\bflip\b.*\bupright\b|\bupright\b.*\bflip\b", lambda: (1,)),
        ("flip", r"\bflip\b", lambda: (0,)),
    ),
    (
        ("speed", r"N x faster", lambda times: (times,)),
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
    edits = parse_instruction(require_text(args, "text"))
    notes = note_frames(blob) if blob.type is Type.IMAGE else ()
    meanings = _OF_PICTURES if blob.type is Type.IMAGE and not notes else _OF_FILMS
    edits = [meanings.get(each.op, each) for each in edits]
    if not edits:
        raise ExpertRefused("embedded-no-conversion")
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
    tokens = _normalize(instruction)
    hits: list[tuple[int, Edit]] = []
    for rules in _RULES:
        for op, pattern, figures in rules:
            if hit := re.search(pattern.replace("N", r"(\d[\d.:]*)"), tokens):
                made = tuple(figures(*map(_parse_number, hit.groups())))
                hits.append((hit.start(hit.lastindex or 0), Edit(op, made)))
                break
    sized = {each.op for _, each in hits} & {"resize", "scale"}
    ordered = (each for _, each in sorted(hits, key=lambda hit: hit[0]))
    edits = [each for each in ordered if not (sized and each.op in _OF_PICTURES)]
    types = re.findall(r"(\bto (?:\S+ )?)?\.([a-z]\w+)", tokens)
    named = [ending for to, ending in types if to]
    every = {ending for _, ending in types}
    ending = named[-1] if named else every.pop() if len(every) == 1 else ""
    return [*edits, Edit("type", (), ending)] if ending else edits


def find_unknown(instruction: str, file: Type) -> list[str] | None:
    """The words of an order that are not understood; None if it asks for nothing of such a file."""
    ops = {each.op for each in parse_instruction(instruction)}
    if file not in UNFIT or not ops or ops & UNFIT[file]:
        return None
    words, known = split_words(instruction[:_LONGEST]), _vocabulary()
    fillers = phrases("order", "join", "fillers")
    matches = Phrases({**fillers.meanings, **known.meanings}).find(words)
    allowed = {name.partition(".")[2] for name in known.meanings.values()} | {"and"}
    return list_unknown(words, matches, allowed)


def _normalize(instruction: str) -> str:
    """The known words of an instruction by their concepts, its numbers, units and file types."""
    words = split_words(instruction[:_LONGEST])
    tokens = [""]
    for concept, start, _ in _vocabulary().find(words):
        section, _, name = concept.partition(".")
        if section == "unit" and tokens[-1][:1].isdigit():
            if name == "minutes":
                tokens[-1] = f"{60 * _parse_number(tokens[-1]):g}"
            tokens.append(_UNITS[name])
        elif section in ("conversion", "number"):
            tokens.append(name)
        elif section == "type":
            tokens.append(f".{name}")
        elif words[start][0].isdigit():
            tokens.append(words[start].replace(",", "."))
    return " ".join(tokens)


@cache
def _vocabulary() -> Phrases:
    spellings = {ending: ending for ending in MEDIA_TYPES} | {"jpg": "jpeg", "tif": "tiff"}
    return phrases("conversion", "unit", "number").with_types(spellings)


def _parse_number(word: str) -> float:
    """12, 1.5, 0:05 or 1:02:03; times in seconds."""
    total = 0.0
    for part in word.split(":"):
        whole, _, rest = part.partition(".")
        total = total * 60 + float(f"0{whole[:9]}.{rest.replace('.', '')[:6]}")
    return total
