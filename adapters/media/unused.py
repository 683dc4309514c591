"""What of a file was not read, in one line."""

import io
import zipfile
from collections.abc import Mapping, Sequence

from pipeline.domain import LocalizedText


def name_unused(parts: Sequence[LocalizedText]) -> tuple[LocalizedText, ...]:
    """One sentence that names all parts; none if nothing was left out."""
    if not parts:
        return ()
    *others, named = parts
    for part in reversed(others):
        named = LocalizedText("unused-and", {"one": part, "more": named})
    return (LocalizedText("parts-unread", {"parts": named}),)


def count_parts(data: bytes, parts: Mapping[str, str]) -> tuple[LocalizedText, ...]:
    """What a zip archive holds of some parts: the beginnings of their names by what they are."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    counts = {id_: sum(name.startswith(start) for name in names) for id_, start in parts.items()}
    return tuple(LocalizedText(id_, {"count": count}) for id_, count in counts.items() if count)
