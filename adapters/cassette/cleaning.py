"""What a cassette holds of requests and answers: JSON values, without secrets."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from yarl import URL

Json = Any
Fields = Mapping[str, Json]

_HIDDEN = "(secret)"
_MIN_SECRET = 8
"""Shorter values are placeholders ("none", "ollama"), and part of ordinary words."""
_MAX_SENT = 400
"""Characters of a longest word in a request. Files in base64 are longer: only hashes are kept."""
_KEYS = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"  # the start of a word, also after an escaped line break
    r"(?:(?:sk-|xox[a-z]-|xapp-|r8_|gsk_)[\w*-]{12,}|(?:hf_|org-|proj_|user-)[A-Za-z0-9*]{16,})"
)
"""Keys of Hugging Face, OpenAI, Slack, Replicate and Groq, and OpenAI's ids of their owners."""


class Cleaner:
    """Removes secrets: the configured ones, and everything that looks like a key."""

    def __init__(self, secrets: Iterable[str]) -> None:
        secrets = sorted(secrets, key=len, reverse=True)
        spelled = ["".join(map(_spell, each)) for each in secrets if len(each) >= _MIN_SECRET]
        self._pattern = re.compile("|".join([*spelled, _KEYS]))

    def clean(self, text: str) -> str:
        """A string without secrets; a URL also without user, password and signed query."""
        if is_url(text):
            text = str(URL(text).with_user(None).with_query(None))
        return self._pattern.sub(_HIDDEN, text)

    def describe_body(self, body: bytes) -> Fields:
        """A body as JSON, text or base64. Only base64 is clean, as it would hide secrets."""
        if not body:
            return {}
        with suppress(ValueError):
            return {"json": json.loads(body)}
        with suppress(ValueError):
            return {"text": body.decode()}
        clean = self.clean(body.decode("utf-8", "surrogateescape"))
        return {"base64": base64.b64encode(clean.encode("utf-8", "surrogateescape")).decode()}

    def describe_request(self, method: str, path: str, body: bytes) -> Fields:
        """A request as it is taped and compared: forms without their boundary, which is random."""
        boundary = body.partition(b"\r\n")[0] if body.startswith(b"--") else b""
        short = map_strings(self.describe_body(body.replace(boundary, b"")), _shorten)
        return {"method": method, "path": self.clean(path), **map_strings(short, self.clean)}


def _spell(char: str) -> str:
    """A pattern for one character of a secret, also as it is escaped in URLs and in JSON."""
    if char.isascii() and char.isalnum():
        return char
    percents = "".join(f"%{byte:02x}" for byte in char.encode())
    return rf"(?i:\\*{re.escape(char)}|\\+u{ord(char):04x}|{percents})"


def _shorten(text: str) -> str:
    if len(text) <= _MAX_SENT or not text.isascii() or len(text.split()) > 1:
        return text
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()} ({len(text)} characters)"


def is_url(text: str) -> bool:
    """Whether a string is one web address and nothing else."""
    with suppress(ValueError):
        return text.startswith("http") and len(text.split()) == 1 and bool(URL(text).host)
    return False


def map_strings(value: Json, change: Callable[[str], str]) -> Json:
    """A JSON value with every string changed, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [map_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): map_strings(item, change) for key, item in value.items()}
    return value


def read_pieces(answer: Fields) -> list[bytes]:
    """The body of a taped answer: a stream in its pieces."""
    match answer:
        case {"chunks": chunks}:
            return [text.encode() for _, text in chunks]
        case {"json": value}:
            return [json.dumps(value).encode()]
        case {"text": str(text)}:
            return [text.encode()]
        case {"base64": str(data)}:
            return [base64.b64decode(data)]
        case _:
            return []
