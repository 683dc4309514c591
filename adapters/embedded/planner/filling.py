"""Turns chosen kinds and links into tasks with typed arguments."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.embedded.planner import materials
from adapters.embedded.planner.called import File
from adapters.embedded.planner.finding import files_for
from adapters.embedded.planner.lacking import Lacking, holds_text, not_there, tells_and_asks
from adapters.embedded.planner.materials import Material
from adapters.embedded.planner.words import POINTS, language_in, says
from pipeline.conversions import convertible
from pipeline.domain import (
    FILE_TYPES,
    Media,
    Ref,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Text,
    Type,
)
from pipeline.domain.plans import Arg
from pipeline.table import KINDS

_MOST = 24
_BRIEF, _BRIEFEST = 60, 24
"""Characters up to which words hardly hold the text that they are about: with a word for it, and without."""
_SOUND = "extract the audio as wav"
"""The instruction for the sound track of a film, which nobody says."""
COMPARES = "sentence-similarity"
_TOLD = frozenset(
    {"text-generation", "conversational", "text-to-image", "text-to-video", "text2text-generation"}
)
"""Kinds whose text is what the person asks for, rather than what they give."""
_READERS = {
    Type.DOCUMENT: "document-to-text",
    Type.TABLE: "document-to-text",
    Type.AUDIO: "automatic-speech-recognition",
}
_SHOWN = frozenset({"text-to-image", "text-to-video"})
_POINTS_AT_END = re.compile(
    r"\b(?:it|this|that|das|es|dies|dazu|daraus|davon|dafür|ça|cela|ceci|eso|esto|isso|isto|questo|dit|dat|это|этого)"
    r"(?=\s*(?:$|[.,;:!?]|(?:but|and|in|as|for|with|please|aber|und|als|im|mit|bitte|mais|et|en|pero|y|como|avec|con)\b))"
    r"|(?:ilústralo|dibújalo|illustre-l[ea]|dessine-l[ea]|illustralo|disegnalo)\b|(?:给|为|把)?(?:它|这个|那个|这段|这首诗)|(?:これ|それ)[をにの]",
    re.IGNORECASE,
)
"""A word for what was spoken of that stands by itself, not before the thing it belongs to."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A kind of the plan, the clauses that speak of it, and the place of the one that feeds it (-1: none)."""

    kind: TaskKind
    clauses: tuple[int, ...]
    source: int = -1
    heard: bool = False
    """Whether what it makes is listened to: of a film, the sound."""
    compared: bool = False
    """Whether what it makes of each file is compared."""
    alone: bool = False


def fill(wanted: Sequence[Wanted], found: Material) -> list[Task] | Lacking:
    """The tasks, in an order in which each comes after those it takes from; once for each file where there are several."""
    if gone := not_there([step.kind for step in wanted], found):
        return gone
    made = _filled(wanted, found)
    reader = _reader(made, found) if isinstance(made, Lacking) else ""
    if not isinstance(made, Lacking) or not reader:
        return made
    shifted = [
        replace(step, source=step.source + 1 if step.source >= 0 else -(step.kind != made.kind))
        for step in wanted
    ]
    read = _filled([Wanted(KINDS[reader], ()), *shifted], found)
    return made if isinstance(read, Lacking) else read


def _reader(lacking: Lacking, found: Material) -> str:
    """The kind that makes the text that is lacking out of the thread's newest file, where nothing was answered yet."""
    newest = (*found.view.before, *found.view.files)[-1:]
    if found.view.said or lacking.asks != "lacks" or lacking.slot.name not in ("text", "context"):
        return ""
    return next((_READERS.get(file.type, "") for file in newest), "")


def _filled(wanted: Sequence[Wanted], found: Material) -> list[Task] | Lacking:
    made: list[list[Task]] = []
    count = 0
    for step in wanted:
        sources = made[step.source] if step.source >= 0 else [None]
        if step.kind.name == COMPARES:
            sources = sources[:1]
        tasks: list[Task] = []
        for source in sources:
            for args in _arguments(step, source, made, found, len(wanted)):
                if isinstance(args, Lacking):
                    return args
                count += 1
                tasks.append(Task(TaskId(count), step.kind, args))
        made.append(tasks)
    return [task for tasks in made for task in tasks][:_MOST]


