"""Pages of PDFs joined, split, taken out, turned and drawn, as ordered in six languages."""

import io
from collections.abc import Sequence

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.pages import parse_order
from pipeline.domain import Blob, ExpertOutput, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused, MediaError
from pipeline.words import say
from tests.fakes.jobs import job, picture


def numbered(pages: int, start: int = 1, name: str = "report.pdf") -> Blob:
    """A PDF whose pages are told apart by their widths: 101, 102 …"""
    writer = PdfWriter()
    for page in range(start, start + pages):
        writer.add_blank_page(100 + page, 200)
    file = io.BytesIO()
    writer.write(file)
    return Blob(file.getvalue(), "application/pdf", name)


def pages_of(blob: object) -> list[int]:
    assert isinstance(blob, Blob)
    return [int(page.mediabox.width) - 100 for page in PdfReader(io.BytesIO(blob.data)).pages]


async def order(expert: EmbeddedExpert, text: str, *files: Blob) -> ExpertOutput:
    return await expert.run(job("document-conversion", documents=files, text=text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("only pages 2-3", [2, 3]),
        ("extract page 2 to page 4", [2, 3, 4]),
        ("pages 1, 3 and 5 please", [1, 3, 5]),
        ("the first two pages", [1, 2]),
        ("the last page", [5]),
        ("remove page 4", [1, 2, 3, 5]),
        ("delete the last 2 pages", [1, 2, 3]),
        ("keep the odd pages", [1, 3, 5]),
        ("in reverse order", [5, 4, 3, 2, 1]),
        ("nur Seite 2 bis 4", [2, 3, 4]),
        ("die ersten 3 Seiten bitte", [1, 2, 3]),
        ("lösche Seite 1", [2, 3, 4, 5]),
        ("extrais les pages 2 à 4", [2, 3, 4]),
        ("supprime la dernière page", [1, 2, 3, 4]),
        ("extrae las páginas 2 a 4", [2, 3, 4]),
        ("elimina la primera página", [2, 3, 4, 5]),
        ("提取第2页到第4页", [2, 3, 4]),
        ("删除第1页", [2, 3, 4, 5]),
        ("2〜4ページを抽出してください", [2, 3, 4]),
        ("最後のページを削除して", [1, 2, 3, 4]),
        ("Borra la página 2 de este PDF", [1, 3, 4, 5]),
        ("delete pages 1 and 2 of this pdf", [3, 4, 5]),
        ("efface la page 2", [1, 3, 4, 5]),
        ("nimm Seite 2 raus", [1, 3, 4, 5]),
        ("get rid of page 2", [1, 3, 4, 5]),
        ("第2页删掉", [1, 3, 4, 5]),
        ("mantén solo las páginas 2 a 3", [2, 3]),
        ("conserve la page 2", [2]),
        ("keep the first and last page", [1, 5]),
        ("nur die erste und letzte Seite", [1, 5]),
    ],
)
async def test_pages_are_taken_out_and_removed(
    expert: EmbeddedExpert, text: str, wanted: list[int]
) -> None:
    made = await order(expert, text, numbered(5))

    assert pages_of(made.slots["file"]) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "merge these two PDFs into one",
        "füge die beiden PDFs zusammen",
        "fusionne ces deux fichiers",
        "une estos dos archivos en un solo PDF",
        "把这两个PDF合并成一个",
        "この2つのPDFを結合してください",
        "このPDF2つ、1つに結合して",
        "stick these two together",
        "colle ces deux pdf bout à bout",
    ],
)
async def test_documents_are_merged_in_their_order(expert: EmbeddedExpert, text: str) -> None:
    made = await order(expert, text, numbered(2), numbered(3, start=3))

    assert pages_of(made.slots["file"]) == [1, 2, 3, 4, 5]
    assert "documents" in made.used


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("split it", [[1], [2], [3], [4]]),
        ("split after page 3", [[1, 2, 3], [4]]),
        ("split it every 2 pages", [[1, 2], [3, 4]]),
        ("split into pages 1-2 and 3-4", [[1, 2], [3, 4]]),
        ("teile es in einzelne Seiten", [[1], [2], [3], [4]]),
        ("sépare chaque page", [[1], [2], [3], [4]]),
        ("divide el PDF", [[1], [2], [3], [4]]),
        ("拆分成单页", [[1], [2], [3], [4]]),
        ("一页拆一个文件", [[1], [2], [3], [4]]),
        ("one pdf per page please", [[1], [2], [3], [4]]),
        ("ページごとに分割して", [[1], [2], [3], [4]]),
    ],
)
async def test_each_part_is_a_file(
    expert: EmbeddedExpert, text: str, parts: Sequence[Sequence[int]]
) -> None:
    made = await order(expert, text, numbered(4))

    assert [pages_of(file) for file in (made.slots["file"], *made.extras)] == parts


@pytest.mark.parametrize(
    ("text", "angles"),
    [
        ("rotate it", [90, 90]),
        ("rotate page 2 by 180 degrees", [0, 180]),
        ("turn the pages to the left", [270, 270]),
        ("drehe alle Seiten um 90 Grad", [90, 90]),
        ("旋转180度", [180, 180]),
        ("dreh sie nach rechts", [90, 90]),
        ("gira a la derecha", [90, 90]),
        ("转90度", [90, 90]),
        ("tourne-le d'un quart de tour", [90, 90]),
        ("alle Seiten stehen kopf, dreh die mal um", [180, 180]),
        ("180度回転して", [180, 180]),
    ],
)
async def test_pages_are_turned(expert: EmbeddedExpert, text: str, angles: list[int]) -> None:
    made = await order(expert, text, numbered(2))

    file = made.slots["file"]
    assert isinstance(file, Blob)
    assert [page.rotation for page in PdfReader(io.BytesIO(file.data)).pages] == angles


