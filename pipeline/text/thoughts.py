"""The thoughts that a reasoning model writes into its text: where they begin and where they end.

Servers with a parser for their model send thoughts in a field of their own; this is for all others.
The marks are those of the models' chat templates.
"""

_BEGINNINGS = {
    "<think>": "</think>",  # DeepSeek, Qwen, GLM, MiniMax, Hunyuan
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",  # Seed-OSS
    "[THINK]": "[/THINK]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi-VL
    "<|channel|>analysis": "<|channel|>final<|message|>",  # gpt-oss
    "<|channel|>commentary": "<|channel|>final<|message|>",
    "<|channel>thought": "<channel|>",  # Gemma 4
    "<unused94>thought": "<unused95>",  # MedGemma
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command A
    "<|begin_of_thought|>": "<|end_of_thought|>",  # OpenThinker
    "Here is my thought process:": "Here is my response:",  # Granite
    "Here's my thought process:": "Here's my response:",
}
"""What a reply begins with if it begins with a thought, and what ends that thought."""
_BARE_BEGINNING, _BARE_END = "analysis", "assistantfinal"
"""What is left of gpt-oss's marks where a server drops special tokens: "analysisThe user …"."""
_ANSWERS = {
    "<|start|>assistant": "",
    "<|channel|>final<|message|>": "<|return|>",
    "<|START_RESPONSE|>": "<|END_RESPONSE|>",
    "<|begin_of_solution|>": "<|end_of_solution|>",
    "<answer>": "</answer>",  # Hunyuan
}
"""What an answer begins with, and what then ends it; neither is a part of it."""
ENDS = ("</think>", "</seed:think>", "[/THINK]", "◁/think▷", "<channel|>", "<|END_THINKING|>")
"""Ends of thoughts whose beginning may be a part of the prompt."""
_LINE_ENDS = tuple(f"\n{end}" for end in ENDS)
"""The same at the start of a line: within one they may be what a text is about."""
_MARKS = (*_BEGINNINGS, *_ANSWERS, _BARE_BEGINNING)
_LONGEST = max(map(len, (*_BEGINNINGS.values(), *_LINE_ENDS, _BARE_END)))
_MOST_THOUGHTS = 20
"""One after the other; what follows is a part of the answer, whatever it looks like."""


def remove_thoughts(text: str) -> str:
    """A whole reply without its thoughts; "" if it is only a thought that has no end.

    Where the prompt opens the thought, the text only ends it, on a line of its own.
    """
    if any(end in f"\n{text}" for end in _LINE_ENDS):
        thoughts = ThoughtFilter(are_unopened=True)
    else:
        thoughts = ThoughtFilter()
    return (thoughts.feed(text) + thoughts.finish()).strip()


def starts_with_thought(text: str) -> bool:
    return text.lstrip().startswith(tuple(_BEGINNINGS))


class ThoughtFilter:
    """Removes the thoughts from the beginning of a streamed reply.

    `are_unopened`: the reply may begin within a thought, so it is held back until the thought ends.
    `ended_unopened`: whether a thought that had not begun has ended, shown or not.
    """

    def __init__(self, *, are_unopened: bool = False) -> None:
        self.ended_unopened = False
        self._are_unopened = are_unopened
        self._ends: tuple[str, ...] | None = None
        """What may end the thought; empty when something is said, None while neither is known."""
        self._is_doubtful = False
        """Whether it may turn out that this is no thought."""
        self._held: list[str] = []
        self._tail = "\n"
        self._closing = ""
        """What will end the answer, and is no part of it."""
        self._thoughts = 0

    def feed(self, piece: str, *, are_apart: bool = False) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back.

        `are_apart`: a thought came in a field of its own, so there is none in the text.
        """
        self._are_unopened &= not are_apart
        while piece:
            if self._ends is None:
                piece = self._begin("".join((*self._held, piece)).lstrip())
            elif self._ends:
                piece = self._think(piece)
            else:
                return self._say(piece)
        return ""

    def finish(self, *, is_cut: bool = False) -> str:
        """What was held back and is no thought. `is_cut`: the reply reached its limit of tokens."""
        held = "".join(self._held)
        return "" if (is_cut and self._are_unopened) or held == self._closing else held

    def _begin(self, text: str) -> str:
        """The text after the mark that it begins with; "" while that may still become one."""
        mark = next((mark for mark in _MARKS if text.startswith(mark)), "")
        is_open = not mark and any(mark.startswith(text) for mark in _MARKS)
        is_open |= text == _BARE_BEGINNING
        self._held = [text] if is_open else []
        if is_open:
            return ""
        self._tail = "\n"
        is_full = self._thoughts == _MOST_THOUGHTS
        if mark in _BEGINNINGS and not is_full:
            self._start_thought((_BEGINNINGS[mark],))
        elif mark in _ANSWERS and (self._thoughts or mark.startswith("<|")) and not is_full:
            self._closing, self._thoughts = _ANSWERS[mark], self._thoughts + 1
        elif mark == _BARE_BEGINNING and text[len(mark)].isupper():
            self._start_thought((_BARE_END,), is_doubtful=True)
            self._held = [mark]
        else:
            mark, unopened = "", self._are_unopened and not self._thoughts
            self._ends, self._is_doubtful = _LINE_ENDS if unopened else (), unopened
        return text.removeprefix(mark)

    def _start_thought(self, ends: tuple[str, ...], *, is_doubtful: bool = False) -> None:
        self._ends, self._is_doubtful = ends, is_doubtful
        self._thoughts += 1

    def _think(self, text: str) -> str:
        """The text after the end of the thought; "" if it goes on."""
        recent = self._tail + text
        self._tail = recent[-_LONGEST:]
        found = [(at, end) for end in self._ends or () if (at := recent.find(end)) >= 0]
        if not found:
            self._held += [text] if self._is_doubtful else []
            return ""
        at, end = min(found)
        self.ended_unopened |= end in _LINE_ENDS
        self._thoughts += end in _LINE_ENDS
        self._held, self._ends = [], None
        return recent[at + len(end) :]

    def _say(self, text: str) -> str:
        recent = self._tail + text
        self._tail = recent[-_LONGEST:]
        self.ended_unopened |= any(end in recent for end in _LINE_ENDS)
        if not self._closing:
            return text
        text = "".join((*self._held, text))
        starts = range(len(self._closing), 0, -1)
        kept = next((size for size in starts if text.endswith(self._closing[:size])), 0)
        self._held = [text[len(text) - kept :]] if kept else []
        return text[: len(text) - kept]
