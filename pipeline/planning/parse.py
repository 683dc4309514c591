"""From the text that a language model writes to raw tasks, also while it is still being written."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.planning.schema import (
    TASK_LISTS,
    InvalidTask,
    RawTask,
    parse_plan,
    parse_task,
)

LONGEST = 40_000
"""Characters of a plan that are read."""
LONGEST_BROKEN = 3_000
"""Characters that are repaired: json_repair is slow on long broken texts."""
_LONGEST_STREAMED = 4_000
"""Characters of an unfinished task from which on it is left to the end of the plan."""
_THOUGHT, _THOUGHT_END = "<think>", "</think>"
_LIST = re.compile(rf"[\"'](?:{'|'.join(TASK_LISTS)})[\"']\s{{0,9}}:\s{{0,9}}\[")
_LONGEST_KEY = 40
_GAP = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class StartOver:
    """What was read so far was a draft within the model's thoughts; the plan begins now."""


Step = RawTask | InvalidTask | StartOver


@dataclass(slots=True)
class PlanParser:
    """Reads a plan piece by piece: each task is known the moment its last brace is there.

    A task is an object in the list of tasks, or in a list that is the whole plan.
    """

    text: str = ""
    reply: str = ""
    tasks: list[RawTask | InvalidTask] = field(default_factory=list)
    is_complete: bool = False
    """The list of tasks, or a plan without one, has its last bracket."""
    _at: int = -1
    """Where the next task begins; -1: the list of tasks was not found yet."""
    _searched: int = 0

    def feed(self, piece: str) -> Iterator[Step]:
        """The tasks that became complete with this piece."""
        self.text = (self.text + piece)[:LONGEST]
        if _THOUGHT_END in self.text:
            if self.tasks:
                yield StartOver()
            self.text = self.text.rpartition(_THOUGHT_END)[2]
            self.tasks, self.is_complete, self._at, self._searched = [], False, -1, 0
        is_thinking = self.text.lstrip().startswith(_THOUGHT)
        is_long = self._at >= 0 and len(self.text) - self._at > _LONGEST_STREAMED
        if ("}" in piece or "]" in piece) and not is_thinking and not is_long:
            yield from self._read_tasks()

    def finish(self) -> tuple[list[Step], bool]:
        """The tasks that only come out at the end, and whether the plan breaks off.

        A text that ends without a closing bracket was cut off: its last task may lack words,
        so nothing of it is repaired.
        """
        steps: list[Step] = [*self._read_tasks()]
        start = min((at for at in map(self.text.find, "[{") if at >= 0), default=-1)
        if start < 0 or (self.tasks and self.is_complete):
            return steps, False
        is_in_list = self._at >= 0 and not self.is_complete
        rest = f"[{self.text[self._at :]}" if is_in_list else self.text[start:]
        is_closed = rest.rstrip(" \n`").endswith(("]", "}"))
        if not is_closed or rest.count("{") > rest.count("}"):
            return steps, True
        self.reply, more = parse_plan(load_object(rest))
        self.is_complete = bool(self.reply)
        self.tasks += more
        return [*steps, *more], is_in_list and len(rest) > LONGEST_BROKEN

    def _read_tasks(self) -> Iterator[RawTask | InvalidTask]:
        if self._at < 0:
            self._find_list()
        while self._at >= 0 and not self.is_complete:
            gap = _GAP.match(self.text, self._at)
            self._at = gap.end() if gap else self._at
            self.is_complete = self.text.startswith("]", self._at)
            if not self.text.startswith("{", self._at):
                return
            try:
                task, self._at = _DECODER.raw_decode(self.text, self._at)
            except (ValueError, RecursionError):
                return
            self.tasks.append(parse_task(task))
            yield self.tasks[-1]

    def _find_list(self) -> None:
        """Look for the list of tasks: the text's first object may be in it, or hold it."""
        first = self.text.find("{")
        if self.text[: max(0, first)].rstrip().endswith("["):
            self._at = first
        elif found := _LIST.search(self.text, self._searched):
            self._at = found.end()
        self._searched = max(0, len(self.text) - _LONGEST_KEY)


def load_object(text: str) -> object:
    """A JSON value, repaired if need be; None where nothing can be made of it."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _repair_json(text)


def _repair_json(text: str) -> object:
    """What json_repair makes of the beginning of a text; None where it gives up."""
    import json_repair  # noqa: PLC0415 - slow to load; few plans need it

    try:
        return json_repair.loads(text[:LONGEST_BROKEN])
    except (ValueError, RecursionError, IndexError, KeyError, TypeError):
        return None
