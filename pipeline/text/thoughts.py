"""The thoughts that a reasoning model writes into its text: where they begin and where they end.

Servers with a parser for their model send thoughts in a field of their own; this is for all others.
The marks are those of the models' chat templates.
"""

import re

_NAMED = r"[\w:.-]{0,20}(?:think|thought|reasoning)[\w:.-]{0,20}"
"""What tags around thoughts are called: <think>, <seed:think>, <longcat_think>, <reasoning> …"""
_TAG = re.compile(rf"<({_NAMED})>", re.IGNORECASE)
_OPEN_TAG = re.compile(r"<[\w:.-]{0,45}")
"""What may still become a tag."""
_BEGINNINGS = {
    "[THINK]": "[/THINK]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi-VL
    "<|channel|>analysis": "<|channel|>final",  # gpt-oss
    "<|channel|>commentary": "<|channel|>final",
    "<|channel|>final": "<|message|>",  # its header, such as " <|constrain|>json"
    "<|channel>thought": "<channel|>",  # Gemma 4
    "<unused94>thought": "<unused95>",  # MedGemma
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command A
    "<|begin_of_thought|>": "<|end_of_thought|>",  # OpenThinker
    "<|inner_prefix|>": "<|inner_suffix|>",  # Apertus
    "Here is my thought process:": "Here is my response:",  # Granite
    "Here's my thought process:": "Here's my response:",
}
"""What a reply begins with if it begins with a thought, and what ends that thought."""
_BARE_BEGINNING = "analysis"
"""What is left of gpt-oss's marks where a server drops special tokens: "analysisThe user …"."""
_BARE_END = "assistantfinal"
"""What then ends the thought."""
_ANSWERS = {
    "<|start|>assistant": "",
    "<|START_RESPONSE|>": "",
    "<|begin_of_solution|>": "",
    "<answer>": "</answer>",  # Hunyuan
}
"""What an answer begins with, and what then ends it besides the mark of a message's end."""
_MESSAGE_END = r"<[|\uff5c][\w\u2581]{1,40}[|\uff5c]>"
"""Such as <|return|> or <|im_end|>, in DeepSeek's with wide bars; some servers leave them."""
THOUGHT_END = (
    rf"(?:</{_NAMED}>|\[/THINK\]|◁/think▷|<channel\|>|<\|END_THINKING\|>|<\|inner_suffix\|>)"
)
"""Matches, in any case, the ends of thoughts whose beginning may be a part of the prompt."""
_LINE_END = re.compile(rf"\n{THOUGHT_END}", re.IGNORECASE)
"""The same at the start of a line: within one they may be what a text is about."""
_CODE = re.compile(r"```.*?```", re.DOTALL)
_TAG_AT_END = r"<[|\uff5c/]?[\w\u2581]{0,40}[|\uff5c]?"
_TAGS_AT_END = re.compile(rf"(?:{_TAG_AT_END}>\s*){{0,3}}(?:{_TAG_AT_END})?\Z")
"""What may turn out to be the end of a message."""
_LONGEST = 60
"""Characters of the longest end."""
_LONGEST_TAGS = 250
_MOST_THOUGHTS = 20
"""One after the other; what follows is a part of the answer, whatever it looks like."""
_ENDS = {
    mark.casefold(): re.compile(re.escape(end), re.IGNORECASE) for mark, end in _BEGINNINGS.items()
}
_CLOSINGS = {mark.casefold(): end for mark, end in _ANSWERS.items()}
_MARKS = (*_ENDS, *_CLOSINGS)


def remove_thoughts(text: str) -> str:
    """A whole reply without its thoughts; "" if it is only a thought that has no end.

    Where the prompt opens the thought, the text only ends it, on a line of its own, not in code.
    """
    are_unopened = _LINE_END.search("\n" + _CODE.sub("", text)) is not None
    thoughts = ThoughtFilter(are_unopened=are_unopened)
    return (thoughts.feed(text) + thoughts.finish()).strip()


def starts_with_thought(text: str) -> bool:
    return _find_end(_find_mark(text.lstrip())) is not None


def _find_mark(text: str) -> str:
    """The mark, in lower case, that a text begins with; "" if there is none."""
    if tag := _TAG.match(text):
        return tag[0].casefold()
    return next((mark for mark in _MARKS if text[: len(mark)].casefold() == mark), "")


