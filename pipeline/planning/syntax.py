"""From text to JSON: what stands in fences, in prose, in single quotes, with commas too many, or cut off."""

import json
import re
from collections.abc import Iterator

from pipeline.planning.mending import mended
from pipeline.planning.names import kind_named
from pipeline.planning.rough import Json, RoughPlan, is_task, rough_plan
from pipeline.planning.values import strict

_FENCE = re.compile(r"```[a-zA-Z0-9]*\s*\n?(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_LONGEST = 40_000
"""Characters that are looked at."""


def read_rough(text: str) -> RoughPlan:
    """The plan in what a language model wrote, however it is wrapped; empty when there is none."""
    text = _THOUGHT.sub("", text[:_LONGEST])
    for candidate in _candidates(text):
        plan = rough_plan(candidate)
        if plan.tasks or plan.reply:
            return plan
    start = next(iter(_openings(text)), None)
    return RoughPlan() if start is None else mended(text[start:])


def _candidates(text: str) -> Iterator[Json]:
    """JSON values in the text that need no mending, the likeliest first."""
    for part in (text, *(match[1] for match in _FENCE.finditer(text))):
        value = strict(part.strip())
        if isinstance(value, dict | list):
            yield value
    decoder = json.JSONDecoder(strict=False)
    for at, start in enumerate(_openings(text)):
        try:
            value = decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
        if at == 0 or (not is_task(value) and _known(value)):
            yield value


def _known(value: Json) -> bool:
    """Whether it holds a task that there is, and not just the arguments of one."""
    return any(kind_named(task.name) for task in rough_plan(value).tasks)


def _openings(text: str) -> list[int]:
    """Where a list or an object of any kind may begin: the first few brackets."""
    starts = [match.start() for match in re.finditer(r"[\[{]", text)]
    return starts[:8]
