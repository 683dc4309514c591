"""The place `local`: the models of an expert server."""

from pipeline.domain import Place

LOCAL = Place(
    name="local",
    enabled_by="TROUPE_EXPERTS_URL",
    pages="https://huggingface.co",
    costs=False,
    data_leaves=False,
    takes_models=True,
)
