"""From text to tasks: JSON in fences, in prose, in single quotes, with commas too many, or cut off; calls; lines of names and values."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.planning.calls import called
from pipeline.planning.mending import mended
from pipeline.planning.names import kind_named
from pipeline.planning.outlines import outlined
from pipeline.planning.rough import Rough, RoughPlan, is_task
from pipeline.planning.shapes import rough_plan
from pipeline.planning.values import Json, strict

_THINK = r"think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad"
_THOUGHT = re.compile(
    rf"(?:\A|<(?:{_THINK})>)(?:(?!<(?:{_THINK})>).)*?</(?:{_THINK})>|<think(?:ing)?>.*\Z", re.DOTALL
)
"""What was thought before; of some models' the first tag stands in the prompt."""
_TASK_KEY = re.compile(r"""["'“](?:task|task_name|tool|tasks|plan|task_nodes)["'”]\s*[:\uff1a]""")
_FINAL = re.compile(
    r"\b(?:final|revised|corrected|updated|improved|refined|fixed)\b", re.IGNORECASE
)
_WIDE = str.maketrans("\uff3b\uff3d\uff5b\uff5d", "[]{}")
_LONGEST = 40_000
"""Characters that are looked at."""
_TRIED = 40
"""Brackets that may begin nothing."""


def read_rough(text: str) -> RoughPlan:
    """The plan in what a language model wrote, however it is wrapped; empty when there is none."""
    text = _unescaped(_THOUGHT.sub("", text)[:_LONGEST])
    plans = [found.plan for found in _standing(text)]
    if plans and any(_says_more(task) or kind_named(task.name) for task in plans[0].tasks):
        return plans[0]
    if not _TASK_KEY.search(text) and (tasks := called(text) or outlined(text)):
        return rough_plan(tasks)
    start = re.search(r"[\[{]", text)
    if plans or start is None:
        return plans[0] if plans else RoughPlan()
    return mended(_out_of_a_string(text[start.start() :]))


def _out_of_a_string(text: str) -> str:
    """The plan that stands in a string of JSON, where that is broken, too."""
    quoted = text.find('\\"task')
    if quoted < 0 or re.search(r'(?<!\\)"task"', text):
        return text
    return "{" + text[quoted:].replace('\\"', '"')


def _unescaped(text: str) -> str:
    """JSON whose quotes were made safe for a web page, or whose brackets are those of Chinese letters."""
    if text.count("&quot;") > text.count('"'):
        return html.unescape(text)
    return text if re.search(r"[\[{]", text) else text.translate(_WIDE)


@dataclass(frozen=True, slots=True)
class _Found:
    """A plan and where it stands in the text."""

    plan: RoughPlan
    start: int
    end: int


def _standing(text: str) -> Sequence[_Found]:
    """The plans in the text that need no mending, the one that is meant first: the last one where it is called final."""
    whole = strict(text.strip())
    if isinstance(whole, dict | list):
        plan = rough_plan(whole)
        return [_Found(plan, 0, len(text))] if plan.tasks or plan.reply else []
    found = [one for one in _plans(text) if one.plan.tasks or one.plan.reply]
    solid = [one for one in found if any(map(_says_more, one.plan.tasks))]
    if len(solid) > 1 and _FINAL.search(text, solid[0].end, solid[-1].start):
        return solid[::-1]
    return solid or sorted(found, key=lambda one: not one.plan.tasks)


def _plans(text: str) -> Iterator[_Found]:
    """What each JSON value in a text says; tasks that stand by themselves are one plan together.

    Where a bracket is never closed, tasks behind it are parts of something else, and left to be mended.
    """
    alone: list[tuple[int, int, Json]] = []
    broken = False
    for start, end, value in _values(text):
        if end == 0:
            broken = True
        elif is_task(value):
            alone.append((start, end, value))
        elif not broken or _known(value):
            yield _Found(rough_plan(value), start, end)
    if alone and not broken:
        yield _Found(rough_plan([value for *_, value in alone]), alone[0][0], alone[-1][1])


def _values(text: str) -> Iterator[tuple[int, int, Json]]:
    """Each JSON value with where it begins and ends; an end of 0 stands for a bracket that begins none."""
    decoder = json.JSONDecoder(strict=False)
    at = tried = 0
    while tried < _TRIED and (bracket := re.compile(r"[\[{]").search(text, at)):
        start = bracket.start()
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            at, tried = start + 1, tried + 1
            yield start, 0, None
        else:
            yield start, at, value


def _known(value: Json) -> bool:
    """Whether it holds a task that there is, and not just the arguments of one."""
    return any(_says_more(task) and kind_named(task.name) for task in rough_plan(value).tasks)


def _says_more(task: Rough) -> bool:
    """Whether it is more than a word in a list."""
    return bool(task.args or task.label)
