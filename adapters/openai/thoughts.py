"""What a reasoning model thinks aloud at the beginning of a streamed text."""

from fnmatch import fnmatchcase

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}
_LAST_LINE = "\n</think>"
"""The end of a thought without a beginning. Within a line it may be what a text is about."""
_LONGEST = max(map(len, _TAGS.values()))
_UNOPENED = ("*qwen3*thinking*", "*qwq*", "*deepseek-r1*")
"""Models whose template ends the prompt with "<think>"."""


def leaves_thoughts_open(model: str) -> bool:
    """Whether a model, by its name, streams thoughts without "<think>" if its server lets it."""
    return any(fnmatchcase(model.casefold(), pattern) for pattern in _UNOPENED)


class ThoughtFilter:
    """Removes the thoughts from the beginning of a reply.

    `are_unopened`: the reply may begin within a thought, so it is held back until the thought ends.
    `ended_unopened`: whether a thought that had not begun has ended, shown or not.
    """

    def __init__(self, *, are_unopened: bool = False) -> None:
        self.ended_unopened = False
        self._are_unopened = are_unopened
        self._end: str | None = None
        """What ends the thought; "" when something is said, None while neither is known."""
        self._held: list[str] = []
        self._tail = "\n"
        self._is_blank = False

    def feed(self, piece: str, *, are_apart: bool = False) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back.

        `are_apart`: a thought came in a field of its own, so there is none in the text.
        """
        self._are_unopened &= not are_apart
        if self._end is None:
            piece = self._begin("".join((*self._held, piece)).lstrip())
        recent = self._tail + piece
        self._tail = recent[-_LONGEST:]
        _, ended, said = recent.partition(self._end or _LAST_LINE)
        self.ended_unopened |= bool(ended) and self._end in ("", _LAST_LINE)
        if self._end:
            if not ended:
                self._held += [piece] if self._end == _LAST_LINE else []
                return ""
            piece, self._held, self._end, self._tail, self._is_blank = said, [], "", "", True
        if self._is_blank and (piece := piece.lstrip()):
            self._is_blank = False
        return piece

    def finish(self, *, is_cut: bool) -> str:
        """What was held back and is no thought. `is_cut`: the reply reached its limit of tokens."""
        return "" if is_cut and self._are_unopened else "".join(self._held)

    def _begin(self, text: str) -> str:
        """The text after the tag that it begins with; "" while that may still become one."""
        tag = next((tag for tag in _TAGS if text.startswith(tag)), "")
        is_open = not tag and any(tag.startswith(text) for tag in _TAGS)
        self._held = [text] if is_open else []
        if not is_open:
            self._end = _TAGS.get(tag, _LAST_LINE if self._are_unopened else "")
        return "" if is_open else text.removeprefix(tag)
