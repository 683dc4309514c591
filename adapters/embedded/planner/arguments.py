"""Turns chosen kinds and links into tasks, or says what a request lacks for them."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.embedded.experts.conversion import parse_instruction
from adapters.embedded.experts.images import find_filters
from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import OWN_WORDS, Decision, FileTypes, decide
from adapters.embedded.planner.reading import LONGEST, Reading
from adapters.embedded.planner.references import (
    find_absent_type,
    find_files,
    find_meant,
    find_named,
)
from adapters.embedded.planner.tagging import language_in, tag
from adapters.embedded.planner.view import RequestView
from pipeline.domain import (
    FILE_TYPES,
    Arg,
    LocalizedText,
    Media,
    Ref,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Text,
    Type,
)
from pipeline.domain.values import WITH_A_TASK, convertible
from pipeline.task_kinds import KINDS

_BRIEF, _BRIEFEST = 60, 24
"""Characters up to which words hardly hold the text that they are about."""
_SOUND_TRACK = "extract the audio as wav"
_JOINS = frozenset({"sentence-similarity", "document-conversion"})
"""Kinds that take all files and results together."""
_ORDERED = frozenset({"document-conversion", "table-conversion", "table-to-chart"})
"""Kinds whose experts read every word of their order, in which names of files are not known."""
_REWRITES = "text2text-generation"
_TABLE_QUESTION, _MOST_BEFORE = "table-question-answering", 3
_READERS: Mapping[str, Callable[[str], object]] = {
    "image-to-image": find_filters,
    "media-conversion": parse_instruction,
}
"""What reads the instruction of a kind: nothing for words that ask for nothing."""
_INSTRUCTED = OWN_WORDS | {_REWRITES}
"""Kinds whose text is what the person asks for, rather than what they give."""

Args = dict[str, tuple[Arg, ...]]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A kind of the plan, the clauses that speak of it, and the step that feeds it (-1: none)."""

    kind: TaskKind
    clauses: tuple[int, ...] = ()
    source: int = -1
    feeds: tuple[TaskKind, ...] = ()

    @property
    def is_instructed(self) -> bool:
        return self.kind.name in _INSTRUCTED


@dataclass(frozen=True, slots=True)
class Material:
    """A request with its words as the model read them."""

    view: RequestView
    reading: Reading

    @property
    def quotes(self) -> tuple[str, ...]:
        """What it quotes; nothing of a long one, of which only both ends were read."""
        found = self.reading.quotes if len(self.view.text) <= LONGEST else ()
        return tuple(dict.fromkeys(quote.text for quote in found))

    def part(self, clauses: Sequence[int]) -> str:
        """The words of some clauses as written, but for the "and then" they begin with."""
        starts = [clause[0].start for clause in self.reading.clauses] + [len(self.reading.text)]
        if not clauses or len(starts) == 1:
            return self.reading.text.strip()
        words = self.reading.text[starts[min(clauses)] : starts[max(clauses) + 1]].strip(" ,;")
        tagged = tag(words)
        first = tagged.skip(0, "then", "conjunction")
        return words[tagged.spans[first][0] :] if 0 < first < len(tagged.words) else words

    def find_quotes(self, said: str = "") -> tuple[str, ...]:
        """What is quoted in a part of the request; where nothing is, in all of it."""
        return tuple(quote for quote in self.quotes if quote in said) or self.quotes

    def find_text(self, said: str = "") -> str:
        """The text that was given with a part of the request, else with all of it."""
        quotes = self.find_quotes(said)
        texts = [quote for quote in quotes if not extraction.is_question(quote)] or quotes
        return " ".join(texts) or self.view.about

    def strip_names(self, said: str) -> str:
        """Words without the names of files."""
        for name in self.view.names:
            said = re.sub(re.escape(name), " ", said, flags=re.IGNORECASE)
        return said

    @property
    def unquoted(self) -> str:
        """The request without what it quotes."""
        text = self.view.text
        for quote in self.quotes:
            text = text.replace(quote, "\n")
        return text


