"""How many functions of real typed packages accept the five calls made for them.

    benchmarks/inputs/peers.sh && python -m benchmarks.inputs [--json FILE] [--failures]
    python -m benchmarks.inputs --set-aside    # packages whose failures nobody worked on

A variant is accepted when its arguments can be made and the call does not raise `TypeError`. A
function counts when all its variants are accepted: five, or all there are (a flag has two). *As
made*: the first five, from source alone. *After trying*: five that the sandbox has seen accepted,
as `reverie.instruments.acceptance` gives them.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.inputs.selection import Chosen, choose
from reverie import Policy, Sandbox
from reverie.inputs import calls_for
from reverie.instruments.acceptance import Attempt, accepted_calls

PEERS = Path(__file__).parents[1] / ".peers"
SET_ASIDE = ("prompt_toolkit", "pypdf", "urllib3", "websockets")
SET_ASIDE_EACH = 25
VARIANTS = 5


@dataclass(frozen=True, slots=True)
class Tried:
    """One function, its variants as made, and how many were accepted in the end."""

    chosen: Chosen
    first: tuple[Attempt, ...]
    accepted: int

    @property
    def accepts_first(self) -> bool:
        return all(each.is_accepted for each in self.first)

    @property
    def accepts(self) -> bool:
        return self.accepted >= len(self.first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--failures", action="store_true", help="show what was not accepted")
    parser.add_argument("--packages", nargs="*", default=(), help="only these")
    parser.add_argument("--each", type=int, default=10, help="so many functions of each of them")
    parser.add_argument("--set-aside", action="store_true", help="the packages set aside instead")
    parser.add_argument("--seed", default="42")
    options = parser.parse_args()
    if options.set_aside:
        options.packages, options.each = SET_ASIDE, SET_ASIDE_EACH
    home = PEERS / ("inputs-set-aside" if options.set_aside else "inputs")
    site_packages = next(home.glob("lib/python*/site-packages"), None)
    if site_packages is None:
        sys.exit("not installed: run benchmarks/inputs/peers.sh")
    place = str(site_packages)
    policy = Policy(readonly=(place,), import_paths=(place,))
    with Sandbox() as sandbox:
        chosen = choose(site_packages, options.packages, options.each)
        tried = [_try(sandbox, each, policy, options.seed) for each in chosen]
    _report(tried)
    if options.failures:
        _show_failures(tried)
    if options.json:
        options.json.write_text(json.dumps([_document(each) for each in tried], indent=1))


def _try(sandbox: Sandbox, chosen: Chosen, policy: Policy, seed: str) -> Tried:
    made = len(calls_for(chosen.shape, seed=seed, count=VARIANTS))
    found = accepted_calls(
        sandbox, chosen.shape, chosen.module, policy=policy, count=VARIANTS, seed=seed
    )
    return Tried(chosen, tuple(found.attempts[:made]), len(found.calls))


def _report(tried: Sequence[Tried]) -> None:
    print(f"{'package':18} functions   as made   after trying")
    for package in (*dict.fromkeys(each.chosen.package for each in tried), "all"):
        own = [each for each in tried if package in ("all", each.chosen.package)]
        first, last = (
            sum(getattr(each, name) for each in own) for name in ("accepts_first", "accepts")
        )
        shares = f"  {first / len(own):.1%}, {last / len(own):.1%}" if package == "all" else ""
        print(f"{package:18} {len(own):9} {first:9} {last:14}{shares}")
    answers = [answer for each in tried for answer in each.first]
    share = sum(each.is_accepted for each in answers) / len(answers)
    fewer = sum(len(each.first) < VARIANTS for each in tried)
    print(f"variants as made: {len(answers)}, accepted {share:.1%}; fewer than five: {fewer}")
    kinds = Counter("unmade" if not a.is_made else a.error or "returned" for a in answers)
    print(", ".join(f"{name} {count}" for name, count in kinds.most_common()))


def _show_failures(tried: Sequence[Tried]) -> None:
    for each in tried:
        if not each.accepts_first:
            name = f"{each.chosen.module}:{each.chosen.qualname}"
            print(f"\n{name} ({each.accepted} accepted in the end)")
            for attempt in each.first:
                if not attempt.is_accepted:
                    print(f"  {attempt.call.render(each.chosen.qualname)[:300]}")
                    print(f"    {attempt.is_made} {attempt.error}: {attempt.message[:200]}")


def _document(each: Tried) -> dict[str, object]:
    return {
        "module": each.chosen.module,
        "qualname": each.chosen.qualname,
        "as_made": each.accepts_first,
        "after_trying": each.accepts,
        "calls": [attempt.call.render(each.chosen.qualname) for attempt in each.first],
        "errors": [attempt.error for attempt in each.first],
    }


if __name__ == "__main__":
    main()
