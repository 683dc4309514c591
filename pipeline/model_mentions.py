"""Models named in a request: "owner/name", "whisper-large-v3", "Whisper large v3".

Names are recognised by their form, in any language. A single plain word ("bark") counts only in
quotation marks or brackets, since it may be an ordinary word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from mimetypes import guess_type

from pipeline.domain import LocalizedText, Model, Request, TaskKind
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import MOST_LISTED, get_short_id
from pipeline.task_kinds import KINDS

_PART = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_RUN = re.compile(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", re.IGNORECASE)
"""Parts joined without spaces: "openai/whisper-large-v3" is one run of four."""
_LONGER = re.compile(r"[-_./][a-z0-9]| v?\d+(?![a-z0-9])", re.IGNORECASE)
"""A continuation: the text names a longer, different model."""
_OPENING = "`\"'“«「『([（［"  # noqa: RUF001
"""Signs before a name that mark it as one."""
_CLOSING = "`\"'”»」』)]）］"  # noqa: RUF001
"""Signs after it."""
_KIND_WORDS = frozenset(word for name in KINDS for word in _PART.findall(name))
"""Parts of task kind names: too common in requests to identify a model."""
_MOST_CHARACTERS = 4_000
_MOST_NAMES = 6
"""Models that one request names."""
_MOST_POSITIONS = 20
"""Places of a part in a text that are looked at."""
_SHORTEST_PART = 3
"""Letters of a distinctive part."""
_ENOUGH_PARTS = 3
"""Parts of a name that cannot match by chance."""


@dataclass(slots=True)
class ModelMentions:
    """The possible model names in a request, and what became of them."""

    text: str = ""
    """The request without file names."""
    names: tuple[str, ...] = ()
    """Words that look like model names."""
    used: set[str] = field(default_factory=set)
    refused: dict[str, Model] = field(default_factory=dict)
    """Words of the request → the model that they name and that may not be used here."""


def find_mentions(request: Request) -> ModelMentions:
    """Words that look like model names, to be looked up in the catalogue."""
    files = {file.attachment.name.lower() for file in request.known_files}
    files |= {name.rpartition(".")[0] for name in files}

    def hide(run: re.Match[str]) -> str:
        is_file = run[0].lower() in files or guess_type(run[0])[0] is not None
        return "\0" if is_file else run[0]

    text = _RUN.sub(hide, request.text[:_MOST_CHARACTERS])
    runs = (run for run in _RUN.finditer(text) if text[: run.start()][-1:] not in ("@", "/"))
    names = dict.fromkeys(run[0] for run in runs if _is_name(run[0]))
    return ModelMentions(text, tuple(names)[:_MOST_NAMES])


def _is_name(name: str) -> bool:
    """Whether a word looks like a model: it has at least two of a digit, a hyphen or _, a slash.

    It has at most one slash, with letters on both sides, unlike a date.
    """
    owner, slash, model = name.rpartition("/")
    signs = any(map(str.isdigit, name)) + ("-" in name or "_" in name) + bool(slash)
    has_letters = all(any(map(str.isalpha, side)) for side in (model, owner or model))
    return "/" not in owner and has_letters and signs > 1


def strip_mentions(request: Request) -> str:
    """The text of a request without words that look like model names, if any text remains."""
    text = request.text
    for name in sorted(find_mentions(request).names, key=len, reverse=True):
        text = text.replace(name, " ")
    return text if text.strip() else request.text


async def find_mentioned(
    mentions: ModelMentions, kind: TaskKind, request: Request, candidates: Candidates
) -> Model | None:
    """The model of this kind named in the request, if it may be used. Updates `mentions`."""
    known = await candidates.catalogue.candidates(kind, limit=MOST_LISTED)
    match = _find_best_match(mentions.text, known)
    for name in mentions.names if match is None else ():
        if match is None and await _is_worth_looking_up(name, candidates):
            model = await candidates.catalogue.find(name, kind=kind.name)
            match = (model, name) if model else None
    if match is None:
        return None
    model, words = match
    if allowed := candidates.filter_allowed([model], request.settings):
        mentions.used |= {words, model.id}
        return allowed[0]
    mentions.refused[words] = model
    return None


def _find_best_match(text: str, models: Sequence[Model]) -> tuple[Model, str] | None:
    """The model with the most parts of its name in the text, and the words that name it."""
    parts = [*_PART.finditer(text)]
    words = [part[0].lower() for part in parts]
    best, best_score = None, 0
    for model in models:
        for name in (model.id, get_short_id(model.id)):
            name_parts = [part.lower() for part in _PART.findall(name)]
            positions = [index for index, word in enumerate(words) if word == name_parts[0]]
            for index in positions[:_MOST_POSITIONS]:
                count = _count_parts(text, parts[index : index + len(name_parts)], name_parts)
                score = 2 * count + (count == len(name_parts))
                start, end = parts[index].start(), parts[index + count - 1].end()
                is_longer = count < len(name_parts) and _LONGER.match(text, end)
                if score > best_score and not is_longer and _is_mention(text, start, end):
                    best, best_score = (model, text[start:end]), score
    return best


def _count_parts(text: str, parts: Sequence[re.Match[str]], name_parts: Sequence[str]) -> int:
    """How many leading parts of the name match, each joined to the next by one separator."""
    count = 0
    for part, name_part in zip(parts, name_parts, strict=False):
        gap = text[parts[count - 1].end() : part.start()] if count else "-"
        if part[0].lower() != name_part or gap not in tuple("-_./ "):
            break
        count += 1
    return count


def _is_mention(text: str, start: int, end: int) -> bool:
    """Whether matching words are meant as a model's name: marked as one, or unlike plain words.

    At least one part must be distinctive: some letters long, and not in the name of a kind.
    """
    words, parts = text[start:end], _PART.findall(text[start:end].lower())
    if all(len(part) < _SHORTEST_PART or part.isdigit() or part in _KIND_WORDS for part in parts):
        return False
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    is_marked = bool(before and after) and before in _OPENING and after in _CLOSING
    has_signs = any(c.isdigit() or c in "-_./" for c in words)
    return is_marked or has_signs or len(parts) >= _ENOUGH_PARTS


async def explain_unused(
    mentions: ModelMentions, kinds: Sequence[TaskKind], request: Request, candidates: Candidates
) -> list[LocalizedText]:
    """Why models named in the request were not used; nothing about words that are no models."""
    unused: dict[str, Model | None] = {model.id: model for model in mentions.refused.values()}
    handled = [name.lower() for name in (*mentions.used, *mentions.refused, *unused)]
    for name in mentions.names:
        is_handled = any(name.lower() in other or other in name.lower() for other in handled)
        if not is_handled and await _is_worth_looking_up(name, candidates):
            unused[name] = await candidates.catalogue.find(name)
    notices = (_explain(name, model, request, candidates) for name, model in unused.items())
    return [notice for notice in notices if kinds or notice.id == "named-unused"]


def _explain(
    name: str, model: Model | None, request: Request, candidates: Candidates
) -> LocalizedText:
    if model is None:
        return LocalizedText("named-unknown", {"name": name})
    if refusal := candidates.explain_refusal(model, request.settings):
        return LocalizedText("named-unused", {"name": model.id, "reason": refusal})
    return LocalizedText("named-other-kind", {"name": model.id, "kind": model.kind})


async def _is_worth_looking_up(name: str, candidates: Candidates) -> bool:
    """Whether it is a full id, or its first part ("whisper") finds a model in the catalogue."""
    return "/" in name or bool(await candidates.catalogue.search(_PART.findall(name)[0], limit=1))
