"""Rank models by how they did so far, and by language."""

from collections.abc import Iterable

from pipeline.domain import Model, TaskKind, Type
from pipeline.ports import Records, TrackRecord
from pipeline.selection.model_languages import knows_language
from pipeline.text.languages import normalize_code

_ENOUGH_ATTEMPTS = 3
"""Attempts that a track record needs to count."""
_SLOW_SECONDS = 20.0
"""The median time of a model that is never called slow, however fast others are."""
_ENOUGH_VOTES = 2.0
"""Compared with `TrackRecord.liking`, in which the models of a run share each vote."""
_LANGUAGE_SLOTS = frozenset({"text", "question", "audio", "sentences"})
"""The inputs whose language a model has to know."""


def rank_models(
    models: Iterable[Model], records: Records, kind: TaskKind, language: str = ""
) -> list[Model]:
    """Rank models by track record and language, ties in the catalogue's order.

    Liked models move up. Models that often fail, that people dislike, that are slow compared with
    others, or that do not support the language move down.
    """
    candidates = list(models)
    fastest = min((_get_record(m, records, kind).median_took for m in candidates), default=0.0)

    def rank(model: Model) -> int:
        record = _get_record(model, records, kind)
        failing = record.attempts >= _ENOUGH_ATTEMPTS and record.failures * 2 > record.attempts
        slow = record.median_took > max(_SLOW_SECONDS, 3 * fastest)
        disliked, liked = record.liking <= -_ENOUGH_VOTES, record.liking >= _ENOUGH_VOTES
        unfamiliar = _rank_language(model, kind, language)
        return 4 * failing + 2 * disliked + slow - liked + unfamiliar

    return sorted(candidates, key=rank)


def _get_record(model: Model, records: Records, kind: TaskKind) -> TrackRecord:
    return records.get((model.id, kind.name), TrackRecord())


def _rank_language(model: Model, kind: TaskKind, language: str) -> int:
    """The penalty for language: 2 if not supported, 1 if unknown and not English, else 0."""
    made = kind.makes[0].type
    takes_language = any(
        slot.name in _LANGUAGE_SLOTS and slot.type is not Type.IMAGE
        for slot in kind.takes
        if slot.required
    )
    if not language or made in (Type.IMAGE, Type.VIDEO):
        return 0
    if not takes_language and made is not Type.TEXT:
        return 0
    known = knows_language(model.writes or model.languages, normalize_code(language))
    return int(language != "en") if known is None else 0 if known else 2
