"""Whether the outcome depends on how a streamed plan is split.

    python -m benchmarks.streaming_alike [--plans N] [--seed S]

A simulated language model writes generated plans, good and faulty ones (unknown steps, dangling and
self references, any order, no ids, truncated; a second plan that contradicts the first), whole and
split at random places. Fake experts run each. Prints how many had the same outcome: all results,
skipped and failed tasks, notices and files.
"""

import argparse
import asyncio
import random
import time
from collections import Counter

from tests.pipeline.planning.generated import a_script, ending


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    found = asyncio.run(_compare(options.plans, options.seed))
    print(f"plans              {options.plans}, {time.perf_counter() - began:.0f} s")
    for what, count in sorted(found.items()):
        print(f"{what:18} {count}")


async def _compare(plans: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for at in range(plans):
        script = a_script(random.Random(seed * 1_000_000 + at))
        whole = await ending(script, at, whole=True)
        pieces = await ending(script, at)
        alike = (whole.tasks, whole.files, whole.told, whole.apology) == (
            pieces.tasks,
            pieces.files,
            pieces.told,
            pieces.apology,
        )
        found["ended alike"] += alike
        found["asked again"] += whole.calls > 1
        found["steps cancelled"] += pieces.corrected
        found["not answered"] += bool(whole.apology)
        found["tasks"] += len(whole.tasks)
        if not alike:
            print(f"plan {at} ended otherwise:\n{whole}\n{pieces}")
    return found


if __name__ == "__main__":
    main()
