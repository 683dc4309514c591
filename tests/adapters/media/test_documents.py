"""All words of a document are read once, and what is not read is named."""

import base64
import io
import zipfile
import zlib
from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml

from adapters.media import documents, tables
from adapters.media.bounds import Bounds
from adapters.media.describing import describe
from adapters.media.document_text import DocumentText
from pipeline.domain import Blob, Type
from pipeline.errors import BadInput, ExpertRefused, MediaError
from pipeline.words import say
from tests.adapters.media import samples

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_DRAW = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_XLS = (  # made with xlwt: sheet "Sales" with three rows, sheet "More"
    "c-rk)O=uHA6#izjX_A`XnhK2&LcyxFIcP6l+NeZ(N~kU34+Twau%RW9Z3OGZYRyp)JSkoZ_28xI#UHAmHxELK9t1&1"
    "_2@}Z@X%&`^RgS$8leFVM)q6g&CHwmcHYjLc{{tyOM&9t!_W#gpdU7rbQfBxbb^x0toT9gx-N@m?xdt!Xezjz<j58~"
    "7Co;W(udODD^T!2eMu7dNNEJ;k<4Y&kp|)r+mI5{hCZRv+EZ|ck{2CpR~yT-EVr_}&wZb<JiwakEc>W$QJlh3EZM!^"
    "SjQ)nPHyv(6nM;>_pI5AcD$17`0@==?rX<EEt8sTvWBqg#yrTS1L<s9lXV~Nq7^tvh$a%zc)W-pxqBYp^a$|P+}AH6"
    "mcFri0n&e8uXp@L?<6N~)ZbK8U<UdbAs2H29z<2yV#jc5GCfs*8$J%>DiS#@y^3Dm<whDxpUdR3cHmexlb^By@zgZc"
    "k~u9uPWf=|LVlc<*2PvC{5e?o*98j?Zy`6yG5EL~;Em)bTUYOWd6O6&jGbo948I`CuaO<nX6U#g8ASGSi>)HNnX!lE"
    "Rle(XE{9kK>Degn8f-TTM`pRtHE!*qae5hVV>_$LyQp0FeDq1U@F}*N$_oQ4mx2rLVsq%E*V-8I<u!{Q(Ial(l6V?3"
    "b72IW4=g)=2|iB6Z`iII?@Axm<aQ$jSe9#Yc0{G77;`1rq6S+qTh7OG8ecGb9|ynCvO-MBQ)=)O=BWm+?32YUk{4!P"
    "ztV<BvJ(Z$pJ;@KMMXBNheb^f+vSl-&MIonss#%cELgB$!NNZT!N<_@p<CsThVr4$Vf@!wqg1kfll-?BLXNIHeNrAq"
    "mU0c#b*-OmunY5EVv`*6f1$*28ePK#M%j*uy4Noq+C}yAY?|o*b6cq1@k{mC`IpE40l7p5kp"
)


def read(data: bytes, name: str = "a") -> DocumentText:
    """As a file that somebody posts: described first."""
    found = describe(Blob(data, "", name), Bounds())
    return documents.read(Blob(data, found.media_type, name), lambda _pixels: ("", 0.0))


def notes_of(document: DocumentText) -> str:
    return " ".join(say("en", note) for note in document.notes)