Args = dict[str, tuple[Arg, ...]]


def _arguments(
    step: Wanted, source: Task | None, made: list[list[Task]], found: Material, steps: int
) -> list[Args | Lacking]:
    """The arguments of a step, once for each file it is to be done with."""
    step = replace(step, alone=steps == 1)
    said = found.view.text if step.alone else found.part(step.clauses)
    filled: list[Args] = [{}]
    left = source
    for slot in step.kind.takes:
        if left is not None and (output := _fitting(left.kind, slot)) and slot.name not in _OWN:
            ref = Ref(left.id, output.name)
            filled = [
                {**args, slot.name: (*_instruction(step, slot, said), ref)} for args in filled
            ]
            left = None
        elif values := _values(step, slot, said, made, found):
            filled = [{**args, slot.name: value} for args in filled for value in values]
        elif slot.required:
            return [Lacking(step.kind, slot, said)]
    return list(filled)


def _values(
    step: Wanted, slot: Slot, said: str, made: list[list[Task]], found: Material
) -> list[tuple[Arg, ...]]:
    """What a slot may hold: one for each file, or one for all that was said."""
    if any(kind in FILE_TYPES for kind in slot.types):
        types = [kind for kind in slot.types if kind in FILE_TYPES]
        if files := _files(found, types, "" if step.compared else said):
            return [(Media(file.attachment),) for file in files]
        if earlier := _earlier(made, slot):
            return [(earlier,)]
        turned = [kind for kind in FILE_TYPES if any(convertible(kind, type_) for type_ in types)]
        if files := _files(found, turned, said):
            return [(Media(file.attachment),) for file in files]
    if Type.TEXT not in slot.types:
        return []
    if (
        step.source >= 0
        and (taken := _taken(step, slot, said, made[step.source], found)) is not None
    ):
        return [taken] if taken else []
    text = _OWN.get(slot.name, _text)(step, said, found)
    return [tuple(Text(piece) for piece in text)] if text else []


def _files(found: Material, types: Sequence[Type], said: str) -> tuple[File, ...]:
    return files_for(found.view.before, found.view.files, types, said, found.view.text)


def _taken(
    step: Wanted, slot: Slot, said: str, sources: Sequence[Task], found: Material
) -> tuple[Arg, ...] | None:
    """What comes from the step before in a way of its own; None if it does not.

    All texts that are compared are compared at once; speech is in the language of its words, not in another that is named.
    """
    if slot.name == "sentences" and (len(sources) > 1 or found.quotes):
        refs = (Ref(task.id, task.kind.makes[0].name) for task in sources)
        quotes = found.quoted(said) if len(sources) == 1 else ()
        return (*refs, *map(Text, quotes))
    if slot.name == "language" and step.kind.name == "text-to-speech":
        if sources[0].kind.name == "translation":
            return sources[0].args.get("language", ())
        code = language_in(said)
        return (Text(code),) if code else ()
    return None


def _earlier(made: list[list[Task]], slot: Slot) -> Ref | None:
    for tasks in reversed(made):
        for task in tasks:
            for output in task.kind.makes:
                if set(output.types) & set(slot.types):
                    return Ref(task.id, output.name)
    return None


def _fitting(source: TaskKind, slot: Slot) -> Slot | None:
    """The output of a kind that a slot takes: of its own type first, else one that can be turned into it."""
    for kind in slot.types:
        for output in source.makes:
            if kind in output.types:
                return output
    for kind in slot.types:
        for output in source.makes:
            if convertible(output.type, kind):
                return output
    return None


