"""Plans broken in every way, read.

    python -m benchmarks.plan_fuzz [--plans N] [--seed S]

Reads mutated plans, whole and as they are written, broken at random places. Of each must hold: no
exception but the refusal of a plan that makes no sense, no circle, every argument of a type that
its task takes, no task and no file that neither the plan names nor the reader tells to have put in,
and the same plan either way. Stops at the first that does not hold.
"""

import argparse
import random
import time

from tests.pipeline.planning.test_fuzz import MUTATIONS, a_plan, check


def main() -> None:
    parser = argparse.ArgumentParser()
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