def word_file() -> bytes:
    document = docx.Document()
    document.add_paragraph("The body.")
    section = document.sections[0]
    section.header.paragraphs[0].text = "Confidential header"
    section.footer.paragraphs[0].text = "Page footer"
    document.sections[0].different_first_page_header_footer = True
    section.first_page_header.paragraphs[0].text = "Confidential header"
    box = (
        f'<w:r xmlns:w="{_WORD}" xmlns:mc="{_COMPATIBLE}">'
        "<mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><w:txbxContent><w:p><w:r>"
        "<w:t>In a box</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p>"
        "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    paragraph: Any = document.add_paragraph("Beside it")
    paragraph.part.element.body[-2].append(parse_xml(box))
    document.add_picture(io.BytesIO(samples.png()))
    file = io.BytesIO()
    document.save(file)
    with zipfile.ZipFile(io.BytesIO(file.getvalue())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    note = (
        f'<w:footnotes xmlns:w="{_WORD}"><w:footnote><w:p><w:r><w:t>A footnote</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    return samples.zipped(parts | {"word/footnotes.xml": note.encode()})


def test_headers_boxes_and_footnotes_of_word_are_read_once() -> None:
    document = read(word_file(), "a.docx")

    lines = [line for line in document.text.splitlines() if line]
    assert lines == [
        "Confidential header", "The body.", "Beside it", "In a box", "A footnote", "Page footer",
    ]  # fmt: skip
    assert notes_of(document) == "Not read: one picture."


def test_comments_in_word_are_read_with_who_wrote_them() -> None:
    comment = (
        f'<w:comments xmlns:w="{_WORD}"><w:comment w:author="Rita"><w:p><w:r><w:t>Too long.</w:t>'
        "</w:r></w:p></w:comment></w:comments>"
    )
    body = f'<w:document xmlns:w="{_WORD}"><w:p><w:t>Draft</w:t></w:p></w:document>'
    parts = {"word/document.xml": body.encode(), "word/comments.xml": comment.encode()}

    document = read(samples.zipped(parts), "a.docx")

    assert document.text.splitlines() == ["Draft", "Comment (Rita): Too long."]
    assert not document.notes


def test_a_file_without_words_is_refused_with_what_was_not_read() -> None:
    body = f'<w:document xmlns:w="{_WORD}"/>'.encode()
    with pytest.raises(ExpertRefused) as caught:
        read(samples.zipped({"word/document.xml": body, "word/media/a.png": b""}), "a.docx")

    assert say("en", caught.value.sentence).endswith("Not read: one picture.")


def _paragraphs(*texts: str) -> str:
    return "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)


def slides() -> bytes:
    """Two slides, shown in another order than they are named; the first has notes."""
    table = "<a:tbl><a:tr>" + "".join(
        f"<a:tc><a:txBody>{_paragraphs(cell)}</a:txBody></a:tc>" for cell in ("x", "y")
    ) + "</a:tr></a:tbl>"  # fmt: skip
    head = f'xmlns:p="{_SLIDES}" xmlns:a="{_DRAW}" xmlns:r="{_RELS}"'
    ids = "".join(f'<p:sldId id="{at + 256}" r:id="r{at}"/>' for at in (2, 1))
    slides = [("r1", "slides/slide1.xml"), ("r2", "slides/slide2.xml")]
    parts = {
        "presentation.xml": f"<p:all {head}><p:sldIdLst>{ids}</p:sldIdLst></p:all>",
        "_rels/presentation.xml.rels": _link(*slides),
        "slides/slide1.xml": f"<p:sld {head}>{_paragraphs('Second')}{table}</p:sld>",
        "slides/slide2.xml": f"<p:sld {head}>{_paragraphs('First', 'Point')}</p:sld>",
        "slides/_rels/slide2.xml.rels": _link(("r9", "../notesSlides/notesSlide1.xml")),
        "notesSlides/notesSlide1.xml": f"<p:notes {head}>{_paragraphs('Say hello')}</p:notes>",
        "media/image1.png": "",
        "media/image2.png": "",
    }
    return samples.zipped({f"ppt/{name}": part.encode() for name, part in parts.items()})


def _link(*targets: tuple[str, str]) -> str:
    links = "".join(f'<Relationship Id="{id_}" Target="{to}"/>' for id_, to in targets)
    return f'<Relationships xmlns="{_PACKAGE}">{links}</Relationships>'


def test_slides_are_read_in_their_order_with_notes() -> None:
    document = read(slides(), "a.pptx")

    assert [line for line in document.text.splitlines() if line] == [
        "First", "Point", "Say hello", "Second", "x\ty",
    ]  # fmt: skip
    assert notes_of(document) == "Not read: 2 pictures."


def open_document(body: str, kind: str = "text") -> bytes:
    spaces = ("office", "text", "table", "style")
    names = " ".join(f'xmlns:{space}="{_OASIS}:{space}:1.0"' for space in spaces)
    tag, root = f"office:{kind}", "office:document"
    inner = f"<office:body><{tag}>{body}</{tag}></office:body>"
    header = "<style:header><text:p>Letterhead</text:p></style:header>"
    return samples.zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}".encode(),
            "content.xml": f"<{root}-content {names}>{inner}</{root}-content>".encode(),
            "styles.xml": f"<{root}-styles {names}>{header}</{root}-styles>".encode(),
            "META-INF/manifest.xml": b"<manifest/>",
        }
    )


def test_an_open_document_is_read_without_its_comments() -> None:
    body = (
        "<text:h>Title</text:h><text:p>Some <text:span>bold</text:span> words<text:line-break/>more"
        "<office:annotation><text:p>a comment</text:p></office:annotation></text:p>"
    )

    document = read(open_document(body), "a.odt")

    assert document.text == "Letterhead\nTitle\nSome bold words\nmore"
    assert notes_of(document) == "Not read: comments."


