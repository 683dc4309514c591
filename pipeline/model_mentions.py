"""Models that a person names in a request: "owner/name", "whisper-large-v3", "Whisper large v3".

Read without a word of any language: a name shows by its form. A single plain word ("bark") only
counts in quotation marks or brackets, since it may be meant as a word.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from mimetypes import guess_type

from pipeline.domain import LocalizedText, Model, Request, TaskKind
from pipeline.selection import Candidates, find_model, get_short_id, split_name
from pipeline.task_kinds import KINDS

_PART = re.compile(r"[A-Za-z0-9]+")
_TIES = "-_./"
_OPENING, _CLOSING = "`\"'“«「『([（", "`\"'”»」』)]）"  # noqa: RUF001
_READ = 4_000
_MOST_NAMES, _MOST_PLACES, _LOOKED_AT = 6, 20, 60
_SHORTEST, _CLEARLY = 3, 3
"""Letters of a telling part; parts of a name that are no chance."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A run of letters and digits, and where it stands in the text."""

    word: str
    start: int
    end: int


@dataclass(slots=True)
class ModelMentions:
    """The names in a request that may be models, and those that were found and used."""

    text: str = ""
    parts: Sequence[_Part] = ()
    names: tuple[str, ...] = ()
    """What has the form of a model's name."""
    used: set[str] = field(default_factory=set)
    refused: dict[str, Model] = field(default_factory=dict)
    """Models that are meant and may not be used here, by the words that name them."""


def find_mentions(request: Request) -> ModelMentions:
    """What may be the names of models; the catalogue says whether they are."""
    text = request.text[:_READ]
    files = {file.attachment.name.lower() for file in (*request.files, *request.context.files)}
    stems = {name.rpartition(".")[0] for name in files}
    parts: list[_Part] = []
    names: dict[str, None] = {}
    for run in _find_runs(text):
        name = text[run[0].start : run[-1].end]
        if name.lower() not in files | stems and guess_type(name)[0] is None:
            parts += run
            if _is_name(name) and text[: run[0].start][-1:] not in ("@", "/"):
                names[name] = None
    return ModelMentions(text, parts, tuple(names)[:_MOST_NAMES])


def _find_runs(text: str) -> Iterator[list[_Part]]:
    """Parts that are written together: "openai/whisper-large-v3" is one run of four."""
    run: list[_Part] = []
    for match in _PART.finditer(text):
        if run and not (match.start() == run[-1].end + 1 and text[run[-1].end] in _TIES):
            yield run
            run = []
        run.append(_Part(match[0].lower(), match.start(), match.end()))
    if run:
        yield run


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
    places: dict[str, list[int]] = {}
    for at, part in enumerate(mentions.parts):
        places.setdefault(part.word, []).append(at)
    best, most = None, 0
    for model in known:
        for name in (model.id, get_short_id(model.id)):
            wanted = _PART.findall(name.lower())
            count, words = _match_parts(mentions, wanted, places)
            score = 2 * count + (count == len(wanted)) if count else 0
            if score > most:
                best, most = (model, words), score
    return best


def _match_parts(
    mentions: ModelMentions, wanted: Sequence[str], places: Mapping[str, Sequence[int]]
) -> tuple[int, str]:
    """How many parts of a name the text says from its beginning on, and in which words."""
    parts, best = mentions.parts, (0, "")
    first = wanted[0] if wanted else ""
    starts = [*places.get(first, ()), *places.get(first.rstrip("0123456789"), ())]
    for start in starts[:_MOST_PLACES]:
        count = 1
        for part, before, word in zip(parts[start + 1 :], parts[start:], wanted[1:], strict=False):
            if part.word != word or mentions.text[before.end : part.start] not in (*_TIES, " "):
                break
            count += 1
        if count > best[0] and _is_meant(mentions, start, start + count, count == len(wanted)):
            best = count, mentions.text[parts[start].start : parts[start + count - 1].end]
    return best


def _is_meant(mentions: ModelMentions, start: int, end: int, is_whole: bool) -> bool:  # noqa: FBT001
    """Whether words are a model's name: not mere words that are in one, nor part of another."""
    parts, following = mentions.parts[start:end], mentions.parts[end : end + 1]
    words = mentions.text[parts[0].start : parts[-1].end]
    before = mentions.text[: parts[0].start].rstrip()[-1:]
    after = mentions.text[parts[-1].end :]
    if following and not is_whole:
        gap, word = after[: following[0].start - parts[-1].end], following[0].word
        if gap in (*_TIES,) or (gap == " " and word.removeprefix("v").isdigit()):
            return False
    telling = [part.word for part in parts if part.word not in _kind_words()]
    if not any(len(word) >= _SHORTEST and not word.isdigit() for word in telling):
        return False
    is_marked = (
        bool(before and after) and before in _OPENING and (after.lstrip() or " ")[0] in _CLOSING
    )
    has_form = any(sign.isdigit() or sign in _TIES for sign in words)
    return is_marked or has_form or len(parts) >= _CLEARLY


@cache
def _kind_words() -> frozenset[str]:
    """The parts of the names of kinds, which many requests hold."""
    return frozenset(word for name in KINDS for word in _PART.findall(name))


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
