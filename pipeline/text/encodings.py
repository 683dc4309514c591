"""Decode text files: Unicode by its marks and rules, older encodings where they are certain."""

import codecs
import re
import unicodedata

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 40_000
"""Bytes that are looked at for an older encoding."""
_LETTERS = {
    "cp1252": (
        "äöüßé", "àâæçèéêëîïôœùûüÿ", "áéíóúüñç", "áâãàçéêíóôõú", "àèéìòùí", "éëïöüèê",
        "åäöéü", "åæøéä", "äöüßàâçèéêëîïôœùû",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű", "áäčďéíĺľňóôŕšťúýž", "ăâîşţ", "čćđšž"),
    "cp1254": ("çğıiöşüâîû\u0307",),
}  # fmt: skip
"""Letters beyond ASCII that a language writes, by the encoding in which Windows wrote it; the last
row of Western letters is German and French together."""
_SIGNS = frozenset("¿¡“”‘’„‚‹›«»–—…•·€£§°²³½µ©®™×\u00a0ºª´")
_EAST_ASIAN = ("gb18030", "big5", "cp932", "euc_jp", "cp949")
_WITH_CAPITALS = ("cp1251", "cp1253", "koi8_r")
_TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "IDEOGRAPHIC"}
_MOST_CHAOS = 0.1


def decode(data: bytes) -> str | None:
    """The text of a file; None for binary data and unknown encodings."""
    name = _find_encoding(data)
    if name is None:
        return None
    text = data.decode(name, "replace")
    head = text[:100_000]
    return None if len(_CONTROL.findall(head)) > len(head) / 1000 else text


def is_binary(data: bytes) -> bool:
    """Whether bytes are no text in any encoding, going by control characters."""
    head = data[:100_000]
    return sum(head.count(sign) for sign in range(9)) > len(head) / 1000


def _find_encoding(data: bytes) -> str | None:
    """The encoding of a text, or None if it is not certain."""
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name
    if len(data) % 2 == 0 and (wide := _find_utf_16(data[:2000])):
        return wide
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    sample = _take_sample(data)
    latin = (name for name in _LETTERS if _is_latin(sample, name))
    return next(latin, None) or _detect(sample)


def _find_utf_16(head: bytes) -> str:
    """Which UTF-16 bytes without a mark are: those that make text of one script; "" for none."""
    low, high = head[::2].count(0), head[1::2].count(0)
    name = "utf-16-le" if high > low else "utf-16-be"
    if low + high > 0.3 * len(head):
        return name
    text = head.decode(name, "replace") if low + high else ""
    is_text = text.count("\ufffd") <= 1 and not _CONTROL.search(text)
    return name if is_text and _is_one_script(text) else ""


def _take_sample(data: bytes) -> bytes:
    """The lines with bytes beyond ASCII."""
    lines, size = [], 0
    for line in data[: 50 * _SAMPLE].splitlines():
        if not line.isascii():
            lines.append(line[:_SAMPLE])
            size += len(lines[-1])
        if size > _SAMPLE:
            break
    return b"\n".join(lines)


def _is_latin(sample: bytes, encoding: str) -> bool:
    """Whether a text, read so, has single letters of one language within Latin words."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    beyond = {each for each in text.lower() if not each.isascii()} - _SIGNS
    if not any(beyond <= set(letters) for letters in _LETTERS[encoding]):
        return False
    words = _list_words(text)
    plain = sum(any(each.isascii() for each in word) for word in words)
    return plain >= len(words) / 2


def _detect(sample: bytes) -> str | None:
    """The encoding that the library finds, where its reading looks like words of one script."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few files need it

    names = [*_EAST_ASIAN, *_WITH_CAPITALS]
    for match in from_bytes(sample, cp_isolation=names, enable_fallback=False):
        text, name = str(match), match.encoding
        if match.chaos <= _MOST_CHAOS and _is_one_script(text):
            if name in _WITH_CAPITALS and _has_capitals_in_place(text):
                return name
            if name in _EAST_ASIAN and _is_usual(text, name):
                return name
    return None


def _has_capitals_in_place(text: str) -> bool:
    """Whether some words begin with a capital, and nearly none has one within."""
    words = _list_words(text)
    regular = sum(word.islower() or word.istitle() or word.isupper() for word in words)
    has_signs = any(not (each.isascii() or each.isalpha() or each in _SIGNS) for each in text)
    capitals = any(word.istitle() and word[1:] for word in words)
    return capitals and not has_signs and regular >= 0.9 * len(words)


def _is_usual(text: str, encoding: str) -> bool:
    """Whether nearly all characters are of the encoding's first, usual part; Korean is Hangul."""
    letters = [each for word in _list_words(text) for each in word if not each.isascii()]
    if encoding == "cp949":
        usual = sum("\uac00" <= each <= "\ud7a3" for each in letters)
    else:
        name = {"gb18030": "gb2312", "cp932": "shift_jis"}.get(encoding, encoding)
        usual = sum(bool(each.encode(name, "ignore")) for each in letters)
    return usual >= 0.95 * len(letters)


def _list_words(text: str) -> list[str]:
    """The words with letters beyond ASCII."""
    return [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]


def _is_one_script(text: str) -> bool:
    """Whether the letters beyond ASCII are of one script, and no islands in Latin words."""
    words = _list_words(text)
    letters = {each for word in words for each in word if not each.isascii()}
    scripts = {unicodedata.name(each, "?").split()[0] for each in letters}
    mixed = sum(any(each.isascii() for each in word) for word in words)
    is_one = len(scripts) == 1 or scripts <= _TOGETHER
    return bool(words) and is_one and "LATIN" not in scripts and mixed < len(words) * 0.6
