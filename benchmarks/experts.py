"""How often the embedded experts are right.

The questions in `expert_blind.json.xz` were written without a look at the code: documents (every
second one in Latin script is read from a picture) and tables, in six languages. An answer of ""
must be refused; " | " joins several.
"""

import io
import json
import lzma
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from babel.numbers import NumberFormatError, parse_decimal
from PIL import Image, ImageDraw, ImageFont

from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.questions import ask_document
from adapters.embedded.experts.tables import ask_table
from adapters.embedded.experts.task_io import WorkerResult
from pipeline.domain import Blob, LocalizedText, Text
from pipeline.errors import ExpertRefused

SAMPLES = Path(__file__).with_name("expert_blind.json.xz")
PICTURED = ("en", "de", "es", "fr")


class Sample(NamedTuple):
    """A question on a file, and its true answers (none: it must be refused)."""

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
    """The lines as a page; columns (set apart by two blanks) stand at their places."""
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


def answers_of(sentence: LocalizedText | str | float) -> str:
    """The bare answer or quote in a sentence; "" for a part that was refused."""
    while isinstance(sentence, LocalizedText):
        if sentence.id == "embedded-part-refused":
            return ""
        sentence = sentence.args.get("answer") or sentence.args.get("sentence", "")
    return str(sentence)


def is_right(result: WorkerResult, sample: Sample) -> bool:
    """Whether nothing false is said, and each part answered or named as not answered."""
    replies = [answers_of(sentence) for sentence in result.sentences]
    if "table" in str(getattr(sample.file, "name", "")) and len(replies) == 1:
        whole, parts = [replies[0]], replies[0].split(", ")
        replies = whole if len(sample.answers) == 1 else parts
    given = [reply for reply in replies if reply]
    if [sentence.id for sentence in result.sentences] == ["embedded-quote"]:
        language = sample.language
        return all(matches(given[0], a, language) for a in sample.answers or ["\0"])
    fits = [any(matches(r, a, sample.language) for a in sample.answers) for r in given]
    return all(fits) and len(replies) == len(sample.answers)


def matches(reply: str, answer: str, language: str) -> bool:
    """The same number, or the answer stands in the reply with no other figure beside it."""
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


def measure(kind: str, samples: Iterator[Sample]) -> None:
    """Prints what was right, wrong and refused."""
    table = kind.startswith("table")
    slot, work = ("table", ask_table) if table else ("document", ask_document)
    counts: Counter[str] = Counter()
    scored: list[bool] = []
    for sample in samples:
        args = {slot: (sample.file,), "question": (Text(sample.question),)}
        try:
            result = work(args, sample.language)
        except ExpertRefused:
            counts["refused rightly" if not sample.answers else "refused"] += 1
            continue
        right = is_right(result, sample)
        quoted = any(sentence.id == "embedded-quote" for sentence in result.sentences)
        counts[("quoted " if quoted else "") + ("right" if right else "wrong")] += 1
        scored += [right] if result.score is not None else []
        if not right:
            said = [answers_of(sentence) for sentence in result.sentences]
            print("wrong:", sample.question, "|", said, "|", sample.answers)
    print(f"{kind}: {sum(counts.values())} asked;", *(f"{n} {name}," for name, n in counts.items()))
    share = sum(scored) / max(len(scored), 1)
    print(f"  {len(scored)} with a score, {share:.1%} of these right")


def main() -> None:
    blind = json.loads(lzma.decompress(SAMPLES.read_bytes()))
    kinds = {
        "document-question-answering": document_samples(blind["documents"]),
        "table-question-answering": table_samples(blind["tables"]),
    }
    for kind, part in kinds.items():
        measure(kind, part)


if __name__ == "__main__":
    main()
