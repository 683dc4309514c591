"""The planning prompt: the likely kinds with their models, demonstrations that fit, and people's words as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.domain import Model, NamedFile, Request, Slot, TaskKind
from pipeline.planning.examples import examples
from pipeline.ports import Lesson, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render, sections, tokens, told
from pipeline.table import KINDS
from pipeline.words import say

Candidates = Mapping[str, Sequence[Model]]
"""Kind → the models to choose from."""

FULL = 10
"""How many kinds are told in full."""
_DESCRIPTION = 26
_REPLY_TOKENS = 2048
_HISTORY = 1500
_FILES = 12


def _closed(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
SCHEMA = _closed(
    reply={"type": ["string", "null"]},
    tasks=_list(
        _closed(
            task=_TEXT,
            id={"type": "integer"},
            dep=_list({"type": "integer"}),
            args=_list(_closed(name=_TEXT, value=_TEXT)),
            model=_TEXT,
        )
    ),
)
"""What a plan looks like; arguments are a list, because strict schemas take no free names."""


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
    context_size: int,
    kinds: Mapping[str, TaskKind] = KINDS,
    liked: Sequence[Lesson] = (),
) -> PlanPrompt:
    """What is asked of the language model, within its context."""
    shown = examples(liked)
    system = render(
        "plan",
        kinds="\n".join(_kind_line(kind, candidates.get(kind.name, ())) for kind in likely[:FULL]),
        others=_others(kinds.keys() - {kind.name for kind in likely[:FULL]}),
        demonstrations=demonstrations([kind.name for kind in likely], most=1 if shown else 2),
    )
    reply = min(_REPLY_TOKENS, context_size // 4)
    left = context_size - reply - tokens(system) - tokens(str(SCHEMA)) - tokens(shown) - 50
    files = cut_middle(_files(request), max(60, left // 4))
    text = cut_middle(request.text, max(40, left - tokens(files)))
    before = told_before(request, min(_HISTORY, left - tokens(files) - tokens(text)))
    asked = "\n".join(part for part in (shown, before, files, f"Request: {fenced(text)}") if part)
    messages = (Message("system", system), Message("user", asked))
    prompt = Prompt(messages, SCHEMA, max_tokens=reply, purpose="plan")
    return PlanPrompt(prompt, cut=text != request.text)


def told_before(request: Request, limit: int) -> str:
    """The thread's turns first, then the channel's as far as there is room."""
    context = request.context
    parts: list[str] = []
    for title, turns in (
        ("Earlier here", context.turns),
        ("Elsewhere in the channel", context.channel),
    ):
        if lines := told(turns, limit):
            limit -= tokens(lines)
            parts.append(f"{title}: {fenced(lines)}")
    if context.summary and limit > tokens(context.summary):
        parts.insert(0, f"Before that: {fenced(context.summary)}")
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


def _kind_line(kind: TaskKind, models: Sequence[Model]) -> str:
    line = f"{kind.name}({', '.join(map(_arg, kind.takes))}): {kind.says}"
    if len(models) > 1:
        line += "".join(f"\n  {model.id} {_about(model)}".rstrip() for model in models[:3])
    return line


def _arg(slot: Slot) -> str:
    return slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")


def _about(model: Model) -> str:
    words = " ".join(model.description.split())
    return words if len(words) <= _DESCRIPTION else words[:_DESCRIPTION].rsplit(" ", 1)[0]


def _others(rest: set[str]) -> str:
    """The bare names of all other kinds; those that only differ in their control image together."""
    names = [name for name in KINDS if name in rest]
    controls = [name for name in names if name.endswith("-control")]
    guided = [f"{name.removesuffix('-control')}-text-to-image" for name in controls]
    others = [name for name in names if name not in {*controls, *guided}]
    if controls:
        first = ",".join(name.removesuffix("-control") for name in controls)
        others.append(f"{{{first}}}-control(image), -text-to-image(text, image)")
    return " ".join(others)


def _files(request: Request) -> str:
    now = [_file(file) for file in request.files]
    earlier = [_file(file) for file in request.context.files[-_FILES:]]
    unusable = [f"{file.name}: {say('en', file.reason)}" for file in request.unused]
    parts = (("Files", now), ("Unusable files", unusable), ("Earlier files", earlier))
    return "\n".join(f"{title}: {fenced(chr(10).join(lines))}" for title, lines in parts if lines)


def _file(file: NamedFile) -> str:
    about = file.attachment.description or file.attachment.media_type
    name = file.attachment.name
    return f"{file.name} ({name}): {about}" if name != file.name else f"{file.name}: {about}"
