"""Questions on a document or a text: answered with what stands there, and the line it stands in."""

from collections.abc import Callable

from adapters.embedded.experts.answering import Answer, from_lines, from_sentences
from adapters.embedded.experts.documents import Document, of
from adapters.embedded.experts.finding import Args, Finding, some_words
from adapters.embedded.experts.reading import read_how
from adapters.embedded.experts.summing import shortened
from adapters.embedded.experts.tokens import tokens
from pipeline.domain import Sentence, Text, no_surer
from pipeline.errors import BadInput, ExpertRefused

_LONG = 300


def ask_document(args: Args, _language: str) -> Finding:
    return _answered(args, "document", from_lines, "document-question-answering")


def ask_text(args: Args, _language: str) -> Finding:
    return _answered(args, "context", from_sentences, "question-answering")


def _answered(
    args: Args, slot: str, search: Callable[[str, str], Answer | None], kind: str
) -> Finding:
    question = some_words(args, "question")
    documents = [of(piece) for piece in args.get(slot, ())]
    text = "\n".join(document.text for document in documents)
    if not text.strip():
        raise BadInput("embedded-no-file", slot=slot)
    notes = tuple(note for document in documents for note in document.notes)
    if not tokens(question):
        return _gist(Document(text, notes))
    answer = search(question, text)
    if answer is None:
        raise ExpertRefused("embedded-no-answer")
    quoted = Sentence("embedded-answer-from", {"line": " ".join(answer.line.split())[:_LONG]})
    worst = min((document.read for document in documents), default=1.0)
    score = no_surer(round(answer.score, 2), kind, read_how(worst))
    return Finding({"text": Text(answer.text, score)}, (quoted, *notes))


def _gist(document: Document) -> Finding:
    """A question with no telling word ("what does it say?") is answered with the most telling sentences."""
    gist = Sentence("embedded-gist")
    return Finding({"text": Text(shortened(document.text, 3))}, (gist, *document.notes))