def steps_of(decision: Decision) -> list[PlannedStep]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    kinds = [KINDS[kind] for kind in decision.kinds]
    source = {target: source for source, target in reversed(decision.links)}
    left, order = list(range(len(kinds))), list[int]()
    while left:
        waiting = {target for source, target in decision.links if source in left}
        order.append(next(at for at in left if at not in waiting))
        left.remove(order[-1])
    return [
        PlannedStep(
            kinds[at],
            decision.clauses[at],
            order.index(source[at]) if at in source else -1,
            tuple(kinds[to] for made, to in decision.links if made == at),
        )
        for at in order
    ]


def fill(steps: Sequence[PlannedStep], material: Material) -> list[Task] | LocalizedText:
    """The tasks, each after those it takes from; else what to ask the person for.

    A task stands once for each file where there are several.
    """
    if missing := _find_absent(steps, material):
        return missing
    made = _fill_steps(steps, material)
    newest = (*material.view.before, *material.view.files)[-1:]
    if not isinstance(made, LocalizedText) or not newest or material.view.said:
        return made
    reader = WITH_A_TASK.get((newest[0].type, Type.TEXT))
    if made.args["slot"] not in ("text", "context") or not reader:
        return made
    first = [replace(step, source=max(step.source + 1, 0)) for step in steps]
    read = _fill_steps([PlannedStep(KINDS[reader]), *first], material)
    return made if isinstance(read, LocalizedText) else read


def _ask(slot: Slot, said: str) -> LocalizedText:
    """What the person is asked for: of the types that would do the one whose words were said."""
    hints = (kind for kind in slot.types if tag(said).has(f"hint.{kind.value}"))
    lacks = "planner-lacks-file" if slot.type in FILE_TYPES else "planner-lacks-text"
    return LocalizedText(lacks, {"type": next(hints, slot.type).value, "slot": slot.name})


def _find_absent(steps: Sequence[PlannedStep], material: Material) -> LocalizedText | None:
    """What to say to a request that speaks of a file which is not there."""
    view, text = material.view, material.unquoted
    new = extraction.unsaid_words(text) and all(step.kind.name in OWN_WORDS for step in steps)
    if not steps or material.view.about or new:  # something new may speak of files nobody sees
        return None
    for name in material.reading.names if not view.files else ():
        before = tag(material.reading.text[: name.start])
        is_target = before.before(len(before.words), "target")
        if not is_target and not find_named(view.before, name.text):
            own = name.text.strip(extraction.MARKS)
            return LocalizedText("planner-absent-name", {"name": own})
    made = {slot.type for step in steps for slot in step.kind.makes}
    gone = find_absent_type(tag(text), {*view.all_types, *(made & FILE_TYPES)})
    if not gone or material.quotes or (gone in (Type.DOCUMENT, Type.TABLE) and view.said):
        return None
    return LocalizedText("planner-lacks-file", {"type": gone.value})


def _fill_steps(steps: Sequence[PlannedStep], material: Material) -> list[Task] | LocalizedText:
    made: list[list[Task]] = []
    tasks: list[Task] = []
    for step in steps:
        said = material.part(step.clauses) if len(steps) > 1 else ""
        sources: Sequence[Task | None] = made[step.source] if step.source >= 0 else [None]
        if said and _names_others(said, step.kind, sources, material.view):
            sources = [None]
        made.append([])
        split = [] if step.source >= 0 else _split_by_files(step, material)
        wishes = split or [said or material.view.text]
        pairs = [(wish, source) for wish in wishes for source in sources]
        for wish, source in pairs[:1] if step.kind.name in _JOINS else pairs:
            filled = _arguments(_Filling(step, wish, made, material, bool(split)), source)
            if isinstance(filled, LocalizedText):
                return filled
            for args in filled:
                tasks.append(Task(TaskId(len(tasks) + 1), step.kind, args))
                made[-1].append(tasks[-1])
    return tasks


def _names_others(
    said: str, kind: TaskKind, sources: Sequence[Task | None], view: RequestView
) -> bool:
    """Whether a step's own words name files other than those that the step before works on."""
    used = {file.attachment for task in sources if task for file in task.files}
    types = {type_ for slot in kind.takes for type_ in slot.types}
    files = [file for file in (*view.before, *view.files) if file.type in types]
    return bool(used) and any(
        f.attachment not in used for f in find_meant(files, said, view.files) or ()
    )


