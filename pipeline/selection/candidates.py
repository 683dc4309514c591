"""The models that a request may choose from."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.domain import ChannelSettings, LocalizedText, Model, Place, Request, Task, TaskKind
from pipeline.ports import Catalogue, Records
from pipeline.selection.catalogues import MOST_LISTED, keep_places, limit_per_place
from pipeline.selection.curated import is_unfit
from pipeline.selection.model_languages import TRANSLATION, find_target, knows_languages
from pipeline.selection.policy import Rules, explain_refusal, filter_models, read_channel_rules
from pipeline.selection.ranking import rank_models
from pipeline.text.languages import normalize_code

CANDIDATES = 8
"""Models considered per kind: the paper's top five by downloads, plus fallbacks."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The models that requests may choose from: a catalogue, filtered by rules and ranked."""

    catalogue: Catalogue
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)

    async def shortlist(
        self,
        kind: TaskKind,
        request: Request,
        *,
        task: Task | None = None,
        limit: int = CANDIDATES,
    ) -> list[Model]:
        """The models for a kind that the rules allow, best first, the best of each place included.

        Models made for something else than the kind are left out, and so are those that do not
        know the languages of the task.
        """
        locale = request.person.locale
        able = [
            model
            for model in await self._list_fit(kind, request)
            if task is None or knows_languages(model, task, locale)
        ]
        language = find_target(task, locale) if task else ""
        if not language and kind.name != TRANSLATION:
            language = normalize_code(locale)
        return limit_per_place(rank_models(able, self.records, kind, language), limit)

    async def find_places(self, kind: TaskKind, request: Request) -> frozenset[Place]:
        """Where the request may run this kind now: some model for it is live and allowed there."""
        fit = await self._list_fit(kind, request)
        return frozenset(place for model in fit for place in model.places)

    async def _list_fit(self, kind: TaskKind, request: Request) -> list[Model]:
        models = await self.catalogue.candidates(kind, limit=MOST_LISTED)
        allowed = self.filter_allowed(models, request.settings)
        return [each for each in allowed if not is_unfit(each)]

    async def find(self, model_id: str, kind: TaskKind, request: Request) -> Model | None:
        """The model of this kind with this id, if the rules allow it; None for ""."""
        model = await self.catalogue.find(model_id, kind=kind.name) if model_id else None
        return next(iter(self.filter_allowed([model] if model else [], request.settings)), None)

    def filter_allowed(self, models: Iterable[Model], channel: ChannelSettings) -> list[Model]:
        """The models that the rules allow, at the places set in the channel, in their order."""
        permitted = filter_models(models, self.rules, read_channel_rules(channel.policy))
        if channel.places:
            permitted = [keep_places(model, channel.places) for model in permitted]
        return [model for model in permitted if model.places]

    def explain_refusal(self, model: Model, channel: ChannelSettings) -> LocalizedText | None:
        """Why a model may not be used in this channel; None if it may."""
        if self.filter_allowed([model], channel):
            return None
        refusal = explain_refusal(model, self.rules, read_channel_rules(channel.policy))
        return refusal or LocalizedText("named-nowhere", {"name": model.id})
