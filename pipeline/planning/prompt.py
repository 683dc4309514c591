"""The planning prompt: one stable block for every request, then what belongs to this request."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pipeline.domain import Model, NamedFile, Request, TaskKind
from pipeline.feedback import format_examples
from pipeline.planning.schema import PLAN_SCHEMA
from pipeline.ports import Message, PlanExample, Prompt
from pipeline.prompts import (
    cut_middle,
    fence,
    format_turns,
    render,
    sections,
    tokens,
)
from pipeline.task_kinds import KINDS
from pipeline.text.names import clean_line
from pipeline.words import say

OfferedModels = Mapping[str, Sequence[Model]]
"""Kind → the models to choose from."""

LIKELY = 10
"""How many likely kinds are described where there is no room for all."""
CHOOSABLE = 6
"""For how many likely kinds models are offered."""
_SHORTEST_REPLY, _REPLY, _LONGEST_REPLY = 512, 2048, 4096
"""Tokens: what a plan needs at least; what is kept free for it; what 64 steps take."""
_HISTORY = 1500
_FILES, _ABOUT_FILE, _ABOUT_MODEL = 12, 300, 120
_LEAST = 40
_FRAME = 80
"""Tokens around the messages: their roles, fences, the name of the schema."""
_SCHEMA_TEXT = json.dumps(PLAN_SCHEMA)


@dataclass(frozen=True, slots=True)
class PlanPrompt:
    """The prompt, and whether the person's own words had to be cut."""

    prompt: Prompt
    cut: bool = False


_DETAILS = (
    (len(KINDS), 99, 3, 0.45),
    (LIKELY, 2, 3, 0.45),
    (LIKELY, 0, 2, 0.6),
    (3, 0, 0, 1.0),
)
"""How many kinds, the likeliest first, are told with their arguments (the rest by name), how many
demonstrations, how many models of each; and the share of the context that they take at most."""


