"""Parse a language model's reply into raw tasks, also while it is being streamed."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.domain import Replanned
from pipeline.planning.schema import (
    TASK_LISTS,
    InvalidTask,
    RawPlan,
    RawTask,
    parse_head,
    parse_task,
    parse_tasks,
)
from pipeline.prompts.schemas import LONGEST_BROKEN, load_object

LONGEST = 40_000
"""Characters of a reply that are parsed."""
_LONGEST_STREAMED = 4_000
"""Characters of an unfinished task above which it is parsed only at the end of the reply."""
_THOUGHT, _THOUGHT_END = "<think>", "</think>"
_LIST = re.compile(rf"[\"'](?:{'|'.join(TASK_LISTS)})[\"']\s{{0,9}}:\s{{0,9}}\[")
_LONGEST_KEY = 40
_GAP = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)


RawStep = RawTask | InvalidTask


@dataclass(slots=True)
class PlanParser:
    """Parses a streamed plan: each task is known as soon as its last brace arrives.

    A task is an object in the list of tasks, or in a list that is the whole plan.
    """

    text: str = ""
    head: RawPlan = field(default_factory=RawPlan)
    """What the plan says besides its tasks; known after `finish`."""
    action: str = ""
    """What it does, if that stands before its tasks; known before the first of them."""
    tasks: list[RawStep] = field(default_factory=list)
    is_complete: bool = False
    """The closing bracket of the list of tasks, or of a plan without one, was read."""
    _start: int = -1
    """Start of the list of tasks; -1 until it is found."""
    _position: int = -1
    """Start of the next task; -1 until the list of tasks is found."""
    _searched: int = 0

    def feed(self, piece: str) -> Iterator[RawStep | Replanned]:
        """The tasks that became complete with this piece.

        Replanned: those so far were part of the model's thoughts; the plan starts now.
        """
        self.text = (self.text + piece)[:LONGEST]
        if _THOUGHT_END in self.text:
            if self.tasks:
                yield Replanned()
            self.text = self.text.rpartition(_THOUGHT_END)[2]
            self.tasks, self.is_complete, self.action = [], False, ""
            self._start = self._position = -1
            self._searched = 0
        is_thinking = self.text.lstrip().startswith(_THOUGHT)
        is_long = self._position >= 0 and len(self.text) - self._position > _LONGEST_STREAMED
        if ("}" in piece or "]" in piece) and not is_thinking and not is_long:
            yield from self._read_tasks()

    def finish(self) -> tuple[list[RawStep], bool]:
        """The remaining tasks, and whether the plan was cut off.

        A text without a closing bracket was cut off: its last task may lack words and is not
        repaired.
        """
        steps = [*self._read_tasks()]
        start = min((index for index in map(self.text.find, "[{") if index >= 0), default=-1)
        if start < 0:
            return steps, False
        if self.tasks and self.is_complete:
            around = self.text[start : self._start] + self.text[self._position :]
            self.head = parse_head(load_object(around))
            return steps, False
        is_in_list = self._position >= 0 and not self.is_complete
        rest = f"[{self.text[self._position :]}" if is_in_list else self.text[start:]
        is_closed = rest.rstrip(" \n`").endswith(("]", "}"))
        if not is_closed or rest.count("{") > rest.count("}"):
            return steps, True
        whole = load_object(rest)
        self.head, more = parse_head(whole), parse_tasks(whole)
        self.is_complete = bool(self.head.say)
        self.tasks += more
        return [*steps, *more], is_in_list and len(rest) > LONGEST_BROKEN

    def _read_tasks(self) -> Iterator[RawStep]:
        if self._position < 0:
            self._find_list()
        while self._position >= 0 and not self.is_complete:
            gap = _GAP.match(self.text, self._position)
            self._position = gap.end() if gap else self._position
            self.is_complete = self.text.startswith("]", self._position)
            if not self.text.startswith("{", self._position):
                return
            try:
                task, self._position = _DECODER.raw_decode(self.text, self._position)
            except (ValueError, RecursionError):
                return
            self.tasks.append(parse_task(task))
            yield self.tasks[-1]

    def _find_list(self) -> None:
        """Find the list of tasks: the first object of the text is in it or contains it."""
        first = self.text.find("{")
        if self.text[: max(0, first)].rstrip().endswith("["):
            self._start = self._position = first
        elif match := _LIST.search(self.text, self._searched):
            self._start = self._position = match.end()
            before = self.text[max(0, first) : match.end()]
            self.action = parse_head(load_object(f"{before}]}}")).action
        self._searched = max(0, len(self.text) - _LONGEST_KEY)
