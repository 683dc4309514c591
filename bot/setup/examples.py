"""Three requests to begin with, which work now by what is configured."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.domain import ChannelSettings, LocalizedText, StartExample
from pipeline.task_kinds import KINDS
from pipeline.tools import Tools

_SHOWN = 3
_LOOKED_AT = 20
"""Models of a kind that are looked at."""


@dataclass(frozen=True, slots=True)
class _Example:
    """`kinds` must run here. `sample`: a file that the page draws."""

    id: str
    kinds: tuple[str, ...]
    sample: str = ""
    is_for_llm: bool = False
    """Whether only a language model plans it."""


_EXAMPLES = (
    _Example("draw", ("text-to-image",), is_for_llm=True),
    _Example("poem", ("text-generation", "text-to-speech"), is_for_llm=True),
    _Example("invoice", ("document-question-answering", "text-to-speech"), "invoice"),
    _Example("look", ("image-to-text",), "lake", is_for_llm=True),
    _Example("translate", ("translation",), is_for_llm=True),
    _Example("sketch", ("image-to-image",), "lake"),
    _Example("mood", ("text-classification",)),
)
"""The most telling first. The last ones need nothing but what is built in."""


async def list_examples(tools: Tools, *, has_llm: bool) -> Sequence[StartExample]:
    """The first three whose kinds have a model here that may be used."""
    chosen: list[StartExample] = []
    for example in _EXAMPLES:
        if example.is_for_llm and not has_llm:
            continue
        if all([await _can(tools, kind) for kind in example.kinds]):
            chosen.append(_word(example))
    return chosen[:_SHOWN]


async def _can(tools: Tools, kind: str) -> bool:
    listed = await tools.candidates.catalogue.candidates(KINDS[kind], limit=_LOOKED_AT)
    return bool(tools.candidates.filter_allowed(listed, ChannelSettings()))


def _word(example: _Example) -> StartExample:
    return StartExample(
        id=example.id,
        title=LocalizedText(f"start-{example.id}"),
        text=LocalizedText(f"start-{example.id}-text"),
        sample=example.sample,
    )
