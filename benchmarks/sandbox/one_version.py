"""One version's side of `versions.py`: executes the payload when a line asks for it.

Run by the interpreter of the version that it measures; it names only what every version has.
"""

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.sandbox.payload import CODE, ENTRY, check, make_params
from reverie.model.execution import Call, Request
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox


def main() -> None:
    chance = random.Random(1)
    tier = type(SandboxSection().tier)(sys.argv[1])
    with Sandbox(SandboxSection(tier=tier, slots=1)) as sandbox:
        sandbox.warm()
        for line in sys.stdin:
            pause_seconds, count = json.loads(line)
            time.sleep(pause_seconds)
            print(json.dumps([_execute(sandbox, chance) for _ in range(count)]), flush=True)


def _execute(sandbox: Sandbox, chance: random.Random) -> float:
    params = make_params(chance)
    began = time.perf_counter()
    output = sandbox.run(Request(Call(CODE, ENTRY, params))).output
    seconds = time.perf_counter() - began
    check("Reverie", params, output)
    return seconds


if __name__ == "__main__":
    main()
