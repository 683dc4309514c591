"""The played experts, with the models that the program knows by name."""

from pipeline.selection.curated import load_known_models
from tests.fakes.places import PLACES
from tests.servers.experts import ExpertServer

_KINDS = {
    **{f"org/{kind}": kind for kind in ("openpose-control", "mask-generation")},
    **{model.id: model.kind for model in load_known_models(PLACES)},
}


def known_experts(latency: float = 0.0) -> ExpertServer:
    """All curated models, and two of kinds that only servers of other people run."""
    return ExpertServer(latency, kinds=dict(_KINDS))
