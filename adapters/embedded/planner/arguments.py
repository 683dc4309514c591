"""Turns chosen kinds and links into tasks, or says what a request lacks for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import OWN_WORDS
from adapters.embedded.planner.lexicon import language_in, tag
from adapters.embedded.planner.reading import LONGEST, Reading
from adapters.embedded.planner.references import absent_type, find_files, named_files
from adapters.embedded.planner.view import RequestView
from pipeline.domain import (
    FILE_TYPES,
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
from pipeline.domain.conversions import convertible
from pipeline.domain.plans import Arg
from pipeline.task_kinds import KINDS

_BRIEF, _BRIEFEST = 60, 24
"""Characters up to which words hardly hold the text that they are about."""
_MOST_TASKS = 24
_SOUND_TRACK = "extract the audio as wav"
_COMPARES = "sentence-similarity"
_INSTRUCTED = OWN_WORDS | {"text2text-generation"}
"""Kinds whose text is what the person asks for, rather than what they give."""
_READERS = {
    Type.DOCUMENT: "document-to-text",
    Type.TABLE: "document-to-text",
    Type.AUDIO: "automatic-speech-recognition",
}


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A kind of the plan, the clauses that speak of it, and the step that feeds it (-1: none)."""

    kind: TaskKind
    clauses: tuple[int, ...]
    source: int = -1
    heard: bool = False
    """Whether what it makes is listened to: of a film, the sound."""
    compared: bool = False
    """Whether what it makes of each file is compared."""


@dataclass(frozen=True, slots=True)
class MissingInput:
    """What a request lacks: an argument, or a file that it speaks of."""

    kind: TaskKind
    slot: Slot
    said: str = ""
    id: str = ""
    name: str = ""

    @property
    def message(self) -> LocalizedText:
        """What the person is asked for."""
        lacks = "planner-lacks-file" if self.slot.type in FILE_TYPES else "planner-lacks-text"
        args = {"type": self._type.value, "slot": self.slot.name, "name": self.name}
        return LocalizedText(self.id or lacks, args)

    @property
    def _type(self) -> Type:
        """Of the types that would do the one whose words were said."""
        hints = (kind for kind in self.slot.types if tag(self.said).has(f"hint.{kind.value}"))
        return next(hints, self.slot.type)


@dataclass(frozen=True, slots=True)
class Material:
    """A request with what it quotes and brings along."""

    view: RequestView
    reading: Reading
    quotes: tuple[str, ...]
    paste: str
    """A text beside the line that says what to do with it, or ""."""

    def part(self, clauses: Sequence[int]) -> str:
        """The words of some clauses as written, but for the "and then" they begin with."""
        spans, text = self.reading.clauses, self.reading.text
        if not spans:
            return text.strip()
        wanted = sorted(set(clauses))
        starts = [clause[0].start for clause in spans] + [len(text)]
        pieces = [text[starts[at] : starts[at + 1]] for at in wanted]
        ends = [at + 1 in wanted for at in wanted]
        pieces = [p if on else f"{p.strip(' ,;')} " for p, on in zip(pieces, ends, strict=True)]
        words = "".join(pieces).strip(" ,;")
        tagged = tag(words)
        first = 0
        while match := tagged.at(first, "then", "conjunction"):
            first = match.last
        return words[tagged.spans[first][0] :] if 0 < first < len(tagged.words) else words

    def find_text(self, said: str) -> str:
        """The text that was given with a part of the request, else with all of it."""
        quotes = self.find_quotes(said)
        texts = [quote for quote in quotes if not extraction.is_question(quote)] or [*quotes]
        return " ".join(texts) or self.paste

    def find_quotes(self, said: str) -> tuple[str, ...]:
        """What is quoted in a part of the request; where nothing is, in all of it."""
        quotes = tuple(dict.fromkeys(self.quotes))
        return tuple(quote for quote in quotes if quote in said) or quotes

    @property
    def wish(self) -> str:
        """What a request says besides what it quotes and brings along."""
        text = self.reading.text
        for quote in reversed(self.reading.quotes):
            text = f"{text[: quote.start]} {text[quote.end :]}"
        return text.replace(self.paste, " ") if self.paste else text


