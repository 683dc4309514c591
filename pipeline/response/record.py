"""What the record of a run holds that an answer may say: words, numbers, labels, names."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.conversions import as_text
from pipeline.domain import (
    FILE_TYPES,
    Arg,
    Attachment,
    Boxes,
    Done,
    Failed,
    Labels,
    Masks,
    Media,
    Number,
    Outcome,
    Outcomes,
    Plan,
    Request,
    Stopped,
    Text,
    Type,
    Value,
)
from pipeline.response.edits import MARK
from pipeline.response.numbers import shares_in, values
from pipeline.response.spelled import counted_in
from pipeline.response.tallies import counted, labels_of, measured, models_of, ranked, scores
from pipeline.response.units import Sized, sized
from pipeline.response.vocabulary import normal
from pipeline.words import say, title

READING = frozenset(
    {
        "optical-character-recognition",
        "document-question-answering",
        "document-to-text",
        "automatic-speech-recognition",
        "table-question-answering",
    }
)
"""What people wrote or said, in whatever language; other experts speak English."""
_TELLING = 4
"""Letters of a word that says what something is about."""
_MARKED = re.compile(rf"\S*{re.escape(MARK)}")


@dataclass(frozen=True, slots=True)
class Record:
    """What a run knows. `words` is all that was said in it, normalised; labels are in small letters."""

    asked: str
    told: tuple[str, ...]
    """People's and experts' own words."""
    texts: tuple[str, ...]
    words: str
    names: frozenset[str]
    """Files, models and kinds of tasks, as they are called."""
    numbers: frozenset[float]
    percents: frozenset[float]
    """Numbers that are shares of a hundred."""
    stated: frozenset[float]
    """Numbers in what was told and said before."""
    sized: frozenset[Sized]
    """Numbers with their units."""
    measured: frozenset[float]
    """Numbers that may be rounded."""
    scores: frozenset[float]
    counts: Mapping[str, frozenset[int]]
    shares: Mapping[str, frozenset[float]]
    labelled: bool
    """Whether an expert gave labels."""
    ranked: tuple[tuple[str, ...], ...]
    """The labels that experts chose between, the first one first."""
    pictured: bool
    """Whether experts looked at pictures or films, and nothing was read or heard besides."""
    felt: bool
    """Whether an expert listened for moods."""
    done: int
    """How many tasks were done."""
    made: Counter[Type]
    """How many files of each type the run made."""
    unmade: frozenset[str]
    """What was to be in files that were not made, in words."""

    def says(self, words: str) -> bool:
        """Whether these words stand somewhere in it."""
        wanted = normal(words)
        return bool(wanted) and f" {wanted} " in self.words

    def holds(self, exactly: str) -> bool:
        """Whether a text of it holds this, letter by letter."""
        wanted = exactly.casefold()
        return any(wanted in text.casefold() for text in self.texts)


def record(request: Request, plan: Plan, outcomes: Outcomes) -> Record:
    """The record of a run."""
    done = [outcome for outcome in outcomes.values() if isinstance(outcome, Done)]
    found = [value for outcome in done for value in outcome.output.slots.values()]
    names = frozenset(_names(request, plan, outcomes))
    told = (request.text, *(value.text for value in found if isinstance(value, Text)))
    thread = tuple(_in_thread(request))
    said = [
        request.text,
        *thread,
        *_said(request, plan, outcomes),
        *map(_words, found),
    ]
    texts = tuple(dict.fromkeys([*said, *names]))
    counts, shares = labels_of(found)
    return Record(
        request.text,
        told,
        texts,
        f" {' | '.join(map(normal, texts))} ",
        names,
        values(said) | counted_in(said) | frozenset(counted(request, plan, outcomes, found)),
        shares_in(said),
        values((*told, *thread)),
        frozenset(sized(said)),
        frozenset(measured(done, found)),
        frozenset(scores(found)),
        counts,
        shares,
        labelled=any(isinstance(value, Labels | Boxes | Masks) for value in found),
        ranked=tuple(ranked(found)),
        pictured=_pictured(plan, outcomes),
        felt=any(task.kind.name == "audio-classification" for task in plan.tasks),
        done=len(done),
        made=Counter(file.type for file in made_files(done)),
        unmade=frozenset(_unmade(plan, outcomes)),
    )


def attachments(request: Request, outcomes: Outcomes) -> Iterator[Attachment]:
    """Every file of a run and its thread."""
    for file in (*request.context.files, *request.files):
        yield file.attachment
    yield from made_files(outcomes.values())


def made_files(outcomes: Iterable[Outcome]) -> Iterator[Attachment]:
    """Every file that tasks made."""
    for outcome in outcomes:
        if isinstance(outcome, Done):
            yield from outcome.extras
            for value in outcome.output.slots.values():
                if isinstance(value, Media):
                    yield value.attachment


def _names(request: Request, plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    for file in (*request.context.files, *request.files):
        yield file.name
    for attachment in attachments(request, outcomes):
        yield attachment.name
    for unused in request.unused:
        yield unused.name
    for task in plan.tasks:
        yield from (task.kind.name, title("en", task.kind.name))
        yield title(request.person.locale, task.kind.name)
    for outcome in outcomes.values():
        yield from models_of(outcome)


def _said(request: Request, plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    locale = request.person.locale
    for attachment in attachments(request, outcomes):
        yield attachment.description
    for task in plan.tasks:
        yield from (_argument(arg) for args in task.args.values() for arg in args)
    for outcome in outcomes.values():
        match outcome:
            case Done():
                yield outcome.output.note
            case Failed(reason) | Stopped(reason):
                yield from (say("en", reason), say(locale, reason))
            case _:
                pass
    for unused in request.unused:
        yield say(locale, unused.reason)


def _in_thread(request: Request) -> Iterator[str]:
    """What was said before, but for what was marked in it."""
    for text in (request.context.summary, *(turn.text for turn in request.context.turns)):
        yield _MARKED.sub(" ", text)


def _unmade(plan: Plan, outcomes: Outcomes) -> Iterator[str]:
    done: set[str] = set()
    missing: set[str] = set()
    for task in plan.tasks:
        files = any(out.type in FILE_TYPES for out in task.kind.makes)
        said = normal(" ".join(_argument(arg) for args in task.args.values() for arg in args))
        words = done if isinstance(outcomes.get(task.id), Done) else missing
        words.update(said.split() if files else ())
    yield from (word for word in missing - done if len(word) >= _TELLING)


def _argument(arg: Arg) -> str:
    match arg:
        case Text(text):
            return text
        case Number(value):
            return f"{value:g}"
        case _:
            return ""


def _words(value: Value) -> str:
    match value:
        case Labels(items):
            return ", ".join(item.label for item in items)
        case Media():
            return ""
        case _:
            return as_text(value)


def _pictured(plan: Plan, outcomes: Outcomes) -> bool:
    kinds = [task.kind for task in plan.tasks if isinstance(outcomes.get(task.id), Done)]
    taken = [{type_ for slot in kind.takes for type_ in slot.types} for kind in kinds]
    told = [any(out.type not in FILE_TYPES for out in kind.makes) for kind in kinds]
    seen = [bool(types & {Type.IMAGE, Type.VIDEO}) for types in taken]
    return any(a and b for a, b in zip(seen, told, strict=True)) and not any(
        kind.name in READING or (said and not looked)
        for kind, looked, said in zip(kinds, seen, told, strict=True)
    )
