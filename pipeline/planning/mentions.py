"""References to other tasks and to files, as language models write them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.domain import Media, Request, Type, type_of
from pipeline.planning.names import kind_named
from pipeline.planning.rough import label_of

_SLOT = r"text|image|audio|video|labels|boxes|masks|spans|table|file|number"
_STEP = r"(?:generated|resource|node|task|output|result|step|tool|call|action)s?"
_WORD = rf"(?:{_STEP}|(?:image|audio|video|text|file)s?)"
_ID = r"[A-Za-z]*\d+"
_OUTPUT = rf"(?:output|result|response|answer|value|content|caption|{_SLOT})s?"
_OF = rf"(?:the\s+)?(?:final\s+)?{_OUTPUT}(?:\s+(?:of|from|by)\s+(?:the\s+)?|\s*[.\[]\s*)"
_TAIL = rf"(?:'s)?(?:[\s._\[\]'\"-]*(?:{_OUTPUT}))*[\]'\"]*"
_DOT = rf"(?:\.({_SLOT})\b)?"
_REFERENCE = re.compile(
    rf"[<\[]\s*{_WORD}\s*[>\]]\s*[-_ ]?\s*<?({_ID})>?{_DOT}"  # <GENERATED>-0
    rf"|<\s*{_WORD}\s*[-_ ]?\s*({_ID}){_TAIL}\s*>{_DOT}"  # <GENERATED-0>, <node-0>, <step_1_output>
    rf"|\bGENERATED\s*[-_]\s*({_ID})\b{_DOT}"  # GENERATED-0
    rf"|(?:\{{\{{|\$\{{)\s*([^{{}}<>\n]{{1,60}}?)\s*\}}\}}?{_DOT}"  # {{0}}, {{task0.output}}, ${step1}
    rf"|\b(?:output|result)s?\s+(?:of|from)\s+{_STEP}\s*#?(\d+)\b{_DOT}",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?:{_OF})?{_STEP}(?:[\s_.:#\[-]+({_ID})|(\d+))\]?{_TAIL}", re.IGNORECASE)
"""A step by its number, in an argument that is nothing else: "step 1", "output of task 2", "node-0.text"."""
_MARKED = re.compile(r"[$#@]\s*E?(\d{1,2})|<(\d+)>|<[a-z]+[-_](\d+)>", re.IGNORECASE)
"""The same with a sign and no such word: "$1", "#E1"."""
_BEFORE = re.compile(
    rf"(?:the\s+)?((?:{_OUTPUT}\s+of\s+the\s+)?(?:previous|preceding|prior)\s+(?:{_STEP}|{_OUTPUT})){_TAIL}",
    re.IGNORECASE,
)
_OLDEST = re.compile(rf"(?:resource|node|task|output|step)s?[-_ ]{_ID}", re.IGNORECASE)
_HELD = re.compile(rf"(?:{_WORD}\s*[-_ .]?\s*)?({_ID})|([A-Za-z_][\w-]*?){_TAIL}", re.IGNORECASE)
"""What stands between brackets that hold nothing but references: a number, or the name of a step."""
_MADE_BY = re.compile(
    rf"(?:the\s+)?{_OUTPUT}\s+(?:of|from|by)\s+(?:the\s+)?(\w[\w -]+)|(?:the\s+)?(\w[\w -]*?)[\s_-]+(?:output|result)s?",
    re.IGNORECASE,
)
BY_KIND = "the last "
"""What a label begins with that is no number but the name of a kind."""
_SLOTTED = re.compile(rf"\.({_SLOT})\b", re.IGNORECASE)
_LONGEST = 60
"""Characters in the longest name of a step."""
_PLACEHOLDER = re.compile(r"<[A-Za-z_][A-Za-z_ ]*>(?:\.\w+)?")
_SEPARATORS = re.compile(r"[,;&+\n]|\band\b")
_BLANK = re.compile(
    r"(?:(?:the|input|output|generated|extracted|transcribed|translated|previous|original)[\s_-]+)*"
    r"(?:text|sentence|input|output|content)",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"(?:output|result|generated|translated|transcribed|edited|enhanced|improved|processed|modified|new|final)"
    r"(?:[_-]?\w+)*\.[a-z]{2,4}\d?",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://\S+|file:\S+|data:\S+", re.IGNORECASE)
FILE_NAME = re.compile(
    r"(?<![\w./\\-])[\w./\\-]*[\w-]\.(?:[a-z]{2,4}\d?|mp[34]|[a-z]7z)", re.IGNORECASE
)

MEDIA_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("jpg", "jpeg", "png", "gif", "bmp", "webp", "tiff"), "image/jpeg"),
    **dict.fromkeys(("wav", "mp3", "flac", "ogg", "m4a"), "audio/wav"),
    **dict.fromkeys(("mp4", "avi", "mov", "mkv", "webm"), "video/mp4"),
    **dict.fromkeys(("csv", "tsv"), "text/csv"),
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""What a file holds, by the ending of its name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Another task named in an argument: its label, and which of its outputs if that was written."""

    label: str
    slot: str = ""


