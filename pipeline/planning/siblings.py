"""Kinds that do the same with another type: what is meant where a task is given what its kind cannot take."""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.conversions import convertible
from pipeline.domain import Type

SIBLINGS: Mapping[tuple[str, Type], str] = {
    ("question-answering", Type.IMAGE): "visual-question-answering",
    ("visual-question-answering", Type.TEXT): "question-answering",
    ("visual-question-answering", Type.DOCUMENT): "document-question-answering",
    ("visual-question-answering", Type.TABLE): "table-question-answering",
    ("table-question-answering", Type.TEXT): "question-answering",
    ("table-question-answering", Type.IMAGE): "document-question-answering",
    ("table-question-answering", Type.DOCUMENT): "document-question-answering",
    ("text-classification", Type.AUDIO): "audio-classification",
    ("zero-shot-classification", Type.IMAGE): "zero-shot-image-classification",
    ("zero-shot-image-classification", Type.TEXT): "zero-shot-classification",
    ("image-classification", Type.TEXT): "text-classification",
    ("image-classification", Type.AUDIO): "audio-classification",
    ("image-classification", Type.TABLE): "tabular-classification",
    ("audio-classification", Type.TEXT): "text-classification",
    ("audio-classification", Type.IMAGE): "image-classification",
    ("video-classification", Type.TEXT): "text-classification",
    ("video-classification", Type.AUDIO): "audio-classification",
    ("video-classification", Type.IMAGE): "image-classification",
    ("image-to-text", Type.TEXT): "text-to-image",
    ("image-to-text", Type.AUDIO): "automatic-speech-recognition",
    ("image-to-text", Type.DOCUMENT): "document-to-text",
    ("optical-character-recognition", Type.AUDIO): "automatic-speech-recognition",
    ("optical-character-recognition", Type.DOCUMENT): "document-to-text",
    ("document-to-text", Type.IMAGE): "optical-character-recognition",
    ("document-to-text", Type.AUDIO): "automatic-speech-recognition",
    ("automatic-speech-recognition", Type.TEXT): "text-to-speech",
    ("automatic-speech-recognition", Type.IMAGE): "optical-character-recognition",
    ("automatic-speech-recognition", Type.DOCUMENT): "document-to-text",
    ("audio-to-audio", Type.TEXT): "text-to-speech",
    ("image-to-image", Type.TEXT): "text-to-image",
    ("image-text-to-image", Type.TEXT): "text-to-image",
    ("image-to-video", Type.TEXT): "text-to-video",
    ("text-to-video", Type.IMAGE): "image-to-video",
}
"""A kind and a type that it cannot take → the kind that is meant."""

_OF_PAGES = {"visual-question-answering": "document-question-answering"}
"""What a kind becomes where a page of writing is spoken of."""

_PAGE = re.compile(
    r"\b(?:document|page|invoice|receipt|bill|contract|scan(?:ned)?|(?<!on the )(?<!at the )table|dokument|seite|rechnung"
    r"|quittung|vertrag|tabelle|gescannt\w*|documento|página|factura|recibo|contrato|tabla"
    r"|escanead\w*|facture|reçu|contrat|tableau|numérisée?)[nsx]?\b"
    r"|文档|文件|页|发票|收据|合同|扫描|表格|文書|書類|ページ|請求書|領収書|契約書|スキャン|表",
    re.IGNORECASE,
)
"""Words for a page of writing, in the six languages."""


_PICTURE = re.compile(
    r"\b(?:image|picture|photo|scene|bild|foto|szene|imagen|escena|photographie|scène)[sern]*\b"
    r"|图片|图像|照片|画像|写真",
    re.IGNORECASE,
)


def siblings(names: Iterable[str], types: Iterable[Type], request: str, said: str) -> Iterator[str]:
    """The kinds that may be meant, best first, by what a task is called and what it is given.

    A picture is one of a page where the request or the task says so, and the task's own words (`said`) speak of no picture.
    """
    names = tuple(names)
    of_a_page = _PAGE.search(f"{said} {request}") and not _PICTURE.search(said)
    for given in dict.fromkeys(types):
        for type_ in (given, *((Type.TEXT,) if convertible(given, Type.TEXT) else ())):
            for name in names:
                if found := SIBLINGS.get((name, type_)):
                    yield _OF_PAGES.get(found, found) if of_a_page else found