def plan_prompt(
    request: Request,
    likely: Sequence[TaskKind],
    models: OfferedModels,
    *,
    room: int,
    kinds: Mapping[str, TaskKind] = KINDS,
    liked: Sequence[PlanExample] = (),
) -> PlanPrompt:
    """Ask a language model for a plan, within its context.

    Where there is little room, what is told of kinds and models is cut first, then files and
    history, then the room for the reply, and the message last.
    """
    examples = format_examples(liked)
    reply = min(_REPLY, room // 4)
    least = min(_SHORTEST_REPLY, reply)
    around = tokens(f"{examples}{_SCHEMA_TEXT}") + _FRAME
    left = room - around - least - tokens(request.text) - _LEAST
    system, offered = _tell_kinds(likely, models, kinds, left, room)
    left = room - around - tokens(system) - tokens(offered)
    spare = left - reply
    beside_words = min(spare // 4, spare - tokens(request.text))
    files = cut_middle(_list_files(request), max(_LEAST, beside_words))
    text = cut_middle(request.text, max(_LEAST, left - least - tokens(files)))
    before = format_history(request, min(_HISTORY, spare - tokens(files) - tokens(text)))
    parts = (offered, examples, before, files, f"Request: {fence(text)}")
    messages = (
        Message("system", system),
        Message("user", "\n".join(part for part in parts if part)),
    )
    max_tokens = _room_for_reply(messages, room)
    prompt = Prompt(messages, PLAN_SCHEMA, max_tokens=max_tokens)
    return PlanPrompt(prompt, cut=text != request.text)


def repair_prompt(prompt: Prompt, written: str, errors: str, room: int) -> Prompt:
    """The same once more, after what was written, with what is wrong in it quoted."""
    turn = (
        Message("assistant", cut_middle(written, room // 2) or "…"),
        Message("user", render("repair", errors=fence(errors))),
    )
    messages = (*prompt.messages, *turn)
    max_tokens = _room_for_reply(messages, room)
    return replace(prompt, messages=messages, max_tokens=max_tokens)


def _room_for_reply(messages: Sequence[Message], room: int) -> int:
    """Tokens that the context leaves for a reply."""
    text = "\n".join(message.text for message in messages)
    left = room - tokens(f"{text}{_SCHEMA_TEXT}") - _FRAME
    longest = max(_REPLY, min(_LONGEST_REPLY, room // 8))
    return max(min(_SHORTEST_REPLY, room // 4), min(longest, left))


def _tell_kinds(
    likely: Sequence[TaskKind],
    models: OfferedModels,
    kinds: Mapping[str, TaskKind],
    left: int,
    room: int,
) -> tuple[str, str]:
    """The system message and the models to choose from, in as much detail as there is room."""
    system = offered = ""
    for described, demonstrations, choices, share in _DETAILS:
        told = list(kinds.values()) if described >= len(kinds) else likely[:described]
        system = _system_message(told, kinds, demonstrations)
        offered = _list_models(likely, models, choices)
        if tokens(f"{system}{offered}") <= min(left, int(room * share)):
            break
    return system, offered


def _system_message(
    described: Sequence[TaskKind], kinds: Mapping[str, TaskKind], demonstrations: int
) -> str:
    """The same for every request, where there is room for all kinds."""
    rest = kinds.keys() - {kind.name for kind in described}
    lines = [_describe_kind(kind) for kind in described]
    if rest:
        lines.append(f"Others: {' '.join(name for name in kinds if name in rest)}")
    told = "\n".join(body for _, body in sections("demonstrations")[: 1 + demonstrations])
    return render("plan", kinds="\n".join(lines), demonstrations=told).strip()


def _describe_kind(kind: TaskKind) -> str:
    slots = (
        slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")
        for slot in kind.takes
    )
    return f"{kind.name}({', '.join(slots)}): {kind.says}"


def _list_models(likely: Sequence[TaskKind], models: OfferedModels, most: int) -> str:
    """The models to choose from, as data: strangers describe them."""
    lines: list[str] = []
    for kind in likely[:CHOOSABLE]:
        offered = models.get(kind.name, ())[:most]
        if len(offered) > 1:
            lines += [f"{kind.name}:", *(f" {describe_model(model)}" for model in offered)]
    return f"Models: {fence(chr(10).join(lines))}" if lines else ""


def describe_model(model: Model) -> str:
    """A model's id with what its card says of it, in one line."""
    facts = (clean_line(model.description, _ABOUT_MODEL), clean_line(model.licence))
    about = "; ".join(fact for fact in facts if fact)
    return f"{clean_line(model.id)}: {about}" if about else clean_line(model.id)


def format_history(request: Request, limit: int) -> str:
    """The thread's summary, its last turns and the channel's, in at most so many tokens."""
    context = request.context
    short = min(tokens(context.summary), limit // 3) if context.summary else 0
    parts: list[str] = []
    sources: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("Earlier here", lambda left: format_turns(context.turns, left - short)),
        ("Before that, in short", lambda left: cut_middle(context.summary, left)),
        ("Elsewhere in the channel", lambda left: format_turns(context.channel, left)),
    )
    for title, write in sources:
        if limit > _LEAST and (lines := write(limit)):
            limit -= tokens(lines)
            parts.append(f"{title}: {fence(lines)}")
    return "\n".join(reversed(parts))


def _list_files(request: Request) -> str:
    """The files that came with the message, those that cannot be used, those of the thread."""
    before = request.context.files
    text = request.text.casefold()
    stems = {file: PurePosixPath(file.attachment.name).stem.casefold() for file in before}
    named = [file for file in before[:-_FILES] if file.name in text or stems[file] in text]
    earlier = [_describe_file(file) for file in (*named, *before[-_FILES:])]
    unusable = [f"{clean_line(file.name)}: {say('en', file.reason)}" for file in request.rejected]
    lists = (
        ("Files", [_describe_file(file) for file in request.files]),
        ("Unusable files", unusable),
        ("Earlier files", earlier),
    )
    return "\n".join(f"{title}: {fence(chr(10).join(lines))}" for title, lines in lists if lines)


def _describe_file(file: NamedFile) -> str:
    about = clean_line(file.attachment.description or file.attachment.media_type, _ABOUT_FILE)
    name = clean_line(file.attachment.name)
    return f"{file.name} ({name}): {about}" if name != file.name else f"{file.name}: {about}"
