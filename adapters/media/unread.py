"""What was not read of a file, told in one line."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from pipeline.domain import LocalizedText
from pipeline.errors import ExpertRefused


def name_unread(parts: Sequence[LocalizedText]) -> tuple[LocalizedText, ...]:
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


@contextmanager
def refusals_keep(notes: Sequence[LocalizedText]) -> Iterator[None]:
    """Adds notes on a file to a refusal: what was not read may hold what was asked for."""
    try:
        yield
    except ExpertRefused as error:
        if not notes:
            raise
        more, *others = reversed(notes)
        for note in others:
            more = LocalizedText("notes-together", {"one": note, "more": more})
        raise ExpertRefused("notes-together", one=error.sentence, more=more) from error
