"""Fuzz the plan reader with broken plans.

    python -m benchmarks.plan_fuzz [--plans N] [--seed S]

Reads mutated plans as a whole and as a stream, split at random places. Both must give the same
plan, raise nothing but the refusal of a senseless plan, and have no cycle, only arguments of types
that their task accepts, and only tasks and files that the plan names or the reader reports as
added. Stops at the first failure.
"""

import argparse
import random
import time

from tests.pipeline.planning.test_fuzz import MUTATIONS, a_plan, check


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    began = time.perf_counter()
    tasks = [check(rng.choice(MUTATIONS)(rng, a_plan(rng)), rng) for _ in range(options.plans)]
    took = time.perf_counter() - began
    refused = tasks.count(None)
    print(f"mutated plans      {options.plans}, {took:.0f} s")
    print(f"read               {options.plans - refused}")
    print(f"refused            {refused}")
    print(f"tasks              {sum(count or 0 for count in tasks)}, each asked for")


if __name__ == "__main__":
    main()
