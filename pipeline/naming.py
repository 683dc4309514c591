"""Models that a person asks for by name ("with whisper-large", "use suno/bark")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from pipeline.domain import Model, Request, Sentence, TaskKind
from pipeline.shortlist import Shelf
from pipeline.table import KINDS
from pipeline.text.called import Said

_ID = r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}"
_CUES = (
    r"with|use|uses|using|via|by|through|model|mit|nutze|benutze|verwende|per|durch|avec|utilise|utilisant|par|"
    r"con|usa|usando|utiliza|utilizando|com|use\s+o|met|gebruik|через|используя|ile"
)
_CUED = re.compile(
    rf"(?<!\w)(?:{_CUES})\s+(?:the\s+|das\s+|le\s+|el\s+)?(?:model\s+|modell\s+|modèle\s+|modelo\s+)?"
    rf"[`\"'“]?((?:{_ID})|[A-Za-z0-9][\w.]*(?:[ -][\w.]*\d[\w.]*|-[\w.]+|[ ](?:large|small|tiny|base|medium|turbo|xl|pro|dev))*)",
    re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?<![\w/:.@-]){_ID}(?![\w/])", re.ASCII)
_LOOKS = re.compile(r"(?<![\w/:.@-])[A-Za-z]{3}\w{0,40}+(?:[-.]\w{1,40}+){1,8}+(?![\w/])", re.ASCII)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|heic|wav|mp3|ogg|oga|opus|flac|m4a|aac|mp4|mov|webm|mkv|avi|"
    r"pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|json|html?|zip|py|com|org|net|io|de|fr)$",
    re.IGNORECASE,
)
"""Endings of files and addresses, which models do not have."""
_READ = 4_000
_SHORTEST = 3
_MOST = 6
_LOOKED_AT = 60


@dataclass(slots=True)
class Named:
    """The names in a request that may be models, and those that were found to be one and used."""

    names: tuple[str, ...] = ()
    said: Said = field(default_factory=lambda: Said(""))
    used: set[str] = field(default_factory=set)
    refused: dict[str, Model] = field(default_factory=dict)
    """Models that are meant and may not be used here, by the words that name them."""


def named(request: Request) -> Named:
    """What may be the names of models; whether they are is for the catalogue to say."""
    text = request.text[:_READ]
    files = {file.attachment.name.casefold() for file in (*request.files, *request.context.files)}
    stems = {name.rpartition(".")[0] for name in files}
    found = [match[1] for match in _CUED.finditer(text)]
    found += [match[0] for match in _WHOLE.finditer(text) if _certain(match[0])]
    found += [match[0] for match in _LOOKS.finditer(text)]
    names = dict.fromkeys(name.strip(".,;:!? ") for name in found)
    kept = (
        name
        for name in names
        if len(name) >= _SHORTEST
        and name.casefold() not in files | stems
        and not _FILE.search(name.rpartition("/")[2])
        and name.casefold() not in _common()
    )
    return Named(tuple(kept)[:_MOST], Said(_without_files(text, files)))


def unnamed(request: Request) -> str:
    """The words of a request without what can hardly be anything but a model's name, and what leads to it."""
    text = request.text
    for name in sorted((n for n in named(request).names if _certain(n)), key=len, reverse=True):
        led = rf"(?:(?<!\w)(?:{_CUES})\s+)?[(\uff08`\"']?{re.escape(name)}[)\uff09`\"']?"
        text = re.sub(led, " ", text, flags=re.IGNORECASE)
    return text if text.strip() else request.text


async def asked_for(names: Named, kind: TaskKind, request: Request, shelf: Shelf) -> Model | None:
    """The model of this kind that the person asked for by name, if it may be used here."""
    known = await shelf.catalogue.candidates(kind, limit=_LOOKED_AT)
    if (meant := _meant(names, known)) is not None:
        return _taken(*meant, names, request, shelf)
    for name in names.names:
        model = match(name, known)
        if model is None and await _looks_known(name, shelf):
            model = await shelf.catalogue.find(name, kind=kind.name)
        if model is not None and (allowed := shelf.allowed([model], request)):
            names.used.add(name)
            return allowed[0]
    return None


def _taken(model: Model, words: str, names: Named, request: Request, shelf: Shelf) -> Model | None:
    """The model as it may be used here; else it is noted."""
    if allowed := shelf.allowed([model], request):
        names.used.update((words, model.id))
        return allowed[0]
    names.refused[words] = model
    return None


