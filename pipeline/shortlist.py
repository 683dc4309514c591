"""The models that a request may choose from for a kind: what the catalogue has, within the rules, in order."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pipeline.domain import Model, Request, Sentence, TaskKind
from pipeline.policy import Rules, channel_rules, permitted, refusal
from pipeline.ports import Catalogue, Records
from pipeline.ranking import ranked

CANDIDATES = 8
"""How many models of a kind are looked at: the paper's top five by downloads, and those that stand in at other places."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A catalogue, the installation's rules, and how models have done lately."""

    catalogue: Catalogue
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)

    async def shortlist(
        self, kind: TaskKind, request: Request, *, limit: int = CANDIDATES
    ) -> list[Model]:
        """Candidates in the order in which they are to be tried."""
        found = await self.catalogue.candidates(kind, limit=limit)
        allowed = self.allowed(found, request)
        return ranked(allowed, self.records, kind, request.person.locale)

    def allowed(self, models: Iterable[Model], request: Request) -> list[Model]:
        """Those within the rules, at the places this channel allows, in its order of places."""
        channel = channel_rules(request.settings.policy)
        kept = permitted(models, self.rules, channel)
        places = request.settings.places
        if not places:
            return [model for model in kept if model.places]
        narrowed = (
            replace(
                model,
                places=tuple(sorted((p for p in model.places if p in places), key=places.index)),
            )
            for model in kept
        )
        return [model for model in narrowed if model.places]

    def refusal(self, model: Model, request: Request) -> Sentence | None:
        """Why a model that was asked for by name may not be used here."""
        if reason := refusal(model, self.rules, channel_rules(request.settings.policy)):
            return reason
        if not self.allowed([model], request):
            return Sentence("named-nowhere", {"name": model.id})
        return None
