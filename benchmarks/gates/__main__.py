"""`python -m benchmarks.gates`: what the tests of our own judgement notice, mutant by mutant."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from benchmarks.gates.kept import Kept
from benchmarks.gates.looked_at import reason_for
from benchmarks.gates.rooms import ROOMS, Room, package_of, short
from reverie import Sandbox
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.far import FarSide

KEPT = Path(__file__).parents[1] / "results" / "gates.json"
LEAST = 0.90
_BASELINE_SECONDS = 900.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.gates", description=__doc__)
    parser.add_argument("--module", action="append", help="a name, say gates/paths; repeatable")
    parser.add_argument("--tests", action="append", help="these tests instead of the room's")
    parser.add_argument("--resume", action="store_true", help="ask only for what nothing noticed")
    parser.add_argument("--show", action="store_true", help="what is known, without a run")
    parser.add_argument("--survivors", action="store_true", help="every survivor with its diff")
    parser.add_argument("--sample", type=int, help="so many mutants of each package")
    parser.add_argument("--check", action="store_true", help=f"exit 1 below {LEAST:.0%}")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    kept = Kept(KEPT, goes_on=given.resume or given.show)
    if not given.show:
        for room in ROOMS:
            _try_room(room, kept, given)
    return _report(kept, given)


def _try_room(room: Room, kept: Kept, given: argparse.Namespace) -> None:
    modules = [each for each in room.modules if _is_chosen(each, given.module)]
    if not modules:
        return
    project = room.project(tuple(given.tests or ()))
    with Sandbox() as sandbox, tempfile.TemporaryDirectory() as folder:
        far = FarSide(
            sandbox, project, exhaustive=False, baseline_seconds=_BASELINE_SECONDS,
            looks_alone=False,
        )  # fmt: skip
        cache = VerdictCache(Path(folder))
        found = {each.file: each.mutants for each in far.survey()}
        for package, members in groupby(modules, package_of):
            asked = frozenset(
                mutant.id
                for module in members
                for mutant in found[module]
                if (known := kept.of(module)) is None or mutant.id not in known.detected
            )
            if not asked:
                continue
            wishes = Wishes(
                only_mutants=asked, verified_share=0.0, workers=given.workers, cache=cache
            )
            report = Campaign(far, wishes).run()
            for module, judged in groupby(report.judged, lambda each: each.mutant.file):
                kept.add(module, judged)
            kept.save()
            print(f"{package}: {report.tested} tried, {report.wall_seconds:.0f} s,"
                  f" {report.cpu_seconds:.0f} CPU-s", file=sys.stderr, flush=True)  # fmt: skip


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
    _, mutants, detected, _ = _sum(rows)
    return int(given.check and (not mutants or detected / mutants < LEAST))


def _rows(kept: Kept, wanted: list[str] | None) -> Iterator[tuple[str, int, int, int]]:
    for room in ROOMS:
        for module in room.modules:
            known = kept.of(module) if _is_chosen(module, wanted) else None
            if known is not None:
                excused = sum(reason_for(each) is not None for each in known.undetected)
                yield short(module), known.mutants, len(known.detected), excused


def _sum(rows: list[tuple[str, int, int, int]]) -> tuple[str, int, int, int]:
    return "all", *(sum(row[at] for row in rows) for at in (1, 2, 3))  # type: ignore[return-value]


def _survivors(kept: Kept, wanted: list[str] | None) -> Iterator[str]:
    for module, known in sorted(kept.modules.items()):
        if _is_chosen(module, wanted) and kept.of(module) is not None:
            for name, difference in known.undetected.items():
                reason = reason_for(name)
                said = "survived" if reason is None else f"looked at: {reason}"
                yield f"{said}  {name}\n{difference}"


if __name__ == "__main__":
    sys.exit(main())
