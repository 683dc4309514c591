"""The tasks in a plan of JSON while it is being written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.planning.rough import is_task
from pipeline.planning.values import Json, parse_object

_TASK_KEY = re.compile(r"""["'](?:task|task_name|tool)["']\s*:""")


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