def find_material(view: RequestView, reading: Reading) -> Material:
    """What a request holds."""
    marked = (q for q in reading.quotes if reading.text[q.start : q.end].strip() != q.text)
    quotes = tuple(quote.text for quote in marked)
    if len(view.text) > LONGEST and quotes:
        first = min(view.text.find(mark) % (len(view.text) + 1) for mark in extraction.MARKS)
        last = max(view.text.rfind(mark) for mark in extraction.MARKS)
        long = first <= extraction.SHORT and len(view.text) - last <= extraction.SHORT
        quotes = (view.text[first + 1 : last].strip(),) if long else ()
    wish, text = extraction.split_wish(view.text)
    brings = not quotes and (text if wish else len(view.text) > LONGEST and view.text)
    return Material(view, reading, quotes, brings or "")


def fill(steps: Sequence[PlannedStep], material: Material) -> list[Task] | MissingInput:
    """The tasks, each after those it takes from; once for each file where there are several."""
    if missing := _find_absent([step.kind for step in steps], material):
        return missing
    made = _fill_steps(steps, material)
    reader = _reader_for(made, material) if isinstance(made, MissingInput) else ""
    if not isinstance(made, MissingInput) or not reader:
        return made
    shifted = [
        replace(step, source=step.source + 1 if step.source >= 0 else -(step.kind != made.kind))
        for step in steps
    ]
    read = _fill_steps([PlannedStep(KINDS[reader], ()), *shifted], material)
    return made if isinstance(read, MissingInput) else read


def _find_absent(kinds: Sequence[TaskKind], material: Material) -> MissingInput | None:
    """A file that a request speaks of as if it were there."""
    view, text = material.view, material.wish
    new = extraction.unsaid_words(text) and all(kind.name in OWN_WORDS for kind in kinds)
    if not kinds or view.about_answer or new:  # something new may speak of files nobody sees
        return None
    if name := _absent_name(material) if view.awaited or not view.files else "":
        file = Slot("file", (Type.DOCUMENT,))
        return MissingInput(kinds[0], file, id="planner-absent-name", name=name)
    made = {type_ for kind in kinds for slot in kind.makes for type_ in slot.types}
    gone = absent_type(text, {*view.all_types, *(made & FILE_TYPES)})
    if (gone in (Type.DOCUMENT, Type.TABLE) and view.said) or material.find_text(""):
        return None
    if gone:
        return MissingInput(kinds[0], Slot("file", (gone,)), id="planner-absent-type")
    if len(view.all_types) == 1 and tag(text).has("pair"):
        return MissingInput(kinds[0], Slot("file", view.all_types), id="planner-only-one")
    return None


def _absent_name(material: Material) -> str:
    """A name of a file in the request that no file has, and none is to have."""
    files = (*material.view.before, *material.view.files)
    for name in material.reading.names:
        before = tag(material.reading.text[: name.start])
        made = before.before(len(before.words), "target")
        if not made and not named_files(files, name.text):
            return name.text.strip(extraction.MARKS)
    return ""


def _reader_for(missing: MissingInput, material: Material) -> str:
    """The kind that reads the lacking text out of the newest file, where nothing was answered."""
    newest = (*material.view.before, *material.view.files)[-1:]
    if material.view.said or missing.slot.name not in ("text", "context"):
        return ""
    return next((_READERS.get(file.type, "") for file in newest), "")


Args = dict[str, tuple[Arg, ...]]


def _fill_steps(steps: Sequence[PlannedStep], material: Material) -> list[Task] | MissingInput:
    made: list[list[Task]] = []
    count = 0
    for step in steps:
        sources: Sequence[Task | None] = made[step.source] if step.source >= 0 else [None]
        tasks: list[Task] = []
        for source in sources[:1] if step.kind.name == _COMPARES else sources:
            filled = _arguments(step, source, made, material, alone=len(steps) == 1)
            if isinstance(filled, MissingInput):
                return filled
            for args in filled:
                count += 1
                tasks.append(Task(TaskId(count), step.kind, args))
        made.append(tasks)
    return [task for tasks in made for task in tasks][:_MOST_TASKS]


