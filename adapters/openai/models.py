"""Which of the models that a server lists is used."""

from collections import Counter
from collections.abc import Callable, Sequence

from adapters.model_list import Offer
from pipeline.selection.curated import is_chat_model
from pipeline.selection.known_models import load_known, matches_any


def is_seeing_by_name(model: str) -> bool | None:
    """Whether a model of OpenAI's own API takes pictures; None if its name does not tell."""
    return matches_any(model, load_known().seeing) or None


def choose_offer(
    offers: Sequence[Offer], names: Sequence[str], may_use: Callable[[str], bool], failed: str
) -> Offer | None:
    """Choose one of a router's offers; None if no model of theirs may be used.

    `names`: the models to prefer, the best first, each by its own id or that of an offer; offers of
    all other models come after theirs, if `may_use` allows the model and it is one for chats.
    `failed`: the id of the offer that failed last. Preferred are, in this order: offers that did
    not fail, offers with JSON schemas, the model that is named first or else has most offers, and
    the lowest price.
    """
    common = Counter(offer.model for offer in offers)

    def rank(offer: Offer) -> tuple[bool, bool, bool, int, float, str]:
        places = [at for at, name in enumerate(names) if name in (offer.model, offer.id)]
        place = places[0] if places else -common[offer.model]
        is_failed = offer.id == failed
        return not places, is_failed, not offer.is_structured, place, offer.cost, offer.id

    fit = [
        offer
        for offer in offers
        if {offer.model, offer.id} & {*names}
        or (may_use(offer.model) and is_chat_model(offer.model))
    ]
    return min(fit, key=rank, default=None)
