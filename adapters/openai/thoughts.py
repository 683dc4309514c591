"""What a reasoning model thinks aloud at the beginning of a streamed text."""

from fnmatch import fnmatchcase

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}
_LAST_LINE = "\n</think>"
"""The end of a thought without a beginning. Within a line it may be what a text is about."""
_UNOPENED = ("*qwen3*thinking*", "*qwq*", "*deepseek-r1*")
"""Models whose template ends the prompt with "<think>"."""


def leaves_thoughts_open(model: str) -> bool:
    """Whether a model, by its name, streams thoughts without "<think>" if its server lets it."""
    return any(fnmatchcase(model.casefold(), pattern) for pattern in _UNOPENED)


class ThoughtFilter:
    """Removes the thoughts from a reply.

    `are_unopened`: the reply may begin within a thought, so it is held back until the thought ends.
    `ended_unopened`: whether a thought that had not begun has ended, shown or not.
    """

    def __init__(self, *, are_unopened: bool = False) -> None:
        self.ended_unopened = False
        self._are_unopened = are_unopened
        self._opened = _OpenedFilter()
        self._held: list[str] = []
        self._tail = "\n"
        self._is_blank = False

    def feed(self, piece: str, *, are_apart: bool = False) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back.

        `are_apart`: a thought came in a field of its own, so there is none in the text.
        """
        self._are_unopened &= not are_apart
        return self._drop_unopened(self._opened.feed(piece))

    def finish(self, *, is_cut: bool) -> str:
        """What was held back and is no thought. `is_cut`: the reply reached its limit of tokens."""
        rest = self._drop_unopened(self._opened.flush())
        return rest if is_cut and self._are_unopened else "".join((*self._held, rest))

    def _drop_unopened(self, piece: str) -> str:
        if not piece or self.ended_unopened:
            return self._skip_blank(piece)
        text = self._tail + piece
        _, end, said = text.partition(_LAST_LINE)
        self._tail = text[1 - len(_LAST_LINE) :]
        self.ended_unopened = bool(end)
        if self._are_unopened:
            self._held.append(piece)
            if not end:
                return ""
            self._held, self._are_unopened, self._is_blank = [], False, True
            return self._skip_blank(said)
        held, self._held = self._held, []
        return "".join((*held, piece))

    def _skip_blank(self, piece: str) -> str:
        """A piece without the blanks between a thought and what is said."""
        if self._is_blank and (piece := piece.lstrip()):
            self._is_blank = False
        return piece


class _OpenedFilter:
    """Removes a thought between tags."""

    def __init__(self) -> None:
        self._held = ""
        self._is_over = False

    def feed(self, piece: str) -> str:
        if self._is_over:
            return piece
        text = (self._held + piece).lstrip()
        for tag, end in _TAGS.items():
            if text.startswith(tag):
                thought, ended, said = text.partition(end)
                if not ended:
                    self._held = tag + thought[len(tag) :][-len(end) :]
                    return ""
                text = said.lstrip()
        self._is_over = not any(tag.startswith(text) for tag in _TAGS)
        self._held = "" if self._is_over else text
        return text if self._is_over else ""

    def flush(self) -> str:
        held, self._held = self._held, ""
        return "" if held.startswith(tuple(_TAGS)) else held
