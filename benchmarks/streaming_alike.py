"""Whether it makes a difference to the outcome that tasks start while the plan is still being written.

    python -m benchmarks.streaming_alike [--plans N] [--seed S]

Generated plans, good and faulty ones (unknown steps, references to nothing, to themselves, in any order, without ids, cut short; a
second plan that contradicts the first), are written by a played language model in pieces broken at random places. Each is carried
out with streamed planning and without, by experts in memory. Prints how many ended alike: every task with its result, what was
skipped, failed and told, the files.
"""

import argparse
import asyncio
import random
import time
from collections import Counter

from tests.pipeline.planning.generated import a_script, ending


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plans", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    found = asyncio.run(_compared(options.plans, options.seed))
    print(f"plans              {options.plans}, {time.perf_counter() - began:.0f} s")
    for what, count in sorted(found.items()):
        print(f"{what:18} {count}")


async def _compared(plans: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for at in range(plans):
        rng = random.Random(seed * 1_000_000 + at)
        script = a_script(rng)
        whole = await ending(script, at, streamed=False)
        early = await ending(script, at, streamed=True)
        alike = (whole.tasks, whole.files, whole.told, whole.apology) == (
            early.tasks,
            early.files,
            early.told,
            early.apology,
        )
        found["ended alike"] += alike
        found["asked again"] += whole.calls > 1
        found["taken back"] += early.corrected
        found["not answered"] += bool(whole.apology)
        found["tasks"] += len(whole.tasks)
        if not alike:
            print(f"plan {at} ended otherwise:\n{whole}\n{early}")
    return found


if __name__ == "__main__":
    main()
