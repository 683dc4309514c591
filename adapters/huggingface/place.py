"""The place `hosted`: models that the Hub's inference providers serve."""

from pipeline.domain import Place

HOSTED = Place(
    name="hosted",
    enabled_by="HF_TOKEN",
    pages="https://huggingface.co",
    has_providers=True,
)