async def test_each_of_several_documents_is_turned(expert: EmbeddedExpert) -> None:
    made = await order(expert, "rotate these", numbered(1), numbered(2, name="other.pdf"))

    assert [len(pages_of(file)) for file in (made.slots["file"], *made.extras)] == [1, 2]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("convert to images", ["PNG", "PNG"]),
        ("page 2 as jpg", ["JPEG"]),
        ("als Bilder", ["PNG"] * 2),
    ],
)
async def test_pages_are_drawn(expert: EmbeddedExpert, text: str, kinds: list[str]) -> None:
    made = await order(expert, text, numbered(2))

    files = [made.slots["file"], *made.extras]
    assert [
        Image.open(io.BytesIO(file.data)).format for file in files if isinstance(file, Blob)
    ] == kinds


@pytest.mark.parametrize(
    "text", ["make one pdf from these pictures", "combine", "als PDF", "合并成一个PDF"]
)
async def test_pictures_become_one_pdf(expert: EmbeddedExpert, text: str) -> None:
    made = await order(expert, text, picture(), picture(size=(60, 30)))

    assert len(pages_of(made.slots["file"])) == 2


async def test_pictures_in_a_document_are_taken_out(expert: EmbeddedExpert) -> None:
    pdf = await order(expert, "as pdf", picture())
    file = pdf.slots["file"]
    assert isinstance(file, Blob)

    made = await order(expert, "extract the images", file)

    taken = made.slots["file"]
    assert isinstance(taken, Blob)
    assert Image.open(io.BytesIO(taken.data)).size == (40, 30)


@pytest.mark.parametrize(
    ("text", "id_", "words"),
    [
        ("translate pages 2-3", "embedded-order-unclear", "translate"),
        ("sign it", "embedded-order-unclear", "sign"),
        ("convert it to word", "embedded-order-unclear", "word"),
        ("please", "embedded-order-empty", None),
        ("page 9", "embedded-pages-missing", None),
        ("pages 3-2", "embedded-pages-range", None),
        ("rotate by 45 degrees", "embedded-quarter-turns", None),
    ],
)
async def test_what_is_not_understood_is_refused_with_its_word(
    expert: EmbeddedExpert, text: str, id_: str, words: str | None
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await order(expert, text, numbered(4))

    assert caught.value.sentence.id == id_
    assert caught.value.sentence.args.get("words") == words


@pytest.mark.parametrize(
    ("text", "files", "id_"),
    [
        ("merge it", [numbered(1)], "embedded-merge-one"),
        ("split it", [numbered(30)], "embedded-too-many-files"),
        ("remove page 1", [numbered(1)], "embedded-nothing-left-of-pages"),
        ("compress it", [numbered(1)], "embedded-no-smaller"),
    ],
)
async def test_what_cannot_be_done_is_told(
    expert: EmbeddedExpert, text: str, files: list[Blob], id_: str
) -> None:
    with pytest.raises(BadInput) as caught:
        await order(expert, text, *files)

    assert caught.value.sentence.id == id_


async def test_a_compressed_document_without_pictures_is_not_told_to_have_some(
    expert: EmbeddedExpert,
) -> None:
    writer, words = PdfWriter(), DecodedStreamObject()
    words.set_data(b"q Q " * 5_000)
    writer.add_blank_page(100, 100)[NameObject("/Contents")] = writer._add_object(words)  # noqa: SLF001 - the library has no other way
    file = io.BytesIO()
    writer.write(file)

    made = await order(expert, "compress it", Blob(file.getvalue(), "application/pdf"))

    done = LocalizedText("embedded-pages-done", {"op": "smaller-text", "pages": 1, "files": 1})
    assert made.note == say("en", done)


async def test_a_document_without_pages_is_refused(expert: EmbeddedExpert) -> None:
    with pytest.raises(MediaError) as caught:
        await order(expert, "split it", Blob(b"words", "text/plain", "notes.txt"))

    assert caught.value.sentence.args == {"file": "notes.txt"}


async def test_pictures_without_an_order_stay_pictures(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await order(expert, "please do it", picture())

    assert caught.value.sentence.id == "embedded-order-empty"


def test_pictures_are_no_operation_beside_pictures() -> None:
    assert parse_order("merge the pdf and the picture", [Type.DOCUMENT, Type.IMAGE]).operations == {
        "merge"
    }


def test_an_amount_is_no_page() -> None:
    with pytest.raises(ExpertRefused) as caught:
        parse_order("extract page 573.00", [Type.DOCUMENT])

    assert caught.value.sentence.args["words"] == "573.00"


async def test_metadata_of_a_pdf_are_removed(expert: EmbeddedExpert) -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_metadata({"/Author": "Ana Secret"})
    file = io.BytesIO()
    writer.write(file)

    made = await order(expert, "remove the metadata", Blob(file.getvalue(), "application/pdf"))

    cleaned = made.slots["file"]
    assert isinstance(cleaned, Blob)
    assert b"Secret" in file.getvalue()
    assert b"Secret" not in cleaned.data


@pytest.mark.parametrize(
    "text",
    [
        *("put the last page first", "page 3 first please", "mach die letzte Seite als erste"),
        *("pon la última página primero", "mets la dernière page en premier"),
        *("把最后一页放到最前", "最後のページを最初に"),
    ],
)
async def test_a_page_that_is_to_stand_elsewhere_is_not_taken_out(
    expert: EmbeddedExpert, text: str
) -> None:
    with pytest.raises(ExpertRefused):
        await order(expert, text, numbered(4))
