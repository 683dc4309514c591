"""Addresses and files in an answer: none but those that people sent or experts made, and none that can be clicked on unless the person sent it."""

import re

from pipeline.response.edits import Edits
from pipeline.response.record import Record
from pipeline.text import defused

_LINK = re.compile(r"(!?)\[([^\[\]\n]{0,300})\]\(\s{0,3}<?([^)\s>]{0,2000})>?[^)\n]{0,300}\)")
_CODE = re.compile(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{1,15}:/{1,3}|www\.|data:\w+/|(?:mailto|javascript|attachment|tel):)[^\s<>|)\]\"'`]+"
    r"|(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:com|org|net|io|ai|co|dev|app|info|biz|xyz|site|online|ru|cn|de|fr|uk|test|example|evil)\b(?:/[^\s<>|)\]\"'`]*)?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_PATH = re.compile(r"(?<![\w/.:])(?:~|\.{1,2})?/(?:[\w.@-]+/)+[\w.@-]*|\b[A-Za-z]:\\[^\s`\"']+")
_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w.-]{1,80}/){0,12}[\w-][\w.-]{0,160}\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|ico|wav|mp3|flac|ogg|opus|m4a|aac|mp4|mov|avi|mkv|webm"
    r"|pdf|docx?|xlsx?|pptx?|odt|csv|tsv|txt|json|xml|ya?ml|md|srt|vtt|zip|tar|gz|html?|py|exe|sh)\b",
    re.IGNORECASE,
)
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_TRAILING = ".,;:!?*_"


def harmless(text: str) -> str:
    """Nobody is pinged, and no sign turns the direction of reading."""
    return defused(_OVERRIDES.sub("", text))


def look_at_addresses(edits: Edits, known: Record) -> None:
    """Strike what nobody gave or made; what an expert read somewhere is shown, but not as a link."""
    _settle_names(edits, known)
    _links(edits, known)
    for pattern in (_MAIL, _ADDRESS, _PATH):
        for found in edits.open(pattern):
            start, address = found.start(), found.group().rstrip(_TRAILING)
            _address(edits, known, start, address)
    for found in edits.open(_FILE):
        if known.holds(found.group()):
            edits.settle(*found.span())
        else:
            edits.strike(*found.span())


def _settle_names(edits: Edits, known: Record) -> None:
    for name in sorted(known.names, key=len, reverse=True):
        if len(name) > 2:  # noqa: PLR2004 - "a" is no name
            whole = re.compile(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-]|\.\w)", re.IGNORECASE)
            for found in edits.open(whole):
                edits.settle(*found.span())


def _links(edits: Edits, known: Record) -> None:
    for found in _LINK.finditer(edits.text):
        _, label, target = found.groups()
        if _in_code(edits.text, found.start()) and known.holds(found.group()):
            edits.settle(*found.span())
            continue
        if target and target.casefold() in known.asked.casefold() and "://" in target:
            edits.settle(*found.span())
        elif known.holds(target) and target:
            edits.change(found.start(), found.start(2), "")
            edits.change(found.end(2), found.end(), f" (`{target}`)")
        else:
            edits.struck += 1
            edits.change(found.start(), found.start(2), "")
            edits.change(found.end(2), found.end(), "" if label.strip() else "[…]")


def _address(edits: Edits, known: Record, start: int, address: str) -> None:
    end = start + len(address)
    if address.casefold() in known.asked.casefold():
        edits.settle(start, end)
    elif not known.holds(address):
        edits.strike(start, end)
    elif _in_code(edits.text, start):
        edits.settle(start, end)
    else:
        edits.change(start, end, f"`{address}`")


def _in_code(text: str, at: int) -> bool:
    fences = len(re.findall(r"^\s*```", text[:at], re.MULTILINE))
    return fences % 2 == 1 or any(
        found.start() <= at < found.end() for found in _CODE.finditer(text)
    )
