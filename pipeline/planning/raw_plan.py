"""A plan as it was written, with the deviations from the schema that models are known for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError

from pipeline.planning.schema import ASK, DECLINE

TASK_LISTS = ("tasks", "plan", "steps")
"""Names accepted for the list of tasks."""
REPLIES = ("say", "reply")
"""Names accepted for the words of a plan."""
REPLYING = ("reply", ASK, DECLINE)
"""What a plan does whose words are a reply."""
PLAN_KEYS = frozenset((*TASK_LISTS, *REPLIES, "thought", "action", "continue"))
"""Keys by which an object is known to be a whole plan."""
_LONGEST_LABEL = 40
"""Characters of the id of a task."""
_LONGEST_PROBLEM = 120
"""Characters of what is wrong with a task."""
_NO_STEP = ("", "-1", -1)
"""Values of `dep` that mean "depends on nothing"; the paper uses -1."""


def _to_text(value: object) -> object:
    """A scalar as text; anything else is returned unchanged, for pydantic to reject."""
    if isinstance(value, str):  # lone surrogates cannot be stored or sent
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    if isinstance(value, float) and value.is_integer():  # an id of 0.0 is one of 0
        return str(int(value))
    is_number = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return str(value) if is_number else value


def _to_label(value: object) -> object:
    text = _to_text(value)
    return text.strip().casefold()[:_LONGEST_LABEL] if isinstance(text, str) else text


def _to_list(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    return [] if value is None else [value]


def _to_arguments(value: object) -> object:
    """Arguments as {name, value} pairs, also from one object or from values without names."""
    pairs: list[object] = []
    for item in _to_list(value):
        if not isinstance(item, Mapping):
            pairs.append({"value": item})
        elif "value" in item:
            pairs.append(item)
        else:
            pairs += [{"name": str(name), "value": inner} for name, inner in item.items()]
    return pairs


_Text = Annotated[str, BeforeValidator(_to_text)]


_Label = Annotated[str, BeforeValidator(_to_label)]


_Labels = Annotated[
    tuple[_Label, ...],
    BeforeValidator(lambda labels: [label for label in _to_list(labels) if label not in _NO_STEP]),
]


_Values = Annotated[tuple[_Text, ...], BeforeValidator(_to_list)]


class RawArgument(BaseModel, frozen=True):
    """One argument as written; a list gives several values."""

    name: _Text = ""
    values: _Values = Field((), validation_alias="value")


class RawTask(BaseModel, frozen=True):
    """One task as written. `id` is "" if missing; `needs` are the ids it depends on."""

    kind: _Text = Field(min_length=1, validation_alias=AliasChoices("task", "kind", "name", "tool"))
    id: _Label = Field("", validation_alias=AliasChoices("id", "task_id"))
    needs: _Labels = Field((), validation_alias=AliasChoices("dep", "deps", "depends_on"))
    args: Annotated[tuple[RawArgument, ...], BeforeValidator(_to_arguments)] = Field(
        (), validation_alias=AliasChoices("args", "arguments", "inputs")
    )
    model: _Text = ""


@dataclass(frozen=True, slots=True)
class InvalidTask:
    """A task that does not match the schema, and the problem with it."""

    problem: str


RawStep = RawTask | InvalidTask


def parse_task(value: object) -> RawStep:
    """Parse one task. A problem is kept, to be quoted to the language model."""
    try:
        return RawTask.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return InvalidTask(f"{place}: {first['msg']}"[:_LONGEST_PROBLEM])


class RawPlan(BaseModel, frozen=True):
    """A plan as written, without its tasks."""

    action: _Label = ""
    say: _Text = Field(default="", validation_alias=AliasChoices(*REPLIES))
    is_open: Annotated[bool, BeforeValidator(lambda value: _to_label(value) == "true")] = Field(
        default=False, validation_alias="continue"
    )


def parse_head(value: object) -> RawPlan:
    """What a plan says besides its tasks; empty where that is unreadable."""
    try:
        return RawPlan.model_validate(value)
    except ValidationError:
        return RawPlan()


def parse_tasks(value: object) -> Sequence[RawStep]:
    """The tasks of a plan: an object with a list of them, a list, or a single task."""
    if isinstance(value, list):  # skip other items: [1, 2] in prose is no plan
        return [parse_task(item) for item in value if isinstance(item, Mapping)]
    if not isinstance(value, Mapping) or not value:
        return []
    name = next((name for name in TASK_LISTS if isinstance(value.get(name), list)), "")
    if not name and isinstance(task := parse_task(value), RawTask):
        return [task]
    return parse_tasks(value[name]) if name else []
