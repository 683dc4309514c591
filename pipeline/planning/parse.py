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
"""Characters that are repaired at once: json_repair is slow on long broken texts."""
_THOUGHT, _THOUGHT_END = "<think>", "</think>"
_MARK = re.compile(rf"\\.|[\"\[\]{{}}]|{_THOUGHT_END}", re.DOTALL)
_LIST_KEY = re.compile(rf"(?:{'|'.join(TASK_LISTS)})[\"']?\s*:\s*$")
_LONGEST_KEY = 40
_TASK_DEPTH = 2
"""Brackets around a task: the plan's object and its list."""


@dataclass(frozen=True, slots=True)
class StartOver:
    """What was read so far was a draft within the model's thoughts; the plan begins now."""


Step = RawTask | InvalidTask | StartOver


@dataclass(slots=True)
class PlanParser:
    """Reads a plan piece by piece: each task is known the moment its last brace is there.

    A task is an object in the list of the outermost object, or in the outermost list.
    """

    text: str = ""
    reply: str = ""
    tasks: list[RawTask | InvalidTask] = field(default_factory=list)
    is_complete: bool = False
    _at: int = 0
    _open: list[int] = field(default_factory=list)
    """Where the brackets begin that are not closed yet."""
    _quoted: bool = False

    def feed(self, piece: str) -> Iterator[Step]:
        """The tasks that became complete with this piece."""
        self.text = (self.text + piece)[:LONGEST]
        if self._is_thinking():
            return
        while mark := _MARK.search(self.text, self._at):
            self._at = mark.end()
            yield from self._read(mark[0])
        self._at = max(self._at, len(self.text) - len(_THOUGHT_END) + 1)

    def finish(self) -> tuple[list[Step], bool]:
        """The tasks that only repair brings out, and whether the plan breaks off.

        A text that ends without a closing bracket was cut off: its last task may lack words,
        so nothing of it is repaired.
        """
        lacks_a_brace = len(self._open) == 1 and self.text[self._open[0]] == "{"
        if self.is_complete or (self.tasks and lacks_a_brace):
            return [], False
        end = self.text.rstrip(" \n`")
        start = min((at for at in map(self.text.find, "[{") if at >= 0), default=-1)
        in_a_task = len(self._open) > _TASK_DEPTH and not self._quoted
        if start < 0 or in_a_task or not end.endswith(("]", "}")):
            return [], start >= 0
        reply, tasks = parse_plan(repair_json(self.text[start:]))
        more = [task for task in tasks if task not in self.tasks]
        self.tasks += more
        self.reply = self.reply or reply
        return [*more], bool(self._open and self.tasks)

    def _is_thinking(self) -> bool:
        """Whether the text is still within thoughts at its beginning, which are not scanned."""
        begins = self.text.lstrip()[: len(_THOUGHT)]
        if self._at or not _THOUGHT.startswith(begins):
            return False
        _, ended, rest = self.text.partition(_THOUGHT_END)
        thought = f"{begins}{self.text.lstrip()[len(begins) :][-len(_THOUGHT_END) :]}"
        self.text = rest if ended else thought
        return not ended

    def _read(self, mark: str) -> Iterator[Step]:
        if mark == _THOUGHT_END:
            if self.tasks:
                yield StartOver()
            self.reply, self.tasks, self._open = "", [], []
            self._quoted = self.is_complete = False
        elif mark == '"':
            self._quoted = bool(self._open) and not self._quoted
        elif self.is_complete or self._quoted or mark[0] == "\\":
            pass
        elif mark in "[{":
            self._open.append(self._at - 1)
        elif self._open:
            yield from self._close(self._open.pop())

    def _close(self, start: int) -> Iterator[Step]:
        known = len(self.tasks)
        if self.text[start] == "{" and self._is_in_task_list():
            self.tasks.append(parse_task(load_object(self.text[start : self._at])))
        elif not self._open:
            if not self.tasks:
                self.reply, tasks = parse_plan(load_object(self.text[start : self._at]))
                self.tasks = [*tasks]
            self.is_complete = bool(self.tasks or self.reply)
        yield from self.tasks[known:]

    def _is_in_task_list(self) -> bool:
        """Whether the innermost open bracket is that of the list of tasks."""
        *outer, innermost = self._open or (0,)
        if not self._open or self.text[innermost] != "[":
            return False
        before = self.text[max(0, innermost - _LONGEST_KEY) : innermost]
        return not outer or (len(outer) == 1 and _LIST_KEY.search(before) is not None)


def load_object(text: str) -> object:
    """A JSON value, repaired if need be; None where nothing can be made of it."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return repair_json(text)


def repair_json(text: str) -> object:
    """What json_repair makes of the beginning of a text; None where it gives up."""
    import json_repair  # noqa: PLC0415 - slow to load; few plans need it

    try:
        return json_repair.loads(text[:LONGEST_BROKEN])
    except (ValueError, RecursionError, IndexError, KeyError, TypeError):
        return None
