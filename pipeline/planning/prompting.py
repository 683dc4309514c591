"""The planning prompt: the likely kinds with their models, demonstrations that fit, and people's words as data."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import Model, NamedFile, Request, Slot, TaskKind
from pipeline.planning.examples import examples
from pipeline.ports import Lesson, Message, Prompt
from pipeline.prompts import Count, Room, cut_middle, fenced, render, sections, tokens, told
from pipeline.prompts.schemas import INTEGER, TEXT, array, closed
from pipeline.table import KINDS
from pipeline.words import say

Candidates = Mapping[str, Sequence[Model]]
"""Kind → the models to choose from."""

FULL = 10
"""How many kinds are told with their arguments."""
CHOOSABLE = 6
"""For how many of them models are offered."""
SHORT = 1320
"""Tokens, as `tokens` guesses them, that a prompt without history keeps to: some 900 when they are counted."""
_REPLY_TOKENS = 2048
_HISTORY = 1500
_FILES = 12
_LEAST = 40

SCHEMA = closed(
    reply={"type": ["string", "null"]},
    tasks=array(
        closed(
            task=TEXT,
            id=INTEGER,
            dep=array(INTEGER),
            args=array(closed(name=TEXT, value=TEXT)),
            model=TEXT,
        )
    ),
)
"""What a plan looks like; arguments are a list, because strict schemas take no free names."""
_SCHEMA_TEXT = json.dumps(SCHEMA)
_FRAME = 80
"""Tokens for what stands around: the roles of the messages, fences, the name of the schema."""


@dataclass(frozen=True, slots=True)
class _Detail:
    """How much is told: of how many kinds what they do, of how many the arguments, how many models, how many letters of each."""

    says: int
    full: int
    models: int
    letters: int


_DETAILS = (
    _Detail(FULL, FULL, 3, 26),
    _Detail(CHOOSABLE, FULL, 3, 26),
    _Detail(CHOOSABLE, FULL, 3, 16),
    _Detail(CHOOSABLE, CHOOSABLE, 3, 22),
    _Detail(CHOOSABLE, CHOOSABLE, 3, 16),
    _Detail(CHOOSABLE, CHOOSABLE, 3, 11),
    _Detail(CHOOSABLE, CHOOSABLE, 3, 0),
    _Detail(2, CHOOSABLE, 3, 0),
    _Detail(0, CHOOSABLE, 3, 0),
    _Detail(0, CHOOSABLE, 2, 0),
    _Detail(0, CHOOSABLE, 0, 0),
)
"""From much to little."""


@dataclass(frozen=True, slots=True)
class PlanPrompt:
    """The prompt, and whether the person's own words had to be cut."""

    prompt: Prompt
    cut: bool = False


