"""Models: what is known of each, which one is chosen for a task, and the calls that are made."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field

from pipeline.domain.places import Place
from pipeline.domain.plans import Task
from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a language model at a provider, in US dollars per million tokens."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The cost of this many tokens, in US dollars."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6


@dataclass(frozen=True, slots=True)
class Model:
    """A model for one kind of task.

    `size` in bytes (-1: unknown); `places` where it can run, preferred first.
    """

    id: str
    kind: str
    places: tuple[Place, ...]
    _: KW_ONLY
    description: str = ""
    revision: str = ""
    licence: str = ""
    downloads: int = 0
    likes: int = 0
    languages: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    """The languages that it writes or speaks, if these are not all of `languages`."""
    tags: tuple[str, ...] = ()
    """What its page at the Hub files it under."""
    gated: bool = False
    size: int = -1
    providers: tuple[str, ...] = ()
    """Live inference providers as "provider:its id for the model", preferred first."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Known prices by provider name ("" where there is only one provider)."""
    takes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Provider name → the parameters of a task that it passes on to the model."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The model for a task, why it was chosen, and the fallbacks in case it fails."""

    model: Model
    reason: LocalizedText
    runners_up: tuple[Model, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A task and the models to try, in order. `choice` is None if nothing can run the task."""

    task: Task
    choice: Choice | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call of a model at a place. `took` in seconds, `cost` in US dollars (None: unknown)."""

    model: str
    place: Place
    took: float
    error: LocalizedText | None = None
    cost: float | None = None
    provider: str = ""
    """Who served the model, where a place has several providers."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model. `took` in seconds, `cost` in US dollars (None: unknown).

    The tokens are those that the server counted; -1 if it did not say. `error`: the id of the
    sentence that says why it failed, "cancelled", or "retried" if it was made again at once; ""
    for a call that was answered.
    """

    model: str
    _: KW_ONLY
    took: float = 0.0
    prompt_tokens: int = -1
    completion_tokens: int = -1
    cost: float | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """What a language model was asked, its messages one after the other, and what it replied."""

    model: str
    text: str
    reply: str
