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
        "fill-mask",
        "output",
        "`tokenStr` is required",
        "`token_str`, as the schema's own properties have it",
        [{"sequence": "it is blue", "score": 0.7, "token": 7, "token_str": "blue"}],
        _renamed("tokenStr", "token_str"),
    ),
    KnownError(
        "image-to-text",
        "output",
        "`generatedText` is required",
        "`generated_text`, as the schema's own properties have it",
        {"generated_text": "a cat"},
        _renamed("generatedText", "generated_text"),
    ),
    KnownError(
        "image-to-text", "output", "one object", _LIST, [{"generated_text": "a cat"}], _listed
    ),
    KnownError(
        "summarization", "output", "one object", _LIST, [{"summary_text": "short"}], _listed
    ),
    KnownError(
        "translation", "output", "one object", _LIST, [{"translation_text": "kurz"}], _listed
    ),
    KnownError(
        "text-generation", "output", "one object", _LIST, [{"generated_text": "once"}], _listed
    ),
    KnownError(
        "question-answering",
        "output",
        "a list",
        "one object when one answer is asked for",
        {"answer": "Ada", "score": 0.8, "start": 0, "end": 3},
        _alone,
    ),
    KnownError(
        "table-question-answering",
        "input",
        "`question` is required",
        "`query`: so the Hub's client sends it and the pipeline takes it",
        {"inputs": {"query": "who?", "table": {"a": ["1"]}}},
        _asked_by_query,
    ),
    KnownError(
        "feature-extraction",
        "output",
        "a vector for each text",
        "the pipeline gives one for each token of each text",
        [[[0.1, 0.2], [0.3, 0.4]]],
        _deeper,
    ),
    KnownError(
        "zero-shot-classification",
        "output",
        "a list of labels with scores",
        "the pipeline gives a list of labels and one of scores",
        {"sequence": "goal", "labels": ["sports"], "scores": [0.9]},
        _two_lists,
    ),
    KnownError(
        "image-segmentation",
        "output",
        "a score is a number",
        "null from semantic models",
        [{"label": "sky", "score": None, "mask": "iVBO"}],
        _null_score,
    ),
)
