"""The text of e-mails, calendars and visiting cards. Runs in a worker."""

from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from adapters.media.document_text import DocumentText
from adapters.media.web_page import read_html
from pipeline.domain import LocalizedText
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.encodings import decode

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MOST_NAMES = 5
"""Attachments that are named."""
_MOST_NAME = 60
"""Characters of a name."""
_MOST_PARTS = 500
"""Parts of an e-mail: the library takes long for more, as with what follows."""
_MOST_ENTRIES = 5_000
"""Entries of a calendar."""
_MOST_CHARACTERS = 2_000_000
"""Characters of a calendar."""
_HIDDEN = frozenset(
    {"PRODID", "VERSION", "DTSTAMP", "UID", "SEQUENCE", "METHOD", "CALSCALE", "PHOTO"}
)
"""Properties that tell people nothing."""
_NAMES: Mapping[str, str] = {
    "DTSTART": "Start", "DTEND": "End", "RRULE": "Repeats", "FN": "Full name", "N": "Name",
    "TEL": "Phone", "ADR": "Address", "ORG": "Organisation", "BDAY": "Birthday",
}  # fmt: skip
_TYPES: Mapping[str, str] = {"CELL": "mobile", "WORK": "work", "HOME": "home", "FAX": "fax"}
"""The types of a number or an address that people go by."""


def read_mail(data: bytes) -> DocumentText:
    """Head and words of an e-mail; its attachments are named as not read. Raises BadInput."""
    if data.lower().count(b"\ncontent-type:") > _MOST_PARTS:
        raise BadInput("embedded-document-too-large")
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    head = [f"{name}: {value}" for name in _HEADERS if (value := _read_header(message, name))]
    body = message.get_body(("plain", "html"))
    files = [*message.iter_attachments()] if message.is_multipart() else []
    names = [part.get_filename() or part.get_content_type() for part in files]
    text = "\n".join([*head, "", _read_body(body)])
    if not names:
        return DocumentText(text)
    told = ", ".join(name[:_MOST_NAME] for name in names[:_MOST_NAMES])
    files_left = LocalizedText("unused-mail-files", {"count": len(names), "names": told})
    return DocumentText(text, unused=(files_left,))


def _read_header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, IndexError, AttributeError):  # malformed addresses and dates
        return ""


def _read_body(body: Any) -> str:
    if body is None:
        return ""
    try:
        text = str(body.get_content())
    except (LookupError, ValueError, KeyError):  # an unknown or wrong encoding
        text = decode(body.get_payload(decode=True) or b"") or ""
    return read_html(text) if body.get_content_subtype() == "html" and text.strip() else text


def read_cards(data: bytes) -> DocumentText:
    """The entries of a calendar or of visiting cards, a property in each line."""
    import vobject

    text = decode(data)
    if text is None:
        raise ExpertRefused("embedded-document-unknown")
    if len(text) > _MOST_CHARACTERS or text.upper().count("BEGIN:") > _MOST_ENTRIES:
        raise BadInput("embedded-document-too-large")
    lines: list[str] = []
    try:
        for component in vobject.readComponents(text, transform=True, allowQP=True):
            lines += _list_lines(component)
    except Exception as error:  # of a library that reads whatever people send
        raise BadInput("embedded-document-broken") from error
    return DocumentText("\n".join(lines))


def _list_lines(component: Any) -> Iterator[str]:
    """The properties of an entry, then its parts, an empty line between entries."""
    for child in component.getChildren():
        if not hasattr(child, "value"):
            if child.name not in ("VTIMEZONE", "VALARM"):
                yield ""
                yield from _list_lines(child)
        elif child.name not in _HIDDEN and not child.name.startswith("X-"):
            name = _NAMES.get(child.name, child.name.replace("-", " ").capitalize())
            own = ",".join([*child.singletonparams, *child.params.get("TYPE", ())]).upper()
            types = [_TYPES[each] for each in dict.fromkeys(own.split(",")) if each in _TYPES]
            label = f"{name} ({', '.join(types)})" if types else name
            yield f"{label}: {_format_value(child)}"


def _format_value(child: Any) -> str:
    value = child.value
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    zone = child.params.get("TZID", [""])[0]
    words = " ".join(str(value).replace("\\n", " ").split())
    return f"{words} ({zone})" if zone else words.removeprefix("mailto:").removeprefix("MAILTO:")
