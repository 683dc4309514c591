"""The text of office documents and books: zip archives with XML. Runs in a worker."""

import io
import itertools
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote

from adapters.media.document_text import MOST_CHARACTERS, DocumentText
from adapters.media.unread import count_parts
from adapters.media.web_page import read_html
from pipeline.domain import LocalizedText
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.encodings import decode

_MOST_XML = 25_000_000
"""Bytes of XML after decompression."""
_MOST_ZIP = 200_000_000
"""Bytes of all parts after decompression."""
_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " ", "txbxContent": "\n"}
_PARAGRAPHS = ("p", "h")
_CELLS = ("tc", "table-cell")
_ROWS = ("tr", "table-row")
_SKIPPED = ("Fallback", "delText", "instrText", "annotation", "tracked-changes")
"""A second form of the same (Word's text boxes), what was deleted, codes, comments."""
_WORD_PARTS = re.compile(r"word/(?:header|footer)\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_COMMENTS = "word/comments.xml"
_OPEN_COMMENT = re.compile(rb"<office:annotation[ >]")
_UNUSED: Mapping[str, Mapping[str, str]] = {
    "word": {
        "unused-pictures": "word/media/",
        "unused-charts": "word/charts/chart",
        "unused-macros": "word/vbaProject",
        "unused-attachments": "word/embeddings/",
    },
    "slides": {
        "unused-pictures": "ppt/media/",
        "unused-charts": "ppt/charts/chart",
        "unused-comments": "ppt/comments/",
        "unused-macros": "ppt/vbaProject",
        "unused-attachments": "ppt/embeddings/",
    },
    "open": {"unused-pictures": "Pictures/"},
    "book": {},
}


def read_office(data: bytes) -> DocumentText:
    """The text of a Word or OpenDocument file, a presentation or a book.

    Raises BadInput for a broken or oversized file, ExpertRefused for another archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {part.filename: part.file_size for part in archive.infolist()}
            kind = next((kind for part, kind in _MAIN.items() if part in names), "")
            if not kind:
                raise ExpertRefused("embedded-document-unknown")
            xml = sum(
                size for name, size in names.items() if name.endswith((".xml", ".rels", "html"))
            )
            if xml > _MOST_XML or sum(names.values()) > _MOST_ZIP:
                raise BadInput("embedded-document-too-large")
            text = "\n".join(_take(_READERS[kind](archive)))
            content = archive.read("content.xml") if kind == "open" else b""
    except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError) as error:
        raise BadInput("embedded-document-broken") from error
    comments = len(_OPEN_COMMENT.findall(content))
    left = (LocalizedText("unused-comments", {"count": comments}),) if comments else ()
    return DocumentText(text, unused=(*count_parts(data, _UNUSED[kind]), *left))


_MAIN: Mapping[str, str] = {
    "word/document.xml": "word",
    "ppt/presentation.xml": "slides",
    "META-INF/container.xml": "book",
    "content.xml": "open",
}
"""The main part of each kind of file."""


def _take(texts: Iterator[str]) -> Iterator[str]:
    """Texts up to the limit, and one more."""
    size = 0
    for text in texts:
        yield text
        size += len(text)
        if size > MOST_CHARACTERS:
            return


def _read_word(archive: zipfile.ZipFile) -> Iterator[str]:
    """Headers, the body, footnotes, footers, comments: equal ones once."""
    names = sorted(archive.namelist())
    around = [name for name in names if _WORD_PARTS.fullmatch(name)]
    seen: set[str] = set()
    for name in [
        *(name for name in around if "header" in name),
        "word/document.xml",
        *(name for name in _NOTES if name in names),
        *(name for name in around if "footer" in name),
    ]:
        text = _read_xml(archive, name).strip()
        if text and text not in seen:
            seen.add(text)
            yield text
    if _COMMENTS in names:
        for comment in _parse(archive, _COMMENTS).iter("{*}comment"):
            author = next((v for k, v in comment.attrib.items() if k.endswith("}author")), "")
            yield f"Comment ({author}): {' '.join(_read_marks(comment).split())}"


def _read_slides(archive: zipfile.ZipFile) -> Iterator[str]:
    """The slides in their order, each with its notes."""
    targets = _read_targets(archive, "ppt/presentation.xml")
    slides = _parse(archive, "ppt/presentation.xml")
    ids = [
        value
        for element in slides.iter("{*}sldId")
        for key, value in element.attrib.items()
        if key.endswith("}id")
    ]
    for slide in [targets[id_] for id_ in ids if id_ in targets]:
        yield _read_xml(archive, slide)
        for notes in _read_targets(archive, slide).values():
            if "notesSlide" in notes and notes in archive.namelist():
                yield _read_xml(archive, notes)


def _read_open(archive: zipfile.ZipFile) -> Iterator[str]:
    """Headers and footers of the styles, the body between them."""
    pages = _parse(archive, "styles.xml") if "styles.xml" in archive.namelist() else None
    for name in ("header", "footer"):
        if name == "footer":
            yield _read_xml(archive, "content.xml")
        elements = pages.iter(f"{{*}}{name}") if pages is not None else ()
        yield from dict.fromkeys(_read_marks(element) for element in elements)


def _read_book(archive: zipfile.ZipFile) -> Iterator[str]:
    """The chapters of an EPUB in reading order."""
    roots = [*_parse(archive, "META-INF/container.xml").iter("{*}rootfile")]
    package = roots[0].get("full-path", "") if roots else ""
    tree = _parse(archive, package)
    files = {item.get("id"): item.get("href", "") for item in tree.iter("{*}item")}
    for reference in tree.iter("{*}itemref"):
        href = unquote(files.get(reference.get("idref"), ""))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(package), href))
        if path in archive.namelist():
            yield read_html(decode(archive.read(path)) or "", with_head=False)


_READERS: Mapping[str, Callable[[zipfile.ZipFile], Iterator[str]]] = {
    "word": _read_word,
    "slides": _read_slides,
    "open": _read_open,
    "book": _read_book,
}


def _parse(archive: zipfile.ZipFile, name: str) -> Any:
    """A part as a tree, without entities and without addresses. Raises SyntaxError."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    return etree.fromstring(archive.read(name), parser)


def _read_targets(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    """What a part refers to, by the id of the reference."""
    folder, file = posixpath.split(name)
    rels = f"{folder}/_rels/{file}.rels"
    if rels not in archive.namelist():
        return {}
    join = partial(posixpath.join, folder)
    return {
        each.get("Id"): posixpath.normpath(join(each.get("Target", ""))).lstrip("/")
        for each in _parse(archive, rels).iter("{*}Relationship")
    }


def _read_xml(archive: zipfile.ZipFile, name: str) -> str:
    return _read_marks(_parse(archive, name))


def _read_marks(root: Any) -> str:
    """The text in the order of the file: cells end in tabs, paragraphs and rows in new lines."""
    from lxml.etree import iterwalk

    texts: list[str] = []
    walk = iterwalk(root, events=("start", "end"))
    for event, element in walk:
        namespace, _, name = str(element.tag).rpartition("}")
        is_open = "opendocument" in namespace
        if event == "start":
            if name in _SKIPPED:
                walk.skip_subtree()
                continue
            texts.append(_MARKS.get(name, ""))
            if element.text and (name == "t" or is_open):
                texts.append(element.text)
            continue
        if name in _PARAGRAPHS:
            around = itertools.islice(element.iterancestors(), 2)
            in_cell = any(str(each.tag).rpartition("}")[2] in _CELLS for each in around)
            texts.append("\t" if in_cell else "\n")
        elif name in _ROWS:
            texts.append("\n")
        if is_open and element.tail:
            texts.append(element.tail)
    return "".join(texts).strip()