def _split_by_files(step: PlannedStep, material: Material) -> list[str]:
    """The words for each file, where each has a wish of its own: "sketch image 1, grey image 2"."""
    understand, view = _READERS.get(step.kind.name), material.view
    files, groups, meant = (*view.before, *view.files), list[list[int]](), list[str]()
    for clause in step.clauses if understand else ():
        found = find_meant(files, material.part((clause,)), view.files, bare=True)
        if found or not groups:
            groups.append([])
            meant += [file.name for file in found or ()]
        groups[-1].append(clause)
    wishes = [material.part(group) for group in groups]
    clear = understand and all(understand(material.strip_names(wish)) for wish in wishes)
    return wishes if clear and len(wishes) == len(meant) == len({*meant}) else []


@dataclass(frozen=True, slots=True)
class _Filling:
    """A step to be filled, with the words that speak of it and the tasks of the steps before."""

    step: PlannedStep
    said: str
    made: Sequence[Sequence[Task]]
    material: Material
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


def _arguments(filling: _Filling, source: Task | None) -> list[Args] | LocalizedText:
    """The arguments of a step, once for each file and question."""
    filled: list[Args] = [{}]
    for slot in filling.step.kind.takes:
        taken = source and slot.name not in _FINDERS and filling.step.kind.name not in _JOINS
        output = _fitting_output(source.kind, slot) if source and taken else None
        if source and output:
            told = filling.step.is_instructed and slot.name == "text"
            words = _texts(filling.said) if told else ()
            values: list[tuple[Arg, ...]] = [(*words, Ref(source.id, output.name))]
            source = None
        else:
            values = _values(filling, slot)
        if not values and slot.required:
            return _ask(slot, filling.said)
        filled = [{**args, slot.name: value} for args in filled for value in values] or filled
    return filled


def _fitting_output(source: TaskKind, slot: Slot) -> Slot | None:
    """The output of a kind that a slot takes: of its own type, else one that can become it."""
    pairs = [(out, kind) for kind in slot.types for out in source.makes]
    own = (out for out, kind in pairs if kind in out.types)
    return next(own, None) or next((o for o, kind in pairs if convertible(o.type, kind)), None)


def _values(filling: _Filling, slot: Slot) -> list[tuple[Arg, ...]]:
    """What a slot may hold: one for each file or question, or one for all that was said."""
    types = [kind for kind in slot.types if kind in FILE_TYPES]
    if types and slot.many and filling.step.kind.name in _JOINS:
        refs: list[tuple[Arg, ...]]
        refs = [(Ref(task.id, task.kind.makes[0].name),) for task in filling.sources]
        together = [one for each in refs or _files(filling, types) for one in each]
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
        return [(*before, Text(question)) for question in _questions(filling)]
    values = _FINDERS.get(slot.name, _find_text)(filling)
    return [values] if len(values) >= (2 if slot.name == "sentences" else 1) else []


def _texts(*texts: str) -> tuple[Arg, ...]:
    return tuple(Text(text) for text in texts if text)


def _files(filling: _Filling, types: Sequence[Type]) -> list[tuple[Arg, ...]]:
    """Files of these types, else what an earlier step makes, else files that can become one."""
    view = filling.material.view
    said = filling.said
    files = find_files(view.before, view.files, types, said, view.text, bare=filling.each)
    if not files and (made := filling.find_made(types)):
        return [made]
    turned = [kind for kind in FILE_TYPES if any(convertible(kind, type_) for type_ in types)]
    files = files or find_files(view.before, view.files, turned, said, view.text)
    return [(Media(file.attachment),) for file in files]


def _find_text(filling: _Filling) -> tuple[Arg, ...]:
    view, material, kind = filling.material.view, filling.material, filling.step.kind
    said = filling.said
    if filling.step.is_instructed:
        about = view.about or (view.said if _goes_on(filling) else "")
        holds = about or material.quotes or kind.name != _REWRITES or _holds_text(kind, said)
        return _texts(said, "" if about in said else about) if holds else ()
    if any(slot.type in FILE_TYPES for slot in kind.takes):
        return _texts((kind.name in _ORDERED and material.strip_names(said).strip()) or said)
    text = material.find_text(said) or extraction.find_after_colon(said)
    if not text and not view.said and (made := filling.find_made([Type.TEXT])):
        return made
    has_own = not _brings_text(view) and _holds_text(kind, view.text)
    return _texts(text or view.said or (view.text if has_own else ""))


