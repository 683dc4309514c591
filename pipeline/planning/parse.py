"""Parse a language model's reply into raw tasks, also while it is being streamed."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from pipeline.domain import Replanned
from pipeline.planning.raw_plan import (
    PLAN_KEYS,
    REPLIES,
    REPLYING,
    TASK_LISTS,
    RawPlan,
    RawStep,
    parse_head,
    parse_task,
    parse_tasks,
)
from pipeline.text.lenient_json import LONGEST_BROKEN, load_object
from pipeline.text.thoughts import THOUGHT_END, starts_with_thought

LONGEST = 40_000
"""Characters of a reply that are parsed."""
_LONGEST_STREAMED = 4_000
"""Characters of an unfinished task above which it is parsed only at the end of the reply."""
_THOUGHT_END = re.compile(rf"{THOUGHT_END}\s*(?=[{{\[`])", re.IGNORECASE)
"""What looks like the end of thoughts before a plan."""
_LIST = re.compile(rf"[\"'](?:{'|'.join(TASK_LISTS)})[\"']\s{{0,9}}:\s{{0,9}}\[")
_LONGEST_KEY = 40
_GAP = re.compile(r"[\s,]*")
_BRACKET = re.compile(r"[{\[]")
_COLON = re.compile(r"\s*:\s*")
_DECODER = json.JSONDecoder(strict=False)
_CHARACTERS = re.compile(
    r'(?:[^"\\]|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})*+"
)
"""The complete characters of a JSON string that is being written."""
_MOST_STARTS = 20
"""Brackets in a reply at which a plan may begin: prose before it may hold some, too."""


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
    _unended: int = 0
    """How far the text was searched for ends of thoughts that are none."""
    _reply_at: int = -1
    """How far the reply was read that is being written; -1 until it is found."""
    _is_broken: bool = False
    """The text up to the list is no JSON, so the list is searched for."""

    def feed(self, piece: str) -> Iterator[RawStep | Replanned]:
        """The tasks that became complete with this piece.

        Replanned: those so far were part of the model's thoughts; the plan starts now.
        """
        self.text = (self.text + piece)[:LONGEST]
        if self._drop_thoughts():
            if self.tasks or self._reply_at >= 0:
                yield Replanned()
            self.tasks, self.is_complete, self.action = [], False, ""
            self._start = self._position = self._reply_at = -1
            self._searched, self._is_broken = 0, False
        is_thinking = starts_with_thought(self.text)
        is_long = self._position >= 0 and len(self.text) - self._position > _LONGEST_STREAMED
        if ("}" in piece or "]" in piece) and not is_thinking and not is_long:
            yield from self._read_tasks()

    def read_reply(self) -> str:
        """What was written since the last call of the reply of a plan without tasks."""
        is_searched = self._reply_at < 0 and self._position < 0
        if is_searched and not starts_with_thought(self.text):
            self._find_list()
        if self._reply_at < 0:
            return ""
        written = _CHARACTERS.match(self.text, self._reply_at)
        assert written is not None
        self._reply_at = written.end()
        return str(json.loads(f'"{written.group()}"', strict=False))

    def finish(self) -> tuple[list[RawStep], bool]:
        """The remaining tasks, and whether the plan was cut off.

        A text without a closing bracket was cut off: its last task may lack words and is not
        repaired.
        """
        steps = [*self._read_tasks()]
        if (whole := _decode_plan(self.text)) is not None:
            self.head = parse_head(whole)
            more = [] if self.is_complete else [*parse_tasks(whole)][len(self.tasks) :]
            self.tasks, self.is_complete = [*self.tasks, *more], True
            return [*steps, *more], False
        return self._finish_broken(steps)

    def _finish_broken(self, steps: list[RawStep]) -> tuple[list[RawStep], bool]:
        """Like `finish`, for a text that is no valid JSON: repair it, unless it was cut off."""
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

    def _drop_thoughts(self) -> bool:
        """Drop what is before the last end of a thought; one in a plan's words ends nothing."""
        has_ended = False
        while (end := _THOUGHT_END.search(self.text, self._unended)) is not None:
            if _ends_in_string(self.text[: end.start()]) and not starts_with_thought(self.text):
                self._unended = end.end()
            else:
                self.text, self._unended = self.text[end.end() :], 0
                has_ended = True
        return has_ended

    def _read_tasks(self) -> Iterator[RawStep]:
        if self._position < 0:
            self._find_list()
        while self._position >= 0 and not self.is_complete:
            self._position = self._skip_gap(self._position)
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
        elif first >= 0 and not self._is_broken:
            self._read_keys(max(first + 1, self._searched))
        if self._is_broken and (match := _LIST.search(self.text, self._searched)):
            self._start = self._position = match.end()
            before = self.text[max(0, first) : match.end()]
            self.action = parse_head(load_object(f"{before}]}}")).action
        if self._is_broken:
            self._searched = max(0, len(self.text) - _LONGEST_KEY)

    def _read_keys(self, position: int) -> None:
        """Read the keys of the plan up to its list of tasks, or as far as they are written.

        By a decoder: a thought or an answer may hold words that look like such a list.
        """
        try:
            while (value_at := self._read_key(position)) is not None:
                name, at = value_at
                if name in TASK_LISTS and self.text.startswith("[", at):
                    self._start = self._position = at + 1
                    return
                if name in REPLIES and self.action in REPLYING and self.text.startswith('"', at):
                    self._reply_at = at + 1 if self._reply_at < 0 else self._reply_at
                value, position = _DECODER.raw_decode(self.text, at)
                if name == "action":
                    self.action = parse_head({name: value}).action
                self._searched = position
        except RecursionError:
            self._is_broken = True
        except json.JSONDecodeError as error:
            is_open = error.msg.startswith("Unterminated") or error.pos + len("false") > len(
                self.text
            )
            self._is_broken = not is_open

    def _skip_gap(self, position: int) -> int:
        gap = _GAP.match(self.text, position)
        assert gap is not None
        return gap.end()

    def _read_key(self, position: int) -> tuple[str, int] | None:
        """The next key and where its value starts; None at the end of what is written.

        Raises JSONDecodeError.
        """
        position = self._skip_gap(position)
        if self.text[position : position + 1] in ("", "}"):
            return None
        name, position = _DECODER.raw_decode(self.text, position)
        colon = _COLON.match(self.text, position)
        if colon is None and position < len(self.text):
            raise json.JSONDecodeError("Expecting ':' delimiter", self.text, position)
        if colon is None or colon.end() == len(self.text):
            return None
        return str(name), colon.end()


def _ends_in_string(text: str) -> bool:
    """Whether a text ends within a string of an object or a list that is still open."""
    position = 0
    for _ in range(_MOST_STARTS):
        start = _BRACKET.search(text, position)
        if start is None:
            return False
        try:
            _, position = _DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                return True
            position = start.end()
        except RecursionError:
            return False
    return False


def _decode_plan(text: str) -> object:
    """The plan in a text, if it is JSON, also as a JSON string; None if there is none.

    What stands before and after it is prose, which may hold brackets, too. Only the first object
    may be a plan without a plan's keys: a later one may be a part of a broken plan.
    """
    with suppress(ValueError, RecursionError):
        text = inner if isinstance(inner := json.loads(text, strict=False), str) else text
    starts = islice((match.start() for match in _BRACKET.finditer(text)), _MOST_STARTS)
    for number, start in enumerate(starts):
        with suppress(ValueError, RecursionError):
            value, _ = _DECODER.raw_decode(text, start)
            is_plan = isinstance(value, dict) and bool(value.keys() & PLAN_KEYS)
            if is_plan or (number == 0 and parse_tasks(value)):
                return value
    return None