def _find_end(mark: str) -> re.Pattern[str] | None:
    """What ends the thought that a mark begins; None if it begins none."""
    if tag := _TAG.fullmatch(mark):
        return re.compile(f"</{re.escape(tag[1])}>", re.IGNORECASE)
    return _ENDS.get(mark)


def _may_become_mark(text: str) -> bool:
    if _OPEN_TAG.fullmatch(text) or _BARE_BEGINNING.startswith(text):
        return True
    return any(mark.startswith(text[: len(mark) + 1].casefold()) for mark in _MARKS)


class ThoughtFilter:
    """Removes the thoughts from the beginning of a streamed reply, and the marks at its end.

    `are_unopened`: the reply may begin within a thought, so it is held back until the thought ends.
    `ended_unopened`: whether a thought that had not begun has ended, shown or not.
    """

    def __init__(self, *, are_unopened: bool = False) -> None:
        self.ended_unopened = False
        self._are_unopened = are_unopened
        self._is_saying = False
        self._end: re.Pattern[str] | None = None
        """What ends the thought; None outside of thoughts."""
        self._is_doubtful = False
        """Whether it may turn out that this is no thought."""
        self._held: list[str] = []
        self._tail = "\n"
        self._closing = ""
        """What will end the answer, besides the mark of a message's end."""
        self._thoughts = 0

    def feed(self, piece: str, *, are_apart: bool = False) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back.

        `are_apart`: a thought came in a field of its own, so there is none in the text.
        """
        self._are_unopened &= not are_apart
        while piece:
            if self._is_saying:
                return self._say(piece)
            if self._end:
                piece = self._think(piece, self._end)
            else:
                piece = self._begin("".join((*self._held, piece)).lstrip())
        return ""

    def finish(self, *, is_cut: bool = False) -> str:
        """What was held back and is no thought. `is_cut`: the reply reached its limit of tokens."""
        held = "".join(self._held)
        if is_cut and self._end is _LINE_END:
            return ""
        closing = f"|{re.escape(self._closing)}" if self._closing else ""
        marks = rf"(?:(?:{_MESSAGE_END}{closing})\s*)+\Z"
        return re.sub(marks, "", held) if self._is_saying else held

    def _begin(self, text: str) -> str:
        """The text after the mark at its beginning; "" while more text may complete a mark."""
        mark = _find_mark(text)
        is_open = not mark and _may_become_mark(text)
        self._held = [text] if is_open else []
        if is_open:
            return ""
        self._tail = "\n"
        is_full = self._thoughts == _MOST_THOUGHTS
        if (end := _find_end(mark)) and not is_full:
            self._start_thought(end)
        elif mark in _CLOSINGS and (self._thoughts or mark.startswith("<|")) and not is_full:
            self._closing, self._thoughts = _CLOSINGS[mark], self._thoughts + 1
        elif text.startswith(_BARE_BEGINNING) and text[len(_BARE_BEGINNING)].isupper():
            mark = _BARE_BEGINNING
            self._start_thought(re.compile(_BARE_END), is_doubtful=True)
            self._held = [mark]
        else:
            mark, unopened = "", self._are_unopened and not self._thoughts
            self._is_saying, self._is_doubtful = not unopened, unopened
            self._end = _LINE_END if unopened else None
        return text[len(mark) :]

    def _start_thought(self, end: re.Pattern[str], *, is_doubtful: bool = False) -> None:
        self._end, self._is_doubtful = end, is_doubtful
        self._thoughts += 1

    def _think(self, text: str, end: re.Pattern[str]) -> str:
        """The text after the end of the thought; "" if it goes on."""
        recent = self._tail + text
        self._tail = recent[-_LONGEST:]
        match = end.search(recent)
        if match is None:
            self._held += [text] if self._is_doubtful else []
            return ""
        self.ended_unopened |= end is _LINE_END
        self._thoughts += end is _LINE_END
        self._held, self._end, self._tail = [], _ENDS.get(match[0].casefold()), ""
        return recent[match.end() :]

    def _say(self, text: str) -> str:
        recent = self._tail + text
        self._tail = recent[-_LONGEST:]
        self.ended_unopened |= _LINE_END.search(recent) is not None
        text = "".join((*self._held, text))
        tags = _TAGS_AT_END.search(text, max(0, len(text) - _LONGEST_TAGS))
        kept = tags.start() if tags else len(text)
        self._held = [text[kept:]]
        return text[:kept]
