"""Where the official schemas are known to be wrong: what they say, what servers and the Hub's own
client do, and how that is mended.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Schema = dict[str, Any]


@dataclass(frozen=True)
class KnownError:
    """One error. `true` is a document that is right and that the schema as published refuses."""

    task: str
    side: Literal["input", "output"]
    says: str
    truth: str
    true: Any
    mend: Callable[[Schema], Schema]


def _renamed(wrong: str, right: str) -> Callable[[Schema], Schema]:
    """One required name for another."""

    def mend(schema: Schema) -> Schema:
        if "items" in schema:
            return {**schema, "items": mend(schema["items"])}
        required = [right if name == wrong else name for name in schema["required"]]
        return {**schema, "required": required}

    return mend


def _listed(schema: Schema) -> Schema:
    """A list of such objects, too."""
    return {"anyOf": [schema, {"type": "array", "items": schema}]}


def _alone(schema: Schema) -> Schema:
    """One such object without its list, too."""
    return {"anyOf": [schema, schema["items"]]}


def _deeper(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "array", "items": schema}]}


def _two_lists(schema: Schema) -> Schema:
    words = {"type": "array", "items": {"type": "string"}}
    figures = {"type": "array", "items": {"type": "number"}}
    lists = {
        "type": "object",
        "properties": {"sequence": {"type": "string"}, "labels": words, "scores": figures},
        "required": ["labels", "scores"],
    }
    return {"anyOf": [schema, lists]}


def _null_score(schema: Schema) -> Schema:
    items = schema["items"]
    properties = {**items["properties"], "score": {"type": ["number", "null"]}}
    return {**schema, "items": {**items, "properties": properties}}


def _asked_by_query(schema: Schema) -> Schema:
    inputs = schema["properties"]["inputs"]
    named = {**inputs["properties"], "query": {"type": "string"}}
    either = [{"required": ["question"]}, {"required": ["query"]}]
    mended = {**inputs, "properties": named, "required": ["table"], "anyOf": either}
    return {**schema, "properties": {**schema["properties"], "inputs": mended}}


_LIST = "a list of one object"
KNOWN_ERRORS = (
    KnownError(
        task="fill-mask",
        side="output",
        says="`tokenStr` is required",
        truth="`token_str`, as the schema's own properties have it",
        true=[{"sequence": "it is blue", "score": 0.7, "token": 7, "token_str": "blue"}],
        mend=_renamed("tokenStr", "token_str"),
    ),
    KnownError(
        task="image-to-text",
        side="output",
        says="`generatedText` is required",
        truth="`generated_text`, as the schema's own properties have it",
        true={"generated_text": "a cat"},
        mend=_renamed("generatedText", "generated_text"),
    ),
    KnownError(
        task="image-to-text",
        side="output",
        says="one object",
        truth=_LIST,
        true=[{"generated_text": "a cat"}],
        mend=_listed,
    ),
    KnownError(
        task="summarization",
        side="output",
        says="one object",
        truth=_LIST,
        true=[{"summary_text": "short"}],
        mend=_listed,
    ),
    KnownError(
        task="translation",
        side="output",
        says="one object",
        truth=_LIST,
        true=[{"translation_text": "kurz"}],
        mend=_listed,
    ),
    KnownError(
        task="text-generation",
        side="output",
        says="one object",
        truth=_LIST,
        true=[{"generated_text": "once"}],
        mend=_listed,
    ),
    KnownError(
        task="question-answering",
        side="output",
        says="a list",
        truth="one object when one answer is asked for",
        true={"answer": "Ada", "score": 0.8, "start": 0, "end": 3},
        mend=_alone,
    ),
    KnownError(
        task="table-question-answering",
        side="input",
        says="`question` is required",
        truth="`query`: so the Hub's client sends it and the pipeline takes it",
        true={"inputs": {"query": "who?", "table": {"a": ["1"]}}},
        mend=_asked_by_query,
    ),
    KnownError(
        task="feature-extraction",
        side="output",
        says="a vector for each text",
        truth="the pipeline gives one for each token of each text",
        true=[[[0.1, 0.2], [0.3, 0.4]]],
        mend=_deeper,
    ),
    KnownError(
        task="zero-shot-classification",
        side="output",
        says="a list of labels with scores",
        truth="the pipeline gives a list of labels and one of scores",
        true={"sequence": "goal", "labels": ["sports"], "scores": [0.9]},
        mend=_two_lists,
    ),
    KnownError(
        task="image-segmentation",
        side="output",
        says="a score is a number",
        truth="null from semantic models",
        true=[{"label": "sky", "score": None, "mask": "iVBO"}],
        mend=_null_score,
    ),
)
