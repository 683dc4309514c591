"""`troupe experts pull`: download the models that suit this machine for the expert server."""

import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

import typer

from adapters.local.downloads import Downloads, HubModel, open_downloads
from adapters.local.kinds import LOCAL_KINDS
from adapters.local.machine import Machine, find_machine
from adapters.local.models_on_disk import ModelFolders, find_hub_cache
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from bot.endpoints import read_rules
from bot.own_server import is_local_installed, list_model_folders
from bot.settings import Settings
from pipeline.domain import LocalizedText, Model
from pipeline.errors import FetchError, FetchUnavailable, SettingsError
from pipeline.selection.known_models import CuratedModel, find_base, load_known
from pipeline.selection.policy import explain_refusal
from pipeline.selection.recommended import (
    CARDS,
    find_class,
    find_row,
    is_free,
    list_served_kinds,
    recommend,
)
from pipeline.words import say

STARTER = "starter"
AUTO = "auto"
_KILO, _GIGA = 1000, 1e9
_WORK = 1.2
"""A model needs its weights, and at least a fifth more to work."""
_LEFT_FREE = 500_000_000
"""Bytes of the disk that a download leaves free."""
_SHOWN_EVERY = 0.5
"""Seconds between two looks at the progress in a terminal."""
_STEP = 10
"""Percent between two lines of progress where nobody looks on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullOptions:
    """`card`: a class of machines, or "auto" for this one. `folder`: None for the Hub's cache."""

    folder: Path | None = None
    card: str = AUTO
    any_licence: bool = False


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A model to fetch; `is_named`: by its id, so that its licence is known to be read."""

    id: str
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class _Target:
    """The machine that models are for: its class, and the bytes that hold a model."""

    card: str
    memory: int

    @property
    def gigabytes(self) -> int:
        return CARDS[self.card]


def pull(settings: Settings, words: Sequence[str], options: PullOptions) -> int:
    """Fetch what is named: "starter", kinds of tasks, ids of models; without any, list them.

    Returns 1 if a model could not be fetched; the others are. Raises SettingsError.
    """
    if options.card not in (AUTO, *CARDS):
        raise SettingsError("pull-no-class", name=options.card, classes=", ".join(CARDS))
    target = _find_target(options.card, find_machine())
    if not words:
        _list_models(settings, target, options)
        return 0
    wanted = list(dict.fromkeys(_choose(words, target, options)))
    folder = options.folder or find_hub_cache()
    downloads = open_downloads(
        settings.hf_endpoint, folder, token=settings.hf_token, network=settings.network
    )
    with downloads as hub:
        models = [*_look_up(wanted, hub, _Checks(settings, target, options))]
        _check_room(models, hub, folder)
        fetched = [_fetch(model, hub) for model in models]
    if any(fetched):
        _tell("pull-done" if is_local_installed() else "pull-done-no-extra")
    return 0 if len(models) == len(wanted) and all(fetched) else 1


def _find_target(card: str, machine: Machine) -> _Target:
    """What memory counts: the card's, or the machine's where there is none."""
    if card == AUTO:
        return _Target(find_class(machine.card), machine.card or machine.memory)
    return _Target(card, round(CARDS[card] * _GIGA) or machine.memory)


def _list_models(settings: Settings, target: _Target, options: PullOptions) -> None:
    best = recommend(LOCAL_KINDS, target.gigabytes, any_licence=options.any_licence)
    folders = [options.folder] if options.folder else list_model_folders(settings)
    here = {model.id for model in ModelFolders(folders).list_models()}
    _tell("pull-list", card=target.card, memory=format_size(target.memory))
    rows = {row.id: row for row in best.values()}
    for model in rows.values():
        facts = {**_describe(model), "here": "yes" if model.id in here else "no"}
        kinds = ", ".join(kind for kind, each in best.items() if each.id == model.id)
        _tell("pull-row", kinds=kinds, **facts)
    starter = [row for name in load_known().starter if (row := find_row(name))]
    _tell("pull-list-end", size=format_size(sum(row.size for row in starter)))


def _describe(row: CuratedModel) -> Mapping[str, str]:
    size = format_size(row.size) if row.size > 0 else "?"
    return {"model": row.id, "size": size, "licence": row.licence or "?"}


def _choose(words: Sequence[str], target: _Target, options: PullOptions) -> Iterator[_Wanted]:
    """The models that words stand for. Raises SettingsError for a word that stands for none."""
    for word in words:
        if word == STARTER:
            yield from map(_Wanted, load_known().starter)
        elif word in LOCAL_KINDS:
            yield from map(_Wanted, _choose_for_kind(word, target, options))
        elif "/" in word:
            yield _Wanted(word, is_named=True)
        else:
            raise SettingsError("pull-what", word=word, kinds=", ".join(sorted(LOCAL_KINDS)))


def _choose_for_kind(kind: str, target: _Target, options: PullOptions) -> Sequence[str]:
    """The best model of a kind, before it the one that it guides. Raises SettingsError."""
    best = recommend([kind], target.gigabytes, any_licence=options.any_licence).get(kind)
    if best is None:
        raise _explain_none(kind, target)
    base = find_base(best.id)
    return [base, best.id] if base else [best.id]


def _explain_none(kind: str, target: _Target) -> SettingsError:
    """Why there is no model of a kind for a machine: its memory, or the licences."""
    if other := recommend([kind], target.gigabytes, any_licence=True).get(kind):
        return SettingsError("pull-only-licence", what=kind, **_describe(other))
    for name, gigabytes in CARDS.items():
        if other := recommend([kind], gigabytes, any_licence=True).get(kind):
            return SettingsError("pull-only-larger", what=kind, card=name, **_describe(other))
    return SettingsError("pull-none", what=kind)


@dataclass(frozen=True, slots=True)
class _Checks:
    """What a model must meet before it is fetched."""

    settings: Settings
    target: _Target
    options: PullOptions

    def explain(self, model: HubModel, wanted: _Wanted) -> LocalizedText | None:
        """Why a model is not fetched; None if it is."""
        known = Model(model.id, model.kind, (), licence=model.licence)
        if refusal := explain_refusal(known, read_rules(self.settings)):
            return LocalizedText("pull-refused", {"reason": refusal})
        is_accepted = wanted.is_named or self.options.any_licence
        if not is_accepted and not is_free(model.licence):
            facts = {"model": model.id, "licence": model.licence or "?"}
            return LocalizedText("pull-licence", facts)
        needed = round(model.weight_bytes * _WORK)
        if needed > self.target.memory:
            facts = {"model": model.id, "needed": format_size(needed)}
            return LocalizedText(
                "pull-too-large", {**facts, "memory": format_size(self.target.memory)}
            )
        return None


def _look_up(wanted: Sequence[_Wanted], hub: Downloads, checks: _Checks) -> Iterator[HubModel]:
    """What the Hub says of each; those that cannot be fetched are told, and left out."""
    limit = ExpertServerOptions(()).memory_bytes
    for each in wanted:
        try:
            model = hub.find(each.id)
        except FetchUnavailable as error:
            _print(error.sentence)
            return
        except FetchError as error:
            _print(error.sentence)
            continue
        if reason := checks.explain(model, each):
            _print(reason)
            continue
        row = find_row(model.id)
        kinds = ", ".join(list_served_kinds(row)) if row else model.kind or "?"
        licence, size = model.licence or "?", format_size(model.size)
        _tell("pull-row", kinds=kinds, model=model.id, size=size, licence=licence, here="no")
        if model.weight_bytes > limit:
            _tell("pull-memory", megabytes=str(ceil(model.weight_bytes / MEBIBYTE)))
        yield model


def _check_room(models: Sequence[HubModel], hub: Downloads, folder: Path) -> None:
    """Tell how much is fetched. Raises SettingsError if the disk has no room for it."""
    missing = sum(map(hub.count_missing, models))
    parent = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(parent).free
    facts = {"size": format_size(missing), "free": format_size(free), "folder": str(folder)}
    if missing + _LEFT_FREE > free:
        raise SettingsError("pull-no-room", left=format_size(_LEFT_FREE), **facts)
    if models:
        _tell("pull-total", count=len(models), **facts)


def _fetch(model: HubModel, hub: Downloads) -> bool:
    """Fetch a model and show how far it is. False if that failed."""
    if hub.is_here(model):
        _tell("pull-here", model=model.id)
        return True
    progress = _Progress(model)
    try:
        hub.fetch(model, progress.show)
    except FetchError as error:
        progress.end()
        _print(error.sentence)
        return False
    progress.end()
    _tell("pull-fetched", model=model.id)
    return True


@dataclass(slots=True)
class _Progress:
    """How far a download is: one line that changes in a terminal, else a line now and then."""

    model: HubModel
    _shown: int = field(default=-_STEP)
    _at: float = field(default=0.0)

    def show(self, count: int) -> None:
        percent = 100 * count // max(1, self.model.size)
        if sys.stdout.isatty():
            if time.monotonic() < self._at + _SHOWN_EVERY:
                return
            self._at = time.monotonic()
        elif percent < self._shown + _STEP:
            return
        self._shown = percent - percent % _STEP
        sizes = {"done": format_size(count), "all": format_size(self.model.size)}
        text = LocalizedText(
            "pull-progress", {"model": self.model.id, "percent": str(percent), **sizes}
        )
        line = say("en", text)
        typer.echo(f"\r\x1b[K{line}" if sys.stdout.isatty() else line, nl=not sys.stdout.isatty())

    def end(self) -> None:
        """Leave the line that changes."""
        if sys.stdout.isatty():
            typer.echo("\r\x1b[K", nl=False)


def format_size(size: int) -> str:
    """Bytes in decimal units, as disks and the Hub count: 267,844,284 is "268 MB"."""
    amount, units = float(size), ["bytes", "kB", "MB", "GB", "TB"]
    while amount >= _KILO and len(units) > 1:
        amount /= _KILO
        units.pop(0)
    return f"{amount:.1f} {units[0]}" if units[0] in ("GB", "TB") else f"{amount:.0f} {units[0]}"


def _tell(id_: str, **args: str | int) -> None:
    _print(LocalizedText(id_, args))


def _print(text: LocalizedText) -> None:
    typer.echo(say("en", text))
