"""What the words of a request hold: a wish and a text, labels, things to find, questions."""

# ruff: noqa: RUF001, SIM905 - punctuation of many scripts; names of groups

import re

from adapters.embedded.planner.reading import LONGEST, find_quotes
from adapters.embedded.planner.tagging import TaggedText, is_spaceless, shorten, tag

WISH = tuple(
    "what which who when where why how how-many or not is can-you please tell want see say mean "
    "picture screenshot sound-file voice-note video document table written type-out text-word "
    "transcribe listen he speak-aloud read-word by-voice mood voice louder describe kind-of find "
    "mark format summary translate language about long sentiment names list classify similar "
    "embedding rewrite sound-like it result now again as in write for-someone then also "
    "labels-given edit-wish quoted turn-into idle little "
    "result.thread result.conversation message".split()
)
"""Groups of words that say what is to be done, how, and with what kind of thing."""
ASKS = ("what", "which", "who", "when", "where", "why", "how", "how-many")
SHORT = 120
"""Characters up to which a line may be a wish."""
_OFFERED = 600
"""Characters of a request in which labels are looked for."""
_MOST_WORDS = 4
"""Words of a label, or of a thing to find."""
MARKS = "\"'“”„«»「」『』‘’"
_LONG_QUOTE = re.compile(
    rf"[^{MARKS}]{{,{SHORT}}}[{MARKS}](.*)[{MARKS}][^{MARKS}]{{,{SHORT}}}", re.DOTALL
)
_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_COLON = re.compile(r"：|:(?=\s|[\u3040-\u30ff\u3400-\u9fff])")
SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def split_wish(text: str) -> tuple[str, str]:
    """What a message wants, and the text above or below; "" and the text of a long one without."""
    text = text.strip()
    head, _, below = text.partition("\n")
    above, _, tail = text.rpartition("\n")
    for wish, rest in ((tail, above), (head, below)):
        asks = is_mere_wish(tag(wish)) or (wish is tail and is_question(wish))
        if len(wish) <= SHORT and asks and unsaid_words(tag(rest)):
            return wish.strip(), unwrap(rest)
    ends = [match.end() for match in _COLON.finditer(text[:SHORT])]
    ends = [end for end in ends if not {*text[:end]} & {"\n", *MARKS}]
    mere = (end for end in ends if is_mere_wish(tag(text[:end])) and text[end:].strip())
    end = next(mere, ends[0] if ends and len(text) - ends[0] > len(text) // 3 else 0)
    if end:
        return text[:end].strip(), unwrap(text[end:])
    if len(head) <= SHORT and len(below) > len(head):
        return head, unwrap(below)
    if len(text) <= LONGEST:
        return "", ""
    quote = _LONG_QUOTE.fullmatch(text)
    return "", quote[1].strip() if quote else text


def find_after_colon(text: str) -> str:
    """What follows the last colon of a text."""
    *heads, rest = _COLON.split(text)
    return unwrap(rest) if heads else ""


def unsaid_words(tagged: TaggedText) -> list[str]:
    """The words of a text that say more than what is wanted: what is to be worked on, if any."""
    left = tagged.find_uncovered(*WISH, "the", "that", "language.*")
    words = (word for word in left if len(word) > 1 or is_spaceless(word))
    return [word for word in words if not word.isdigit()]


def is_mere_wish(tagged: TaggedText) -> bool:
    """Whether a line says what is wanted, and nothing else."""
    return bool(tagged.find_uncovered("idle", "little", "please")) and not unsaid_words(tagged)


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
    return text[1:-1] if text[:1] in MARKS and text[-1:] in MARKS else text


def find_labels(tagged: TaggedText) -> tuple[str, ...]:
    """The labels that a text offers: "a husky, a malamute or a wolf"."""
    text = shorten(tagged.whole, _OFFERED)
    if len(quotes := find_quotes(text)) > 1:
        return tuple(dict.fromkeys(quote.text for quote in quotes))
    labels: list[str] = []
    for sentence in re.split(r"[.?!:：。？！\n()]", text):
        looked_up = tag(sentence)
        choices = [looked_up.span(match) for match in looked_up.find("choice")]
        bounds = [0, *(at for span in choices for at in span), len(sentence)]
        pieces = [sentence[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)]
        items = [
            _strip_lead(item) for piece in pieces for item in re.split(r"[,、，/・;；]", piece)
        ]
        items = [*dict.fromkeys(filter(None, items))]
        if len(items) > 1:
            items[0] = " ".join(items[0].split()[-max(len(item.split()) for item in items[1:]) :])
            short = all(len(item.split()) <= _MOST_WORDS for item in items)
            offered = short and (choices or len(items) > 2)  # noqa: PLR2004
            labels = items if offered and len(items) > len(labels) else labels
    return tuple(dict.fromkeys(labels))


def find_things(tagged: TaggedText) -> tuple[str, ...]:
    """The things that a text wants found or counted; () if it names none."""
    if tagged.has("face"):
        return ("face",)
    for match in tagged.find("locate", "locate_after"):
        at = tagged.skip(match.last if match.group == "locate" else 0, "skip")
        end = at
        while end < min(len(tagged.words), at + _MOST_WORDS):
            gap = tagged.text[tagged.spans[end - 1][1] : tagged.spans[end][0]] if end else ""
            if tagged.at(end, "stop", "locate_after") or gap.strip(" '-"):
                break
            end += 1
        if end > at and not tagged.at(at, "no_thing"):
            return (tagged.text[tagged.spans[at][0] : tagged.spans[end - 1][1]],)
    return ()


def find_length(tagged: TaggedText) -> str:
    """The words for how long something shall be ("two sentences"); "" if there are none."""
    for match in tagged.find("measured"):
        count = tagged.before(match.first, "count.*")
        first = count.first if count else match.first - 1
        if count or (first >= 0 and tagged.words[first].isdigit()):
            return tagged.text[tagged.spans[first][0] : tagged.span(match)[1]]
    return ""


def find_questions(text: str) -> tuple[str, ...]:
    """The questions of a text, each by itself; all of it where none ends with a question mark."""
    asked = [part for part in SENTENCE.findall(text[:LONGEST]) if is_question(part)] or [text]
    questions = []
    for part in asked:  # "what is the total and who sent it"
        tagged = tag(part)
        joined = (m for m in tagged.find("conjunction") if m.first > 1 and tagged.at(m.last, *ASKS))
        bounds = [0, *(at for match in joined for at in tagged.span(match)), len(part)]
        questions += [part[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)]
    cleaned = (question.strip(f" -–—,:\n{MARKS}") for question in questions)
    return tuple(dict.fromkeys(filter(None, cleaned)))


def _strip_lead(item: str) -> str:
    """A label without the words that lead to it."""
    tagged = tag(item)
    at = tagged.skip(0, "lead")
    return item[tagged.spans[at][0] :].strip(" '\"") if at < len(tagged.words) else ""