def _arguments(
    step: PlannedStep,
    source: Task | None,
    made: Sequence[Sequence[Task]],
    material: Material,
    *,
    alone: bool,
) -> list[Args] | MissingInput:
    """The arguments of a step, once for each file and question."""
    said = material.view.text if alone else material.part(step.clauses)
    filled: list[Args] = [{}]
    left = source
    for slot in step.kind.takes:
        output = _fitting_output(left.kind, slot) if left and slot.name not in _FINDERS else None
        if left is not None and output is not None:
            told = step.kind.name in _INSTRUCTED and slot.name == "text" and said
            words = (Text(said),) if told else ()
            filled = [{**args, slot.name: (*words, Ref(left.id, output.name))} for args in filled]
            left = None
        elif values := _values(step, slot, said, made, material):
            filled = [{**args, slot.name: value} for args in filled for value in values]
        elif slot.required:
            return MissingInput(step.kind, slot, said)
    return filled


def _values(
    step: PlannedStep, slot: Slot, said: str, made: Sequence[Sequence[Task]], material: Material
) -> list[tuple[Arg, ...]]:
    """What a slot may hold: one for each file or question, or one for all that was said."""
    types = [kind for kind in slot.types if kind in FILE_TYPES]
    if types and (files := _file_values(step, types, said, made, material)):
        return files
    if Type.TEXT not in slot.types:
        return []
    if slot.name == "question":
        return [(Text(question),) for question in _questions(step, said, material)]
    sources = made[step.source] if step.source >= 0 else ()
    if slot.name == "sentences" and sources and (len(sources) > 1 or material.quotes):
        quotes = material.find_quotes(said) if len(sources) == 1 else ()
        refs = (Ref(task.id, task.kind.makes[0].name) for task in sources)
        return [(*refs, *map(Text, quotes))]
    if slot.name == "language" and sources and step.kind.name == "text-to-speech":
        translated, code = sources[0].args.get("language"), language_in(said)
        if sources[0].kind.name == "translation" or not code:
            return [translated] if translated else []
    texts = _FINDERS.get(slot.name, _find_text)(step, said, material)
    return [tuple(map(Text, texts))] if texts else []


def _file_values(
    step: PlannedStep,
    types: Sequence[Type],
    said: str,
    made: Sequence[Sequence[Task]],
    material: Material,
) -> list[tuple[Arg, ...]]:
    """Files of these types, else what an earlier step makes, else files that can become one."""
    view = material.view
    words = "" if step.compared else said
    if files := find_files(view.before, view.files, types, words, view.text):
        return [(Media(file.attachment),) for file in files]
    for task in (task for tasks in reversed(made) for task in tasks):
        for output in task.kind.makes:
            if set(output.types) & set(types):
                return [(Ref(task.id, output.name),)]
    turned = [kind for kind in FILE_TYPES if any(convertible(kind, type_) for type_ in types)]
    files = find_files(view.before, view.files, turned, said, view.text)
    return [(Media(file.attachment),) for file in files]


def _fitting_output(source: TaskKind, slot: Slot) -> Slot | None:
    """The output of a kind that a slot takes: of its own type, else one that can become it."""
    own = (out for kind in slot.types for out in source.makes if kind in out.types)
    turned = (o for kind in slot.types for o in source.makes if convertible(o.type, kind))
    return next(own, None) or next(turned, None)


def _find_text(step: PlannedStep, said: str, material: Material) -> tuple[str, ...]:
    view, name = material.view, step.kind.name
    if name == "media-conversion" and step.heard:
        return (_SOUND_TRACK,)
    if name in _INSTRUCTED or any(slot.type in FILE_TYPES for slot in step.kind.takes):
        words = said or view.text
        if _goes_on(step, words, material):
            return (words, view.said)
        rewrites = name == "text2text-generation" and not material.find_text("")
        return () if rewrites and not _holds_text(step, words) else (words,)
    follows = (
        extraction.unwrap(extraction.COLON.split(view.text)[-1])
        if extraction.COLON.search(view.text)
        else ""
    )
    if text := material.find_text(said) or follows or view.said:
        return (text,)
    return (view.text,) if _holds_text(step, view.text) else ()


