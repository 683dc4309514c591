"""Which text a request is about: one that it brings along, or one that it names."""

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import Decision, FileTypes, decide, on_text
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.references import find_message_name, find_result_name
from adapters.embedded.planner.tagging import tag
from adapters.embedded.planner.view import RequestView, view_text
from pipeline.domain import Type
from pipeline.domain.conversions import WITH_A_TASK
from pipeline.task_kinds import KINDS

_LENGTHY = 400
"""Characters of a message that more likely brings a text."""
_MOST_ANSWERS = 5
"""Earlier answers of which a name may be one."""
_STAND_IN = " answer.txt "
"""The model knows names of files in any language."""
_AS_DOCUMENT = FileTypes(before=(Type.DOCUMENT,))
"""A text is planned for like a document."""
_READERS = frozenset({*WITH_A_TASK.values(), "optical-character-recognition"})
"""Kinds that make a text of a file."""
_SPOKEN = {Type.AUDIO, Type.VIDEO}
"""Files that hold a conversation themselves."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A request as one about a text, and what it needs then."""

    seen: RequestView
    decision: Decision


def find_subjects(seen: RequestView) -> Iterator[Subject]:
    """The texts that a request may be about, the likelier first: its own, then one it names."""
    if own := _find_own_text(seen):
        yield own
    if named := view_named_text(seen):
        decision = decide(named.reading, _AS_DOCUMENT)
        yield Subject(named, on_text(decision, is_named=True))


def _find_own_text(seen: RequestView) -> Subject | None:
    """A request about the text that it brings along, if that and its wish are all of it.

    Beside a file, if the file would only be read for it.
    """
    wish, text = seen.wish, seen.about
    if seen.files and not text and (text := " ".join(q.text for q in seen.reading.quotes)):
        wish = seen.text.replace(text, "")
    follows = text[:1].islower() and not wish.endswith((":", "\uff1a"))
    if not (wish and text) or follows or text[0] in "-*•":
        return None
    asks = extraction.is_question(text) or wish.endswith("?") or tag(text).has("language.*")
    is_brief = len(text) < extraction.SHORT and asks and (seen.before or seen.answers or seen.files)
    own = view_text(wish, about=text)
    if is_brief or own.tagged.has("file.*"):
        return None
    decision = on_text(decide(own.reading, _AS_DOCUMENT), is_named=False)
    if seen.all_types:
        of_file = (decide(reading, seen.types).kinds for reading in (own.reading, seen.reading))
        read_first = [tuple(k for k in kinds if k not in _READERS) for kinds in of_file]
        if not decision.kinds or decision.kinds not in read_first:
            return None
    return Subject(own, decision)


def view_named_text(seen: RequestView) -> RequestView | None:
    """A request that names an earlier answer, the thread or somebody's message, about that text."""
    name = find_message_name(seen.tagged, seen.messages) or find_result_name(seen.tagged)
    if not name or seen.files or len(seen.text) > _LENGTHY:
        return None
    if seen.reading.quotes or {"\n", ":"} & {*seen.text[name.end :]}:
        return None
    starts = (clause[0].start for clause in seen.reading.clauses)
    earlier = seen.text[: max((start for start in starts if start <= name.start), default=0)]
    if name.kind in decide(read(earlier), seen.types).kinds:
        return None  # the same request makes it first
    meant = _find_meant_text(name.kind, seen)
    wish = f"{seen.text[: name.start]}{_STAND_IN}{seen.text[name.end :]}"
    named = RequestView(tagged=seen.tagged, reading=read(wish), wish=wish, about=meant)
    return named if meant else None


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
        if kind in decide(read(answer.asked), FileTypes(answer.types)).kinds
    )
    return next(made, "" if kind in KINDS and seen.answers[0].asked else seen.said)
