"""The shapes of answers on the wire (Hugging Face's task schemas, and what servers send in their place)."""

from typing import Annotated, TypeVar

from pydantic import AliasChoices, AllowInfNan, BaseModel, Field, TypeAdapter

T = TypeVar("T")
Figure = Annotated[float, AllowInfNan(allow_inf_nan=False)]
"""A number; "not a number", which a model gives whose sums ran over, is none."""


class Scored(BaseModel):
    """A class with its probability."""

    label: str
    score: Figure


class Ranked(BaseModel):
    """Zero-shot classes as the pipeline gives them."""

    labels: list[str]
    scores: list[Figure]


class Gap(BaseModel):
    """A word for a gap; the specification misspells the name."""

    token_str: str = Field(validation_alias=AliasChoices("token_str", "tokenStr"))
    score: Figure


class Entity(BaseModel):
    """A stretch of a text."""

    entity: str = Field(validation_alias=AliasChoices("entity_group", "entity"))
    word: str
    score: Figure
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)


class Written(BaseModel):
    """A text under any of its names."""

    text: str = Field(
        validation_alias=AliasChoices(
            "generated_text", "summary_text", "translation_text", "text", "generatedText"
        )
    )


class Answer(BaseModel):
    """An answer found somewhere."""

    answer: str | Figure
    score: Figure | None = None


class Edges(BaseModel):
    """Where a thing is in a picture, in pixels."""

    xmin: Figure
    ymin: Figure
    xmax: Figure
    ymax: Figure


class Found(BaseModel):
    """A thing in a picture."""

    label: str
    score: Figure
    box: Edges


class Region(BaseModel):
    """A region of a picture; semantic models give no score, mask generators no label."""

    label: str = ""
    score: Figure | None = None
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
FLOATS: TypeAdapter[list[Figure]] = TypeAdapter(list[Figure])
PREDICTIONS: TypeAdapter[list[str | Figure]] = TypeAdapter(list[str | Figure])
VECTORS: TypeAdapter[list[Figure] | list[list[Figure]] | list[list[list[Figure]]]] = TypeAdapter(
    list[Figure] | list[list[Figure]] | list[list[list[Figure]]]
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
