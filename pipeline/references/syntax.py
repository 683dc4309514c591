"""What a reference looks like in Markdown of any language: a file name, an address, a citation."""
# ruff: noqa: RUF001 - quotation marks of many languages

import html
import re
from collections.abc import Iterator

from pipeline.text.names import FILE_ENDING

WINDOW = 2000
"""Characters of the longest token, and how far to look for the end of an open link."""
_EAST = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
"""Scripts without spaces: text before a file name may be part of it, or prose."""
_STOPS = r">(){}\"'|*,;!“”„«»‹›‘’…\u3000-\u3004\uff00-\uff65"
_BREAKS = rf"{_EAST}{_STOPS}\s<\[\]`"
"""Characters that end a word."""
SIGNS = frozenset(".:/@&\\")
"""One of them is in every reference."""
_MARKS = re.escape("".join(sorted(SIGNS)))
_TARGET = r"\]\((?:[^()\n]|\n(?!\n)|\([^()\n]*\))*+"
"""The address of a link after its label: "](https://…"."""
_DEFINITION = r"\]:\s*<?[^\s<>]*"
"""The address of a link that stands elsewhere: "]: https://…"."""
TOKEN = re.compile(
    rf"(?P<plain>(?:[^{_BREAKS}{_MARKS}]*+(?:[{_STOPS}](?=.)|[ \n](?=[^\s\[])))+)"
    rf"|(?P<target>{_TARGET}\)|{_DEFINITION}>?)"
    r"|(?P<cite>(?: |(?<![A-Za-z0-9_)]))\[\d{1,3}\](?![(:]))"
    r"|(?P<tag><[A-Za-z/!][^<>]*>)|(?P<ticks>`+)"
    rf"|(?P<word>(?:<(?=[@#]))?[{_EAST}]*[^{_BREAKS}]+)|(?P<space>\s+)|(?P<other>[{_EAST}]+|.)",
    re.DOTALL,
)
"""One token of a text, whose group says what it is."""
UNFINISHED = re.compile(
    rf"(?:\]|{_TARGET}(?:\([^()\n]*)?|{_DEFINITION}| ?\[\d{{0,3}}\]?|<(?:[A-Za-z/!][^<>]*)?)\Z"
)
"""The start of a link, citation or tag that the next piece may complete."""
_DOMAINS = (
    "com|org|net|edu|gov|io|ai|co|dev|app|info|biz|xyz|site|online|cloud|link|tv|ly|gl|gg|ru|cn"
    "|de|fr|uk|eu|jp|es|ch|nl|pl|test|example|invalid|local"
)
ADDRESS = re.compile(
    r"(?P<link>://|^www\.|^[a-z]{2,}:/.|^(?:mailto|javascript|file|blob):.|^data:.*/)"
    r"|(?P<path>^(?:[/~][^/]*|[a-z]:)/+[^/])"
    r"|^/*[^/@]+@(?:[\w-]+\.)+[^\W\d_]+\.?(?:[:/?#]|$)"
    rf"|^(?-i:(?:(?:[^\WA-Z]|-)+\.)+(?:{_DOMAINS}"
    r"|(?!(?:js|ts|cs|py|sh|go|rs)/)[a-z]{2}(?=/)))\.?(?:[/?#]|:\d)",
    re.IGNORECASE,
)
"""A URL, an absolute path, an e-mail address, or a host with a path.

No surface makes a link of a host alone, and it may be a name: "ASP.NET", "ASP.NET/C#".
"""
URL = re.compile(r"[a-z][a-z+.-]{1,20}://[^\s<>|`]{1,300}", re.IGNORECASE)
"""A URL as surfaces link it, also if its host begins with one of `_BREAKS`: "https://例え.jp"."""
_AFTER_URL = "!'\")]*;"
"""Characters at the end of a URL that surfaces leave out of the link."""
OWN_TARGET = "](#/setup)"
"""Where a sentence of ours may lead on the page; it names nothing that could be invented."""
OPEN_HOST = re.compile(r"://([^/?#]*)\Z")
"""The end of a URL whose host may go on."""
MORE_HOST = re.compile(r"[^/?#.]*\.\w")
"""How the host of such a URL goes on."""
STEM = re.compile(rf"[{_EAST}]*")
"""East Asian text before a reference."""
_ESCAPE = re.compile(r"\\(?=[^\w\s]|_)")
"""A backslash that Markdown removes."""
EDGES = ".,:?_~#&\\/-\u2013\u2014"
"""Punctuation after a reference that is no part of it."""
BEFORE_WORDS = "<,:?_&\\-\u2013\u2014"
"""Punctuation before a reference that is no part of it."""
_SCHEME = re.compile(r"(?:https?://|mailto:)?(?:www\.)?", re.IGNORECASE)
_HOST_END = re.compile(r"[/?#]")
"""After it, upper and lower case differ."""
HOST = re.compile(rf"(?:[\w-]+\.)+(?:{_DOMAINS})")
_LONGEST_STEM = 40
"""Characters of East Asian text that may be part of a file name."""


def normalize(word: str) -> str:
    """A reference without escapes and surrounding punctuation."""
    plain = _ESCAPE.sub("", html.unescape(word)).replace("\\", "/")
    return plain.rstrip(EDGES).lstrip(BEFORE_WORDS)


def list_keys(plain: str) -> Iterator[str]:
    """The keys by which a reference is looked up.

    Each is without its scheme, and starts one East Asian character later than the one before: the
    text before a file name may be prose.
    """
    stem = STEM.match(plain)
    assert stem is not None
    for start in range(max(0, stem.end() - _LONGEST_STEM), stem.end() + 1):
        key = _SCHEME.sub("", plain[start:].strip(EDGES), count=1)
        host = _HOST_END.split(key, maxsplit=1)[0]
        yield host.casefold() + key[len(host) :]


def find_file_names(plain: str) -> list[str]:
    """The parts of a path or URL that are file names: "cat.png" of "https://x.org/cat.png?y"."""
    parts = ((part, FILE_ENDING.search(part)) for part in re.split(r"[/:=?#]", plain))
    return [part for part, end in parts if end and any(map(str.isalnum, part[: end.start()]))]


def find_urls(text: str) -> list[str]:
    """The URLs in a text as surfaces link them."""
    return [normalize(found.group().rstrip(_AFTER_URL)) for found in URL.finditer(text)]


def find_host(plain: str) -> str:
    """The host of an address, in lower case, without a user's name."""
    return _HOST_END.split(next(list_keys(plain)), maxsplit=1)[0].rpartition("@")[2]
