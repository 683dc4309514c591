"""Plans of JSON in which something is wrong: signs too many or too few, or the end missing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.planning.rough import RoughPlan, is_task, rough_task
from pipeline.planning.scanning import Scanner
from pipeline.planning.shapes import rough_plan
from pipeline.planning.values import LOOSEST, Json, is_object, loose, parse_object

_BEGINS = re.compile(r"""\{\s*["'](?:task|task_name|tool)["']\s*:""")
_GOES_ON = re.compile(r"\s*,\s*(?:[\"'{\[]|\Z)")
_ENDS = re.compile(r"(?:\}\s*\]|\]\s*\}|null\s*\})\s*\Z")
"""How plans end."""


def mended(text: str) -> RoughPlan:
    """The plan in a text from its first bracket on: of three ways to read it, the one that finds the most tasks.

    Task by task up to the first sign that is wrong; each task by itself from its first sign to that of the next, so that
    what is wrong with one harms no other; or all of it at once.
    """
    scanner = Scanner()
    scanned = [*scanner.feed(text)]
    begun = text[:LOOSEST]
    whole = rough_plan(loose(begun))
    apart = _apart(text)
    if scanned and max(len(whole.tasks), len(apart)) <= len(scanned) + scanner.in_task:
        return _plan(scanned, whole, cut_short=scanner.in_task or _breaks_off(text))
    if len(apart) > 1 and len(apart) >= len(whole.tasks):
        broken = _breaks_off(text) and not _closed(text)
        return _plan(apart[: len(apart) - broken], whole, cut_short=_breaks_off(text))
    whole = _complete(whole, begun, scanner.unclosed)
    return replace(whole, cut_short=True) if len(text) > LOOSEST else whole


def _plan(tasks: Sequence[Json], whole: RoughPlan, *, cut_short: bool) -> RoughPlan:
    rough = tuple(rough_task(task, at) for at, task in enumerate(tasks) if is_task(task))
    return RoughPlan(rough, whole.links, cut_short=cut_short)


def _apart(text: str) -> list[Json]:
    """Each task mended by itself."""
    starts = [match.start() for match in _BEGINS.finditer(text)]
    cuts = pairwise((*starts, len(text)))
    found = [parse_object(text[start:end].rstrip(" ,\n\t]")) for start, end in cuts]
    firsts = [value[0] if isinstance(value, list) and value else value for value in found]
    return [value for value in firsts if is_task(value)]


def _closed(text: str) -> bool:
    """Whether the last task in a text is complete."""
    last = [match.start() for match in _BEGINS.finditer(text)][-1]
    return any(True for _ in Scanner().feed(text[last:]))


def _complete(whole: RoughPlan, text: str, unclosed: list[int]) -> RoughPlan:
    """A plan without the task in which its text breaks off, if it does."""
    if not _breaks_off(text):
        return whole
    if not _in_midst(text) and whole.tasks and whole.tasks[-1].args:
        return replace(whole, cut_short=True)
    for at in unclosed[:8]:
        value = loose(text[at : at + 2000])
        if is_task(value) or not is_object(value):  # {"ta
            whole = replace(whole, tasks=rough_plan(loose(text[:at])).tasks)
            break
    return replace(whole, cut_short=True)


def _breaks_off(text: str) -> bool:
    """Whether a text of JSON ends too early: in the midst of something, or without more than its very last bracket."""
    return _in_midst(text) or _lacking(text) > (2 if _ENDS.search(text[-40:]) else 1)


def _in_midst(text: str) -> bool:
    """Whether something was begun after the last bracket that closes one."""
    closed = max(text.rfind("}"), text.rfind("]"))
    rest = text[closed + 1 :]
    words = rest.strip("` \n")
    return closed < 0 or bool(_GOES_ON.match(rest) or (words and _lacking(text) > 1))


def _lacking(text: str) -> int:
    """How many more brackets are opened than closed."""
    return sum(text.count(sign) for sign in "[{") - sum(text.count(sign) for sign in "]}")
