"""How often the embedded experts are right.

The questions in `expert_blind.json.xz` were written without seeing the code, in six languages, on
documents (every second one in Latin script is a picture) and tables. An answer of "" means that the
question must be refused; " | " joins several answers.
"""

import argparse
import io
import json
import lzma
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from babel.numbers import NumberFormatError, parse_decimal
from PIL import Image, ImageDraw, ImageFont

from adapters.embedded.experts.document_questions import ask_document
from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.tables import ask_table
from adapters.embedded.experts.task_io import WorkerResult
from pipeline.domain import Blob, LocalizedText, Text
from pipeline.errors import ExpertRefused

SAMPLES = Path(__file__).with_name("expert_blind.json.xz")
DEVELOPMENT = SAMPLES.parents[1] / "tests/adapters/embedded/experts/document_questions.toml"
PICTURED = ("en", "de", "es", "fr")


class Sample(NamedTuple):
    """A question about a file and its answers; none if it must be refused."""

    file: Blob | Text
    question: str
    answers: Sequence[str]
    language: str


def document_samples(documents: Sequence[dict[str, object]]) -> Iterator[Sample]:
    for place, document in enumerate(documents):
        lines, language = document["lines"], str(document["language"])
        assert isinstance(lines, list)
        pictured = place % 2 == 1 and language in PICTURED
        text = read_piece(draw(lines)).text if pictured else "\n".join(lines)
        yield from questions_of(document, Text(text))


def development_samples() -> Iterator[Sample]:
    """The document questions that the code was developed with."""
    known = tomllib.loads(DEVELOPMENT.read_text("utf-8"))
    for asked in known["questions"]:
        file = Text(known["documents"][asked["document"]])
        for question, answer in asked["ask"]:
            yield Sample(file, question, [one for one in answer.split(" | ") if one], "en")


def table_samples(tables: Sequence[dict[str, object]]) -> Iterator[Sample]:
    for table in tables:
        file = Blob(str(table["csv"]).encode(), "text/csv", "table.csv")
        yield from questions_of(table, file)


def questions_of(entry: dict[str, object], file: Blob | Text) -> Iterator[Sample]:
    questions = entry["questions"]
    assert isinstance(questions, list)
    for asked in questions:
        answers = [part.strip() for part in asked["answer"].split(" | ") if part.strip()]
        yield Sample(file, asked["question"], answers, str(entry["language"]))


def draw(lines: Sequence[str], size: int = 22) -> Blob:
    """Draw the lines as a page; columns, separated by two spaces, keep their positions."""
    width = max(map(len, lines)) * size * 6 // 10 + 2 * size
    image = Image.new("RGB", (width, size * 2 * (len(lines) + 2)), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    for place, line in enumerate(lines, 1):
        for cell in re.finditer(r"\S+(?: \S+)*", line):
            at = (size + cell.start() * size * 6 // 10, 2 * size * place)
            pen.text(at, cell.group(), fill="black", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return Blob(file.getvalue(), "image/png", "page.png")


def replies_of(result: WorkerResult) -> Iterator[tuple[str, str]]:
    """(how, words) of each reply; how is "value", "quote", "closest" or "refused"."""
    if isinstance(value := result.slots.get("text"), Text):
        yield "value", value.text
    for sentence in result.sentences:
        yield reply_of(sentence)


def reply_of(words: object) -> tuple[str, str]:
    match words:
        case LocalizedText("embedded-part", {"answer": answer}):
            return reply_of(answer)
        case LocalizedText("respond-source", {"value": answer}):
            return reply_of(answer)
        case LocalizedText("embedded-says", {"line": line}):
            return "quote", str(line)
        case LocalizedText("embedded-closest", {"lines": lines}):
            return "closest", str(lines)
        case LocalizedText():
            return "refused", ""
    return "value", str(words)


def judge(result: WorkerResult, sample: Sample) -> str:
    """The verdict: right, wrong, or a quote or lines with or without the answer."""
    replies = list(replies_of(result))
    if "table" in str(getattr(sample.file, "name", "")) and len(replies) == 1:
        whole = replies[0][1]
        texts = [whole] if len(sample.answers) == 1 else whole.split(", ")
        replies = [("value", text) for text in texts]
    for how, words in replies:
        inside = [answer for answer in sample.answers if matches(words, answer, sample.language)]
        if how in ("value", "quote") and not inside:
            return "wrong" if how == "value" else "quoted wrongly"
    ways = {how for how, _ in replies}
    whole = all(any(matches(w, a, sample.language) for _, w in replies) for a in sample.answers)
    if "closest" in ways:
        return f"closest lines {'with' if sample.answers and whole else 'without'} the answer"
    if len(replies) < len(sample.answers) and "quote" not in ways:
        return "wrong"
    return "right" if ways <= {"value", "refused"} else "quoted with the answer"


def matches(reply: str, answer: str, language: str) -> bool:
    """Whether the numbers are equal, or the reply contains the answer and no other number."""
    try:
        number = float(parse_decimal("".join(reply.split()), locale=language))
        return abs(number - float(answer)) < 0.01
    except (NumberFormatError, ValueError):
        reply, answer = normalize(reply), normalize(answer)
    quoted = len(reply) > 2 * len(answer) or not any(map(str.isdigit, answer))
    figures = [re.findall(r"\d+(?:[.,]\d+)*", text) for text in (reply, answer)]
    inside = answer in reply or (bool(figures[1]) and reply in answer)
    return inside and (quoted or figures[0] == figures[1])


def normalize(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in plain if sign.isalnum() or sign in "-@.,/").strip(".,")


def measure(kind: str, samples: Iterator[Sample], *, verbose: bool = False) -> None:
    """Print how many were right, wrong and refused."""
    table = kind.startswith("table")
    slot, work = ("table", ask_table) if table else ("document", ask_document)
    counts: Counter[str] = Counter()
    for sample in samples:
        args = {slot: (sample.file,), "question": (Text(sample.question),)}
        try:
            result = work(args, sample.language)
        except ExpertRefused:
            counts["refused rightly" if not sample.answers else "refused"] += 1
            continue
        verdict = judge(result, sample)
        counts[verdict] += 1
        if "wrong" in verdict or (verbose and verdict != "right"):
            said = [words for _, words in replies_of(result)]
            print(f"{verdict}:", sample.question, "|", said, "|", sample.answers)
    print(f"{kind}: {sum(counts.values())} asked;", *(f"{n} {name}," for name, n in counts.items()))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--dev", action="store_true", help="ask the questions of the development")
    if options.parse_args().dev:
        measure("document-question-answering", development_samples(), verbose=True)
        return
    blind = json.loads(lzma.decompress(SAMPLES.read_bytes()))
    kinds = {
        "document-question-answering": document_samples(blind["documents"]),
        "table-question-answering": table_samples(blind["tables"]),
    }
    for kind, part in kinds.items():
        measure(kind, part)


if __name__ == "__main__":
    main()
