"""Plans written as lines of names and values: YAML, lists of Markdown, `Action: …`, tags."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from pipeline.planning.names import kind_named
from pipeline.planning.values import NOTHING, Json, parse_object

_TAGS = (
    (r"<function=([\w.-]+)>\s*(\{(?:(?!<function).)*\})\s*</function>", "task: {}\nargs: {}"),
    (r"<(?:function|tool|invoke)(?:=| +name=)[\"']?([\w. -]+?)[\"']?>", "task: {}"),
    (r"<parameter(?:=| +name=)[\"']?(\w+)[\"']?>((?:(?!</?parameter).)*)</parameter>", "{}: {}"),
    (r"<(?:task|step|tool)\s+id=[\"']?(\w+)[\"']?>", "id: {}"),
    (r"<([a-z]\w*)>\s*([^<>\n]*(?:<[^<>/\n]*>[^<>\n]*)?)\s*</\1>", "{}: {}"),
    (r"</?[a-z]\w*>", ""),
)
"""Tags → lines; what is left of tags goes."""
_LINE = re.compile(r"(\s*)((?:(?:[-*•+]|\d+[.)]|#+)\s+)*)(.*)")
_COUNTED = re.compile(r"(?:task|step|action|tool)\s*#?(\d+)\s*[:.)-]*\s*(.*)", re.IGNORECASE)
_PAIR = re.compile(r"[\"']?([A-Za-z][\w -]{0,30}?)[\"']?\s*[:\uff1a]\s*(.*)")
_NAMES = ("task", "tool", "action", "kind", "name", "task name", "tool name", "task type")
_IDS = ("id", "task id", "step", "step id")
_DEPS = ("dep", "deps", "depends on", "dependencies", "after")
_ARGS = ("args", "arguments", "inputs", "parameters", "input", "action input", "argument")
_SLOTS = (
    *("text", "image", "audio", "video", "document", "table", "question", "context", "labels"),
    *("language", "target language", "source language", "sentences", "prompt", "query"),
)
_GIVEN = re.compile(r"<[^<>]+>|\{\{|\.\w{2,4}$|(?:step|task|node)[\s_-]?\d+", re.IGNORECASE)
"""What is a step or a file."""


def outlined(text: str) -> list[Mapping[str, Json]]:
    """The tasks that such lines name, in their order; empty when no kind is among them, or nothing but their names."""
    if "</" in text:
        for tag, line in _TAGS:
            text = re.sub(tag, partial(_written, line), text, flags=re.DOTALL)
        text = html.unescape(text)
    outline = _Outline()
    for line in text.splitlines():
        outline.take(line)
    tasks: list[Mapping[str, Json]] = [task for task in outline.tasks if "task" in task]
    known = any(kind_named(str(task["task"])) for task in tasks)
    return tasks if known and any(len(task) > 1 for task in tasks) else []


def _written(line: str, tag: re.Match[str]) -> str:
    return f"\n{line.format(*(part.strip() for part in tag.groups()))}\n"


@dataclass(slots=True)
class _Outline:
    """What was read so far. `open` is the list under which deeper lines go, `depth` how deep it stands."""

    tasks: list[dict[str, Json]] = field(default_factory=list)
    open: list[Json] | None = None
    depth: int = 0

    def take(self, line: str) -> None:
        match = _LINE.match(line.rstrip().replace("**", "").replace("`", ""))
        if match is None or not match[3]:
            return
        depth, item, words = len(match[1]) + len(match[2]), bool(match[2]), match[3].strip("_ ")
        pair = _PAIR.fullmatch(words)
        begins = pair and pair[1].casefold() in _NAMES[:3]
        if self.open is not None and depth > self.depth and not begins:
            self._under(words, pair)
        elif counted := _COUNTED.fullmatch(words):
            self.tasks.append({})
            self._name(_plain(counted[2]))
        elif pair:
            self._pair(pair[1].replace("_", " ").casefold().strip(), pair[2], depth)
        elif item and kind_named(words):
            self._name(words)

    def _under(self, words: str, pair: re.Match[str] | None) -> None:
        assert self.open is not None
        last = self.open[-1] if self.open else None
        if pair and pair[1] == "value" and isinstance(last, dict):
            last["value"] = _value(pair[2])
        elif pair:
            self.open.append({"name": pair[1], "value": _value(pair[2])})
        else:
            self.open.append(_value(words))

    def _pair(self, key: str, value: str, depth: int) -> None:
        self.open = None
        if key in _NAMES:
            self._name(_plain(value))
        elif key in _IDS:
            self._fresh("id")["id"] = _plain(value)
        elif key in (*_DEPS, *_ARGS):
            field_ = "dep" if key in _DEPS else "args"
            task = self._fresh("" if field_ == "args" else field_)
            given = _values(value) if value else []
            args = task.setdefault(field_, [])
            assert isinstance(args, list)
            args += given
            self.open, self.depth = (None if value else args), depth
        elif key in _SLOTS and self.tasks:
            args = self.tasks[-1].setdefault("args", [])
            assert isinstance(args, list)
            args.append({"name": key, "value": _value(value)})
        elif kind_named(key):
            self._name(key)

    def _name(self, name: str) -> None:
        self.open = None
        if name:
            self._fresh("task")["task"] = name

    def _fresh(self, key: str) -> dict[str, Json]:
        """The task that is being written; a new one where this one has that already."""
        if not self.tasks or key in self.tasks[-1]:
            self.tasks.append({})
        return self.tasks[-1]


def _plain(value: str) -> str:
    return value.partition(" # ")[0].strip("\"' ,")


def _value(text: str) -> Json:
    if re.match(r"\[|\{(?!\{)", text):
        value = parse_object(text)
        return value if value is not None else text
    plain = _plain(text)
    return None if plain.casefold() in NOTHING else plain


def _values(text: str) -> list[Json]:
    """The arguments in one line; a comma parts them where a step or a file is among them."""
    value = _value(text)
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        return [*parts] if any(_GIVEN.search(part) for part in parts) else [value]
    return value if isinstance(value, list) else [value]
