"""What a reasoning model thinks aloud before it speaks, where its server leaves that in the text."""

import re

_LONGEST = "<thinking>"
_BEGINS = re.compile(r"\s*<think(?:ing)?>")
_ENDS = re.compile(r"</think(?:ing)?>")
_HELD = len("</thinking>")


class Thoughts:
    """Leaves them out of a text that comes piece by piece. Only what stands at its beginning is a thought."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._thought = False
        self._speaking = False

    def without(self, piece: str) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back."""
        if self._speaking:
            return piece
        self._held += piece
        if not (self._thinking or self._thought) and (begun := _BEGINS.match(self._held)):
            self._thinking, self._held = True, self._held[begun.end() :]
        if self._thinking:
            over = _ENDS.search(self._held)
            self._held = self._held[over.end() :] if over else self._held[-_HELD:]
            self._thinking, self._thought = over is None, over is not None
        if self._thought:  # the blanks behind it are no part of what is said
            self._held = self._held.lstrip()
            self._speaking = bool(self._held)
        elif not self._thinking:
            self._speaking = not _LONGEST.startswith(self._held.lstrip())
        return self.rest() if self._speaking else ""

    def rest(self) -> str:
        """What was held back and is no thought."""
        held, self._held = self._held, ""
        return "" if self._thinking else held