def plan_prompt(
    request: Request,
    likely: Sequence[TaskKind],
    candidates: Candidates,
    *,
    room: Room,
    kinds: Mapping[str, TaskKind] = KINDS,
    liked: Sequence[Lesson] = (),
) -> PlanPrompt:
    """What is asked of the language model, within its context."""
    count, reply = room.count, min(_REPLY_TOKENS, room.size // 4)
    shown = examples(liked)
    stock = demonstrations([kind.name for kind in likely], most=1 if shown else 2)
    beside = f"{_SCHEMA_TEXT}{shown}{_files_now(request)}{request.text}"
    system = _system(likely, candidates, kinds, stock, SHORT - tokens(beside) - _FRAME)
    left = room.size - reply - count(f"{system}{shown}{_SCHEMA_TEXT}") - _FRAME
    beside_words = min(left // 4, left - count(request.text))
    files = cut_middle(_files(request), max(_LEAST, beside_words), count)
    text = cut_middle(request.text, max(40, left - count(files)), count)
    before = told_before(request, min(_HISTORY, left - count(files) - count(text)), count)
    asked = "\n".join(part for part in (shown, before, files, f"Request: {fenced(text)}") if part)
    messages = (Message("system", system), Message("user", asked))
    prompt = Prompt(messages, SCHEMA, max_tokens=reply, purpose="plan")
    return PlanPrompt(prompt, cut=text != request.text)


def _system(
    likely: Sequence[TaskKind],
    candidates: Candidates,
    kinds: Mapping[str, TaskKind],
    stock: str,
    most: int,
) -> str:
    """The instructions, in as much detail as so many tokens hold."""
    system = ""
    for detail in _DETAILS:
        full = likely[: detail.full]
        system = render(
            "plan",
            kinds="\n".join(
                _kind_line(kind, candidates.get(kind.name, ()), detail, at)
                for at, kind in enumerate(full)
            ),
            others=_others(kinds.keys() - {kind.name for kind in full}),
            demonstrations=stock,
        )
        if tokens(system) <= most:
            break
    return system


def told_before(request: Request, limit: int, count: Count = tokens) -> str:
    """The thread's last turns, what was before them in short, then the channel's turns, as far as there is room."""
    context = request.context
    parts: list[str] = []
    told_of: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("Earlier here", lambda left: told(context.turns, left, count)),
        ("Before that, in short", lambda left: cut_middle(context.summary, left, count)),
        ("Elsewhere in the channel", lambda left: told(context.channel, left, count)),
    )
    for title, words in told_of:
        if limit > _LEAST and (lines := words(limit)):
            limit -= count(lines)
            parts.append(f"{title}: {fenced(lines)}")
    return "\n".join(reversed(parts))


def demonstrations(likely: Sequence[str], *, most: int = 2) -> str:
    """Plain talk, and the request whose plan uses the most of the likely kinds."""
    rows = sections("demonstrations")
    talk = [body for heading, body in rows if heading == "talk"]
    ranked = sorted(
        (row for row in rows if row[0] != "talk"),
        key=lambda row: -sum(1 / (1 + likely.index(k)) for k in row[0].split(", ") if k in likely),
    )
    return "\n".join([*talk, *(body for _, body in ranked[: most - len(talk)])])


def _kind_line(kind: TaskKind, models: Sequence[Model], detail: _Detail, at: int) -> str:
    line = f"{kind.name}({', '.join(map(_arg, kind.takes))})"
    if at < detail.says:
        line += f": {kind.says}"
    if len(models) > 1 and at < CHOOSABLE:
        offered = _offered(models[: detail.models], detail.letters)
        line += "".join(f"\n {name} {about}".rstrip() for name, about in offered)
    return line


def _offered(models: Sequence[Model], letters: int) -> Iterator[tuple[str, str]]:
    """Models by their names, with the owner's only where two share one; and what they are good for."""
    short = Counter(model.id.rpartition("/")[2] for model in models)
    for model in models:
        name = model.id.rpartition("/")[2]
        yield model.id if short[name] > 1 else name, _about(model, letters)


def _arg(slot: Slot) -> str:
    return slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")


def _about(model: Model, letters: int) -> str:
    words = " ".join(model.description.split())
    return words if len(words) <= letters else words[:letters].rpartition(" ")[0]


def _others(rest: set[str]) -> str:
    """The bare names of all other kinds; those that only differ in their control image together."""
    names = [name for name in KINDS if name in rest]
    controls = [name for name in names if name.endswith("-control")]
    guided = [f"{name.removesuffix('-control')}-text-to-image" for name in controls]
    others = [name for name in names if name not in {*controls, *guided}]
    if controls:
        first = ",".join(name.removesuffix("-control") for name in controls)
        others.append(f"{{{first}}}-control, the same with -text-to-image")
    return " ".join(others)


def _files(request: Request) -> str:
    before = request.context.files
    asked = request.text.casefold()
    named = [file for file in before[:-_FILES] if file.name in asked or _own(file) in asked]
    earlier = [_file(file) for file in (*named, *before[-_FILES:])]
    unusable = [f"{file.name}: {say('en', file.reason)}" for file in request.unused]
    listed = (_listed("Unusable files", unusable), _listed("Earlier files", earlier))
    return "\n".join(part for part in (_files_now(request), *listed) if part)


def _files_now(request: Request) -> str:
    return _listed("Files", [_file(file) for file in request.files])


def _listed(title: str, lines: Sequence[str]) -> str:
    return f"{title}: {fenced(chr(10).join(lines))}" if lines else ""


def _own(file: NamedFile) -> str:
    """A file's own name without its ending, as people write it."""
    return file.attachment.name.rpartition(".")[0].casefold() or file.attachment.name.casefold()


def _file(file: NamedFile) -> str:
    about = file.attachment.description or file.attachment.media_type
    name = file.attachment.name
    return f"{file.name} ({name}): {about}" if name != file.name else f"{file.name}: {about}"
