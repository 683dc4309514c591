"""From the text that a language model writes to raw tasks, also while it is still being written."""

import json
from collections.abc import Iterable, Iterator
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
LONGEST_BROKEN = 4_000
"""Characters that are repaired at once: json_repair is slow on long broken texts."""
_THOUGHT, _THOUGHT_END = "<think>", "</think>"
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
    _at: int = 0
    _open: list[int] = field(default_factory=list)
    """Where the brackets begin that are not closed yet."""
    _listing: bool = False
    """Whether the list that is open holds tasks."""
    _quoted: bool = False
    _complete: bool = False

    @property
    def is_complete(self) -> bool:
        return self._complete

    def feed(self, piece: str) -> Iterator[Step]:
        """The tasks that became complete with this piece."""
        self.text = (self.text + piece)[:LONGEST]
        if self._is_thinking():
            return
        while self._at < len(self.text):
            character = self.text[self._at]
            self._at += 1
            if character == ">" and self.text.endswith(_THOUGHT_END, 0, self._at):
                yield from self._start_over()
            elif not self._complete:
                yield from self._scan(character)

    def _scan(self, character: str) -> Iterator[Step]:
        if self._quoted and character == "\\":
            self._at += 1
        elif character == '"':
            self._quoted = bool(self._open) and not self._quoted
        elif not self._quoted and character in "[{":
            self._listing = self._listing or self._begins_tasks(character)
            self._open.append(self._at - 1)
        elif not self._quoted and character in "]}" and self._open:
            yield from self._close(self._open.pop())

    def finish(self) -> tuple[list[Step], bool]:
        """The tasks that only repair brings out, and whether the plan breaks off.

        A text that ends without a closing bracket was cut off: its last task may lack words,
        so nothing of it is repaired.
        """
        if self._complete or (self.tasks and len(self._open) == 1 and not self._listing):
            return [], False
        end = self.text.rstrip(" \n`")
        start = min((at for at in map(self.text.find, "[{") if at >= 0), default=-1)
        in_a_task = len(self._open) > _TASK_DEPTH and not self._quoted
        if start < 0 or in_a_task or not end.endswith(("]", "}")):
            return [], start >= 0
        plan = parse_plan(repair_json(self.text[start:]))
        more = [task for task in plan.tasks if task not in self.tasks]
        self.tasks += more
        self.reply = self.reply or plan.reply
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

    def _start_over(self) -> Iterator[Step]:
        if self.tasks:
            yield StartOver()
        self.reply, self.tasks, self._open = "", [], []
        self._listing = self._quoted = self._complete = False

    def _begins_tasks(self, bracket: str) -> bool:
        """Whether this bracket begins the list of tasks."""
        if bracket == "{" or len(self._open) > 1:
            return False
        if not self._open:
            return True
        before = self.text[max(0, self._at - _LONGEST_KEY) : self._at - 1].rstrip().rstrip(":")
        return before.rstrip().strip("\"'").endswith(TASK_LISTS)

    def _close(self, start: int) -> Iterator[Step]:
        depth = len(self._open)
        is_object = self.text[start] == "{"
        if self._listing and is_object and depth in (1, _TASK_DEPTH) and self._is_in_task_list():
            yield from self._add(parse_task(load_object(self.text[start : self._at])))
        elif self._listing and not is_object and depth <= 1:
            self._listing = False
        if not depth and self.tasks:
            self._complete = True
        elif not depth:
            yield from self._close_plan(load_object(self.text[start : self._at]))

    def _is_in_task_list(self) -> bool:
        return self.text[self._open[-1]] == "["

    def _close_plan(self, value: object) -> Iterator[Step]:
        """The outermost bracket closes: the plan is complete, if it was one."""
        plan = parse_plan(value)
        self._complete = bool(plan.tasks or plan.reply)
        self.reply = plan.reply
        for task in plan.tasks:
            yield from self._add(task)

    def _add(self, task: RawTask | InvalidTask) -> Iterable[Step]:
        self.tasks.append(task)
        return (task,)


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
