"""Places: where models can run."""

from dataclasses import dataclass, field

from pipeline.domain.files import FILE_TYPES, Type


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Place:
    """Where models can run: what the rest of the program asks about it.

    An adapter defines the value beside its code. Two places with the same name are equal, as
    records hold the name alone; `pipeline.codec.register_places` says which value a stored name
    stands for. A name that nobody registers any more gives a place with these cautious defaults.
    """

    name: str
    """What is stored, what TROUPE_PLACES takes, and what people see."""
    enabled_by: str = field(default="", compare=False)
    """The setting or the extra that sets it up, as `TaskKind.enabled_by` has it: "HF_TOKEN"."""
    pages: str = field(default="", compare=False)
    """The address above the pages of its models; "" if they have none."""
    costs: bool = field(default=True, compare=False)
    """Whether its calls may cost money."""
    data_leaves: bool = field(default=True, compare=False)
    """Whether what people send goes to a service that somebody else may run."""
    has_providers: bool = field(default=False, compare=False)
    """Whether its models are reached through one of several providers (`Model.providers`)."""
    computes: bool = field(default=False, compare=False)
    """Whether libraries compute its results: they measure, cut and convert, and invent nothing."""
    reads: frozenset[Type] = field(default=FILE_TYPES, compare=False)
    """The types of files of which its models, given nothing else, only say what is in them."""
    is_vetted: bool = field(default=False, compare=False)
    """Whether its models were chosen for their kinds, so that their names tell nothing."""
    has_contract: bool = field(default=False, compare=False)
    """Whether its models are used under the installation's own contract, whatever their licence."""
    takes_models: bool = field(default=False, compare=False)
    """Whether operators add models to it, so that a kind which it lacks needs only a model."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Place({self.name!r})"

    def find_page(self, model: str) -> str:
        """The address of a model's page; "" if it has none, as ids without an author do."""
        return f"{self.pages}/{model}" if self.pages and "/" in model else ""
