"""What the slots of a task hold: files, texts, questions, labels, as a request names them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from adapters.embedded.lexicon import phrases
from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import FileTypes, decide
from adapters.embedded.planner.reading import LONGEST, read
from adapters.embedded.planner.references import find_files
from adapters.embedded.planner.steps import REWRITES, PlannedStep
from adapters.embedded.planner.tagging import RuleMatch, TaggedText, tag, tokenize
from adapters.embedded.planner.view import RequestView
from pipeline.domain import FILE_TYPES, Arg, Media, Ref, Slot, Task, TaskKind, Text, Type
from pipeline.domain.conversions import is_convertible

_BRIEF = 60
"""Characters up to which words that point at something hardly hold the text that they are about."""
_BRIEFEST = 24
"""Characters up to which words that do not point hardly do."""
_SOUND_TRACK = "extract the audio as wav"
"""What a film is converted with before something listens to it."""
JOINS = frozenset({"sentence-similarity", "document-conversion"})
"""Kinds that take all files and results together."""
_ORDERED = frozenset({"document-conversion", "table-conversion", "table-to-chart"})
"""Kinds whose experts read every word of their order, in which names of files are not known."""
_TABLE_QUESTION = "table-question-answering"
_MOST_BEFORE = 3
"""Earlier questions that go with one about a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """A step to be filled, with the words that speak of it and the tasks of the steps before."""

    step: PlannedStep
    said: TaggedText
    made: Sequence[Sequence[Task]]
    seen: RequestView
    each: bool = False
    """Whether there is a wish for each file."""

    @property
    def sources(self) -> Sequence[Task]:
        return self.made[self.step.source] if self.step.source >= 0 else ()

    def find_made(self, types: Collection[Type]) -> tuple[Arg, ...]:
        """What the newest step before makes of these types."""
        outputs = (
            (Ref(task.id, output.name),)
            for tasks in reversed(self.made)
            for task in tasks
            for output in task.kind.makes
            if {*output.types} & {*types}
        )
        return next(outputs, ())


def find_values(filling: Filling, slot: Slot) -> list[tuple[Arg, ...]]:
    """What a slot may hold: one for each file or question, or one for all that was said."""
    types = [kind for kind in slot.types if kind in FILE_TYPES]
    if types and slot.many and filling.step.kind.name in JOINS:
        refs: list[tuple[Arg, ...]]
        refs = [(Ref(task.id, task.kind.makes[0].name),) for task in filling.sources]
        together = [one for each in refs or _files_together(filling, types) for one in each]
        return [tuple(together)] if together else []
    if types and (files := _files(filling, types)):
        return files
    listens = any(kind.takes[0].types == (Type.AUDIO,) for kind in filling.step.feeds)
    if listens and filling.step.kind.name == "media-conversion":
        return [_texts(_SOUND_TRACK)]
    if Type.TEXT not in slot.types or slot.form:
        return []
    if slot.name == "question":
        before = _questions_before(filling)
        quoted = [quote for quote in filling.seen.quotes if extraction.is_question(quote)]
        asked = quoted[:1] or extraction.find_questions(filling.said.whole)
        return [(*before, Text(question)) for question in asked]
    values = FINDERS.get(slot.name, _find_text)(filling)
    return [values] if len(values) >= (2 if slot.name == "sentences" else 1) else []


def _texts(*texts: str) -> tuple[Arg, ...]:
    return tuple(Text(text) for text in texts if text)


def _files(filling: Filling, types: Sequence[Type]) -> list[tuple[Arg, ...]]:
    """Files of these types, else what an earlier step makes, else files that can become one."""
    seen, texts = filling.seen, (filling.said, filling.seen.tagged)
    files = find_files(seen.before, seen.files, types, *texts, bare=filling.each)
    if not files and (made := filling.find_made(types)):
        return [made]
    turned = [kind for kind in FILE_TYPES if any(is_convertible(kind, type_) for type_ in types)]
    files = files or find_files(seen.before, seen.files, turned, *texts)
    return [(Media(file.attachment),) for file in files]


def _files_together(filling: Filling, types: Sequence[Type]) -> list[tuple[Arg, ...]]:
    """The files of a kind that takes several; to name one of those to be merged drops no other.

    "merge them, b.pdf first" puts it where it is said to stand.
    """
    files, seen = _files(filling, types), filling.seen
    if len(files) > 1 or "pages.merge" not in phrases("pages").concepts(filling.said.whole):
        return files
    everything = find_files(seen.before, seen.files, types, tag(""))
    others = [(Media(f.attachment),) for f in everything if (Media(f.attachment),) not in files]
    places = _list_places(tag(seen.strip_names(filling.said.whole)))
    if not places:
        return [(Media(file.attachment),) for file in everything] or files
    return [*others, *files] if places[0].member == "last" else [*files, *others]


def _list_places(told: TaggedText) -> list[RuleMatch]:
    """Where words want a file to stand, the pages of it aside: "first", not "first page"."""
    places = told.find("place.1", "place.last")
    return [one for one in places if not told.at(one.last, "measured", "count.*", "document")]


