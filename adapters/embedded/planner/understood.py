"""What the words themselves decide, whatever the model makes of them.

An order that a built-in expert understands to the last word is that expert's. A document that is to
become what nothing here writes is not read out instead. A chart of no table is not painted.
"""

import re
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from adapters.embedded.experts import conversion, images
from adapters.embedded.experts.expert import embedded_models
from adapters.embedded.experts.orders import says_only_rows
from adapters.embedded.lexicon import phrases
from adapters.embedded.planner.decision import OWN_WORDS, Decision, FileTypes, decide
from adapters.embedded.planner.extraction import ASKS, is_question, unsaid_words
from adapters.embedded.planner.tagging import TaggedText, tag, tokenize
from adapters.embedded.planner.view import RequestView
from pipeline.domain import LocalizedText, Type

_FORMATS = frozenset(
    "word docx odt rtf powerpoint pptx excel xlsx epub html latex indesign".split()  # noqa: SIM905
)
"""Formats that nothing here makes of a document."""
_DOCUMENT_KINDS = ({"document-to-text"}, {"document-conversion"})
_TEXT_ONLY = ({"document-to-text"}, {"document-to-text", "token-classification"})
_GUESSES = ({"document-to-text"}, {"automatic-speech-recognition"}, {"text2text-generation"})
"""What the model chooses for words that it does not know, by the file or without one."""
_IDLE = frozenset({"idle", "little", "please", "skip", "stop"})
_NOUNS = {
    Type.IMAGE: ("file.image", "picture", "screenshot"),
    Type.AUDIO: ("file.audio", "sound-file", "voice-note", "heard"),
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
_SURE_TO_PROMISE = 0.6
"""How sure a wish for something new must be where that may not run here; 98 % of the development
rows with such a wish are."""
_READS = frozenset({"document-to-text", "optical-character-recognition"})
_SPEAKS = "text-to-speech"
_ALOUD = ("speak-aloud", "by-voice", "voice", "listen", "sound-file", "voice-note", "heard")
_SUMMARY = "summarization"
_EDITS = frozenset({"media-conversion", "document-conversion", "image-to-image"})
"""Kinds that change a file and answer no question."""
_OF_CONTENT = (
    _READS
    | _EDITS
    | {"automatic-speech-recognition", "image-to-text"}
    | {*("object-detection", "audio-classification", "video-classification")}
)
"""Kinds that say nothing of a file itself, such as how long it is."""
_WRITES = "text-generation"
_ADDRESS = "://"
_CHANGES = frozenset({"pages.reverse", "table_file.descending", "table_file.sort"})
"""Orders on pages and rows, which nothing here does with the text of a document."""
_CHANNEL = re.compile(r"(?<!\w)#[^\W\d]")

FindUnknown = Callable[[str, Type], Collection[str] | None]
"""The words of an order that an expert does not understand; None for none of its orders."""
_READERS: Mapping[str, FindUnknown] = {
    "image-to-image": images.find_unknown,
    "media-conversion": conversion.find_unknown,
}


def prefer_understood(decision: Decision, seen: RequestView) -> Decision:
    """The decision, or the kind whose expert understands every word of the request."""
    decision = _drop_unasked(_drop_empty_question(decision, seen), seen.tagged)
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


def _drop_unasked(decision: Decision, words: TaggedText) -> Decision:
    """The decision without a kind beside another that no word asks for.

    A recording of what is to be read ("read the voucher code"), a summary of a table ("sum of").
    """
    kinds = {*decision.kinds}
    is_read = _SPEAKS in kinds and kinds & _READS and kinds <= _READS | {_SPEAKS}
    if is_read and words.has("read-word") and not words.has(*_ALOUD):
        return decision.drop(decision.kinds.index(_SPEAKS))
    if kinds == {_SUMMARY, _TABLE_QUESTION} and not words.has("summary"):
        return decision.drop(decision.kinds.index(_SUMMARY))
    return decision


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

    A document shall become a format that nothing here writes: "turn it into a Word file". A
    question is about the file itself ("how long is this recording?"), or an edit would answer it.
    A text is not only to be read: "tweet this". What no built-in expert does is not asked for
    clearly enough to promise it. Or no word of the request is known but the idle ones, so that the
    model went by the file: "more jazzy please".
    """
    kinds, tagged = {*decision.kinds}, seen.tagged
    is_turned = kinds in _DOCUMENT_KINDS and tagged.has("turn-into", "format", "target")
    if is_turned and not _FORMATS.isdisjoint(tokenize(seen.strip_names(seen.text))):
        return True
    if kinds and _asks_of_file(kinds, seen):
        return True
    has_text = seen.about or seen.reading.quotes or seen.answers
    is_read = kinds == {"document-to-text"} and not _wants_text(seen)
    if not has_text and (is_read or (kinds in _TEXT_ONLY and tagged.has("replace"))):
        return True
    if kinds & OWN_WORDS - embedded_models().keys() and not _is_promised(decision, seen):
        return True
    is_guess = kinds in _GUESSES and not has_text
    known = {match.group for match in tagged.matches}
    return is_guess and known <= _IDLE and bool(tagged.find_uncovered(*_IDLE))


def _asks_of_file(kinds: AbstractSet[str], seen: RequestView) -> bool:
    """Whether words ask for what these kinds do not tell, or ask where these change a file."""
    ends, begins = is_question(seen.text), seen.tagged.at(0, *ASKS) is not None
    is_of_file = (ends or seen.tagged.has(*ASKS)) and seen.tagged.has("of_file")
    return (is_of_file and kinds <= _OF_CONTENT) or (ends and begins and kinds <= _EDITS)


def _wants_text(seen: RequestView) -> bool:
    """Whether the words want the text of a document as it is, and not elsewhere ("in #general")."""
    told = tag(words := seen.strip_names(seen.text))
    begins = told.at(told.skip(0, "please", "idle"), "remove")
    is_changed = begins or _CHANGES & {*phrases("pages", "table_file").concepts(words)}
    return told.has("wants_text") and not is_changed and not _CHANNEL.search(seen.text)


def _is_promised(decision: Decision, seen: RequestView) -> bool:
    """Whether what may not run here is asked for so clearly that a setting for it may be named.

    New words are asked for by what they are, not by "create"; and not of what an address leads to.
    """
    is_text = seen.tagged.has("write", "text-genre", "text-word", "reply", "list")
    is_other = decision.kinds == (_WRITES,) and seen.tagged.has("generate") and not is_text
    has_address = not seen.about and _ADDRESS in seen.text
    is_sure = len(decision.kinds) > 1 or decision.confidence >= _SURE_TO_PROMISE
    return is_sure and not is_other and not has_address


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
