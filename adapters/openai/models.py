"""Which of the listed models is used, and how it is asked."""

from collections import Counter
from collections.abc import Callable, Sequence

from adapters.model_list import Offer, Row
from pipeline.ports import Prompt
from pipeline.selection.curated import is_chat_model
from pipeline.selection.known_models import ChatFamily, find_chat_family, load_known, matches_any

_THOUGHT_FIELDS = frozenset({"chat_template_kwargs", "reasoning_effort"})
_SAMPLING_FIELDS = frozenset({"temperature", "top_p"})
_PLAIN = ChatFamily("*", {}, {})


def list_fields(model: str, prompt: Prompt, *, are_thoughts_stopped: bool = False) -> Row:
    """The fields for temperature and effort as this model understands them.

    `are_thoughts_stopped`: it shall not think, since it says nothing else.
    """
    family = find_chat_family(model) or _PLAIN
    own = family.low if prompt.effort == "low" else family.medium
    thoughtless = load_known().thoughtless if are_thoughts_stopped else {}
    fields = {"temperature": prompt.temperature, **own, **thoughtless}
    dropped = set() if prompt.effort or are_thoughts_stopped else set(_THOUGHT_FIELDS)
    if prompt.temperature is None:
        dropped |= _SAMPLING_FIELDS
    return {
        name: value
        for name, value in fields.items()
        if name not in dropped and value not in (None, "default")
    }


def leaves_thoughts_open(model: str) -> bool:
    """Whether a model, by its name, streams thoughts without "<think>" if its server lets it."""
    return matches_any(model, load_known().unopened)


def is_seeing_by_name(model: str) -> bool | None:
    """Whether a model of OpenAI's own API takes pictures; None if its name does not tell."""
    return matches_any(model, load_known().seeing) or None


def choose_offer(
    offers: Sequence[Offer], names: Sequence[str], may_use: Callable[[str], bool], failed: str
) -> Offer | None:
    """The cheapest offer of the first of these models, else of another that may be used.

    Of others, of the general one that most providers run: what many serve, many use. Preferred are
    offers other than the one that failed, then those with JSON schemas. A name is a model's, or an
    offer's id.
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