def _strip_place(bare: str) -> str:
    """An order to merge without the words for where a file shall stand."""
    places = _list_places(told := tag(bare))
    start, end = told.span(places[0]) if places else (0, 0)
    return f"{bare[:start]} {bare[end:]}".strip(" ,.;")


def _find_text(filling: Filling) -> tuple[Arg, ...]:
    seen, kind, said = filling.seen, filling.step.kind, filling.said
    if filling.step.is_instructed:
        about = seen.about or (seen.said if _goes_on(filling) else "")
        holds = about or seen.quotes or kind.name != REWRITES or _holds_text(kind, said)
        return _texts(said.whole, "" if about in said.whole else about) if holds else ()
    if any(slot.type in FILE_TYPES for slot in kind.takes):
        bare = seen.strip_names(said.whole).strip() if kind.name in _ORDERED else ""
        if bare != said.whole and "pages.merge" in phrases("pages").concepts(bare):
            bare = _strip_place(bare)
        return _texts(bare or said.whole)
    text = seen.find_text(said.whole) or extraction.find_after_colon(said.whole)
    if not text and not seen.said and (made := filling.find_made([Type.TEXT])):
        return made
    brings_text = any(file.type in (Type.DOCUMENT, Type.TABLE) for file in seen.files[-1:])
    has_own = not brings_text and _holds_text(kind, seen.tagged)
    return _texts(text or seen.said or (seen.text if has_own else ""))


def _holds_text(kind: TaskKind, tagged: TaggedText) -> bool:
    """Whether a request that marks no text as what it is about holds any, beside the wish."""
    sorts = kind.name == "zero-shot-classification"
    labels = extraction.find_labels(tagged) if sorts else ()
    known = {word for label in labels for word in tokenize(label)}
    return bool(set(extraction.unsaid_words(tagged)) - known)


def _goes_on(filling: Filling) -> bool:
    """Whether words ask for something with the last answer, not with a text among them."""
    kind, said = filling.step.kind.name, filling.said
    size = len(said.whole)
    if filling.step.source >= 0 or filling.seen.quotes or size > _BRIEF:
        return False
    ends = [match.last for match in said.find("pointer")]
    going = ("joint", "please", "idle", "in", "as")  # words that a pointer may stand before
    if kind in ("text-to-image", "text-to-video"):
        ends = [at for at in ends if at == len(said.words) or said.at(at, *going)]
    return bool(ends) or (size <= _BRIEFEST and kind == REWRITES)


def _questions_before(filling: Filling) -> tuple[Arg, ...]:
    """What was asked about the table before, which a short question goes on from."""
    seen, kind = filling.seen, filling.step.kind.name
    if kind != _TABLE_QUESTION or seen.files:
        return ()
    asked = [answer.asked for answer in reversed(seen.answers[:_MOST_BEFORE])]
    table = FileTypes(before=(Type.TABLE,))
    return _texts(*(f"{text}\n\n" for text in asked if kind in decide(read(text), table).kinds))


def _find_context(filling: Filling) -> tuple[Arg, ...]:
    seen = filling.seen
    whole = seen.text if len(extraction.SENTENCE.findall(seen.text[:LONGEST])) > 1 else ""
    return _texts(seen.find_text() or seen.said or whole)


def _find_language(filling: Filling) -> tuple[Arg, ...]:
    """The language that is named; for speech, that of the words which a translation makes."""
    kind = filling.step.kind.name
    if kind == "text-to-speech" and filling.sources:
        return filling.sources[0].args.get("language", ())
    named, _ = filling.said.find_language()
    named = named or filling.seen.tagged.find_language()[0]
    return _texts(named) if kind in ("translation", "text-to-speech") else ()


def _find_labels(filling: Filling) -> tuple[Arg, ...]:
    kind, seen = filling.step.kind, filling.seen
    texts = (filling.said, seen.unquoted, seen.tagged)
    things = kind.name.endswith("object-detection")
    find = extraction.find_things if things else extraction.find_labels
    whole = (filling.said.whole,) if kind.name == "zero-shot-object-detection" else ()
    return _texts(*next(filter(None, map(find, texts)), whole))


def _find_sentences(filling: Filling) -> tuple[Arg, ...]:
    seen = filling.seen
    refs = [Ref(task.id, task.kind.makes[0].name) for task in filling.sources]
    if refs:
        beside = seen.find_quotes(filling.said.whole) if len(refs) == 1 else ()
        return (*refs, *_texts(*beside))
    listed = extraction.find_labels(tag(seen.about) if seen.about else seen.tagged)
    for pieces in (seen.quotes, listed):
        if len(pieces) > 1:
            return _texts(*pieces)
    return _texts(seen.find_text(), seen.said)


FINDERS: Mapping[str, Callable[[Filling], tuple[Arg, ...]]] = {
    "question": _find_context,
    "context": _find_context,
    "language": _find_language,
    "source_language": lambda _: (),
    "labels": _find_labels,
    "sentences": _find_sentences,
}
"""Arguments that are found in the words in a way of their own."""
