"""The tags by which the Hub lists the models of a kind."""

from collections.abc import Mapping

from adapters.huggingface.place import HOSTED
from adapters.wire.formats import WIRE_FORMATS
from pipeline.task_kinds import KINDS, is_enabled_by

_SELDOM_HOSTED = ("audio-classification", "audio-to-audio")
"""Providers can serve these kinds, but no model was live when the table was written."""
_SEES = "image-text-to-text"

TAGS: Mapping[str, str] = {
    **{
        name: name
        for name in WIRE_FORMATS
        if is_enabled_by(KINDS[name], HOSTED) or name in _SELDOM_HOSTED
    },
    **dict.fromkeys(("conversational", "text2text-generation"), "text-generation"),
    **dict.fromkeys(("image-to-text", "optical-character-recognition"), _SEES),
    **dict.fromkeys(("visual-question-answering", "document-question-answering"), _SEES),
    "image-text-to-image": "image-to-image",
}
"""Kind → the tag by which the Hub lists its models. Vision chat models caption pictures and
answer questions about them.
"""

KINDS_OF: Mapping[str, tuple[str, ...]] = {
    tag: tuple(kind for kind, other in TAGS.items() if other == tag) for tag in TAGS.values()
}
"""Tag → kinds."""


def find_task(tag: str) -> str:
    """The task under which providers list the models of a tag."""
    return "conversational" if tag in ("text-generation", _SEES) else tag
