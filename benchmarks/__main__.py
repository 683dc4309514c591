"""`make bench`: the figures that docs/benchmarks.md tells, one benchmark after the other, each in a
process of its own.
"""

import subprocess
import sys

NAMES = (
    "orchestration",
    "store",
    "streamed_planning",
    "streaming_alike",
    "chat_load",
    "plan_reading",
    "plan_fuzz",
    "prompt_size",
)


def main() -> None:
    for name in NAMES:
        print(f"\n# {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False)


if __name__ == "__main__":
    main()
