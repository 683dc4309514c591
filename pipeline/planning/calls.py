"""Plans written as calls: `caption = image_to_text(image="a.jpg")`, `Step 1: translation(<node-0>, French)`, `[f(a=b), …]`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.planning.names import kind_named
from pipeline.planning.values import NOTHING, Json, parse_object

_HEAD = re.compile(
    r"(?:^|[\[,;:=])[ \t*_`]*+(?:(?:[-*•>]|\d+[.)]|await|return)[ \t]++)*[*_`]*+"
    r"(?:(\w+|#E\d+)\s*=\s*)?([A-Za-z][\w.-]*(?: [\w-]+){0,4})[(\[]",
    re.MULTILINE,
)
"""What a call begins with: perhaps a name for its result, then its own."""
_REST = re.compile(
    r"(?:\.\w+|\[['\"]?\w+['\"]?\])*[`*_ \t]*(?:(?:->|=>|→)[ \t]*`?(\w+)`?)?[ \t]*(?:[,;.)\]]|#.*|$)",
    re.MULTILINE,
)
"""What may stand behind one; prose may not."""
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*(?:=|:(?!//))\s*(.+)", re.DOTALL)
_PART = re.compile(r"(\w+|#E\d+)(?:\.\w+|\[['\"]?\w+['\"]?\])*")
_QUIET = frozenset({"print", "return", "open", "load", "load_image", "load_audio", "read", "str"})
"""Calls of Python that are no steps; what they are given stands for them."""
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def called(text: str) -> list[Mapping[str, Json]]:
    """The tasks that the calls in a text mean, in their order; empty when no kind is among them."""
    calls = _Calls(text)
    at = 0
    while head := _HEAD.search(text, at):
        at = calls.taken(head) or head.end()
    known = any(kind_named(str(task["task"])) for task in calls.tasks)
    return calls.tasks if known else []


@dataclass(slots=True)
class _Calls:
    """What was read of a text so far. `results` has what each name stands for."""

    text: str
    tasks: list[Mapping[str, Json]] = field(default_factory=list)
    results: dict[str, Json] = field(default_factory=dict)

    def taken(self, head: re.Match[str]) -> int:
        """Take in the call that begins here; where it ends, 0 if it is none."""
        end = _closing(self.text, head.end() - 1)
        rest = _REST.match(self.text, end + 1) if end else None
        name = head[2].strip()
        if rest is None or (" " in name and not kind_named(name)):
            return 0
        value = self._made(name, self.text[head.end() : end])
        for result in (head[1], rest[1]):
            if result:
                self.results[result] = value
        return end + 1

    def _made(self, name: str, inside: str) -> Json:
        """What a call makes: a reference to the task that it is."""
        args = [self._argument(part) for part in _parts(inside)]
        if name.casefold().rpartition(".")[2] in _QUIET:
            return args[0][1] if args else ""
        self.tasks.append({"task": name, "args": [_given(*one) for one in args]})
        return f"<GENERATED>-{len(self.tasks) - 1}"

    def _argument(self, part: str) -> tuple[str, Json]:
        named = _NAMED.fullmatch(part)
        return (named[1], self._value(named[2])) if named else ("", self._value(part))

    def _value(self, text: str) -> Json:
        if text[:1] in ('"', "'") and text[-1:] == text[0]:
            return text[1:-1].replace("\\" + text[0], text[0])
        if text.casefold() in NOTHING:
            return None
        part = _PART.fullmatch(text)
        if part and part[1] in self.results:
            return self.results[part[1]]
        if re.match(r"\[|\{(?!\{)", text):
            value = parse_object(text)
            return value if value is not None else text
        inner = _HEAD.match(text)
        if inner and kind_named(inner[2]) and _closing(text, inner.end() - 1) == len(text) - 1:
            return self._made(inner[2], text[inner.end() : -1])
        return text


def _given(name: str, value: Json) -> Json:
    return {"name": name, "value": value} if name else value


def _closing(text: str, at: int) -> int:
    """Where the bracket that opens here is closed; 0 if it is not."""
    open_: list[str] = []
    end = min(len(text), at + _LONGEST)
    while at < end:
        sign = text[at]
        at = _unquoted(text, at) or at
        if sign in _CLOSED_BY:
            open_.append(_CLOSED_BY[sign])
        elif open_ and sign == open_[-1]:
            open_.pop()
            if not open_:
                return at
        at += 1
    return 0


def _unquoted(text: str, at: int) -> int:
    """Where the text in quotes ends that begins here; 0 if none does. What stands within a word is no quote."""
    if text[at] not in "\"'" or text[at - 1 : at].isalnum():
        return 0
    found = _QUOTED.match(text, at, at + _LONGEST)
    return found.end() - 1 if found else 0


_QUOTED = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\])*+\1""", re.DOTALL)
_LONGEST = 8_000


def _parts(inside: str) -> Iterator[str]:
    """The arguments of a call, as written."""
    begun = at = 0
    while at < len(inside):
        if inside[at] in "\"'([{" and (end := _skipped(inside, at)):
            at = end
        elif inside[at] == ",":
            yield inside[begun:at].strip()
            begun = at + 1
        at += 1
    if inside[begun:].strip():
        yield inside[begun:].strip()


def _skipped(inside: str, at: int) -> int:
    """Where a text in quotes or in brackets ends that begins here; 0 if it does not."""
    return _closing(inside, at) if inside[at] in _CLOSED_BY else _unquoted(inside, at)
