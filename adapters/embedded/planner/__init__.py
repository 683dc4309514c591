"""The embedded planner: from words and files to tasks, with numpy and a file of weights."""

from adapters.embedded.planner.planner import (
    EmbeddedPlanner,
    likely_kinds,
    plan_batch_row,
    tasks,
)

__all__ = ["EmbeddedPlanner", "likely_kinds", "plan_batch_row", "tasks"]
