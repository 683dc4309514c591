"""What passes between the program and its workers: a task's arguments, and what came of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adapters.embedded.lexicon import phrases, split_parts, split_sentences, split_words
from pipeline.domain import Blob, ExpertValue, LocalizedText, Text, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused

_MOST_QUESTIONS = 10
"""Questions of one text that are answered."""
_QUESTION_WORDS = frozenset({"figures.ask", "table.which", "table.when"})
"""What "when", "where" and "how much" mean."""

ExpertInput = Mapping[str, tuple[ExpertValue, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerResult:
    """The outputs by slot, notes beside them, and sentences of ours that are the slot "text"."""

    slots: Mapping[str, ExpertValue]
    notes: tuple[LocalizedText, ...] = ()
    sentences: tuple[LocalizedText, ...] = ()
    sources: tuple[LocalizedText, ...] = ()
    """The lines or calculations that the text comes from."""
    extras: tuple[Blob, ...] = ()
    """The further files, where several were made."""


Work = Callable[[ExpertInput, str], WorkerResult]
"""Runs in a worker process: the arguments, and the language of the request ("" if unknown)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question, what it was taken from, and whether it is one."""

    words: str | LocalizedText
    source: LocalizedText | None = None
    is_clear: bool = True


FindAnswer = Callable[[str, Sequence[str]], Finding]
"""Answers a question after earlier ones. Raises ExpertRefused."""


def get_text(args: ExpertInput, slot: str) -> str:
    """A text argument, its pieces joined; "" when it was not given."""
    return "\n".join(get_texts(args, slot)).strip()


def require_text(args: ExpertInput, slot: str) -> str:
    """A text argument that must say something. Raises BadInput."""
    text = get_text(args, slot)
    if not text:
        raise BadInput("embedded-nothing-said", slot=slot)
    return text


def get_texts(args: ExpertInput, slot: str) -> list[str]:
    """A text argument of which there can be many."""
    return [as_text(piece) for piece in args.get(slot, ())]


def get_file(args: ExpertInput, slot: str, *types: Type) -> Blob:
    """The file of an argument. Raises BadInput for none, ExpertRefused for a wrong type."""
    pieces = args.get(slot, ())
    for piece in pieces:
        if isinstance(piece, Blob) and (piece.type in types or not types):
            return piece
    if pieces:
        raise ExpertRefused("embedded-file-type", slot=slot)
    raise BadInput("embedded-no-file", slot=slot)


def get_files(args: ExpertInput, slot: str, *types: Type) -> list[Blob]:
    """The files of an argument that takes several. Raises BadInput, ExpertRefused."""
    get_file(args, slot, *types)
    blobs = [piece for piece in args[slot] if isinstance(piece, Blob)]
    if any(blob.type not in types for blob in blobs):
        raise ExpertRefused("embedded-file-type", slot=slot)
    return blobs


def answer_each(text: str, answer: FindAnswer, before: Sequence[str] = ()) -> WorkerResult:
    """Answers each question of a text, and names those that it did not. Raises ExpertRefused.

    A question without a clear answer is tried in the parts that an "and" joins, as is one with a
    second question word: "what was found and where?". `before`: what was asked earlier, which a
    part or a short question goes on from.
    """
    answers: list[tuple[str, Finding | ExpertRefused]] = []
    for question in split_sentences(text)[:_MOST_QUESTIONS]:
        whole = _try(answer, question, before)
        pieces = split_parts(question)[:_MOST_QUESTIONS]
        parts = [
            (part, _try(answer, part, (*before, *pieces[:at])))
            for at, part in enumerate(pieces)
            if len(pieces) > 1
        ]
        found = [one for _, one in parts if isinstance(one, Finding)]
        clear = {str(one.words) for one in found if one.is_clear}
        if any(map(_begins_question, pieces[1:])):
            in_parts = bool(found)
        elif isinstance(whole, Finding) and whole.is_clear:
            in_parts = len(clear) == len(parts) > 0
        else:
            in_parts = bool(clear)
        answers += parts if in_parts else [(question, whole)]
        before = (*before, question)
    findings = [finding for _, finding in answers if isinstance(finding, Finding)]
    if not findings:
        refusals = (error for _, error in answers if isinstance(error, ExpertRefused))
        raise next(refusals, ExpertRefused("embedded-no-answer"))
    if len(answers) > 1:
        return WorkerResult(slots={}, sentences=tuple(_format_part(*part) for part in answers))
    words, sources = findings[0].words, tuple(filter(None, (findings[0].source,)))
    if isinstance(words, LocalizedText):
        return WorkerResult(slots={}, sentences=(words,), sources=sources)
    return WorkerResult(slots={"text": Text(words)}, sources=sources)


def _begins_question(part: str) -> bool:
    first = phrases("figures", "table").find(split_words(part))[0]
    return first.concept in _QUESTION_WORDS


def _try(answer: FindAnswer, question: str, before: Sequence[str]) -> Finding | ExpertRefused:
    try:
        return answer(question, before)
    except ExpertRefused as error:
        return error


def _format_part(question: str, finding: Finding | ExpertRefused) -> LocalizedText:
    """A question with its answer, and what that was taken from; or why there is none."""
    asked = question[:100]
    if isinstance(finding, ExpertRefused):
        why = finding.sentence
        return LocalizedText("embedded-part-refused", {"question": asked, "answer": why})
    answer = finding.words
    if finding.source:
        answer = LocalizedText("respond-source", {"value": answer, "source": finding.source})
    return LocalizedText("embedded-part", {"question": asked, "answer": answer})
