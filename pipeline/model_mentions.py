"""Models that a person names in a request: "owner/name", "whisper-large-v3", "Whisper large v3".

Read without a word of any language: a name shows by its form. A single plain word ("bark") only
counts in quotation marks or brackets, since it may be meant as a word.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from mimetypes import guess_type

from pipeline.domain import LocalizedText, Model, Request, TaskKind
from pipeline.selection import Candidates, find_model, get_short_id, split_name
from pipeline.task_kinds import KINDS

_PART = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_RUN = re.compile(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", re.IGNORECASE)
"""Parts that are written together: "openai/whisper-large-v3" is one run of four."""
_LONGER = r"[a-z0-9]|[-_./][a-z0-9]| v?\d+(?![a-z0-9])"
"""What makes another, longer name of the beginning of one."""
_OPENING, _CLOSING = "`\"'“«「『([（［", "`\"'”»」』)]）］"  # noqa: RUF001
_KIND_WORDS = frozenset(word for name in KINDS for word in _PART.findall(name))
"""The parts of the names of kinds, which many requests hold."""
_READ = 4_000
_MOST_NAMES, _MOST_PLACES, _LOOKED_AT = 6, 20, 60
_SHORTEST, _CLEARLY = 3, 3
"""Letters of a telling part; parts of a name that are no chance."""


@dataclass(slots=True)
class ModelMentions:
    """The names in a request that may be models, and those that were found and used."""

    text: str = ""
    """The request, without the names of files."""
    names: tuple[str, ...] = ()
    """What has the form of a model's name."""
    used: set[str] = field(default_factory=set)
    refused: dict[str, Model] = field(default_factory=dict)
    """Models that are meant and may not be used here, by the words that name them."""


def find_mentions(request: Request) -> ModelMentions:
    """What may be the names of models; the catalogue says whether they are."""
    files = {file.attachment.name.lower() for file in request.known_files}
    files |= {name.rpartition(".")[0] for name in files}

    def hide(run: re.Match[str]) -> str:
        is_file = run[0].lower() in files or guess_type(run[0])[0] is not None
        return "\0" * len(run[0]) if is_file else run[0]

    text = _RUN.sub(hide, request.text[:_READ])
    runs = (run for run in _RUN.finditer(text) if text[: run.start()][-1:] not in ("@", "/"))
    names = dict.fromkeys(run[0] for run in runs if _is_name(run[0]))
    return ModelMentions(text, tuple(names)[:_MOST_NAMES])


def _is_name(name: str) -> bool:
    """Whether it can hardly be anything but a model: letters with figures or hyphens.

    At most one slash, with letters on both sides; dates have none.
    """
    sides = name.split("/")
    lettered = all(any(sign.isalpha() for sign in side) for side in sides)
    has_digit, has_hyphen = any(map(str.isdigit, name)), "-" in name or "_" in name
    is_id = len(sides) == 2 and (has_digit or has_hyphen)  # noqa: PLR2004 - owner and name
    return lettered and (is_id or (len(sides) == 1 and has_digit and has_hyphen))


def strip_mentions(request: Request) -> str:
    """The words of a request without what has the form of a model's name."""
    text = request.text
    for name in sorted(find_mentions(request).names, key=len, reverse=True):
        text = text.replace(name, " ")
    return text if text.strip() else request.text


async def find_mentioned(
    mentions: ModelMentions, kind: TaskKind, request: Request, candidates: Candidates
) -> Model | None:
    """The model of this kind that the person asked for by name, if it may be used here."""
    known = await candidates.catalogue.candidates(kind, limit=_LOOKED_AT)
    if meant := _find_meant(mentions, known):
        model, words = meant
        if allowed := candidates.filter_allowed([model], request):
            mentions.used |= {words, model.id}
            return allowed[0]
        mentions.refused[words] = model
        return None
    for name in mentions.names:
        found = find_model(name, known)
        if found is None and await _is_worth_asking(name, candidates):
            found = await candidates.catalogue.find(name, kind=kind.name)
        if found and (allowed := candidates.filter_allowed([found], request)):
            mentions.used.add(name)
            return allowed[0]
    return None


def _find_meant(mentions: ModelMentions, known: Iterable[Model]) -> tuple[Model, str] | None:
    """The model of whose name the text says the most parts, the first of several; and the words."""
    best, most = None, 0
    for model in known:
        for name in (model.id, get_short_id(model.id)):
            for match in islice(_compile(name).finditer(mentions.text), _MOST_PLACES):
                count = len(_PART.findall(match[0]))
                score = 2 * count + (count == len(_PART.findall(name)))
                if score > most and _is_meant(match):
                    best, most = (model, match[0]), score
    return best


@lru_cache(maxsize=1000)
def _compile(name: str) -> re.Pattern[str]:
    """Finds a model's name in a text from its beginning on, as many parts as are said.

    Also without the figures at the end of its first part: "Qwen" of "Qwen3-TTS".
    """
    first, *parts = _PART.findall(name) or ["\0"]
    tail = "(?![a-z0-9])"
    for part in reversed(parts):
        tail = f"(?:[-_./ ]{part}{tail}|(?!{_LONGER}))"
    stem = first.rstrip("0123456789") or first
    return re.compile(f"(?<![a-z0-9]){stem}(?:{first[len(stem) :]})?{tail}", re.IGNORECASE)


def _is_meant(match: re.Match[str]) -> bool:
    """Whether words are a model's name: in brackets or of its form, not mere words that are in one.

    It has a part of some letters that is not in the name of a kind.
    """
    words, parts = match[0], _PART.findall(match[0].lower())
    if all(len(part) < _SHORTEST or part.isdigit() or part in _KIND_WORDS for part in parts):
        return False
    before = match.string[: match.start()].rstrip()[-1:]
    after = match.string[match.end() :].lstrip()[:1]
    is_marked = bool(before and after) and before in _OPENING and after in _CLOSING
    return is_marked or any(c.isdigit() or c in "-_./" for c in words) or len(parts) >= _CLEARLY


async def explain_unused(
    mentions: ModelMentions, kinds: Sequence[TaskKind], request: Request, candidates: Candidates
) -> list[LocalizedText]:
    """Why models that were asked for by name were not used; nothing on words that name none."""
    unused: dict[str, Model | None] = {one.id: one for one in mentions.refused.values()}
    done = [name.lower() for name in (*mentions.used, *mentions.refused, *unused)]
    known: list[Model] = []
    for kind in kinds if mentions.names else ():
        known += await candidates.catalogue.candidates(kind, limit=_LOOKED_AT)
    for name in mentions.names:
        if not any(name.lower() in one or one in name.lower() for one in done):
            found = find_model(name, known)
            is_unknown = found is None and await _is_worth_asking(name, candidates)
            if found or is_unknown:
                unused[name] = found or await candidates.catalogue.find(name)
    notes = (_explain(name, one, request, candidates) for name, one in unused.items())
    return [note for note in notes if kinds or note.id == "named-unused"]


def _explain(
    name: str, model: Model | None, request: Request, candidates: Candidates
) -> LocalizedText:
    if model is None:
        return LocalizedText("named-unknown", {"name": name})
    if refusal := candidates.explain_refusal(model, request):
        return LocalizedText("named-unused", {"name": model.id, "reason": refusal})
    return LocalizedText("named-other-kind", {"name": model.id, "kind": model.kind})


async def _is_worth_asking(name: str, candidates: Candidates) -> bool:
    """Whether it is an id, or a name whose family ("whisper") has a model here."""
    return "/" in name or bool(await candidates.catalogue.search(split_name(name)[0], limit=1))
