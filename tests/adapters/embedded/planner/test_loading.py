"""The file of weights: what is loaded, and when."""

import subprocess
import sys

import pytest

_LATER = """
import sys
from adapters.embedded.planner import guess_bench_plan, guess_plan
from adapters.embedded.planner.decision import predictor
from adapters.embedded.planner.tagging import lexicon
from evaluation.rows import request_of

text = "Translate 'good morning' into French and read it aloud"
plans = {
    "everyday": lambda: guess_plan([request_of(text, "")]),
    "taskbench": lambda: guess_bench_plan(text),
}
for vocabulary, plan in plans.items():
    predictor(vocabulary)
    modules, read = set(sys.modules), lexicon.cache_info().misses
    plan()
    print(sorted(set(sys.modules) - modules), lexicon.cache_info().misses - read)
"""


@pytest.mark.program
def test_the_first_request_has_nothing_left_to_load() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LATER], capture_output=True, check=True, text=True, timeout=50
    )

    assert done.stdout == "[] 0\n" * 2
