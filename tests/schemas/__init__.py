"""Hugging Face's official task schemas, the errors in them that are known, and our schemas for the
kinds that have none.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from adapters.web.task_schemas import format_official
from pipeline.domain import (
    Attachment,
    Blob,
    ExpertOutput,
    ExpertValue,
    FileHash,
    Masks,
    Media,
    Value,
)
from pipeline.ports import Job
from tests.schemas.known_errors import KNOWN_ERRORS

Side = Literal["input", "output"]
OFFICIAL_FILE = Path(__file__).parent / "official.json"
OFFICIAL: dict[str, Any] = json.loads(OFFICIAL_FILE.read_text()) if OFFICIAL_FILE.exists() else {}
OURS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs/schemas.json").read_text())


def whose(kind: str) -> str:
    """The official task whose schema a kind follows; "" when the schema is ours."""
    if kind in OURS["kinds"]:
        return ""
    return str(OURS["follow"].get(kind, kind))


def violations(document: Any, kind: str, side: Side) -> list[str]:
    """What is against the schema of the kind, whoever made it; the known errors are mended."""
    task = whose(kind)
    return _against(document, task or kind, side, mended=True)


def violations_as_published(document: Any, task: str, side: Side) -> list[str]:
    """What is against an official schema, its errors included."""
    return _against(document, task, side, mended=False)


def officially(job: Job, made: ExpertOutput) -> Any:
    """What was made, as the schema of the job's kind has it."""
    slots = {name: _stored(value) for name, value in made.slots.items()}
    return format_official(job.kind.name, slots)


def _stored(value: ExpertValue) -> Value:
    match value:
        case Blob(data, media_type, name):
            return Media(
                Attachment(
                    hash=FileHash("0" * 64), media_type=media_type, name=name, size=len(data)
                )
            )
        case Masks(items):
            images = [_stored(item.image) for item in items if isinstance(item.image, Blob)]
            files = [image for image in images if isinstance(image, Media)]
            pairs = zip(items, files, strict=True)
            return Masks(tuple(replace(item, image=file) for item, file in pairs))
        case _:
            return value


def _against(document: Any, name: str, side: Side, *, mended: bool) -> list[str]:
    validator = _validator(name, side, mended)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


@cache
def _validator(name: str, side: Side, mended: bool) -> Draft202012Validator:  # noqa: FBT001 - a key
    known = OFFICIAL["tasks"] if name in OFFICIAL["tasks"] else OURS["kinds"]
    assert name in known, "write a schema of ours, or whose it follows, into docs/schemas.json"
    schema = known[name][side]
    for error in KNOWN_ERRORS:
        if mended and (error.task, error.side) == (name, side):
            schema = error.mend(schema)
    common = Resource.from_contents({"definitions": OFFICIAL["common"]}, DRAFT202012)
    registry: Any = Registry().with_resource("/inference/schemas/common-definitions.json", common)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, registry=registry)
