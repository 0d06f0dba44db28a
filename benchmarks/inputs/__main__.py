"""How many functions of real typed packages accept the five calls made for them.

    benchmarks/inputs/peers.sh && python -m benchmarks.inputs [--json FILE] [--failures]

A variant is accepted when its arguments can be made and the call does not raise `TypeError`. A
function counts when all its variants are accepted: five, or all there are (a flag has two).
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.inputs.selection import Chosen, choose
from reverie import Limits, Policy, Sandbox, TestOutcome
from reverie.inputs import calls_for
from reverie.model.call import Call

HERE = Path(__file__).parent
PEERS = HERE.parent / ".peers" / "inputs"
VARIANTS = 5


@dataclass(frozen=True, slots=True)
class Tried:
    """One function, its calls and what became of each."""

    chosen: Chosen
    calls: tuple[Call, ...]
    answers: tuple[dict, ...]

    @property
    def accepted(self) -> bool:
        return bool(self.answers) and all(map(is_accepted, self.answers))


def is_accepted(answer: dict) -> bool:
    return not answer["unmade"] and answer["error"] != "TypeError"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--failures", action="store_true", help="show what was not accepted")
    parser.add_argument("--seed", default="42")
    parser.add_argument("--packages", nargs="*", default=(), help="only these")
    options = parser.parse_args()
    site_packages = next(PEERS.glob("lib/python*/site-packages"), None)
    if site_packages is None:
        sys.exit("not installed: run benchmarks/inputs/peers.sh")
    with Sandbox() as sandbox:
        chosen = choose(site_packages, options.packages)
        tried = [_try(sandbox, each, site_packages, options.seed) for each in chosen]
    _report(tried, options.failures)
    if options.json:
        options.json.write_text(json.dumps([_document(each) for each in tried], indent=1))


def _try(sandbox: Sandbox, chosen: Chosen, site_packages: Path, seed: str) -> Tried:
    calls = calls_for(chosen.shape, seed=seed, count=VARIANTS)
    code = (HERE / "inside.py").read_text("utf-8")
    code = code.replace("@module@", chosen.module).replace("@qualname@", chosen.qualname)
    inputs = [
        {
            "preamble": each.preamble,
            "names": sorted(each.names),
            "receiver": each.receiver.source if each.receiver else None,
            "arguments": each.arguments,
            "is_async": chosen.shape.is_async,
        }
        for each in calls
    ]
    place = str(site_packages)
    policy = Policy(readonly=(place,), import_paths=(place,))
    limits = Limits(wall_seconds=10)
    done = sandbox.execute_many(code, "perform", inputs, limits=limits, policy=policy)
    return Tried(chosen, calls, tuple(_answer(each) for each in done))


def _answer(execution) -> dict:
    if execution.succeeded:
        return execution.output
    message = execution.error.message if execution.error else ""
    is_made = execution.outcome is TestOutcome.TIMEOUT  # making arguments takes no time
    return {"unmade": not is_made, "error": str(execution.outcome), "message": message[:300]}


def _report(tried: list[Tried], failures: bool) -> None:
    print(f"{'package':14} functions  accepted")
    for package in dict.fromkeys(each.chosen.package for each in tried):
        own = [each for each in tried if each.chosen.package == package]
        print(f"{package:14} {len(own):9}  {sum(each.accepted for each in own):8}")
    good = sum(each.accepted for each in tried)
    answers = [answer for each in tried for answer in each.answers]
    print(f"{'all':14} {len(tried):9}  {good:8}  {good / len(tried):.1%}")
    print(f"variants: {len(answers)}, accepted {sum(map(is_accepted, answers)) / len(answers):.1%}")
    kinds = Counter("unmade" if a["unmade"] else a["error"] or "returned" for a in answers)
    print(", ".join(f"{name} {count}" for name, count in kinds.most_common()))
    for each in tried if failures else ():
        if not each.accepted:
            print(f"\n{each.chosen.module}:{each.chosen.qualname}")
            for call, answer in zip(each.calls, each.answers, strict=True):
                if not is_accepted(answer):
                    print(f"  {call.render(each.chosen.qualname)[:300]}")
                    print(f"    {answer['unmade']} {answer['error']}: {answer['message'][:200]}")


def _document(each: Tried) -> dict:
    return {
        "module": each.chosen.module,
        "qualname": each.chosen.qualname,
        "accepted": each.accepted,
        "calls": [call.render(each.chosen.qualname) for call in each.calls],
        "answers": list(each.answers),
    }


if __name__ == "__main__":
    main()
