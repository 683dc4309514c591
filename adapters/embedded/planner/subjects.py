"""Which text a request is about: one that it brings along, or one that it names."""

from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import FileTypes, decide, on_text
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.references import find_message_name, find_result_name
from adapters.embedded.planner.tagging import language_in, tag
from adapters.embedded.planner.view import RequestView
from pipeline.domain import FILE_TYPES, Type
from pipeline.domain.values import WITH_A_TASK
from pipeline.task_kinds import KINDS

_LENGTHY = 400
"""Characters of a message that more likely brings a text."""
_MOST_ANSWERS = 5
_STAND_IN = " answer.txt "
"""The model knows names of files in any language."""
AS_DOCUMENT = FileTypes(before=(Type.DOCUMENT,))
"""A text is planned for like a document."""
_READERS = frozenset({*WITH_A_TASK.values(), "optical-character-recognition"})
"""Kinds that make a text of a file."""
_SPOKEN = {Type.AUDIO, Type.VIDEO}
"""Files that hold a conversation themselves."""


def find_own_text(seen: RequestView) -> RequestView | None:
    """A request about the text that it brings along, if that and its wish are all of it.

    Beside a file, if the file would only be read for it.
    """
    wish, text = seen.wish, seen.about
    if seen.files and not text and (text := " ".join(q.text for q in read(seen.text).quotes)):
        wish = seen.text.replace(text, "")
    asks = extraction.is_question(text) or language_in(text) or wish.endswith("?")
    is_brief = len(text) < extraction.SHORT and asks and (seen.before or seen.answers or seen.files)
    follows = text[:1].islower() and not wish.endswith((":", "\uff1a"))
    names_file = tag(wish).has(*(f"file.{kind.value}" for kind in FILE_TYPES))
    if not (wish and text) or names_file or is_brief or follows or text[0] in "-*•":
        return None
    if seen.all_types:
        of_text = on_text(decide(wish, AS_DOCUMENT), is_named=False).kinds
        of_file = (decide(words, seen.types).kinds for words in (wish, seen.text))
        read_first = [tuple(k for k in kinds if k not in _READERS) for kinds in of_file]
        if not of_text or of_text not in read_first:
            return None
    return RequestView(wish, wish=wish, about=text)


def find_named_text(seen: RequestView) -> RequestView | None:
    """A request that names an earlier answer, the thread or somebody's message, about that text."""
    name = find_message_name(seen.tagged, seen.messages) or find_result_name(seen.tagged)
    if not name or seen.files or len(seen.text) > _LENGTHY:
        return None
    reading = read(seen.text)
    if reading.quotes or {"\n", ":"} & {*seen.text[name.end :]}:
        return None
    starts = (clause[0].start for clause in reading.clauses)
    earlier = seen.text[: max((start for start in starts if start <= name.start), default=0)]
    if name.kind in decide(earlier, seen.types).kinds:
        return None  # the same request makes it first
    meant = _find_meant_text(name.kind, seen)
    wish = f"{seen.text[: name.start]}{_STAND_IN}{seen.text[name.end :]}"
    return RequestView(seen.text, wish=wish, about=meant) if meant else None


def _find_meant_text(kind: str, seen: RequestView) -> str:
    """The text that a name of this kind stands for; "" if there is none."""
    if kind in seen.messages:
        return seen.messages[kind]
    if kind == "thread" or (kind == "conversation" and not {*seen.all_types} & _SPOKEN):
        return seen.thread
    if not seen.answers:
        return ""
    made = (
        answer.text
        for answer in seen.answers[:_MOST_ANSWERS]
        if kind in decide(answer.asked, FileTypes(answer.types)).kinds
    )
    return next(made, "" if kind in KINDS and seen.answers[0].asked else seen.said)
