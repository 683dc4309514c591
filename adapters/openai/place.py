"""The place `llm`: the models of an OpenAI-compatible endpoint."""

from pipeline.domain import Place, Type

LLM = Place(
    name="llm",
    enabled_by="OPENAI_API_KEY",
    reads=frozenset({Type.AUDIO}),  # its chat models write; those for speech say what they hear
    is_vetted=True,
    has_contract=True,
)