def test_a_book_is_read_in_its_order() -> None:
    container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    package = (
        '<package><manifest><item id="b" href="two.xhtml"/><item id="a" href="one%20.xhtml"/>'
        "</manifest>"
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    page = "<html><head><title>T</title></head><body><h1>{}</h1><p>text</p></body></html>"
    data = samples.zipped(
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": container.encode(),
            "OPS/book.opf": package.encode(),
            "OPS/one .xhtml": page.format("One").encode(),
            "OPS/two.xhtml": page.format("Two").encode(),
        }
    )

    assert read(data, "a.epub").text.split() == ["One", "text", "Two", "text"]


def mail(**parts: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Ana Müller <ana@example.org>", "ben@example.org"
    message["Subject"], message["Date"] = "Grüße aus Köln", "Sun, 29 Nov 2026 10:00:00 +0100"
    message.set_content(parts.get("plain", "Bitte bis Freitag zahlen: 5 €."))
    if html := parts.get("html"):
        message.add_alternative(html, subtype="html")
    if name := parts.get("file"):
        message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename=name)
    return message.as_bytes()


def test_an_e_mail_is_decoded_and_its_attachments_are_named() -> None:
    document = read(mail(html="<p>x</p>", file="Rechnung.pdf"), "a.eml")

    assert document.text.splitlines() == [
        "From: Ana Müller <ana@example.org>",
        "To: ben@example.org",
        "Date: Sun, 29 Nov 2026 10:00:00 +0100",
        "Subject: Grüße aus Köln",
        "",
        "Bitte bis Freitag zahlen: 5 €.",
    ]
    assert notes_of(document) == "Not read: one attachment (Rechnung.pdf)."


def test_an_e_mail_in_html_only_is_read() -> None:
    message = EmailMessage()
    message["From"], message["Subject"], message["To"] = "a@example.org", "Hi", "b@example.org"
    message.set_content("<p>one</p><p>two &amp; three</p>", subtype="html")

    assert read(message.as_bytes()).text.splitlines()[-1] == "two & three"


CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:1
DTSTART;TZID=Europe/Berlin:20261201T093000
SUMMARY:Team mee
 ting
LOCATION:Room 4\\, Köln
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")
CARD = """BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Ana
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ana M=C3=BCller
TEL;CELL:+49 170 1
TEL;TYPE=work,fax:+49 30 2
TEL:+49 30 3
END:VCARD
"""


def test_calendars_and_cards_are_decoded() -> None:
    event, card = read(CALENDAR.encode(), "a.ics").text, read(CARD.encode(), "a.vcf").text

    assert "Summary: Team meeting" in event
    assert "Location: Room 4, Köln" in event
    assert "Start: 2026-12-01 09:30" in event
    assert "+01:00" in event
    assert "Full name: Ana Müller" in card
    assert "Phone (mobile): +49 170 1" in card
    assert "Phone (work, fax): +49 30 2" in card
    assert "Phone: +49 30 3" in card


_TICKED = b"/FT /Btn /T (ok) /V /Yes /AS /Yes /Rect [160 655 175 670]"


def form(streams: str, second: bytes = _TICKED, kind: bytes = b"Widget") -> bytes:
    """A page with two labels, a field that was filled in beside the first, a ticked box."""
    appearance = b"/AP << /N 7 0 R >>" if streams else b""
    words = b"BT /F1 12 Tf 50 700 Td (Amount in EUR:) Tj 0 -40 Td (Approved:) Tj ET"
    drawn = b"/Tx BMC q BT /F1 12 Tf 2 4 Td (482.75) Tj ET Q EMC"
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Annots [5 0 R 6 0 R] /Resources << /Font << /F1"
        b" << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    )
    field = b"/Type /Annot /Subtype /Widget"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R] >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page,
        b"<< /Length %d >> stream\n%s\nendstream" % (len(words), words),
        b"<< %s /FT /Tx /T (amount) /V (482.75) /Rect [160 695 300 715] %s >>"
        % (field, appearance),
        b"<< /Type /Annot /Subtype /%s %s >>" % (kind, second),
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 140 20] /Length %d >> stream\n%s\nendstream"
        % (len(drawn), drawn),
    ]
    data, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj %s endobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 8\n0000000000 65535 f \n" + table
    return data + head + b"trailer << /Size 8 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(data)


@pytest.mark.parametrize("streams", ["", "drawn"])
def test_what_was_typed_into_a_form_stands_behind_its_label(streams: str) -> None:
    assert read(form(streams), "a.pdf").text.splitlines() == [
        "Amount in EUR: 482.75",
        "Approved: ☑",
    ]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (b"/AS /yearly", "Approved: ☑ yearly"),
        (b"/AS /1 /Opt [(monthly) (yearly)]", "Approved: ☑ yearly"),
        (b"/AS /Off", "Approved:"),
    ],
)
def test_what_was_chosen_among_several_is_told(state: bytes, told: str) -> None:
    button = b"/FT /Btn /Ff 32768 /T (pay) /V /yearly %s /Rect [160 655 175 670]" % state

    assert read(form("", button), "a.pdf").text.splitlines()[-1] == told


