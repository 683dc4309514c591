"""The shapes of answers on the wire (Hugging Face's task schemas, and what servers send in their place)."""

from typing import TypeVar

from pydantic import AliasChoices, BaseModel, Field, TypeAdapter

T = TypeVar("T")


class Scored(BaseModel):
    """A class with its probability."""

    label: str
    score: float


class Ranked(BaseModel):
    """Zero-shot classes as the pipeline gives them."""

    labels: list[str]
    scores: list[float]


class Gap(BaseModel):
    """A word for a gap; the specification misspells the name."""

    token_str: str = Field(validation_alias=AliasChoices("token_str", "tokenStr"))
    score: float


class Entity(BaseModel):
    """A stretch of a text."""

    entity: str = Field(validation_alias=AliasChoices("entity_group", "entity"))
    word: str
    score: float
    start: int | None = None
    end: int | None = None


class Written(BaseModel):
    """A text under any of its names."""

    text: str = Field(
        validation_alias=AliasChoices(
            "generated_text", "summary_text", "translation_text", "text", "generatedText"
        )
    )


class Answer(BaseModel):
    """An answer found somewhere."""

    answer: str | float
    score: float | None = None


class Edges(BaseModel):
    """Where a thing is in a picture, in pixels."""

    xmin: float
    ymin: float
    xmax: float
    ymax: float


class Found(BaseModel):
    """A thing in a picture."""

    label: str
    score: float
    box: Edges


class Region(BaseModel):
    """A region of a picture; semantic models give no score, mask generators no label."""

    label: str = ""
    score: float | None = None
    mask: str


class File(BaseModel):
    """A file in base64 under any of its names."""

    content: str = Field(validation_alias=AliasChoices("image", "audio", "video", "depth", "blob"))


LABELS: TypeAdapter[list[Scored] | list[list[Scored]]] = TypeAdapter(
    list[Scored] | list[list[Scored]]
)
CANDIDATES: TypeAdapter[list[Scored] | list[list[Scored]] | Ranked] = TypeAdapter(
    list[Scored] | list[list[Scored]] | Ranked
)
GAPS: TypeAdapter[list[Gap] | list[list[Gap]]] = TypeAdapter(list[Gap] | list[list[Gap]])
ENTITIES: TypeAdapter[list[Entity] | list[list[Entity]]] = TypeAdapter(
    list[Entity] | list[list[Entity]]
)
WRITTEN: TypeAdapter[list[Written] | Written] = TypeAdapter(list[Written] | Written)
ANSWERS: TypeAdapter[list[Answer] | Answer] = TypeAdapter(list[Answer] | Answer)
FOUND: TypeAdapter[list[Found]] = TypeAdapter(list[Found])
REGIONS: TypeAdapter[list[Region]] = TypeAdapter(list[Region])
FILES: TypeAdapter[list[File] | File] = TypeAdapter(list[File] | File)
FLOATS: TypeAdapter[list[float]] = TypeAdapter(list[float])
PREDICTIONS: TypeAdapter[list[str | float]] = TypeAdapter(list[str | float])
VECTORS: TypeAdapter[list[float] | list[list[float]] | list[list[list[float]]]] = TypeAdapter(
    list[float] | list[list[float]] | list[list[list[float]]]
)


def flat(found: list[T] | list[list[T]]) -> list[T]:
    """Some servers put the list for one input into a list of inputs."""
    if found and isinstance(found[0], list):
        return found[0]
    return [item for item in found if not isinstance(item, list)]


def first(found: list[T] | T) -> T:
    """The best one. Raises ValueError when there is none."""
    if not isinstance(found, list):
        return found
    if not found:
        raise ValueError("an empty list")
    return found[0]
