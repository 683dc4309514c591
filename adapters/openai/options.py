"""Options of a chat request: what models are sent, and what servers refuse of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.ports import Prompt
from pipeline.selection.known_models import find_chat_family, load_known

Ladder = Mapping[str, Mapping[str, Any]]
"""Options of which one is sent, the best first: their names, and the fields of the request."""
_THOUGHT_FIELDS = frozenset({"chat_template_kwargs", "reasoning_effort"})
_SAMPLING_FIELDS = frozenset({"temperature", "top_p"})


def list_options(model: str, prompt: Prompt, *, are_thoughts_stopped: bool) -> Sequence[Ladder]:
    """The options of a prompt for a model; those that servers lack most often come first.

    `are_thoughts_stopped`: the model is asked not to think, since it said nothing but thoughts.
    """
    fields = _list_fields(model, prompt, are_thoughts_stopped=are_thoughts_stopped)
    sampling = {name: fields.pop(name) for name in _SAMPLING_FIELDS & fields.keys()}
    if prompt.cache_key:
        fields = {"prompt_cache_key": prompt.cache_key, **fields}
    options: list[Ladder] = [{name: {name: value}} for name, value in fields.items()]
    if prompt.schema is not None:
        schema = {"name": "reply", "strict": True, "schema": prompt.schema}
        strict = {"type": "json_schema", "json_schema": schema}
        loose = {"type": "json_object"}
        formats = {"json_schema": strict, "json_object": loose}
        options.append({name: {"response_format": form} for name, form in formats.items()})
    options.append({"stream_options": {"stream_options": {"include_usage": True}}})
    limits = ("max_completion_tokens", "max_tokens")
    options.append({name: {name: prompt.max_tokens} for name in limits})
    if sampling:
        options.append({"temperature": sampling})
    return options


def _list_fields(model: str, prompt: Prompt, *, are_thoughts_stopped: bool) -> dict[str, Any]:
    """The fields for temperature and effort, as this model understands them."""
    family = find_chat_family(model)
    own = family.low if prompt.effort == "low" else family.medium
    thoughtless = load_known().thoughtless if are_thoughts_stopped else {}
    fields = {"temperature": prompt.temperature, **own, **thoughtless}
    dropped = set() if prompt.effort or are_thoughts_stopped else set(_THOUGHT_FIELDS)
    if prompt.temperature is None:
        dropped |= _SAMPLING_FIELDS
    return {
        name: value
        for name, value in fields.items()
        if name not in dropped and value not in (None, "default")
    }


def choose_options(
    ladders: Sequence[Ladder], refused: frozenset[str]
) -> dict[str, Mapping[str, Any]]:
    """The first option of each ladder that was not refused."""
    options = {}
    for ladder in ladders:
        if name := next((name for name in ladder if name not in refused), ""):
            options[name] = ladder[name]
    return options


def find_named(options: Mapping[str, Mapping[str, Any]], message: str) -> str:
    """The option that a refusal names; "" if it names none."""
    named = (name for name in options if any(word in message for word in (name, *options[name])))
    return next(named, "")
