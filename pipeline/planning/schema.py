"""The shape of a plan: the model that reads what was written, and the JSON schema asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError

from pipeline.prompts.schemas import INTEGER, TEXT, array, strict_object

PLAN_SCHEMA = strict_object(
    reply={"type": ["string", "null"]},
    tasks=array(
        strict_object(
            task=TEXT,
            id=INTEGER,
            dep=array(INTEGER),
            args=array(strict_object(name=TEXT, value=TEXT)),
            model=TEXT,
        )
    ),
)
"""What a language model is asked for. Arguments are a list: strict schemas take no free names."""

TASK_LISTS = ("tasks", "plan", "steps")
"""Under which names a plan may hold its tasks."""
_LONGEST_LABEL = 40
_LONGEST_PROBLEM = 120
_NO_STEP = ("", "-1", -1)
"""What stands in `dep` for "depends on nothing"; the paper writes -1."""


def _to_text(value: object) -> object:
    """A plain value as text; anything else is left for pydantic to refuse."""
    if isinstance(value, str):  # half a surrogate pair cannot be stored or sent
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
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
    """Arguments as {name, value} pairs; they may be written as one object, or without names."""
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
    BeforeValidator(lambda labels: [one for one in _to_list(labels) if one not in _NO_STEP]),
]
_Values = Annotated[tuple[_Text, ...], BeforeValidator(_to_list)]


class RawArgument(BaseModel, frozen=True):
    """One argument as written; the values of a list stay apart."""

    name: _Text = ""
    values: _Values = Field((), validation_alias="value")


class RawTask(BaseModel, frozen=True):
    """One task as written. `id` is "" when none was given; `needs` are the ids it waits for."""

    kind: _Text = Field(min_length=1, validation_alias=AliasChoices("task", "kind", "name", "tool"))
    id: _Label = Field("", validation_alias=AliasChoices("id", "task_id"))
    needs: _Labels = Field((), validation_alias=AliasChoices("dep", "deps", "depends_on"))
    args: Annotated[tuple[RawArgument, ...], BeforeValidator(_to_arguments)] = Field(
        (), validation_alias=AliasChoices("args", "arguments", "inputs")
    )
    model: _Text = ""


@dataclass(frozen=True, slots=True)
class InvalidTask:
    """A task that does not follow the schema, and what is wrong with it."""

    problem: str


def parse_task(value: object) -> RawTask | InvalidTask:
    """Read one task. What is wrong is kept, to be quoted to the language model."""
    try:
        return RawTask.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return InvalidTask(f"{place}: {first['msg']}"[:_LONGEST_PROBLEM])


def parse_plan(value: object) -> tuple[str, Sequence[RawTask | InvalidTask]]:
    """The reply and the tasks in JSON: an object with these, a list of tasks, or one task."""
    if isinstance(value, list):  # in prose, [1, 2] is no plan
        return "", [parse_task(item) for item in value if isinstance(item, Mapping)]
    if not isinstance(value, Mapping) or not value:
        return "", []
    name = next((name for name in TASK_LISTS if isinstance(value.get(name), list)), "")
    if not name and isinstance(task := parse_task(value), RawTask):
        return "", [task]
    reply = value.get("reply")
    text = str(_to_text(reply)).strip() if isinstance(reply, str) else ""
    return text, [parse_task(task) for task in value[name]] if name else []
