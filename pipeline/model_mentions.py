"""Models that a person names in a request: "owner/name", "whisper-large-v3", "Whisper large v3".

Read without a word of any language: a name shows by its form. A single plain word ("bark") only
counts in quotation marks or brackets, since it may be meant as a word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from mimetypes import guess_type

from pipeline.domain import LocalizedText, Model, Request, TaskKind
from pipeline.selection import Candidates, get_short_id
from pipeline.task_kinds import KINDS

_PART = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_RUN = re.compile(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", re.IGNORECASE)
"""Parts that are written together: "openai/whisper-large-v3" is one run of four."""
_LONGER = re.compile(r"[-_./][a-z0-9]| v?\d+(?![a-z0-9])", re.IGNORECASE)
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
        return "\0" if is_file else run[0]

    text = _RUN.sub(hide, request.text[:_READ])
    runs = (run for run in _RUN.finditer(text) if text[: run.start()][-1:] not in ("@", "/"))
    names = dict.fromkeys(run[0] for run in runs if _is_name(run[0]))
    return ModelMentions(text, tuple(names)[:_MOST_NAMES])


def _is_name(name: str) -> bool:
    """Whether it can hardly be anything but a model: letters with figures or hyphens.

    At most one slash, with letters on both sides; dates have none.
    """
    owner, slash, model = name.rpartition("/")
    signs = any(map(str.isdigit, name)) + ("-" in name or "_" in name) + bool(slash)
    lettered = all(any(map(str.isalpha, side)) for side in (model, owner or model))
    return "/" not in owner and lettered and signs > 1


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
    meant = _find_meant(mentions.text, known)
    for name in mentions.names if meant is None else ():
        if meant is None and await _is_worth_asking(name, candidates):
            found = await candidates.catalogue.find(name, kind=kind.name)
            meant = (found, name) if found else None
    if meant is None:
        return None
    model, words = meant
    if allowed := candidates.filter_allowed([model], request):
        mentions.used |= {words, model.id}
        return allowed[0]
    mentions.refused[words] = model
    return None


def _find_meant(text: str, known: Sequence[Model]) -> tuple[Model, str] | None:
    """The model of whose name the text says the most parts, the first of several; and the words."""
    parts = [*_PART.finditer(text)]
    said = [part[0].lower() for part in parts]
    best, most = None, 0
    for model in known:
        for name in (model.id, get_short_id(model.id)):
            wanted = [part.lower() for part in _PART.findall(name)]
            places = [at for at, part in enumerate(said) if part == wanted[0]]
            for at in places[:_MOST_PLACES]:
                count = _count_parts(text, parts[at : at + len(wanted)], wanted)
                score = 2 * count + (count == len(wanted))
                start, end = parts[at].start(), parts[at + count - 1].end()
                is_longer = count < len(wanted) and _LONGER.match(text, end)
                if score > most and not is_longer and _is_meant(text, start, end):
                    best, most = (model, text[start:end]), score
    return best


def _count_parts(text: str, parts: Sequence[re.Match[str]], wanted: Sequence[str]) -> int:
    """How many parts of a name, with one sign between them, these are."""
    count = 0
    for part, name in zip(parts, wanted, strict=False):
        gap = text[parts[count - 1].end() : part.start()] if count else "-"
        if part[0].lower() != name or gap not in tuple("-_./ "):
            break
        count += 1
    return count


def _is_meant(text: str, start: int, end: int) -> bool:
    """Whether words are a model's name: in brackets or of its form, not mere words that are in one.

    It has a part of some letters that is not in the name of a kind.
    """
    words, parts = text[start:end], _PART.findall(text[start:end].lower())
    if all(len(part) < _SHORTEST or part.isdigit() or part in _KIND_WORDS for part in parts):
        return False
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    is_marked = bool(before and after) and before in _OPENING and after in _CLOSING
    return is_marked or any(c.isdigit() or c in "-_./" for c in words) or len(parts) >= _CLEARLY


async def explain_unused(
    mentions: ModelMentions, kinds: Sequence[TaskKind], request: Request, candidates: Candidates
) -> list[LocalizedText]:
    """Why models that were asked for by name were not used; nothing on words that name none."""
    unused: dict[str, Model | None] = {one.id: one for one in mentions.refused.values()}
    done = [name.lower() for name in (*mentions.used, *mentions.refused, *unused)]
    for name in mentions.names:
        is_done = any(name.lower() in one or one in name.lower() for one in done)
        if not is_done and await _is_worth_asking(name, candidates):
            unused[name] = await candidates.catalogue.find(name)
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
    return "/" in name or bool(await candidates.catalogue.search(_PART.findall(name)[0], limit=1))
