"""`python -m benchmarks.gates`: what the tests of our own judgement notice, mutant by mutant.

Every mutant of `gates` and `scoring` that `reverie mutate` knows. Only tests that run the changed
lines are asked, those first that noticed neighbours. With `--resume` a kill stands for as long as
the text of its module does, and only what nothing has noticed yet is asked again. `--quick` leaves
out the mutants that need an import of their own: decorators, defaults, and what stands in the body
of a class. `--check` asks for every mutant to be tried.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator

from benchmarks.gates.judge import judge, mutants_of
from benchmarks.gates.kept import Kept
from benchmarks.gates.looked_at import reason_for
from benchmarks.gates.rooms import RESULTS, ROOMS, ROOT, Room, short
from reverie.instruments.mutation.mutant_texts import spread_sample
from reverie.model.measurements.suite import Mutant

KEPT = RESULTS / "gates.json"
LEAST = 0.90
_SAVED_EVERY = 100


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gates", description=__doc__)
    parser.add_argument("--module", action="append", help="a name, say gates/paths; repeatable")
    parser.add_argument("--tests", action="append", help="these tests instead of the room's")
    parser.add_argument("--resume", action="store_true", help="ask only for what nothing noticed")
    parser.add_argument("--quick", action="store_true", help="leave out what needs an import")
    parser.add_argument("--show", action="store_true", help="what is known, without a run")
    parser.add_argument("--survivors", action="store_true", help="every survivor with its diff")
    parser.add_argument("--sample", type=int, help="so many mutants of each module, spread evenly")
    parser.add_argument(
        "--patience", type=float, default=math.inf, help="seconds of tests that a mutant is asked"
    )
    parser.add_argument("--check", action="store_true", help=f"exit 1 below {LEAST:.0%}%")
    given = parser.parse_args()
    os.chdir(ROOT)
    kept = Kept(KEPT, goes_on=given.resume or given.show)
    if not given.show:
        for room in ROOMS:
            _try_room(room, kept, given)
    return _report(kept, given)


def _try_room(room: Room, kept: Kept, given: argparse.Namespace) -> None:
    left = [each for each in _asked(room, given) if not kept.has_noticed(each)]
    if not left:
        return
    began = time.monotonic()
    tests = tuple(given.tests or room.tests)
    judged = judge(left, tests, is_quick=given.quick, patience=given.patience)
    for number, each in enumerate(judged, 1):
        kept.add(each)
        if number % _SAVED_EVERY == 0 or number == len(left):
            kept.save()
            spent = time.monotonic() - began
            said = f"{number} of {len(left)}, {spent:.0f} s, at {short(each.mutant.file)}"
            print(said, file=sys.stderr, flush=True)
    kept.save()


def _asked(room: Room, given: argparse.Namespace) -> Iterator[Mutant]:
    every = mutants_of(room)
    for module in room.modules:
        mutants = [each for each in every if each.file == module]
        if given.sample is not None:
            mutants = spread_sample(mutants, given.sample, lambda each: each.id)
        yield from mutants if _is_chosen(module, given.module) else ()


def _is_chosen(module: str, wanted: list[str] | None) -> bool:
    name = short(module)
    return not wanted or any(name == each or name.startswith(f"{each}/") for each in wanted)


def _report(kept: Kept, given: argparse.Namespace) -> int:
    rows = list(_rows(kept, given.module))
    width = max((len(name) for name, *_ in rows), default=0)
    print(f"{'module':{width}}  mutants  detected  looked at   share")
    for name, mutants, detected, excused in [*rows, _sum(rows)]:
        share = f"{detected / mutants:7.1%}" if mutants else "      -"
        print(f"{name:{width}}  {mutants:7}  {detected:8}  {excused:9} {share}")
    if given.survivors:
        for difference in _survivors(kept, given.module):
            print(f"\n{difference}")
    untried = sum(not kept.does_know(each) for room in ROOMS for each in _asked(room, given))
    if untried:
        print(f"\nnot tried: {untried}")
    _, mutants, detected, _ = _sum(rows)
    return int(given.check and (untried or not mutants or detected / mutants < LEAST))


def _rows(kept: Kept, wanted: list[str] | None) -> Iterator[tuple[str, int, int, int]]:
    for room in ROOMS:
        for module in room.modules:
            known = kept.of(module) if _is_chosen(module, wanted) else None
            if known is not None:
                excused = sum(reason_for(each) is not None for each in known.undetected)
                yield short(module), known.mutants, len(known.detected), excused


def _sum(rows: list[tuple[str, int, int, int]]) -> tuple[str, int, int, int]:
    figures = [row[1:] for row in rows]
    mutants, detected, excused = (sum(column) for column in zip((0, 0, 0), *figures, strict=True))
    return "all", mutants, detected, excused


def _survivors(kept: Kept, wanted: list[str] | None) -> Iterator[str]:
    for module, known in sorted(kept.modules.items()):
        if _is_chosen(module, wanted) and kept.of(module) is not None:
            for name, difference in known.undetected.items():
                reason = reason_for(name)
                said = "survived" if reason is None else f"looked at: {reason}"
                yield f"{said}  {name}\n{difference}"


if __name__ == "__main__":
    sys.exit(main())