def test_a_comment_stands_behind_the_page_with_who_wrote_it() -> None:
    note = b"/T (Mia) /Contents (Ask Jonas) /Rect [160 655 175 670]"

    assert read(form("", note, b"Text"), "a.pdf").text.splitlines()[-1] == "Mia: Ask Jonas"


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"word/document.xml": b"<w:document"}, BadInput),
        ({"word/document.xml": b"<a>" * 100_000}, BadInput),
        ({"ppt/presentation.xml": b""}, BadInput),
        (
            {"META-INF/container.xml": b"<container/>", "mimetype": b"application/epub+zip"},
            BadInput,
        ),
        ({"a.txt": b""}, ExpertRefused),
    ],
)
def test_a_broken_file_is_told(parts: Mapping[str, bytes], error: type[Exception]) -> None:
    blob = Blob(samples.zipped(dict(parts)), "", "a")
    with pytest.raises(error):
        documents.read(blob, lambda _pixels: ("", 0.0))


def test_entities_are_not_resolved() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    body = (
        f'{bomb.decode()}<w:document xmlns:w="{_WORD}"><w:p><w:t>safe &b;</w:t></w:p></w:document>'
    )

    document = read(samples.zipped({"word/document.xml": body.encode()}), "a.docx")

    assert document.text == "safe"


def test_old_and_open_workbooks_are_tables() -> None:
    row = "<table:table-row>{}</table:table-row>"
    cell = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
    rows = "".join(row.format("".join(map(cell.format, each))) for each in (("a", "b"), ("1", "x")))
    ods = open_document(f"<table:table table:name='S'>{rows}</table:table>", "spreadsheet")
    xls = zlib.decompress(base64.b85decode(_XLS))

    found = [describe(Blob(data, "", "a"), Bounds()) for data in (ods, xls)]
    read_ods, read_xls = (
        tables.read(Blob(data, each.media_type, "a"), Bounds())
        for data, each in zip((ods, xls), found, strict=True)
    )

    assert {Blob(b"", each.media_type).type for each in found} == {Type.TABLE}
    assert read_ods.rows == [["a", "b"], ["1", "x"]]
    assert read_xls.rows == [
        ["Region", "Units", "Day"], ["North", "12", "2026-03-05"], ["South", "7.5", "2026-03-06"],
    ]  # fmt: skip
    assert [note.id for note in read_xls.notes] == ["sheet-read"]


def test_rich_text_is_not_shown_with_its_codes() -> None:
    with pytest.raises(MediaError) as caught:
        describe(Blob(rb"{\rtf1\ansi Hello\par}", "application/rtf", "a.rtf"), Bounds())

    assert caught.value.sentence.id == "media-rich-text"


def test_other_old_office_files_are_named() -> None:
    with pytest.raises(MediaError) as caught:
        describe(Blob(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "", "a.doc"), Bounds())

    assert caught.value.sentence.id == "media-old-office"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            '[{"a": 1, "b": "x"}, {"a": 2, "c": [1]}]',
            [["a", "b", "c"], ["1", "x", ""], ["2", "", "[1]"]],
        ),
        ('{"rows": [{"a": null}]}', [["a"], [""]]),
    ],
)  # fmt: skip
def test_a_list_of_objects_is_a_table(text: str, rows: list[list[str]]) -> None:
    assert tables.read(Blob(text.encode(), "application/json", "a.json"), Bounds()).rows == rows


@pytest.mark.parametrize(
    "data", [b'{"a": 1}', b"[1, 2]", b"[" * 100_000, samples.pdf(1), b"just words"]
)
def test_what_is_no_table_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(MediaError):
        tables.read(Blob(data, "application/json", "a"), Bounds())


@pytest.mark.parametrize(
    "data",
    [
        b"From: a\nTo: b\nSubject: c\n"
        + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 5_000,
        b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 40_000,
        b"BEGIN:VCARD\nNOTE" + b";X=" * 1_000_000 + b":x\nEND:VCARD",
    ],
)
def test_what_would_take_long_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        read(data)

    assert caught.value.sentence.id == "embedded-document-too-large"


@pytest.mark.parametrize(
    ("data", "description"),
    [
        (mail(), "e-mail: “Grüße aus Köln”"),
        (CALENDAR.encode(), "calendar, 1 entry"),
        (2 * CARD.encode(), "visiting cards, 2 entries"),
        (slides(), "presentation (PowerPoint), 2 slides"),
    ],
)
def test_a_file_is_described_by_what_is_in_it(data: bytes, description: str) -> None:
    assert describe(Blob(data, "", "a"), Bounds()).description == description
