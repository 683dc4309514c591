"""Reading text in pictures, and answering from documents."""

from dataclasses import replace

import pytest

from adapters.embedded.experts import EmbeddedExpert
from adapters.embedded.experts.reading import Piece, rows
from pipeline.domain import Blob, Sureness, Text, how_sure
from pipeline.errors import BadInput, ExpertError, ExpertRefused
from tests.adapters.embedded.experts.drawn import (
    INVOICE,
    invoice,
    page,
    pdf,
    scanned_pdf,
    small_print,
    word,
)
from tests.fakes.jobs import job, picture, sheet


async def _read(expert: EmbeddedExpert, kind: str, **args: str | Blob) -> Text:
    pieces: dict[str, tuple[Text | Blob, ...]] = {
        name: (Text(arg) if isinstance(arg, str) else arg,) for name, arg in args.items()
    }
    made = await expert.run(replace(job(kind), args=pieces))
    text = made.slots["text"]
    assert isinstance(text, Text)
    return text


async def test_a_drawn_page_is_read_line_by_line(expert: EmbeddedExpert) -> None:
    image = page("The quick brown fox", "jumps over the lazy dog", "42 times a day")

    text = await _read(expert, "optical-character-recognition", image=image)

    assert text.text.splitlines() == [
        "The quick brown fox",
        "jumps over the lazy dog",
        "42 times a day",
    ]
    assert text.score is not None
    assert text.score > 0.9


async def test_a_picture_without_text_is_said_to_have_none(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("optical-character-recognition", image=picture(size=(200, 200))))

    assert caught.value.sentence.id == "embedded-no-text"


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\nbroken", b"<html>"])
async def test_a_broken_picture_is_bad_input(data: bytes, expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("optical-character-recognition", image=Blob(data, "image/png")))


def test_pieces_on_one_height_stand_on_one_line() -> None:
    total = Piece("Total", 1.0, 10, 100, 60, 120)
    amount = Piece("3.00", 1.0, 400, 103, 450, 121)
    below = Piece("Thanks", 1.0, 10, 140, 60, 160)

    assert rows([below, amount, total]) == [[total, amount], [below]]


async def test_the_total_of_a_drawn_invoice_is_found(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("document-question-answering", document=invoice(), question="What is the total?")
    )

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert "3,070.80" in text.text
    assert "Found in: “Total" in made.note


async def test_an_answer_is_no_surer_than_the_reading_of_its_page(expert: EmbeddedExpert) -> None:
    kind, ask = "document-question-answering", "What is the total?"

    clear = await _read(expert, kind, document=invoice(), question=ask)
    small = await _read(expert, kind, document=small_print(5), question=ask)

    assert how_sure(clear.score or 0, kind) is Sureness.VERY
    assert how_sure(small.score or 0, kind) is Sureness.FAIRLY


LETTER = "\n".join(f"{left}\t{right}".strip() for left, right in INVOICE)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the total?", "$ 3,070.80"),
        ("read the total aloud", "$ 3,070.80"),
        ("How much do I have to pay?", "$ 3,070.80"),
        ("Wie hoch ist der Gesamtbetrag?", "$ 3,070.80"),
        ("Quel est le montant total ?", "$ 3,070.80"),
        ("¿Cuál es el importe total?", "$ 3,070.80"),
        ("合计是多少？", "$ 3,070.80"),
        ("What is the subtotal?", "$ 2,580.50"),
        ("How much is the VAT?", "$ 490.30"),
        ("What is the VAT rate?", "19 %"),
        ("What did travel cost?", "$ 180.50"),
        ("When is it due?", "14 December 2026"),
        ("What is the invoice date?", "14 November 2026"),
        ("What is the invoice number?", "2026-0117"),
        ("Who is the customer?", "Ada Lovelace"),
    ],
)
async def test_what_stands_on_an_invoice_is_found(
    question: str, answer: str, expert: EmbeddedExpert
) -> None:
    text = await _read(expert, "document-question-answering", document=LETTER, question=question)

    assert text.text == answer


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        (("Total", "€ 119.00", "Amount due", "€ 100.00"), "€ 100.00"),
        (("Sub-total 100,00 €", "MwSt. 19 % 19,00 €", "Gesamtbetrag 119,00 €"), "119,00 €"),
        (("Total HT 100,00 €", "TVA 20,00 €", "Total TTC 120,00 €"), "120,00 €"),
        (("Total items: 3", "Tax 1.00", "TOTAL 12.50"), "12.50"),
        (("Grand Total USD 1,234.56", "Total paid 0.00"), "USD 1,234.56"),
    ],
)
async def test_the_total_is_the_one_that_is_to_be_paid(
    lines: tuple[str, ...], total: str, expert: EmbeddedExpert
) -> None:
    document = "\n".join(lines)

    text = await _read(
        expert, "document-question-answering", document=document, question="What is the total?"
    )

    assert text.text == total


