"""What passes between the program and its workers: a task's arguments, and what came of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adapters.embedded.experts.lexicon import phrases, split_sentences, split_words
from pipeline.domain import Blob, ExpertValue, LocalizedText, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused

ExpertInput = Mapping[str, tuple[ExpertValue, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerResult:
    """The outputs by slot, notes beside them, and sentences of ours that are the slot "text"."""

    slots: Mapping[str, ExpertValue]
    notes: tuple[LocalizedText, ...] = ()
    extras: tuple[Blob, ...] = ()
    sentences: tuple[LocalizedText, ...] = ()
    score: float | None = None
    """The score of the text that the sentences make."""


Work = Callable[[ExpertInput, str], WorkerResult]
"""Runs in a worker process: the arguments, and the language of the request ("" if unknown)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one question, with what it was taken from, and its score."""

    sentence: LocalizedText
    score: float | None = None


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


def answer_each(text: str, answer: Callable[[str], Reply]) -> WorkerResult:
    """Answers each question of a text, and names those that it did not. Raises ExpertRefused.

    A question that is not understood as a whole is tried in the parts that an "and" joins.
    """
    answers: list[tuple[str, Reply | ExpertRefused]] = []
    for question in split_sentences(text)[:_MOST_QUESTIONS]:
        whole = _try(question, answer)
        parts = [(part, _try(part, answer)) for part in _split_parts(question)]
        some = isinstance(whole, ExpertRefused) and any(isinstance(r, Reply) for _, r in parts)
        answers += parts if some else [(question, whole)]
    replies = [reply for _, reply in answers if isinstance(reply, Reply)]
    if not replies:
        refusals = (error for _, error in answers if isinstance(error, ExpertRefused))
        raise next(refusals, ExpertRefused("embedded-no-answer"))
    scores = [reply.score for reply in replies if reply.score is not None]
    score = min(scores) if len(scores) == len(answers) else None
    sentences = [_format_part(part, reply) for part, reply in answers]
    if len(answers) == 1:
        sentences = [replies[0].sentence]
    return WorkerResult(slots={}, sentences=tuple(sentences), score=score)


_MOST_QUESTIONS = 10


def _try(question: str, answer: Callable[[str], Reply]) -> Reply | ExpertRefused:
    try:
        return answer(question)
    except ExpertRefused as error:
        return error


def _split_parts(question: str) -> list[str]:
    """The words of a question between the "and"s; nothing where there is none."""
    words = split_words(question)
    parts: list[list[str]] = [[]]
    for match in phrases("join").find(words):
        if match.concept:
            parts.append([])
        else:
            parts[-1] += words[match.start : match.end]
    texts: Sequence[str] = [" ".join(part) for part in parts if part]
    return list(texts[:_MOST_QUESTIONS]) if len(texts) > 1 else []


def _format_part(question: str, reply: Reply | ExpertRefused) -> LocalizedText:
    answered = isinstance(reply, Reply)
    name = "embedded-part" if answered else "embedded-part-refused"
    return LocalizedText(name, {"question": question[:100], "answer": reply.sentence})
