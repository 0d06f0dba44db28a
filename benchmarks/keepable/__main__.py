"""`python -m benchmarks.keepable COMMAND`: tests that a maintainer keeps.

    python -m benchmarks.keepable write SHEET --mirror FOLDER --budget 60s
    python -m benchmarks.keepable hand-out SHEET --to FOLDER
    (read FOLDER/part_*.md by FOLDER/rubric.md, fill in FOLDER/labels.tsv)
    python -m benchmarks.keepable judge SHEET --labels FOLDER/labels.tsv
    python -m benchmarks.keepable mechanical SHEET
    python -m benchmarks.keepable steady SHEET --runs 20

`--mirror` holds bare git directories, as `OWNER+NAME/repo` or `NAME.git`. `write` can be stopped
and gone on with. `judge`, `mechanical` and `steady` exit with 1 where a target is missed.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.keepable import calibrating, judging, mechanical, packages, sheet, steady
from benchmarks.keepable.sheet import Item, drawn_items, read_key, write_sheet
from benchmarks.keepable.writing import SAMPLE, Plan, write_packages
from reverie.interfaces.cli.arguments import parse_duration


def write(given: argparse.Namespace) -> int:
    """Tests for packages by the rule, and the sheet of them."""
    seconds = parse_duration(given.budget, "--budget")
    plan = Plan(
        given.folder, given.mirror, given.seed, given.packages, given.modules, seconds,
        given.enough, frozenset((*_packages_of(given.without), *given.skip)),
        _taken(given.take),
    )  # fmt: skip
    given.folder.mkdir(parents=True, exist_ok=True)
    written = []
    for each in write_packages(plan):
        written.append(each)
        modules = ", ".join(drawn.module for drawn in each.modules) or "; ".join(each.notes)
        counted = f"{len(each.ours):4} written {len(each.theirs):4} of people"
        print(f"{each.package:20} {counted} {each.seconds:5.0f} s  {modules}", flush=True)
    items = drawn_items(written, given.written, given.people, given.seed)
    write_sheet(given.folder, items)
    ours = sum(each.author == "reverie" for each in items)
    found = {each.piece.package for each in items}
    print(f"{ours} written and {len(items) - ours} of people, {len(found)} packages")
    is_enough = ours >= given.written and len(items) - ours >= given.people
    return 0 if is_enough and len(found) >= given.packages else 1


def judge(given: argparse.Namespace) -> int:
    """Labels unblinded."""
    labelled = _labelled(given)
    print("\n".join((*judging.table_of(labelled), "", *judging.reasons_of(labelled))))
    ours = judging.is_met(labelled)
    sample = judging.is_met(labelled, SAMPLE)
    print(f"{'yes' if ours else 'no '} keep >= 75 %, discard <= 5 %: all packages")
    print(f"{'yes' if sample else 'no '} the same: the sample repository")
    return 0 if ours and sample else 1


def count(given: argparse.Namespace) -> int:
    """What needs no judgement."""
    counted = mechanical.count(read_key(given.folder / "key.json"), given.folder)
    for each in counted:
        shown = f"{each.value:.1%}" if isinstance(each.value, float) else str(each.value)
        print(f"{'yes' if each.is_met else 'no '} {each.name}: {shown} (wanted {each.wanted})")
        for broken in each.broken_by[: given.most]:
            print(f"      {broken}")
    return 0 if all(each.is_met for each in counted) else 1


def hand_out(given: argparse.Namespace) -> int:
    """The sheet in parts for whoever labels it, without the key."""
    parts = sheet.hand_out(given.folder, given.to)
    print(f"{given.to}: {parts} parts, rubric.md, labels.tsv")
    return 0


def run_often(given: argparse.Namespace) -> int:
    """Written tests many times over: other orders, hash seeds and times of day."""
    found = steady.run_often(given.folder, given.runs)
    print("".join(f"      {line}\n" for line in found.failures[:20]), end="")
    failures = len(found.failures)
    verdict = "no " if failures else "yes"
    print(f"{verdict} {found.tests} tests, {given.runs} runs: {failures} failures")
    return 0 if found.tests and not failures else 1


def calibrate(given: argparse.Namespace) -> int:
    """Weights from all labels, and how well they tell the kept from the others elsewhere."""
    places = [given.folder, *given.also]
    sets = [(str(each), calibrating.read_cases(each)) for each in places]
    if given.keep is not None:
        calibrating.write_cases(given.keep, sets[0][1])
    every = [case for _, cases in sets for case in cases]
    bias, weights = calibrating.fit(every)
    print(f"fitted on all of it:\nBIAS = {bias:.2f}\nWEIGHTS = {{")
    for name, weight in weights.items():
        print(f'    "{name}": {weight:.2f},')
    print("}")
    waiting = iter(calibrating.crossed(every))
    for name, cases in sets:
        unseen = [next(waiting) for _ in cases]
        in_use = [each.score for each in cases]
        for kind, scores in (("packages not fitted on", unseen), ("the weights in use", in_use)):
            print(f"AUC, {name}, {kind}", *calibrating.areas_of(cases, scores), sep="\n  ")
            print("\n".join(calibrating.bars(cases, scores)))
    return 0


def _taken(file: Path | None) -> tuple[packages.Drawn, ...]:
    """Modules by name: package, module, file and file of tests on each line."""
    lines = [] if file is None else file.read_text("utf-8").splitlines()
    return tuple(packages.Drawn(*line.split()) for line in lines if line.strip())


def _labelled(given: argparse.Namespace) -> list[judging.Labelled]:
    items = read_key(given.folder / "key.json")
    file = given.labels or given.folder / "labels.tsv"
    return judging.read_labels(file, items, is_whole=not given.partly)


def _packages_of(sheets: list[Path]) -> list[str]:
    """Packages of other sheets."""
    items: list[Item] = [item for each in sheets for item in read_key(each / "key.json")]
    return [each.piece.package for each in items if each.piece.package != SAMPLE]


def main() -> int:
    """Read the command line."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("benchmarks.keepable", None, __doc__, formatter_class=plain)
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write", help=write.__doc__)
    writing.add_argument("--mirror", type=Path, required=True)
    writing.add_argument("--budget", default="60s", help="of each package; 60s unless said")
    writing.add_argument("--packages", type=int, default=8, help="besides the sample repository")
    writing.add_argument("--modules", type=int, default=2, help="of each package, at most")
    writing.add_argument("--enough", type=int, default=8,
                         help="tests; a package with fewer gets a further module")  # fmt: skip
    writing.add_argument("--written", type=int, default=120)
    writing.add_argument("--people", type=int, default=60)
    writing.add_argument("--seed", type=int, default=1, help="of the draw and of the search")
    writing.add_argument("--without", type=Path, nargs="*", default=[], metavar="SHEET",
                         help="sheets whose packages are not drawn again")  # fmt: skip
    writing.add_argument("--skip", nargs="*", default=[], metavar="NAME",
                         help="packages and modules that are not drawn")  # fmt: skip
    writing.add_argument("--take", type=Path, metavar="FILE",
                         help="package, module, path and tests of each, not drawn")  # fmt: skip
    writing.set_defaults(run=write)
    fitting = commands.add_parser("calibrate", help=calibrate.__doc__)
    fitting.add_argument("--also", type=Path, nargs="*", default=[], metavar="SHEET",
                         help="more labelled sheets, or kept files of them")  # fmt: skip
    fitting.add_argument("--keep", type=Path, metavar="FILE", help="keep labels and facts there")
    fitting.set_defaults(run=calibrate)
    handing = commands.add_parser("hand-out", help=hand_out.__doc__)
    handing.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    handing.set_defaults(run=hand_out)
    often = commands.add_parser("steady", help=run_often.__doc__)
    often.add_argument("--runs", type=int, default=20)
    often.set_defaults(run=run_often)
    for name, run in (("judge", judge), ("mechanical", count)):
        command = commands.add_parser(name, help=run.__doc__)
        command.add_argument("--labels", type=Path, help="SHEET/labels.tsv unless said")
        command.add_argument("--partly", action="store_true", help="some may have no label yet")
        command.add_argument("--most", type=int, default=10, help="shown of what breaks a figure")
        command.set_defaults(run=run)
    for command in commands.choices.values():
        command.add_argument("folder", type=Path, metavar="SHEET")
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
