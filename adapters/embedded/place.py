"""The place `embedded`: libraries that run in the program's own worker processes."""

from pipeline.domain import Place

EMBEDDED = Place(
    name="embedded",
    enabled_by="[embedded]",
    costs=False,
    data_leaves=False,
    computes=True,
    is_vetted=True,
)