def _meant(names: Named, known: Sequence[Model]) -> tuple[Model, str] | None:
    """The model whose whole id stands there, else the one of which the text says the most parts, the first of several; and the words that say it."""
    ids = {model.id.casefold(): model for model in known}
    if whole_id := next((name for name in names.names if name.casefold() in ids), ""):
        return ids[whole_id.casefold()], whole_id
    best: tuple[Model, str] | None = None
    most = 0
    for model in known:
        whole = names.said.calls(model.id) if "/" in model.id else (0, "")
        count, words = max(whole, names.said.calls(_short(model.id), _common()))
        exactly = count >= len(_parts(_short(model.id)))
        score = 2 * count + exactly if count else 0
        if score > most:
            best, most = (model, words), score
    return best


def _without_files(text: str, files: set[str]) -> str:
    """A file may be called like a model."""
    plain = text.casefold()
    for name in files:
        plain = plain.replace(name, " ")
    return plain


async def unheeded(
    names: Named, kinds: Sequence[TaskKind], request: Request, shelf: Shelf
) -> list[Sentence]:
    """Why models that were asked for by name were not used; nothing on words that are no model's name."""
    told = [
        Sentence("named-unused", {"name": model.id, "reason": reason})
        for model in names.refused.values()
        if (reason := shelf.refusal(model, request))
    ]
    for words, refused in names.refused.items():
        names.used.update((words, refused.id))
    for name in names.names:
        if name in names.used or any(_within(name, used) for used in names.used):
            continue
        model = await _known(name, kinds, shelf)
        if model is None:
            if kinds and await _looks_known(name, shelf):
                told.append(Sentence("named-unknown", {"name": name}))
        elif reason := shelf.refusal(model, request):
            told.append(Sentence("named-unused", {"name": model.id, "reason": reason}))
        elif kinds:
            told.append(Sentence("named-other-kind", {"name": model.id, "kind": model.kind}))
    return told


def _within(name: str, used: str) -> bool:
    one, other = name.casefold(), used.casefold()
    return one in other or other in one


async def _known(name: str, kinds: Sequence[TaskKind], shelf: Shelf) -> Model | None:
    for kind in kinds:
        if found := match(name, await shelf.catalogue.candidates(kind, limit=_LOOKED_AT)):
            return found
    return await shelf.catalogue.find(name) if await _looks_known(name, shelf) else None


async def _looks_known(name: str, shelf: Shelf) -> bool:
    """Whether it is worth asking for: an id, or a name whose family ("whisper" of "whisper-large-v9") has a model here."""
    if _is_id(name):
        return True
    family = _parts(name)[0]
    return _certain(name) and bool(await shelf.catalogue.search(family, limit=1))


def _certain(name: str) -> bool:
    """Whether it can hardly be anything but a model: letters, with figures or a hyphen, on both sides of a slash if there is one."""
    sides = name.split("/")
    lettered = all(any(sign.isalpha() for sign in side) for side in sides)
    if len(sides) > 1:
        return lettered and any(sign.isdigit() or sign in "-_" for sign in name)
    return lettered and "-" in name and any(sign.isdigit() for sign in name)


def _is_id(name: str) -> bool:
    """Whether it has the form of an id; dates have, too."""
    return "/" in name and not name.replace("/", "").isdigit()


def match(name: str, models: Sequence[Model]) -> Model | None:
    """The model of that id or name; else the first whose name begins with these words."""
    wanted = _parts(name)
    for model in models:
        if model.id.casefold() == name.casefold() or _parts(_short(model.id)) == wanted:
            return model
    return next((m for m in models if _parts(_short(m.id))[: len(wanted)] == wanted), None)


def _short(id_: str) -> str:
    return id_.rpartition("/")[2]


def _parts(name: str) -> list[str]:
    return [part for part in re.split(r"[-_. ]+", name.casefold()) if part]


@cache
def _common() -> frozenset[str]:
    """The words of the task table, which are in every other request."""
    told = " ".join(
        f"{kind.name.replace('-', ' ')} {kind.name} {kind.says} {' '.join(kind.phrases)}"
        for kind in KINDS.values()
    )
    return frozenset(re.findall(r"[\w-]+", told.casefold()))
