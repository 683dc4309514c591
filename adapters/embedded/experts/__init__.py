"""Embedded experts: libraries whose ordinary install already does the job, in worker processes."""

from adapters.embedded.experts.expert import (
    EmbeddedExpert,
    can_run,
    embedded_models,
    find_unloadable,
)

__all__ = ["EmbeddedExpert", "can_run", "embedded_models", "find_unloadable"]
