"""The planning prompt: a block that is the same for every request, then the request.

Servers cache the beginning of a prompt, so nothing of a request stands in the stable block. It
changes only with what can run.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import PurePosixPath

from pipeline.domain import Blob, Model, NamedFile, Request, TaskKind
from pipeline.feedback import format_examples
from pipeline.pictures import PICTURE_TOKENS
from pipeline.planning.schema import plan_schema
from pipeline.ports import Message, PlanExample, Prompt
from pipeline.prompts import (
    OVERESTIMATE,
    cut_middle,
    fence,
    format_history,
    name_person,
    render,
    sections,
    tokens,
)
from pipeline.task_kinds import KINDS
from pipeline.text import shorten
from pipeline.text.names import clean_line
from pipeline.text.thread_texts import THREAD, is_thread, join_thread, list_messages
from pipeline.words import say

OfferedModels = Mapping[str, Sequence[Model]]
"""Kind → the models to choose from."""
OFFERED_KINDS = (
    *("text-to-image", "image-text-to-image", "text-to-video", "image-to-video"),
    *("text-to-speech", "automatic-speech-recognition", "image-to-text", "object-detection"),
    *("image-segmentation", "audio-to-audio"),
)
"""The kinds that models are offered for, the most important first: those of pictures, sounds and
videos whose models differ. For texts a language model outranks small models.
"""

SHORT_ROOM = 7000
"""Tokens of context below which the short form is used."""
_SHORT_DEMONSTRATIONS = ("talk", "chain", "joined", "condition")
_MODELS = 2
"""The most models for a kind."""
_CANDIDATES = 380
"""Tokens of the models to choose from."""
_FEWEST_CANDIDATES = 150
"""The same in a small context, and where the rest is long."""
_TARGET = 4320
"""Tokens of a prompt above which fewer models are listed: so that 4,300 are seldom passed."""
_SHORTEST_GROUP = 3
"""Lines of a choice: the kinds, and two models."""
_SHORTEST_REPLY = 512
"""Tokens that a plan needs at least."""
_REPLY = 2048
"""Tokens that are normally reserved for a plan."""
_LONGEST_REPLY = 4096
"""Tokens that 64 steps take."""
_HISTORY_TOKENS = 1500
_MOST_FILES = 12
"""Earlier files that are listed."""
_ABOUT_FILE = 300
"""Characters about a file."""
_ABOUT_MODEL = 165
"""Characters about a model."""
_TEXTS = "Texts by name"
_MOST_TEXTS = 4
"""Messages that are listed by name."""
_ABOUT_TEXT = 30
"""Characters about each message."""
_SHORTEST_PART = 40
"""Tokens of the shortest part worth including."""
_SHORTEST_REQUEST = 150
"""Tokens of a request and its files that have to fit at least."""
_FRAME = 80
"""Tokens around the messages: roles, fences, the schema's name."""
_OWN_RATE = 3.8
"""Characters per token of our own English; measured at 4.0 with cl100k_base."""
_MANY_PARAMETERS = 3
"""From so many parameters on, a kind's line only hints at them: plan.md lists them once."""
_MOST_LANGUAGES = 12
_GIGA = 1e9
"""Bytes."""
_LEAST_SIZE = 5e7
"""Bytes of a model whose size is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What can run here now, and what cannot."""

    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)
    missing: Mapping[str, str] = field(default_factory=dict)
    """Kind that cannot run → the settings that would make it possible, or ""."""
    sees_pictures: bool = False
    """Whether the language model is shown the request's pictures."""
    built_in: Collection[str] = ()
    """Kinds that only the built-in experts can do here, some of them in part only."""
    models: OfferedModels = field(default_factory=dict)
    """The models that a plan may name."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A request with its plan, for the planner to follow."""

    heading: str
    text: str
    kinds: frozenset[str]
    """The kinds in the plan."""
    without: str
    """A kind that it shows as impossible; "" for none."""

    def suits(self, kinds: Collection[str]) -> bool:
        """Whether its plan can run where these kinds can, and nothing that it denies."""
        return self.without not in kinds and self.kinds.issubset(kinds)


def stable_block(
    abilities: Abilities, *, short: bool = False, demonstrations: Collection[str] | None = None
) -> Prompt:
    """The beginning of every planning prompt: the system message and schema for what can run here.

    `short`: for a small context. `demonstrations`: headings in demonstrations.md; None: all.
    """
    shown = _SHORT_DEMONSTRATIONS if short and demonstrations is None else demonstrations
    kinds = abilities.kinds
    examples = (
        f"({each.heading})\n{each.text}"
        for each in read_demonstrations()
        if each.suits(kinds) and (shown is None or each.heading in shown)
    )
    text = render(
        "plan",
        sight=dict(sections("sight"))["pictures" if abilities.sees_pictures else "blind"],
        kinds="\n".join(_describe_kind(kind, abilities) for kind in kinds.values()),
        missing=_describe_missing(abilities),
        demonstrations="\n\n".join(examples),
    )
    return Prompt(
        (Message("system", text.strip()),),
        schema=plan_schema(kinds.values()),
        temperature=0,
        effort="low",
        cache_key=f"troupe-plan-{hashlib.sha256(text.strip().encode()).hexdigest()[:16]}",
    )


