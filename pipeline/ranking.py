"""The order of models: the catalogue's (the paper's: downloads), moved by how they have done here lately."""

from collections.abc import Iterable

from pipeline.domain import Model, TaskKind, Type
from pipeline.ports import Records, TrackRecord

_ENOUGH = 3
"""Attempts below which nothing is concluded."""
_SLOW = 20.0
_LIKED = 2.0
"""Votes, shared by those who had a part in a run, from which they count."""


def ranked(
    models: Iterable[Model], records: Records, kind: TaskKind, locale: str = ""
) -> list[Model]:
    """The models, those behind that fail, are disliked, are slow beside others or do not speak the language; liked ones first."""
    found = list(models)
    quickest = min((_took(model, records, kind) for model in found), default=0.0)
    return sorted(found, key=lambda model: _setback(model, records, kind, locale, quickest))


def _setback(model: Model, records: Records, kind: TaskKind, locale: str, quickest: float) -> int:
    record = records.get((model.id, kind.name), TrackRecord())
    failing = record.attempts >= _ENOUGH and record.failures * 2 > record.attempts
    slow = record.median_took > _SLOW and record.median_took > 3 * quickest
    deaf = bool(model.languages) and _words(kind) and not _speaks(model, locale)
    untold = not model.languages and _words(kind) and locale.partition("-")[0] not in ("", "en")
    disliked, liked = record.liking <= -_LIKED, record.liking >= _LIKED
    return 4 * failing + 2 * disliked + 2 * deaf + slow + untold - liked


def _took(model: Model, records: Records, kind: TaskKind) -> float:
    record = records.get((model.id, kind.name))
    return record.median_took if record else 0.0


def _words(kind: TaskKind) -> bool:
    """Whether the model must know the person's language."""
    return kind.name != "translation" and any(
        slot.name in ("text", "question", "audio", "sentences") and slot.type is not Type.IMAGE
        for slot in kind.takes
        if slot.required
    )


def _speaks(model: Model, locale: str) -> bool:
    language = locale.partition("-")[0].casefold()
    known = {each.casefold() for each in model.languages}
    return not language or language in known or "multilingual" in known
