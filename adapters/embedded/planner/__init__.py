"""The embedded planner: from words and files to tasks, with numpy and a file of weights."""

from adapters.embedded.planner.guesses import guess_bench_plan, guess_plan
from adapters.embedded.planner.planner import EmbeddedPlanner, tasks

__all__ = ["EmbeddedPlanner", "guess_bench_plan", "guess_plan", "tasks"]
