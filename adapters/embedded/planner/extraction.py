"""What the words of a request hold: a wish and a text, labels, things to find, questions."""

# ruff: noqa: RUF001, SIM905 - punctuation of many scripts; names of groups

import re

from adapters.embedded.planner.lexicon import is_spaceless, language_in, shorten, tag
from adapters.embedded.planner.reading import LONGEST

WISH = tuple(
    "what which who when where why how how-many or not is can-you please tell want see say mean "
    "picture screenshot sound-file voice-note video document table written type-out text-word "
    "transcribe listen he speak-aloud read-word by-voice mood voice louder describe kind-of find "
    "mark format summary translate language about long sentiment names list classify similar "
    "embedding rewrite sound-like it result now again as in write for-someone then also short "
    "labels-given edit-wish quoted letter turn-into idle little".split()
)
"""Groups of words that say what is to be done, how, and with what kind of thing."""
ASKS = ("what", "which", "who", "when", "where", "why", "how", "how-many")
SHORT = 120
"""Characters up to which a line may be a wish."""
_OFFERED = 600
"""Characters of a request in which labels are looked for."""
_MOST_LABEL_WORDS, _MOST_THING_WORDS = 4, 4
MARKS = "\"'“”„«»「」『』‘’"
_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
COLON = re.compile(r"：|:(?=\s|[\u3040-\u30ff\u3400-\u9fff])")
SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_SEPARATOR = re.compile(r"[,、，/・;；]")


def split_wish(text: str) -> tuple[str, str]:
    """The line of a message that only says what is wanted, and the text above or below it."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    for wish, rest in ((lines[-1], lines[:-1]), (lines[0], lines[1:])) if len(lines) > 1 else ():
        if len(wish) <= SHORT and is_mere_wish(wish) and unsaid_words(" ".join(rest)):
            start, end = text.find(rest[0]), text.rfind(rest[-1]) + len(rest[-1])
            return wish, unwrap(text[start:end])
    ends = [match.end() for match in COLON.finditer(text[:SHORT])]
    ends = [end for end in ends if not {*text[:end]} & {"\n", *MARKS[:1], *MARKS[2:8]}]
    for end in ends:
        if is_mere_wish(text[:end]) and text[end:].strip():
            return text[:end].strip(), unwrap(text[end:])
    if len(lines) > 1 and is_question(lines[-1]) and len(lines[-1]) <= SHORT:
        return lines[-1].strip(), text[: text.rfind(lines[-1])].strip()
    head, _, below = text.strip().partition("\n")
    if ends and len(text) - ends[0] > len(text) // 3:
        return text[: ends[0]].strip(), unwrap(text[ends[0] :])
    return (head, unwrap(below)) if len(head) <= SHORT and len(below) > len(head) else ("", "")


def unsaid_words(text: str) -> list[str]:
    """The words of a text that say more than what is wanted: what is to be worked on, if any."""
    left = tag(text).find_uncovered(*WISH, "the", "that")
    words = (word for word in left if len(word) > 1 or is_spaceless(word))
    return [word for word in words if not word.isdigit() and not language_in(word)]


def is_mere_wish(line: str) -> bool:
    """Whether a line says what is wanted, and nothing else."""
    return bool(tag(line).find_uncovered("idle", "little", "please")) and not unsaid_words(line)


def is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def unwrap(text: str) -> str:
    """A text without the fence, the quotation marks or the marks of a quotation around it."""
    text = text.strip()
    if match := _FENCE.fullmatch(text):
        return match[1].strip()
    lines = text.split("\n")
    if all(line.startswith(">") for line in lines):
        return "\n".join(line.lstrip("> ") for line in lines)
    return text.strip(MARKS) if text[:1] in MARKS and text[-1:] in MARKS else text


def find_labels(text: str) -> tuple[str, ...]:
    """The labels that a text offers: "a husky, a malamute or a wolf"."""
    text = shorten(text, _OFFERED)
    marked = re.findall(r"['\"“„«「]([^'\"”“»」]{1,40})['\"”“»」]", text)
    if len(marked) > 1:
        return tuple(dict.fromkeys(marked))
    labels: list[str] = []
    for sentence in re.split(r"[.?!:：。？！\n()]", text):
        tagged = tag(sentence)
        cuts = [tagged.spans[m.first][0] for m in tagged.find("choice")]
        ends = [tagged.spans[m.last - 1][1] for m in tagged.find("choice")]
        pieces = [sentence[a:b] for a, b in zip([0, *ends], [*cuts, None], strict=True)]
        items = [_strip_lead(item) for piece in pieces for item in _SEPARATOR.split(piece)]
        items = [item for item in items if item]
        if len(items) > 1:
            most = max(len(item.split()) for item in items[1:])
            items[0] = " ".join(items[0].split()[-most:])
            short = all(len(item.split()) <= _MOST_LABEL_WORDS for item in items)
            offered = short and (cuts or len(items) > 2)  # noqa: PLR2004
            labels = items if offered and len(items) > len(labels) else labels
    return tuple(dict.fromkeys(labels))


def find_things(text: str) -> tuple[str, ...]:
    """The things that a text wants found or counted; () if it names none."""
    tagged = tag(text)
    if tagged.has("face"):
        return ("face",)
    for match in tagged.find("locate", "locate_after"):
        at = match.last if match.group == "locate" else 0
        while skipped := tagged.at(at, "skip"):
            at = skipped.last
        end = at
        while end < min(len(tagged.words), at + _MOST_THING_WORDS):
            gap = tagged.text[tagged.spans[end - 1][1] : tagged.spans[end][0]] if end else ""
            if tagged.at(end, "stop", "locate_after") or gap.strip(" '-"):
                break
            end += 1
        if end > at and not tagged.at(at, "no_thing"):
            return (tagged.text[tagged.spans[at][0] : tagged.spans[end - 1][1]],)
    return ()


def find_questions(text: str) -> tuple[str, ...]:
    """The questions of a text, each by itself; all of it where none ends with a question mark."""
    asked = [part for part in SENTENCE.findall(text[:LONGEST]) if is_question(part)] or [text]
    questions = []
    for part in asked:  # "what is the total and who sent it"
        tagged = tag(part)
        joined = (m for m in tagged.find("conjunction") if m.first > 1 and tagged.at(m.last, *ASKS))
        cuts = [tagged.spans[match.first] for match in joined]
        starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), None]
        questions += [part[a:b] for a, b in zip(starts, ends, strict=True)]
    cleaned = (question.strip(f" -–—,:\n{MARKS}") for question in questions)
    return tuple(dict.fromkeys(filter(None, cleaned)))


def _strip_lead(item: str) -> str:
    """A label without the words that lead to it."""
    tagged = tag(item)
    at = 0
    while match := tagged.at(at, "lead"):
        at = match.last
    return item[tagged.spans[at][0] :].strip(" '\"") if at < len(tagged.words) else ""
