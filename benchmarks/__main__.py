"""`make bench`: run the benchmarks of docs/benchmarks.md one by one, each in its own process."""

import argparse
import subprocess
import sys

NAMES = (
    "orchestration",
    "store",
    "streamed_planning",
    "streaming_alike",
    "chat_load",
    "crowd",
    "plan_reading",
    "plan_fuzz",
    "prompt_size",
)


def main() -> None:
    for name in NAMES:
        print(f"\n# {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
