"""What the words themselves decide, whatever the model makes of them.

An order that a built-in expert understands to the last word is that expert's. A document that is to
become what nothing here writes is not read out instead. A chart of no table is not painted.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from adapters.embedded.experts import conversion, images
from adapters.embedded.experts.orders import says_only_rows
from adapters.embedded.planner.decision import Decision, FileTypes, decide
from adapters.embedded.planner.extraction import ASKS, is_question, unsaid_words
from adapters.embedded.planner.tagging import tag, tokenize
from adapters.embedded.planner.view import RequestView
from pipeline.domain import LocalizedText, Type

_FORMATS = frozenset(
    "word docx odt rtf powerpoint pptx excel xlsx epub html latex indesign".split()  # noqa: SIM905
)
"""Formats that nothing here makes of a document."""
_DOCUMENT_KINDS = ({"document-to-text"}, {"document-conversion"})
_GUESSES = ({"document-to-text"}, {"automatic-speech-recognition"}, {"text2text-generation"})
"""What the model chooses for words that it does not know, by the file or without one."""
_IDLE = frozenset({"idle", "little", "please", "skip", "stop"})
_NOUNS = {
    Type.IMAGE: ("file.image", "picture", "screenshot"),
    Type.AUDIO: ("file.audio", "sound-file", "voice-note"),
    Type.VIDEO: ("file.video", "video"),
}
"""Words for the file that an order is about; experts need not know them."""
_BY_MODEL = frozenset({"image-text-to-image", "image-to-image", "media-conversion"}) | {
    *("optical-character-recognition", "image-to-text", "automatic-speech-recognition")
}
"""Kinds that take a file as a whole: the model chooses them for words that it does not know."""
_TABLE_QUESTION = "table-question-answering"
_TABLE_ORDER = "table-conversion"
_PAINTS = {"text-to-image"}
_CHART = ("table-to-chart",)
_SURE = 0.7
"""How sure a chart must be, if there were a table, for the table to be asked for."""

FindUnknown = Callable[[str, Type], Collection[str] | None]
"""The words of an order that an expert does not understand; None for none of its orders."""
_READERS: Mapping[str, FindUnknown] = {
    "image-to-image": images.find_unknown,
    "media-conversion": conversion.find_unknown,
}


def prefer_understood(decision: Decision, seen: RequestView) -> Decision:
    """The decision, or the kind whose expert understands every word of the request."""
    decision = _drop_empty_question(decision, seen)
    kind = _find_understood(decision, seen) if len(decision.kinds) <= 1 else ""
    if not kind:
        return decision
    clauses = (tuple(range(len(seen.reading.clauses))),)
    return replace(decision, kinds=(kind,), clauses=clauses, links=(), confidence=1.0, unmet=())


def _drop_empty_question(decision: Decision, seen: RequestView) -> Decision:
    """The decision without a question on a table that asks nothing: "read sales.csv aloud"."""
    if _TABLE_QUESTION not in decision.kinds or len(decision.kinds) == 1:
        return decision
    at = decision.kinds.index(_TABLE_QUESTION)
    words = seen.part(decision.clauses[at])
    asked = seen.strip_names(words.whole)
    for name in seen.reading.names:
        asked = asked.replace(name.text, " ")
    asks = words.has(*ASKS) or is_question(asked) or unsaid_words(tag(asked))
    return decision if asks else decision.drop(at)


def _find_understood(decision: Decision, seen: RequestView) -> str:
    """The kind of an order that is understood to the last word; "" for none."""
    order = seen.strip_names(seen.text)
    newest = (seen.files or seen.before)[-1:]
    if decision.kinds == (_TABLE_QUESTION,):
        is_sorted = any(file.made for file in newest)
        return _TABLE_ORDER if says_only_rows(order, of_best=is_sorted) else ""
    asks = is_question(order) or seen.tagged.at(0, *ASKS)
    if asks or not _BY_MODEL.issuperset(decision.kinds):
        return ""
    for name in seen.reading.names:  # "result.mp3" says what the file shall become
        order = order.replace(name.text, f" {name.text.rpartition('.')[2]} ")
    words = seen.tagged.words
    for file in newest:
        nouns = seen.tagged.find(*_NOUNS.get(file.type, ()))
        known = {word for noun in nouns for word in words[noun.first : noun.last]}
        for kind, find_unknown in _READERS.items():
            unknown = find_unknown(order, file.type)
            if unknown is not None and known.issuperset(unknown):
                return kind
    return ""


def is_impossible(decision: Decision, seen: RequestView) -> bool:
    """Whether a request is for something else than the kind that the model chose for it.

    A document shall become a format that nothing here writes: "turn it into a Word file". Or no
    word of it is known but the idle ones, so that the model went by the file: "more jazzy please".
    """
    if {*decision.kinds} in _DOCUMENT_KINDS and seen.tagged.has("turn-into", "format", "target"):
        return not _FORMATS.isdisjoint(tokenize(seen.strip_names(seen.text)))
    has_text = seen.about or seen.reading.quotes or seen.answers
    is_guess = {*decision.kinds} in _GUESSES and not has_text
    known = {match.group for match in seen.tagged.matches}
    return is_guess and known <= _IDLE and bool(seen.tagged.find_uncovered(*_IDLE))


def find_lacking_table(decision: Decision, seen: RequestView) -> LocalizedText | None:
    """What to ask for where a chart is wanted and no table is there.

    The model knows charts of tables only: it is asked what it would do if there were one.
    """
    if seen.all_types or {*decision.kinds} - _PAINTS or decision.unmet:
        return None
    with_table = decide(seen.reading, FileTypes(before=(Type.TABLE,)))
    if with_table.kinds != _CHART or with_table.confidence < _SURE:
        return None
    return LocalizedText("planner-lacks-file", {"type": Type.TABLE.value, "slot": "table"})