Piece = str | Media | Mention


def pieces_of(text: str, request: Request) -> tuple[Piece, ...]:
    """What a text of a plan holds: words, files and references to other tasks, in their order.

    What looks like a reference and stands word for word in the person's own message is only words.
    """
    if files := _files(text, request):
        return files
    if whole := _whole(text.strip(), request):
        return (whole,)
    found: list[Piece] = []
    at = 0
    for match in _REFERENCE.finditer(text):
        if match[0] in request.text:
            continue
        found += [text[at : match.start()], _mention(match, request)]
        at = match.end()
    found.append(text[at:])
    return _trimmed(found)


def _whole(text: str, request: Request) -> Mention | None:
    """The step that a text names, if it is nothing but the name of one."""
    if len(text) > _LONGEST or (text in request.text and not _OLDEST.fullmatch(text)):
        return None
    bare = text.strip("$@#<>{}[]() ")
    found = _NAMED.fullmatch(bare) or _MARKED.fullmatch(text) or _BEFORE.fullmatch(bare)
    if found is None:
        return _by_kind(bare)
    slot = _SLOTTED.search(text)
    label = label_of(next(group for group in found.groups() if group))
    return Mention(label, slot[1].casefold() if slot else "")


def _by_kind(text: str) -> Mention | None:
    """The step that is meant by what it does ("output of Image-to-Text")."""
    named = _MADE_BY.fullmatch(text)
    kind = kind_named(named[1] or named[2]) if named else None
    return Mention(f"{BY_KIND}{kind.name}") if kind else None


def is_placeholder(text: str) -> bool:
    """Whether a text stands for something that was never named ("<input text>")."""
    return bool(_PLACEHOLDER.fullmatch(text.strip()))


def is_blank(text: str) -> bool:
    """Whether a text says what is to stand in its place, and no more ("input text")."""
    return bool(_BLANK.fullmatch(text.strip()))


def named_type(text: str) -> Type | None:
    """The type of the file that a text names, if it is nothing but the name of one."""
    name = FILE_NAME.fullmatch(text.strip())
    ending = MEDIA_TYPES.get(name[0].rpartition(".")[2].casefold()) if name else None
    return type_of(ending) if ending else None


def is_result(text: str) -> bool:
    """Whether a text is nothing but a name for a file that is yet to be made ("output.wav")."""
    return bool(_RESULT.fullmatch(text.strip()))


def is_url(text: str) -> bool:
    return bool(_URL.fullmatch(text.strip()))


def _files(text: str, request: Request) -> tuple[Media, ...]:
    """The files that a whole text names, alone or in a list; empty when any part of it is none."""
    whole = _file(text, request)
    if whole:
        return (whole,)
    parts = [part for part in _SEPARATORS.split(text) if part.strip()]
    files = tuple(file for part in parts if (file := _file(part, request)))
    return files if len(files) == len(parts) else ()


def _file(name: str, request: Request) -> Media | None:
    name = name.strip().strip("<>\"'`[]()").strip()
    for candidate in dict.fromkeys((name, re.split(r"[/\\]", name.partition("?")[0])[-1])):
        if candidate and (file := request.file(candidate)):
            return Media(file.attachment)
    return None


def _mention(match: re.Match[str], request: Request) -> Piece:
    """The task that is meant; or the file, when that is what people here call it ("<image-2>")."""
    if file := _file(match[0].replace(">", "", match[0].count(">") - 1), request):
        return file
    parts = [part for part in match.groups() if part]
    named = _NAMED.fullmatch(parts[0]) or _HELD.fullmatch(parts[0])
    if named is None:
        return match[0]
    label = next(group for group in named.groups() if group)
    return Mention(label_of(label), parts[1].casefold() if len(parts) > 1 else "")


def _trimmed(found: list[Piece]) -> tuple[Piece, ...]:
    """Without empty words, and without what merely separates two references."""
    alone = all(
        not isinstance(piece, str) or not _SEPARATORS.sub("", piece).strip() for piece in found
    )
    return tuple(
        piece for piece in found if not isinstance(piece, str) or (piece.strip() and not alone)
    )
