"""`python -m benchmarks.dreams [speed] [variants] [learning]`: all three without a word."""

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.dreams import learning, speed, variants
from benchmarks.machine import describe_machine, load

PARTS = {"speed": speed.measure, "variants": variants.measure, "learning": learning.measure}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dreams", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--functions", type=int, default=50, help="of real packages")
    parser.add_argument("--dreams", type=int, default=100, help="to be tested for speed")
    parser.add_argument("--journal", help="look again at the variants of this journal")
    parser.add_argument("--cycles", type=int, default=4, help="of learning")
    parser.add_argument("--seed", type=int, default=1, help="which functions, which inputs")
    given = parser.parse_args()
    print(f"{describe_machine()}\nload {load():.1f}")
    for name in given.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
            print(f"\n## {name}")
            asyncio.run(PARTS[name](Path(folder), given))
    print(f"\nload {load():.1f}")


if __name__ == "__main__":
    main()