def _holds_text(step: PlannedStep, text: str) -> bool:
    """Whether a request that marks no text as what it is about holds any, beside the wish."""
    labels = extraction.find_labels(text) if step.kind.name == "zero-shot-classification" else ()
    known = {word for label in labels for word in tag(label).words}
    return bool(set(extraction.unsaid_words(text)) - known)


def _goes_on(step: PlannedStep, words: str, material: Material) -> bool:
    """Whether words ask for something with the last answer, not with a text among them."""
    view, name = material.view, step.kind.name
    if name not in _INSTRUCTED or step.source >= 0 or not view.said or material.find_text(""):
        return False
    if view.about_answer:
        return True
    tagged = tag(words)
    ends = [match.last for match in tagged.find("pointer")]
    shown = name in ("text-to-image", "text-to-video")
    going = ("joint", "please", "idle", "in", "as")  # words that a pointer may stand before
    points = [at for at in ends if not shown or at == len(tagged.words) or tagged.at(at, *going)]
    brief = len(words) <= _BRIEFEST and name == "text2text-generation"
    return len(words) <= _BRIEF and not extraction.split_wish(words)[1] and bool(points or brief)


def _questions(step: PlannedStep, said: str, material: Material) -> tuple[str, ...]:
    quoted = tuple(quote for quote in material.quotes if extraction.is_question(quote))
    if quoted:
        return quoted[:1]
    if step.kind.name == "question-answering":
        text = material.view.text
        for quote in material.quotes:
            text = text.replace(quote, "\n")
        return extraction.find_questions(
            text.replace(material.paste, "") if material.paste else text
        )
    return extraction.find_questions(said or material.view.text)


def _find_context(_step: PlannedStep, _said: str, material: Material) -> tuple[str, ...]:
    text = material.view.text
    whole = text if len(extraction.SENTENCE.findall(text[:LONGEST])) > 1 else ""
    given = material.find_text("") or material.view.said or whole
    return (given,) if given else ()


def _find_language(step: PlannedStep, said: str, material: Material) -> tuple[str, ...]:
    code = language_in(said) or language_in(material.view.text)
    return (code,) if code and step.kind.name in ("translation", "text-to-speech") else ()


def _labels(step: PlannedStep, said: str, material: Material) -> tuple[str, ...]:
    text = material.view.text
    if step.kind.name.endswith("object-detection"):
        slot = step.kind.argument("labels")
        whole = (said,) if slot and slot.required and said else ()
        return extraction.find_things(said) or extraction.find_things(text) or whole
    for quote in material.quotes if step.kind.name == "zero-shot-classification" else ():
        text = text.replace(quote, "")
    return (
        extraction.find_labels(said)
        or extraction.find_labels(text)
        or extraction.find_labels(material.view.text)
    )


def _sentences(_step: PlannedStep, _said: str, material: Material) -> tuple[str, ...]:
    several = material.find_quotes("")
    pieces = several if len(several) > 1 else extraction.find_labels(material.view.text)
    one = (material.find_text(""), material.view.said)
    return pieces if len(pieces) > 1 else tuple(text for text in one if text)


def _target(_step: PlannedStep, said: str, material: Material) -> tuple[str, ...]:
    """The words that may name the column: whoever reads the table knows its columns."""
    words = said or material.view.text
    return (words,) if " " in words else ()


_FINDERS: Mapping[str, Callable[[PlannedStep, str, Material], tuple[str, ...]]] = {
    "question": _find_context,
    "context": _find_context,
    "language": _find_language,
    "source_language": lambda _step, _said, _material: (),
    "labels": _labels,
    "sentences": _sentences,
    "target": _target,
}
"""Arguments that are found in the words in a way of their own."""
