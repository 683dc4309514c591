"""The planning prompt: a block that is the same for all requests, then this request."""

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
"""Kinds described when there is no room for all."""
CHOOSABLE = 6
"""Kinds for which models are offered."""
_SHORTEST_REPLY, _REPLY, _LONGEST_REPLY = 512, 2048, 4096
"""Tokens: the minimum for a plan; what is normally reserved; what 64 steps take."""
_HISTORY_TOKENS = 1500
_MOST_FILES, _ABOUT_FILE, _ABOUT_MODEL = 12, 300, 120
"""Earlier files listed; characters about a file and about a model."""
_SHORTEST_PART = 40
"""Tokens of the shortest part worth including."""
_FRAME = 80
"""Tokens around the messages: roles, fences, the schema's name."""
_SCHEMA_TEXT = json.dumps(PLAN_SCHEMA)


@dataclass(frozen=True, slots=True)
class PlanPrompt:
    """The prompt, and whether the text of the request had to be cut."""

    prompt: Prompt
    cut: bool = False


_DETAILS = (
    (len(KINDS), 99, 3, 0.45),
    (LIKELY, 2, 3, 0.45),
    (LIKELY, 0, 2, 0.6),
    (3, 0, 0, 1.0),
)
"""Levels of detail, to be tried in order: how many of the likeliest kinds are described (the rest
are only named), how many demonstrations, how many models per kind, and the largest share of the
context that all this may take."""


def plan_prompt(
    request: Request,
    likely: Sequence[TaskKind],
    models: OfferedModels,
    *,
    room: int,
    kinds: Mapping[str, TaskKind] = KINDS,
    liked: Sequence[PlanExample] = (),
) -> PlanPrompt:
    """Build the prompt that asks a language model for a plan; `room` is its context in tokens.

    If it does not fit, kinds and models are cut first, then files and history, then the room for
    the reply, and the request last.
    """
    examples = format_examples(liked)
    reply = min(_REPLY, room // 4)
    shortest_reply = min(_SHORTEST_REPLY, reply)
    fixed = tokens(f"{examples}{_SCHEMA_TEXT}") + _FRAME
    remaining = room - fixed - shortest_reply - tokens(request.text) - _SHORTEST_PART
    system, offered = _describe_kinds(likely, models, kinds, remaining, room)
    remaining = room - fixed - tokens(system) - tokens(offered)
    spare = remaining - reply
    for_files = min(spare // 4, spare - tokens(request.text))
    files = cut_middle(_list_files(request), max(_SHORTEST_PART, for_files))
    for_text = remaining - shortest_reply - tokens(files)
    text = cut_middle(request.text, max(_SHORTEST_PART, for_text))
    history = format_history(request, min(_HISTORY_TOKENS, spare - tokens(files) - tokens(text)))
    parts = (offered, examples, history, files, f"Request: {fence(text)}")
    messages = (
        Message("system", system),
        Message("user", "\n".join(part for part in parts if part)),
    )
    max_tokens = _room_for_reply(messages, room)
    prompt = Prompt(messages, PLAN_SCHEMA, max_tokens=max_tokens)
    return PlanPrompt(prompt, cut=text != request.text)


def repair_prompt(prompt: Prompt, written: str, errors: str, room: int) -> Prompt:
    """The planning prompt again, with the model's first reply and the errors in it."""
    messages = (
        *prompt.messages,
        Message("assistant", cut_middle(written, room // 2) or "…"),
        Message("user", render("repair", errors=fence(errors))),
    )
    max_tokens = _room_for_reply(messages, room)
    return replace(prompt, messages=messages, max_tokens=max_tokens)


def _room_for_reply(messages: Sequence[Message], room: int) -> int:
    """Tokens of the context that remain for the reply."""
    text = "\n".join(message.text for message in messages)
    remaining = room - tokens(f"{text}{_SCHEMA_TEXT}") - _FRAME
    longest = max(_REPLY, min(_LONGEST_REPLY, room // 8))
    return max(min(_SHORTEST_REPLY, room // 4), min(longest, remaining))


def _describe_kinds(
    likely: Sequence[TaskKind],
    models: OfferedModels,
    kinds: Mapping[str, TaskKind],
    remaining: int,
    room: int,
) -> tuple[str, str]:
    """The system message and the models to choose from, in as much detail as fits."""
    system = offered = ""
    for count, demonstrations, choices, share in _DETAILS:
        described = list(kinds.values()) if count >= len(kinds) else likely[:count]
        system = _system_message(described, kinds, demonstrations)
        offered = _list_models(likely, models, choices)
        if tokens(f"{system}{offered}") <= min(remaining, int(room * share)):
            break
    return system, offered


def _system_message(
    described: Sequence[TaskKind], kinds: Mapping[str, TaskKind], demonstrations: int
) -> str:
    """The system message; identical for every request if there is room for all kinds."""
    rest = kinds.keys() - {kind.name for kind in described}
    lines = [_describe_kind(kind) for kind in described]
    if rest:
        lines.append(f"Others: {' '.join(name for name in kinds if name in rest)}")
    shown = "\n".join(body for _, body in sections("demonstrations")[: 1 + demonstrations])
    return render("plan", kinds="\n".join(lines), demonstrations=shown).strip()


def _describe_kind(kind: TaskKind) -> str:
    slots = (
        slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")
        for slot in kind.takes
    )
    return f"{kind.name}({', '.join(slots)}): {kind.says}"


def _list_models(likely: Sequence[TaskKind], models: OfferedModels, most: int) -> str:
    """The models to choose from, fenced as data: their descriptions are not ours."""
    lines: list[str] = []
    for kind in likely[:CHOOSABLE]:
        offered = models.get(kind.name, ())[:most]
        if len(offered) > 1:
            lines += [f"{kind.name}:", *(f" {describe_model(model)}" for model in offered)]
    return f"Models: {fence(chr(10).join(lines))}" if lines else ""


def describe_model(model: Model) -> str:
    """A model's id, description and licence in one line."""
    facts = (clean_line(model.description, _ABOUT_MODEL), clean_line(model.licence))
    about = "; ".join(fact for fact in facts if fact)
    return f"{clean_line(model.id)}: {about}" if about else clean_line(model.id)


def format_history(request: Request, limit: int) -> str:
    """The channel's last turns, the thread's summary and its last turns, in `limit` tokens."""
    context = request.context
    short = min(tokens(context.summary), limit // 3) if context.summary else 0
    parts: list[str] = []
    sources: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("Earlier here", lambda most: format_turns(context.turns, most - short)),
        ("Before that, in short", lambda most: cut_middle(context.summary, most)),
        ("Elsewhere in the channel", lambda most: format_turns(context.channel, most)),
    )
    for title, write in sources:
        if limit > _SHORTEST_PART and (lines := write(limit)):
            limit -= tokens(lines)
            parts.append(f"{title}: {fence(lines)}")
    return "\n".join(reversed(parts))


def _list_files(request: Request) -> str:
    """The files of the message, unusable ones, and the latest or named ones of the thread."""
    known = request.context.files
    text = request.text.casefold()
    stems = {file: PurePosixPath(file.attachment.name).stem.casefold() for file in known}
    named = [file for file in known[:-_MOST_FILES] if file.name in text or stems[file] in text]
    earlier = [_describe_file(file) for file in (*named, *known[-_MOST_FILES:])]
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
