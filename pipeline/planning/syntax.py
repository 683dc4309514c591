"""From text to JSON: what stands in fences, in prose, in single quotes, with commas too many, or cut off."""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import json_repair

from pipeline.planning.names import kind_named
from pipeline.planning.rough import Json, RoughPlan, is_object, is_task, rough_plan, rough_task

_FENCE = re.compile(r"```[a-zA-Z0-9]*\s*\n?(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_TASK_KEY = re.compile(r"""["'](?:task|task_name|tool)["']\s*:""")
_GOES_ON = re.compile(r"\s*,\s*(?:[\"'{\[]|\Z)")
_ENDS = re.compile(r"(?:\}\s*\]|\]\s*\}|null\s*\})\s*\Z")
"""How plans end."""
_LONGEST, _LOOSEST = 40_000, 8_000
"""Characters that are looked at; and at most mended at once, since mending takes longer the more there is (5 s for some of 40,000)."""


def read_rough(text: str) -> RoughPlan:
    """The plan in what a language model wrote, however it is wrapped; empty when there is none."""
    text = _THOUGHT.sub("", text[:_LONGEST])
    for candidate in _candidates(text):
        plan = rough_plan(candidate)
        if plan.tasks or plan.reply:
            return plan
    return _mended(text)


def _candidates(text: str) -> Iterator[Json]:
    """JSON values in the text that need no mending, the likeliest first."""
    for part in (text, *(match[1] for match in _FENCE.finditer(text))):
        value = _strict(part.strip())
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


def _mended(text: str) -> RoughPlan:
    start = next(iter(_openings(text)), None)
    if start is None:
        return RoughPlan()
    scanner = Scanner()
    tasks = [*scanner.feed(text)]
    begun = text[start : start + _LOOSEST]
    whole = rough_plan(_loose(begun))
    if len(whole.tasks) > len(tasks) + scanner.in_task or not tasks:
        whole = _complete(whole, begun, [at - start for at in scanner.unclosed])
        return replace(whole, cut_short=True) if len(text) > start + _LOOSEST else whole
    rough = tuple(rough_task(task, at) for at, task in enumerate(tasks) if is_task(task))
    return RoughPlan(rough, whole.links, cut_short=scanner.in_task or _breaks_off(text[start:]))


def _complete(whole: RoughPlan, text: str, unclosed: list[int]) -> RoughPlan:
    """A plan without the task in which its text breaks off, if it does."""
    if not _breaks_off(text):
        return whole
    if not _in_midst(text) and whole.tasks and whole.tasks[-1].args:
        return replace(whole, cut_short=True)
    for at in unclosed[:8]:
        value = _loose(text[at : at + 2000])
        if is_task(value) or not is_object(value):  # {"ta
            whole = replace(whole, tasks=rough_plan(_loose(text[:at])).tasks)
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


def parse_object(text: str) -> Json:
    """One object or list, mended if need be; None when it is neither."""
    value = _strict(text)
    if value is None:
        value = _literal(text)
    if value is None:
        value = _loose(text)
    return value if isinstance(value, dict | list) else None


def _strict(text: str) -> Json:
    try:
        value: Json = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _literal(text: str) -> Json:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a model's text are no news
            value: Json = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    return value


def _loose(text: str) -> Json:
    try:
        value: Json = json_repair.loads(text[:_LOOSEST])
    except (ValueError, RecursionError, IndexError, KeyError, TypeError):
        return None
    return value


@dataclass(slots=True)
class _Brace:
    """An object that is not closed yet. `own` is where text of its own level was not looked at."""

    start: int
    own: int
    in_task: bool
    is_task: bool = False


@dataclass(slots=True)
class Scanner:
    """Recognises the tasks in a plan while it is being written: each object, the moment its last brace is there."""

    text: str = ""
    _at: int = 0
    _braces: list[_Brace] = field(default_factory=list)
    _quoted: bool = False

    @property
    def unclosed(self) -> list[int]:
        """Where the objects begin that are not closed yet."""
        return [brace.start for brace in self._braces]

    @property
    def in_task(self) -> bool:
        """Whether the text ends within a task."""
        if not self._braces:
            return False
        last = self._braces[-1]
        return last.in_task or self._names_task(last, len(self.text))

    def feed(self, piece: str) -> Iterator[Json]:
        """The tasks that became complete with this piece."""
        self.text += piece
        while self._at < len(self.text):
            character = self.text[self._at]
            self._at += 1
            if character == "\\" and self._quoted:
                self._at += 1
            elif character == '"':
                self._quoted = bool(self._braces) and not self._quoted
            elif not self._quoted and character == "{":
                self._open(self._at - 1)
            elif not self._quoted and character == "}" and self._braces:
                yield from self._close(self._braces.pop())

    def _open(self, here: int) -> None:
        outer = self._braces[-1] if self._braces else None
        in_task = outer is not None and (outer.in_task or self._names_task(outer, here))
        self._braces.append(_Brace(here, here, in_task))

    def _close(self, brace: _Brace) -> Iterator[Json]:
        found = not brace.in_task and self._names_task(brace, self._at)
        if self._braces:
            self._braces[-1].own = self._at
        if found and is_task(value := parse_object(self.text[brace.start : self._at])):
            yield value

    def _names_task(self, brace: _Brace, until: int) -> bool:
        brace.is_task = brace.is_task or bool(_TASK_KEY.search(self.text, brace.own, until))
        brace.own = until
        return brace.is_task
