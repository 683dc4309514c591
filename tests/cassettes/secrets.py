"""Finds secrets in text, the configured ones and whatever looks like a key, in any encoding."""

import base64
import html
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from yarl import URL

from pipeline.text.names import sniff

Json = Any

HIDDEN = "(secret)"
_MIN_SECRET = 8
"""Shorter values are placeholders ("none", "ollama"), and part of ordinary words."""
_LONGEST_KEY = 400
"""Longer words are data. Only of formats that are known are keys so long."""
_DEPTH = 4
"""How many encodings may lie on top of each other."""
_MOST_UNPACKED = 1 << 20
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""The start of a word, also after an escaped line break."""
_KEYS = rf"""
    {_START}(?:
        (?:[spr]k[_-]|xox[a-z][.-]|xapp-|xwfp-|r8_|gsk_|gh[a-z]_|github_pat_|gl[a-z]{{2,6}}-|npm_|pypi-
            |SG\.|ya29\.|nvapi-|pplx-|tgp_|dop_|shp[a-z]{{2}}_|key-)[\w*.-]{{12,}}
        |(?:hf_|org-|proj_|user-)[A-Za-z0-9*]{{16,}}
        |A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{{16}}
        |AIza[\w-]{{30,}}
        |(?:dapi|SK)[0-9a-f]{{32}}
        |AGE-SECRET-KEY-1[A-Z0-9]{{30,}}
        |[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}:[0-9a-f]{{32}}
        |eyJ[\w-]{{8,}}\.[\w-]{{8,}}(?:\.[\w-]+)*
        |[\w-]{{23,28}}\.[\w-]{{6,7}}\.[\w-]{{27,}}
        |\d{{8,10}}:[\w-]{{35}}
    )
    |-----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY(?:[ ]BLOCK)?-----(?:.*?-----END[ ][A-Z ]*PRIVATE[ ]KEY|.*)
    |(?<=hooks\.slack\.com/)\w+/[\w/-]{{20,}}
    |(?<=/webhooks/)\d{{8,20}}/[\w-]{{20,}}
    |(?<=://)[^\s/@:"']*:[^\s/@"']+(?=@)
    |(?i:(?:(?<=\bbearer\s)|(?<=\bbasic\s))(?=[\w.~+/=-]*\d)[\w.~+/=-]{{12,}})
"""
"""Keys whose format is known; user and password in an address; what an Authorization header says.

Among them those of OpenAI and alike, Slack, Replicate, Groq, fal, GitHub, GitLab, Hugging Face,
AWS, Google, Databricks, Twilio, Discord and Telegram, the addresses of Slack's and Discord's
webhooks, OpenAI's ids of their owners, and JSON web tokens.
"""
_FIELD = (
    r"[\w.-]{0,60}(?:secrets?|passw(?:or)?d|passphrase|pwd|authorization|cookies?|credentials?"
    r"|(?:account|api|private|access|secret|signing|encryption)[_-]?key(?:[_-]?id)?"
    r"|(?:access|refresh|id|auth|api|session|security|bearer|bot|app|web)[_-]?token)"
)
"""The name of a field whose value is secret, whatever it looks like."""
_FIELD_NAME = re.compile(_FIELD, re.IGNORECASE)
_IN_FIELD = re.compile(
    rf"(?P<name>(?<![\w-]){_FIELD}[\"'\\]*\s*[:=]\s*[\"'\\]*(?:(?:bearer|basic|token|bot)\s+)?)(?!\(secret\)|null\b|(?:bearer|basic|token|bot)\b)[^\s\"'\\&,;{{}}\[\]]{{6,}}"
    r"|(?P<cookie>(?<![\w-])(?:set-)?cookie:\s*)(?!\(secret\))[^\r\n\"\\]+",
    re.IGNORECASE,
)
_WORD = re.compile(r"""(?:[^\s"'<>(){}\[\],;&=?]|&#?\w{1,7};){11,}=*""")
_PART = re.compile(r"[A-Za-z0-9+/_-]{11,}")
_DATA = re.compile(rf"[A-Za-z0-9+/_-]{{{_LONGEST_KEY},}}=*")
_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_FEWEST, _FEWEST_CHANGES = 2, 0.25
"""A random run of letters and digits has some of each, and often changes between their kinds."""
_FILES = ("image/", "audio/", "video/", "application/pdf")
"""What may stand in a string as base64, and looks random."""
_OURS = re.compile(r"sha256:[0-9a-f]{64}")
"""What is kept of a long word that was sent."""
_BINARY = re.compile("[\udc80-\udcff]")
"""Bytes that are no text, as they are decoded here."""
_URL = re.compile(r"https?://[^\s\"'<>\\]+")
_ESCAPE = re.compile(r"\\+u([0-9a-fA-F]{4})|\\+(.)")


class Cleaner:
    """Hides secrets: the configured ones, and everything that looks like a key."""

    def __init__(self, secrets: Iterable[str]) -> None:
        secrets = sorted(secrets, key=len, reverse=True)
        spelled = ["".join(map(_spell, each)) for each in secrets if len(each) >= _MIN_SECRET]
        keys = f"(?x:{_KEYS})"
        self._pattern = re.compile("|".join([*spelled, keys]), re.DOTALL)

    def clean(self, text: str) -> str:
        """A string without secrets; addresses also without user, password and signed query."""
        if _DATA.fullmatch(text):
            return HIDDEN if self._hides(text) else text
        if is_url(text):
            text = str(URL(text).with_user(None).with_query(None))
        text = self.clean_binary(_URL.sub(_drop_query, text))
        text = _IN_FIELD.sub(lambda match: f"{match['name'] or match['cookie']}{HIDDEN}", text)
        return _WORD.sub(lambda match: HIDDEN if self._hides(match[0]) else match[0], text)

    def clean_binary(self, text: str) -> str:
        """Bytes as text, without what is certainly a secret: any of them may look random."""
        return self._pattern.sub(HIDDEN, text)

    def clean_json(self, value: Json) -> Json:
        """A JSON value without secrets, in keys, in strings, and in fields that are named so."""
        if isinstance(value, dict):
            return {
                self.clean(key): HIDDEN
                if isinstance(item, str) and item and _FIELD_NAME.fullmatch(key)
                else self.clean_json(item)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.clean_json(item) for item in value]
        return self.clean(value) if isinstance(value, str) else value

    def finds(self, text: str) -> bool:
        """Whether a cleaned text has a secret of a known format, also below several encodings."""
        return self._finds(_DATA.sub("", text), _DEPTH, guesses=False)

    def _finds(self, text: str, depth: int, *, guesses: bool) -> bool:
        """`guesses`: what looks random counts, too. Binary data holds no further encoding."""
        if self._pattern.search(text) or _IN_FIELD.search(text):
            return True
        if guesses and text.isascii() and any(map(_is_random, _RUN.findall(text))):
            return True
        decoded = _decode(text) if depth and not _BINARY.search(text) else ()
        return any(self._finds(each, depth - 1, guesses=guesses) for each in decoded)

    def _hides(self, word: str) -> bool:
        """Whether a word is a key, or an encoding of a text with one."""
        if _OURS.fullmatch(word):
            return False
        for data in _read_bytes(word.strip(".:=")):
            if sniff(data).startswith(_FILES):
                return bool(self._pattern.search(_to_text(data)))
        if len(word) > _LONGEST_KEY:  # data, which may look random itself
            return any(self._finds(each, _DEPTH - 1, guesses=True) for each in _decode(word))
        return self._finds(word, _DEPTH, guesses=True)


def map_strings(value: Json, change: Callable[[str], str]) -> Json:
    """A JSON value with every string changed, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [map_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): map_strings(item, change) for key, item in value.items()}
    return value


def is_url(text: str) -> bool:
    """Whether a string is one web address and nothing else."""
    with suppress(ValueError):
        return text.startswith("http") and len(text.split()) == 1 and bool(URL(text).host)
    return False


def _drop_query(match: re.Match[str]) -> str:
    address, _, query = match[0].partition("?")
    return address if query else match[0]


def _is_random(run: str) -> bool:
    digits = sum(map(str.isdigit, run))
    kinds = [(char.isdigit(), char.isupper()) for char in run]
    changes = sum(one != other for one, other in pairwise(kinds))
    is_mixed = _FEWEST <= digits <= len(run) - _FEWEST
    return is_mixed and changes >= _FEWEST_CHANGES * len(run)


def _decode(text: str) -> Iterator[str]:
    """A text without one layer of escapes, and what its parts are encodings of."""
    unescaped = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)
    yield from {unquote(text), html.unescape(text), unescaped} - {text}
    for part in _PART.findall(text):
        pieces = re.split("[/_-]", part) if len(part) <= _LONGEST_KEY else ()
        for piece in {part, *pieces}:
            for data in _read_bytes(piece):
                yield _to_text(_unpack(data))


def _read_bytes(word: str) -> Iterator[bytes]:
    """What a word stands for in base64, base32 and hexadecimal digits."""
    padded = word + "=" * (-len(word) % 8)
    with suppress(ValueError):
        yield base64.b64decode(
            padded[: len(word) + -len(word) % 4],
            b"-_" if "-" in word or "_" in word else None,
            validate=True,
        )
    with suppress(ValueError):
        yield base64.b32decode(padded, casefold=True)
    with suppress(ValueError):
        yield bytes.fromhex(word)


def _to_text(data: bytes) -> str:
    """UTF-8, or UTF-16 of a text in ASCII; other bytes stay recognisable."""
    return data.decode(errors="surrogateescape").replace("\0", "")


def _unpack(data: bytes) -> bytes:
    """The content of data that zlib or gzip packed, in part if it is long."""
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(data, _MOST_UNPACKED)
    return data


def _spell(char: str) -> str:
    """A pattern for one character of a secret, also as it is escaped in URLs and in JSON."""
    if char.isascii() and char.isalnum():
        return char
    percents = "".join(f"%{byte:02x}" for byte in char.encode())
    return rf"(?i:\\*{re.escape(char)}|\\+u{ord(char):04x}|{percents})"