def plan_prompt(  # noqa: PLR0913 - the parts of the prompt
    request: Request,
    block: Prompt,
    *,
    room: int,
    models: OfferedModels | None = None,
    liked: Sequence[PlanExample] = (),
    results: str = "",
    pictures: Sequence[Blob] = (),
) -> Prompt:
    """Build the prompt that asks a language model for a plan, after the stable block.

    `room`: the model's context in tokens; `results`: the evidence of earlier rounds.

    What does not fit is left out or cut: first history, then liked plans, candidates and the room
    for the reply, then files and results, and the request last. The candidates stand first, since
    they are the same for most requests and so a part of what servers cache.
    """
    short = room < SHORT_ROOM
    schema = "" if short else json.dumps(block.schema, separators=(",", ":"))  # else a grammar
    longest, shortest = min(_REPLY, room // 4), min(_SHORTEST_REPLY, room // 4)
    stable = _count_own(f"{block.messages[0].text}{schema}")
    budget = _Budget(room - stable - len(pictures) * PICTURE_TOKENS - _FRAME - shortest)
    text = budget.cut(request.text, keep=_SHORTEST_PART)
    results = budget.cut(results and f"Results so far: {fence(results)}", share=0.6)
    files = budget.cut(_list_files(request), share=0.6)
    texts = budget.take(_list_texts(request, short=short))
    budget.left -= longest - shortest
    others = "".join((text, results, files, texts, format_history(request, _HISTORY_TOKENS)))
    spare = 0 if short else int(_TARGET - stable - tokens(others) / OVERESTIMATE)
    offered = budget.take(_list_models(models or {}, spare))
    examples = budget.take(format_examples(liked))
    history = format_history(request, min(_HISTORY_TOKENS, budget.left))
    budget.left -= tokens(history)
    shown = ", ".join(picture.name for picture in pictures)
    sight = f"Pictures below, in this order: {shown}" if shown else ""
    overheard = " (not addressed to you by name)" if request.overheard else ""
    asked = f"Request of {name_person(request.person)}{overheard}: {fence(text)}"
    parts = (offered, examples, history, texts, files, results, sight, asked)
    user = Message("user", "\n".join(part for part in parts if part), tuple(pictures))
    max_tokens = _limit_reply(room, budget.left + longest)
    return replace(block, messages=(*block.messages, user), max_tokens=max_tokens)


def repair_prompt(prompt: Prompt, written: str, errors: str, room: int) -> Prompt:
    """The planning prompt again, with the model's first reply and the errors in it."""
    messages = (
        *prompt.messages,
        Message("assistant", cut_middle(written, room // 2) or "…"),
        Message("user", render("repair", errors=fence(errors))),
    )
    added = sum(tokens(message.text) for message in messages[-2:])
    max_tokens = _limit_reply(room, prompt.max_tokens - added)
    return replace(prompt, messages=messages, max_tokens=max_tokens, effort="medium")


def find_least_room(block: Prompt) -> int:
    """The tokens of the smallest context that a short stable block, a request and a plan fit in."""
    return _count_own(block.messages[0].text) + _SHORTEST_REQUEST + _FRAME + _SHORTEST_REPLY


@dataclass(slots=True)
class _Budget:
    """Tokens that are left for the parts of a prompt."""

    left: int

    def cut(self, text: str, *, share: float = 1.0, keep: int = 0) -> str:
        """A text cut to a share of what is left, or to what is left but `keep`."""
        text = cut_middle(text, max(_SHORTEST_PART, int(self.left * share) - keep)) if text else ""
        self.left -= tokens(text) if text else 0
        return text

    def take(self, text: str) -> str:
        """A text if it fits whole, else ""."""
        if not text or tokens(text) > self.left:
            return ""
        self.left -= tokens(text)
        return text


def _count_own(text: str) -> int:
    return int(len(text) / _OWN_RATE)


def _limit_reply(room: int, left: int) -> int:
    """The tokens of a reply, for which so many are left."""
    most = max(_REPLY, min(_LONGEST_REPLY, room // 8))
    return max(min(_SHORTEST_REPLY, room // 4), min(most, left))


@cache
def _read_lines(section: str) -> Mapping[str, str]:
    """The lines "name: text" of a section of kinds.md."""
    lines = dict(sections("kinds"))[section].splitlines()
    return {name: text for name, _, text in (line.partition(": ") for line in lines)}


def describe_work(kind: TaskKind) -> str:
    """What a kind of task does, in one line for the language model; "" if kinds.md lacks it."""
    return _read_lines("kinds").get(kind.name, "")


def _describe_kind(kind: TaskKind, abilities: Abilities) -> str:
    slots = [
        slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")
        for slot in kind.takes
        if slot.form is None
    ]
    parameters = [f"{slot.name}?" for slot in kind.takes if slot.form is not None]
    slots += parameters if len(parameters) < _MANY_PARAMETERS else ["…"]
    makes = " + ".join(slot.name for slot in kind.makes)
    about = describe_work(kind)
    if kind.name in abilities.built_in:
        about = _read_lines("built in").get(kind.name, about)
    return f"{kind.name}({', '.join(slots)}) -> {makes}: {about}"


def _describe_missing(abilities: Abilities) -> str:
    """What cannot run, by what would make it possible, and what comes nearest."""
    missing = abilities.missing
    lines = [
        f"{', '.join(_join_names(names))}{f' (would need {needs})' if needs else ''}"
        for needs, names in groupby(sorted(missing, key=lambda kind: missing[kind]), missing.get)
    ]
    for name, advice in _read_lines("nearest").items():
        if name in missing and advice.partition(" ")[0] in abilities.kinds:
            lines.append(advice)
    return "\n".join((*lines, dict(sections("kinds"))["never"]))


def _join_names(names: Iterable[str]) -> Iterator[str]:
    """Names that end alike as one: "hed/mlsd-control"."""
    ends: dict[str, list[str]] = {}
    for name in names:
        first, _, end = name.partition("-")
        ends.setdefault(end, []).append(first)
    return (f"{'/'.join(starts)}-{end}" for end, starts in ends.items())


@cache
def read_demonstrations() -> tuple[Demonstration, ...]:
    read = []
    for title, body in sections("demonstrations"):
        heading, _, without = title.partition(" without ")
        tasks = json.loads(body.rpartition("\n")[2])["tasks"]
        kinds = frozenset(task["task"] for task in tasks)
        read.append(Demonstration(heading, body, kinds, without))
    return tuple(read)


def _list_models(models: OfferedModels, spare: int) -> str:
    """The models to choose from, fenced as data: their descriptions are not ours.

    Kinds with the same models form one group. `spare`: the tokens up to the target of the prompt.
    """
    most, left = _MODELS, min(max(_FEWEST_CANDIDATES, spare), _CANDIDATES)
    groups: dict[tuple[str, ...], list[str]] = {}
    for kind, offered in models.items():
        groups.setdefault(tuple(model.id for model in offered[:most]), []).append(kind)
    lines: list[str] = []
    for kinds in groups.values():
        group = [", ".join(kinds)]
        group += [f"- {describe_model(model)}" for model in models[kinds[0]][:most]]
        while (cost := _count_own("\n".join(group))) > left and len(group) > _SHORTEST_GROUP:
            group.pop()
        if cost <= left and len(group) >= _SHORTEST_GROUP:
            lines += group
            left -= cost
    return f'Candidates for "model", by kind: {fence(chr(10).join(lines))}' if lines else ""


def describe_model(model: Model) -> str:
    """A model's id, licence, languages, size and description in one line."""
    languages = ", ".join(model.languages[:_MOST_LANGUAGES])
    size = f"{model.size / _GIGA:.1f} GB" if model.size >= _LEAST_SIZE else ""
    facts = "; ".join(clean_line(fact) for fact in (model.licence, languages, size) if fact)
    about = shorten(clean_line(model.description, 2 * _ABOUT_MODEL), _ABOUT_MODEL)
    return f"{clean_line(model.id)}{f' ({facts})' if facts else ''}{f': {about}' if about else ''}"


def _list_files(request: Request) -> str:
    """The files of the message, unusable ones, and the latest or named ones of the thread."""
    known = request.context.files
    text = request.text.casefold()
    stems = {file: PurePosixPath(file.attachment.name).stem.casefold() for file in known}
    named = [file for file in known[:-_MOST_FILES] if file.name in text or stems[file] in text]
    senders = {
        file.name: "made by you" if turn.person.is_bot else f"sent by {name_person(turn.person)}"
        for turn in request.context.turns
        for file in turn.files
    }
    earlier = [
        "; ".join(filter(None, (_describe_file(file), clean_line(senders.get(file.name, "")))))
        for file in (*named, *known[-_MOST_FILES:])
    ]
    unusable = [f"{clean_line(file.name)}: {say('en', file.reason)}" for file in request.rejected]
    lists = (
        ("Files from earlier", earlier),
        ("Unusable files", unusable),
        ("Files with the request", [_describe_file(file) for file in request.files]),
    )
    text = "\n".join(f"{title}: {fence(chr(10).join(lines))}" for title, lines in lists if lines)
    return text or "No files."


def _list_texts(request: Request, *, short: bool) -> str:
    """The texts of the thread that a value may name instead of copying them."""
    if not is_thread(request):
        return ""
    messages = () if short else list_messages(request).items()
    latest = [f"{name}: {clean_line(turn.text, _ABOUT_TEXT)}" for name, turn in messages]
    length = len(join_thread(request))
    lines = (f"{THREAD}: all messages, {length} characters", *latest[-_MOST_TEXTS:])
    return f"{_TEXTS}: {fence(chr(10).join(lines))}"


def _describe_file(file: NamedFile) -> str:
    about = clean_line(file.attachment.description or file.attachment.media_type, _ABOUT_FILE)
    name = clean_line(file.attachment.name)
    return f"{file.name} ({name}): {about}" if name != file.name else f"{file.name}: {about}"