def _brings_text(view: RequestView) -> bool:
    """Whether the newest file of the message is one that holds a text."""
    return any(file.type in (Type.DOCUMENT, Type.TABLE) for file in view.files[-1:])


def _holds_text(kind: TaskKind, text: str) -> bool:
    """Whether a request that marks no text as what it is about holds any, beside the wish."""
    labels = extraction.find_labels(text) if kind.name == "zero-shot-classification" else ()
    known = {word for label in labels for word in tag(label).words}
    return bool(set(extraction.unsaid_words(text)) - known)


def _goes_on(filling: _Filling) -> bool:
    """Whether words ask for something with the last answer, not with a text among them."""
    kind, words = filling.step.kind.name, filling.said
    if filling.step.source >= 0 or filling.material.quotes or len(words) > _BRIEF:
        return False
    tagged = tag(words)
    ends = [match.last for match in tagged.find("pointer")]
    going = ("joint", "please", "idle", "in", "as")  # words that a pointer may stand before
    if kind in ("text-to-image", "text-to-video"):
        ends = [at for at in ends if at == len(tagged.words) or tagged.at(at, *going)]
    return bool(ends) or (len(words) <= _BRIEFEST and kind == _REWRITES)


def _questions(filling: _Filling) -> tuple[str, ...]:
    quoted = [quote for quote in filling.material.quotes if extraction.is_question(quote)]
    return tuple(quoted[:1]) or extraction.find_questions(filling.said)


def _questions_before(filling: _Filling) -> tuple[Arg, ...]:
    """What was asked about the table before, which a short question goes on from."""
    view, kind = filling.material.view, filling.step.kind.name
    if kind != _TABLE_QUESTION or view.files:
        return ()
    asked = [answer.asked for answer in reversed(view.answers[:_MOST_BEFORE])]
    table = FileTypes(before=(Type.TABLE,))
    return _texts(*(f"{text}\n\n" for text in asked if kind in decide(text, table).kinds))


def _find_context(filling: _Filling) -> tuple[Arg, ...]:
    text = filling.material.view.text
    whole = text if len(extraction.SENTENCE.findall(text[:LONGEST])) > 1 else ""
    return _texts(filling.material.find_text() or filling.material.view.said or whole)


def _find_language(filling: _Filling) -> tuple[Arg, ...]:
    """The language that is named; for speech, that of the words which a translation makes."""
    kind = filling.step.kind.name
    if kind == "text-to-speech" and filling.sources:
        return filling.sources[0].args.get("language", ())
    named = language_in(filling.said) or language_in(filling.material.view.text)
    return _texts(named) if kind in ("translation", "text-to-speech") else ()


def _find_labels(filling: _Filling) -> tuple[Arg, ...]:
    kind, material = filling.step.kind, filling.material
    things = kind.name.endswith("object-detection")
    find = extraction.find_things if things else extraction.find_labels
    texts = (filling.said, material.unquoted, material.view.text)
    whole = (filling.said,) if kind.name == "zero-shot-object-detection" else ()
    return _texts(*next(filter(None, map(find, texts)), whole))


def _find_sentences(filling: _Filling) -> tuple[Arg, ...]:
    material = filling.material
    refs = [Ref(task.id, task.kind.makes[0].name) for task in filling.sources]
    if refs:
        return (*refs, *_texts(*(material.find_quotes(filling.said) if len(refs) == 1 else ())))
    listed = extraction.find_labels(material.view.about or material.view.text)
    for pieces in (material.quotes, listed):
        if len(pieces) > 1:
            return _texts(*pieces)
    return _texts(material.find_text(), material.view.said)


_FINDERS: Mapping[str, Callable[[_Filling], tuple[Arg, ...]]] = {
    "question": _find_context,
    "context": _find_context,
    "language": _find_language,
    "source_language": lambda _: (),
    "labels": _find_labels,
    "sentences": _find_sentences,
}
"""Arguments that are found in the words in a way of their own."""