def _instruction(step: Wanted, slot: Slot, said: str) -> tuple[Text, ...]:
    """What is asked for stands before the text it is asked of."""
    told = step.kind.name in ("text-generation", "conversational", "text2text-generation")
    return (Text(said),) if told and slot.name == "text" and said else ()


def _text(step: Wanted, said: str, found: Material) -> tuple[str, ...]:
    if step.kind.name == "media-conversion" and step.heard:
        return (_SOUND,)
    if step.kind.name in _TOLD or any(slot.type in FILE_TYPES for slot in step.kind.takes):
        words = said or found.view.text
        if _goes_on(step, words, found):
            return (words, found.view.said)
        rewrites = step.kind.name == "text2text-generation" and not found.given_text
        return () if rewrites and not holds_text(step.kind, words) else (words,)
    follows = materials.after_colon(found.view.text) if step.source < 0 else ""
    if text := found.given(said) or follows or found.view.said:
        return (text,)
    own = materials.own_text(found.view.text)
    return (own,) if holds_text(step.kind, own) else ()


def _goes_on(step: Wanted, words: str, found: Material) -> bool:
    """Whether words ask for something with the last answer, rather than with a text that stands among them."""
    if step.kind.name not in _TOLD or step.source >= 0 or not found.view.said or found.given_text:
        return False
    if found.view.meant:
        return True
    if len(words) > _BRIEF or materials.after_colon(words):
        return False
    if step.kind.name == "text2text-generation":
        return len(words) <= _BRIEFEST or says(words, POINTS)
    if step.kind.name in _SHOWN:
        return bool(_POINTS_AT_END.search(words))
    return step.kind.name == "text-generation" and says(words, POINTS)


def _question(step: Wanted, said: str, found: Material) -> tuple[str, ...]:
    if step.kind.name == "question-answering" and step.alone and not found.question:
        return (materials.asked_of_text(found) or found.view.text,)
    return (found.question or (said if step.alone else materials.asked(said)) or found.view.text,)


def _context(_step: Wanted, _said: str, found: Material) -> tuple[str, ...]:
    if text := found.given_text or found.view.said:
        return (text,)
    return (found.view.text,) if tells_and_asks(found.view.text) else ()


def _language(_step: Wanted, said: str, found: Material) -> tuple[str, ...]:
    code = language_in(said) or language_in(found.view.text)
    return (code,) if code and _step.kind.name in ("translation", "text-to-speech") else ()


def _labels(step: Wanted, said: str, found: Material) -> tuple[str, ...]:
    text = found.view.text
    if step.kind.name.endswith("object-detection"):
        return materials.things(said) or materials.things(text) or _required(step, said)
    for quote in found.quotes if step.kind.name == "zero-shot-classification" else ():
        text = text.replace(quote, "")
    return materials.choices(said) or materials.choices(text) or materials.choices(found.view.text)


def _required(step: Wanted, said: str) -> tuple[str, ...]:
    slot = step.kind.argument("labels")
    return (said,) if slot and slot.required and said else ()


def _sentences(_step: Wanted, _said: str, found: Material) -> tuple[str, ...]:
    if len(quotes := found.quoted("")) > 1:
        return quotes
    pieces = materials.numbered(found.view.text) or materials.choices(found.view.text)
    return pieces if len(pieces) > 1 else tuple(filter(None, (found.given_text, found.view.said)))


def _target(_step: Wanted, said: str, found: Material) -> tuple[str, ...]:
    """The column, or the words that may name it: what the columns are is known to the one who reads the table."""
    name = materials.column(said) or materials.column(found.view.text)
    told = name or said or found.view.text
    return (told,) if name or " " in told else ()


def _nothing(_step: Wanted, _said: str, _found: Material) -> tuple[str, ...]:
    return ()


_OWN: Mapping[str, Callable[[Wanted, str, Material], tuple[str, ...]]] = {
    "question": _question,
    "context": _context,
    "language": _language,
    "source_language": _nothing,
    "labels": _labels,
    "sentences": _sentences,
    "target": _target,
}
"""Slots that are filled out of the words in a way of their own."""
