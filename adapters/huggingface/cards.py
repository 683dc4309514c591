"""Model cards: their first prose, as one line. Whatever a card says is data."""

import re

_FRONT = re.compile(r"\A\s*---\s*\n.*?\n---\s*\n", re.DOTALL)
_FENCES = re.compile(
    r"```.*?(?:```|\Z)|<!--.*?(?:-->|\Z)|<(style|script)\b.*?(?:</\1>|\Z)", re.DOTALL
)
_MARKUP = re.compile(r"!\[[^\]]*\]\([^)]*\)|</?[A-Za-z][^>]{0,500}>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NO_PROSE = re.compile(r"\s*(#|\||>|[-*+] |\d+[.)] |\[!|={3,}|-{3,})")
_SIGNS = re.compile(r"[*`]{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_LEAST_WORDS = 5


def first_prose(card: str, *, most: int = 150) -> str:
    """The first paragraph that reads as prose, without markup, cut at a word; "" when there is none."""
    text = _FENCES.sub("\n\n", _FRONT.sub("", card, count=1))
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line for line in paragraph.splitlines() if not _NO_PROSE.match(line)]
        plain = _SIGNS.sub("", _LINK.sub(r"\1", _MARKUP.sub("", " ".join(lines))))
        words = plain.split()
        if len(words) >= _LEAST_WORDS:
            return _cut(" ".join(words), most)
    return ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"
