"""The planning prompt: the likely kinds with their models, demonstrations that fit, and people's words as data."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.domain import NamedFile, Request, TaskKind
from pipeline.planning.examples import examples
from pipeline.planning.instructions import Candidates, instructions
from pipeline.ports import Lesson, Message, Prompt
from pipeline.prompts import Count, Room, closely, cut_middle, fenced, render, tokens, told
from pipeline.prompts.schemas import INTEGER, TEXT, array, closed
from pipeline.table import KINDS
from pipeline.text.names import in_a_line
from pipeline.words import say

SHORT = 900
"""Tokens that a prompt without history keeps to, schema included, where the message leaves room for it."""
_SHORTEST_REPLY, _REPLY, _LONGEST_REPLY = 512, 2048, 4096
"""Tokens: what a plan needs at least; what is kept free for it; what 64 steps take, asked for where the context is wide."""
_HISTORY = 1500
_FILES, _ABOUT = 12, 300
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
SCHEMA_TOKENS = 210
"""Of cl100k_base, for the whole of what names the schema, written with blanks."""
_MARGIN = 24
"""Tokens for fences and what is counted too low."""
_FRAME = 80
"""Tokens for what stands around: the roles of the messages, fences, the name of the schema."""


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
    """What is asked of the language model, within its context.

    Where there is little room, first what is told beside the message is cut, then the room for the reply, the message last.
    """
    count, usual = room.count, min(_REPLY, room.size // 4)
    least = min(_SHORTEST_REPLY, usual)
    shown = examples(liked)
    people = tokens(f"{_files_now(request)}{request.text}")
    beside = people + closely(shown) + SCHEMA_TOKENS + _MARGIN
    around = count(f"{shown}{_SCHEMA_TEXT}") + _FRAME

    def told_with(most: int) -> str:
        return instructions(likely, candidates, kinds, shown=not shown, most=most)

    system = told_with(SHORT - beside)
    left = room.size - around - least - count(request.text) - _LEAST
    if (whole := count(system)) > left:
        system = told_with(closely(system) * max(left, 0) // whole)
    left = room.size - around - count(system)
    wide = left - usual
    beside_words = min(wide // 4, wide - count(request.text))
    files = cut_middle(_files(request), max(_LEAST, beside_words), count)
    text = cut_middle(request.text, max(_LEAST, left - least - count(files)), count)
    before = told_before(request, min(_HISTORY, wide - count(files) - count(text)), count)
    asked = "\n".join(part for part in (shown, before, files, f"Request: {fenced(text)}") if part)
    messages = (Message("system", system), Message("user", asked))
    prompt = Prompt(messages, SCHEMA, max_tokens=_reply(messages, room), purpose="plan")
    return PlanPrompt(prompt, cut=text != request.text)


def repair_prompt(prompt: Prompt, written: str, errors: str, room: Room) -> Prompt:
    """The same once more, after what was written and with what is wrong in it."""
    turn = (
        Message("assistant", cut_middle(written, room.size // 2, room.count) or "…"),
        Message("user", render("repair", errors=fenced(errors))),
    )
    messages = (*prompt.messages, *turn)
    reply = _reply(messages, room)
    return replace(prompt, messages=messages, max_tokens=reply, purpose="repair")


def _reply(messages: Sequence[Message], room: Room) -> int:
    """Tokens that the context leaves for a reply."""
    told = "\n".join(message.text for message in messages)
    left = room.size - room.count(f"{told}{_SCHEMA_TEXT}") - _FRAME
    longest = max(_REPLY, min(_LONGEST_REPLY, room.size // 8))
    return max(min(_SHORTEST_REPLY, room.size // 4), min(longest, left))


def told_before(request: Request, limit: int, count: Count = tokens) -> str:
    """What was before in the thread in short, its last turns, then the channel's turns, as far as there is room."""
    context = request.context
    short = min(count(context.summary), limit // 3) if context.summary else 0
    parts: list[str] = []
    told_of: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("Earlier here", lambda left: told(context.turns, left - short, count)),
        ("Before that, in short", lambda left: cut_middle(context.summary, left, count)),
        ("Elsewhere in the channel", lambda left: told(context.channel, left, count)),
    )
    for title, words in told_of:
        if limit > _LEAST and (lines := words(limit)):
            limit -= count(lines)
            parts.append(f"{title}: {fenced(lines)}")
    return "\n".join(reversed(parts))


def _files(request: Request) -> str:
    before = request.context.files
    asked = request.text.casefold()
    named = [file for file in before[:-_FILES] if file.name in asked or _own(file) in asked]
    earlier = [_file(file) for file in (*named, *before[-_FILES:])]
    unusable = [f"{in_a_line(file.name)}: {say('en', file.reason)}" for file in request.unused]
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
    about = in_a_line(file.attachment.description or file.attachment.media_type, _ABOUT)
    name = in_a_line(file.attachment.name)
    return f"{file.name} ({name}): {about}" if name != file.name else f"{file.name}: {about}"