async def test_what_a_document_does_not_tell_is_not_answered(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await _read(
            expert,
            "document-question-answering",
            document=LETTER,
            question="Who painted the Mona Lisa?",
        )

    assert caught.value.sentence.id == "embedded-no-answer"


async def test_a_question_without_a_telling_word_gets_the_gist(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job(
            "document-question-answering",
            document=pdf(["The meeting is on Monday."]),
            question="What does it say?",
        )
    )

    assert made.slots["text"] == Text("The meeting is on Monday.")


async def test_questions_on_running_text_are_answered_from_it(expert: EmbeddedExpert) -> None:
    story = "Ada wrote the first program. Grace found the first bug in 1947. Both were admirals."

    year = await _read(
        expert, "question-answering", question="When was the first bug found?", context=story
    )
    who = await _read(
        expert, "question-answering", question="Who wrote the first program?", context=story
    )

    assert "1947" in year.text
    assert "Ada" in who.text


async def test_a_question_on_the_second_page_of_a_pdf_is_answered(expert: EmbeddedExpert) -> None:
    two = pdf(
        ["Annual report 2026", "This page introduces the company."],
        ["Staff", "The number of employees was 4,120 at the end of the year."],
    )

    text = await _read(
        expert, "document-question-answering", document=two, question="How many employees?"
    )

    assert text.text == "4,120"


LEASE = pdf(
    [
        "Rental agreement",
        "This agreement is made on 3 March 2026 between Alice Miller, the landlord, and Bob",
        "Jones, the tenant. The flat at 12 Harbour Street, Bristol is let from 1 April 2026. The",
        "monthly rent is GBP 1,150.00, to be paid on the first day of each month. A deposit of",
        "GBP 1,725.00 is due before moving in.",
    ],
    [
        "Either side may end the agreement with a notice of two months. Pets are allowed with",
        "the written consent of the landlord. Repairs under GBP 100 are paid by the tenant. For",
        "questions call +44 117 496 0123 or write to office@miller-lets.example.",
    ],
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the monthly rent?", "GBP 1,150.00"),
        ("How high is the deposit?", "GBP 1,725.00"),
        ("When was the agreement made?", "3 March 2026"),
        ("What is the phone number?", "+44 117 496 0123"),
        ("What is the email address?", "office@miller-lets.example"),
        ("Are pets allowed?", "Pets are allowed with the written consent of the landlord."),
        ("Who pays for repairs?", "Repairs under GBP 100 are paid by the tenant."),
    ],
)
async def test_sentences_that_go_over_several_lines_of_a_pdf_are_read_whole(
    question: str, answer: str, expert: EmbeddedExpert
) -> None:
    text = await _read(expert, "document-question-answering", document=LEASE, question=question)

    assert text.text == answer


async def test_the_text_of_a_pdf_is_taken_as_it_is(expert: EmbeddedExpert) -> None:
    text = await _read(expert, "document-to-text", document=pdf(["Hello"], ["World"]))

    assert text.text.split() == ["Hello", "World"]


async def test_a_scanned_pdf_is_read_as_a_picture(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("document-to-text", document=scanned_pdf(["Minutes of the meeting"]))
    )

    assert made.slots["text"] == Text("Minutes of the meeting")
    assert "read as pictures" in made.note


async def test_a_pdf_of_two_hundred_pages_is_cut_and_that_is_said(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("document-to-text", document=pdf(*([f"This is page number {n}."] for n in range(200))))
    )

    assert "200 pages; the first 100" in made.note


@pytest.mark.parametrize(
    ("blob", "sentence"),
    [
        (Blob(b"", "application/pdf"), "embedded-document-empty"),
        (Blob(b"%PDF-1.4 nothing more", "application/pdf"), "embedded-pdf-broken"),
        (Blob(b"PK\x03\x04 broken", "application/zip"), "embedded-document-broken"),
        (Blob(b"\x7fELF\0\0\1", "application/octet-stream"), "embedded-document-unknown"),
    ],
)
async def test_what_is_no_document_ends_in_a_plain_sentence(
    blob: Blob, sentence: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertError) as caught:
        await expert.run(job("document-to-text", document=blob))

    assert caught.value.sentence.id == sentence


async def test_a_word_document_is_read_with_its_tables(expert: EmbeddedExpert) -> None:
    letter = word("Dear Ada,", "the figures:", table=(("cat", "3"), ("dog", "4")))

    text = await _read(expert, "document-to-text", document=letter)

    assert text.text.splitlines() == ["Dear Ada,", "the figures:", "cat\t3", "dog\t4"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
async def test_plain_text_is_read_in_every_common_encoding(
    encoding: str, expert: EmbeddedExpert
) -> None:
    blob = Blob("Grüße aus Köln".encode(encoding), "text/plain")

    text = await _read(expert, "document-to-text", document=blob)

    assert text.text == "Grüße aus Köln"


async def test_a_table_is_a_document_too(expert: EmbeddedExpert) -> None:
    text = await _read(expert, "document-to-text", document=sheet("a,b", "1,2"))

    assert text.text == "a,b\n1,2"


async def test_a_web_page_is_read_without_its_tags(expert: EmbeddedExpert) -> None:
    blob = Blob(b"<html><script>x()</script><p>Hello <b>you</b></p></html>", "text/html")

    assert (await _read(expert, "document-to-text", document=blob)).text == "Hello you"
