"""What was asked of a model, read out of the body of the request."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from pipeline.errors import BadInput


@dataclass(frozen=True, slots=True)
class Asked:
    """A call in Hugging Face's inference format: JSON with `inputs` and `parameters`, or the bytes of a file."""

    kind: str
    inputs: Any
    parameters: dict[str, Any]

    def text(self, name: str = "") -> str:
        """The input as words, or one of its fields. Raises BadInput."""
        found = self._field(name) if name else self.inputs
        if isinstance(found, list) and len(found) == 1:
            found = found[0]
        if not isinstance(found, str) or not found.strip():
            raise BadInput("local-needs-text", name=name or "inputs")
        return found

    def texts(self, name: str) -> list[str]:
        """A field of the input or a parameter that is a list of texts; words parted by commas will do. Raises BadInput."""
        found = self.parameters.get(name)
        if found is None:
            found = self._field(name)
        if isinstance(found, str):
            found = found.split(",")
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise BadInput("local-needs-texts", name=name)
        kept = [one.strip() for one in found if one.strip()]
        if not kept:
            raise BadInput("local-needs-texts", name=name)
        return kept

    def file(self, name: str = "") -> bytes:
        """The file: the body itself, or base64 in the input or one of its fields. Never an address. Raises BadInput."""
        found = self.inputs
        if isinstance(found, dict):
            found = found.get(name)
        if isinstance(found, str):
            found = _from_base64(found)
        if not isinstance(found, bytes) or not found:
            raise BadInput("local-needs-file")
        return found

    def whole(self, name: str, usual: int, least: int, most: int) -> int:
        """A whole number among the parameters, held within bounds."""
        return int(self.figure(name, usual, least, most))

    def figure(self, name: str, usual: float, least: float, most: float) -> float:
        """A number among the parameters, held within bounds. Raises BadInput when it is none."""
        found = self.parameters.get(name)
        if found is None:
            found = usual
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise BadInput("local-needs-number", name=name)
        return min(max(found, least), most)

    def word(self, name: str, usual: str = "") -> str:
        """A word among the parameters."""
        found = self.parameters.get(name)
        return found if isinstance(found, str) else usual

    def given(self, name: str) -> bool:
        return self.parameters.get(name) not in (None, "", [])

    def has(self, name: str) -> bool:
        """Whether the input has this field."""
        return isinstance(self.inputs, dict) and bool(self.inputs.get(name))

    def _field(self, name: str) -> Any:  # noqa: ANN401 - JSON
        return self.inputs.get(name) if isinstance(self.inputs, dict) else None


def read_asked(kind: str, media_type: str, body: bytes) -> Asked:
    """The call. Raises BadInput when it cannot be read."""
    if media_type != "application/json":
        if not body:
            raise BadInput("local-needs-file")
        return Asked(kind, body, {})
    try:
        document = from_json(body)
    except ValueError as error:
        raise BadInput("local-not-json") from error
    if not isinstance(document, dict) or "inputs" not in document:
        raise BadInput("local-no-inputs")
    parameters = document.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise BadInput("local-no-parameters")
    return Asked(kind, document["inputs"], parameters)


def _from_base64(content: str) -> bytes:
    if content.startswith("data:"):
        content = content.partition(",")[2]
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput("local-needs-file") from error
