"""What an expert found, said as a colleague would: a sentence where one can be made, and how sure it is."""

import re
from collections import Counter
from collections.abc import Mapping

from pipeline.conversions import as_text
from pipeline.domain import (
    Boxes,
    Labels,
    Masks,
    Number,
    Sentence,
    Spans,
    Sureness,
    Task,
    Text,
    Value,
)
from pipeline.response.telling import is_empty, sureness
from pipeline.response.things import thing_of
from pipeline.response.vocabulary import plural
from pipeline.text import cut
from pipeline.words import say, spoken

COPIES = frozenset({"automatic-speech-recognition", "optical-character-recognition"})
"""Kinds that give somebody else's words: nothing of ours stands in their line."""
_LONGEST = 3000
_SHORT = 120
_ALSO = 0.1
_MOST_ALSO = 3
_UNNAMED = re.compile(r"-(?:other-merged|merged|other|stuff)$")
"""What experts for regions add to the names of things."""
_HEARD = {
    "ang": "angry",
    "hap": "happy",
    "neu": "neutral",
    "fea": "fearful",
    "dis": "disgusted",
    "sur": "surprised",
    "exc": "excited",
    "fru": "frustrated",
}
"""Moods as experts for voices shorten them."""
_ENTITIES = {
    **dict.fromkeys(("PER", "PERSON"), "per"),
    **dict.fromkeys(("ORG", "ORGANIZATION"), "org"),
    **dict.fromkeys(("LOC", "GPE", "LOCATION"), "loc"),
    "MISC": "misc",
}
_END = (".", "!", "?", "…", "。", "！", "？", ":", ")", "”", '"')  # noqa: RUF001 - ends of sentences
_SURE: Mapping[Sureness, str] = {
    Sureness.VERY: "respond-sure",
    Sureness.FAIRLY: "respond-fairly",
    Sureness.NOT: "respond-unsure",
}
_SUBJECTS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"what(?:'s|’s| is| was) (the [^?.,;!]{2,60}?)\s*\??", re.IGNORECASE),  # noqa: RUF001
    "de": re.compile(
        r"(?:was|wie hoch|wie) ist ((?:der|die|das) [^?.,;!]{2,60}?)\s*\??", re.IGNORECASE
    ),
    "fr": re.compile(r"quel(?:le)? est (l[ae][^?.,;!]{2,60}?)\s*\??", re.IGNORECASE),
    "es": re.compile(r"cu[aá]l es ((?:el|la) [^?.,;!]{2,60}?)\s*\??", re.IGNORECASE),
}
"""Questions whose subject begins the answer."""


def in_words(task: Task, value: Value, locale: str) -> str:
    """What a task found, and how sure its expert is."""
    if is_empty(value):
        return say(locale, Sentence("respond-found-nothing"))
    told = _told(task, value, locale)
    sure = confidence(task, value, locale)
    if sure and task.kind.name in COPIES:
        return f"{told}\n\n{sure}"
    return f"{_ended(told)} {sure}" if sure and "\n" not in told else told


def confidence(task: Task, value: Value, locale: str) -> str:
    """How sure the expert is, in words; "" when it does not say."""
    sure = sureness(task, value)
    return say(locale, Sentence(_SURE[sure])) if sure else ""


def without_confidence(text: str, locale: str) -> str:
    """A text without the sentences on how sure an expert is."""
    for sentence in _SURE.values():
        for parted in (" ", "\n\n"):
            text = text.replace(f"{parted}{say(locale, Sentence(sentence))}", "")
    return text


def speaks_for_itself(value: Value) -> bool:
    """Whether a result needs no heading beside others."""
    return isinstance(value, Labels | Boxes | Masks) and not is_empty(value)


def _told(task: Task, value: Value, locale: str) -> str:
    match value:
        case Labels():
            return _labels(value, locale, heard=task.kind.name == "audio-classification")
        case Boxes(items) | Masks(items):
            things = _things(Counter(item.label for item in items), locale)
            return say(locale, Sentence("respond-things", {"things": things}))
        case Spans(items):
            return ", ".join(f"{one.text} ({_entity(one.label, locale)})" for one in items)
        case Number(figure) if task.kind.name == "sentence-similarity":
            return say(locale, Sentence("respond-alike", {"percent": f"{100 * figure:.0f}"}))
        case Text(text):
            return _text(task, text.strip(), locale)
        case _:
            return as_text(value)


def _text(task: Task, text: str, locale: str) -> str:
    if len(text) > _LONGEST:
        return next(cut(text, _LONGEST)) + "…"
    subject = _subject(task, locale)
    if subject and len(text) <= _SHORT and "\n" not in text and not text.endswith(_END):
        return _ended(say(locale, Sentence("respond-is", {"subject": subject, "found": text})))
    return text


def _subject(task: Task, locale: str) -> str:
    """What was asked for, where a question names it: "The total"."""
    pattern = _SUBJECTS.get(spoken(locale))
    for arg in task.args.get("question", ()):
        if pattern and isinstance(arg, Text) and (found := pattern.fullmatch(arg.text.strip())):
            return found[1][:1].upper() + found[1][1:]
    return ""


def _labels(labels: Labels, locale: str, *, heard: bool) -> str:
    short = _HEARD if heard else {}
    first, *rest = [
        (_plain(short.get(one.label, one.label), locale), one.score) for one in labels.items
    ]
    told = say(locale, Sentence("respond-label", {"label": first[0]}))
    also = [f"{label} ({score:.0%})" for label, score in rest if score >= _ALSO]
    if not also:
        return told
    others = Sentence("respond-also", {"labels": ", ".join(also[:_MOST_ALSO])})
    return f"{told} {say(locale, others)}"


def _plain(label: str, locale: str) -> str:
    """A label as people write it, by one of its names; in their own language where we know the word."""
    words = _UNNAMED.sub("", label.replace("_", " "))
    first, *others = words.split(", ")
    if " " not in first:
        first = next((name for name in others if first in name.split()), first)
    thing = thing_of(first) if " " not in first else None
    if thing and spoken(locale) != "en":
        return thing.forms[spoken(locale)][0]
    return first.lower() if first.isupper() else first


def _entity(label: str, locale: str) -> str:
    """What a name stands for, in words."""
    return (
        say(locale, Sentence(f"respond-entity-{_ENTITIES[label]}")) if label in _ENTITIES else label
    )


def _things(counts: Counter[str], locale: str) -> str:
    told = [_thing(_plain(label, locale), count, locale) for label, count in counts.most_common()]
    if len(told) == 1:
        return told[0]
    return say(locale, Sentence("respond-and", {"most": ", ".join(told[:-1]), "last": told[-1]}))


def _thing(label: str, count: int, locale: str) -> str:
    """Labels are English words; others count them without putting them in the plural."""
    if spoken(locale) != "en":
        return f"{count} × {label}"
    return f"{count} {label if count == 1 else plural(label)}"


def _ended(text: str) -> str:
    return text if text.endswith(_END) else f"{text}."
