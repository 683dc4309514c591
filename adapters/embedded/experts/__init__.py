"""Embedded experts: well-kept libraries whose ordinary install already does the job, in worker processes."""

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.rows import can, embedded_models

__all__ = ["EmbeddedExpert", "can", "embedded_models"]
