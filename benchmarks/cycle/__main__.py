"""`python -m benchmarks.cycle SDIST…`: what one cycle adds to a package with half of its tests.

Each source distribution is unpacked, every second test is taken out, and what is left is committed
to a repository of its own. Branches and lines are those of the whole suite, before and with all
promotions together; the mutants are those of the trials, the same before and after.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.cycle.halving import halve_tests
from reverie.bootstrap.cycles import Cycle
from reverie.cycle.report.document import report_document
from reverie.cycle.report.page import report_page
from reverie.model.cycle import CycleRecord


@dataclass(frozen=True, slots=True)
class Gain:
    """One package: shares before and after, None where nothing was measured."""

    package: str
    removed: int
    tests: tuple[int, int]
    failing: tuple[int, int]
    lines: tuple[float | None, float | None]
    branches: tuple[float | None, float | None]
    mutants: tuple[float | None, float | None]
    judged: int
    promoted: int
    refused: int
    findings: int
    seconds: float


def main() -> int:
    options = _parse_options()
    gains = []
    with tempfile.TemporaryDirectory(prefix="reverie-packages-") as folder:
        for sdist in options.sdists:
            place = Path(options.keep or folder) / Path(sdist).name.removesuffix(".tar.gz")
            removed = _repository(Path(sdist), place)
            cycle = Cycle(
                place,
                seconds=None if options.executions else options.seconds,
                executions=options.executions,
                dreams=options.dreams,
                python=options.python,
            )
            record = cycle.run()
            gains.append(_gain(place.name, removed, record))
            print(json.dumps(asdict(gains[-1])), file=sys.stderr, flush=True)
            if options.keep:
                page = report_page(report_document(record))
                (place.parent / f"{place.name}.html").write_text(page, encoding="utf-8")
    _show(gains)
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(gain) for gain in gains], indent=1))
    return 0 if all(_is_better(gain) for gain in gains) else 1


def _repository(sdist: Path, place: Path) -> int:
    """Half of a package's tests, committed; how many are gone."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(place.parent, filter="data")
    removed = halve_tests(place)
    author = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "Half")):
        subprocess.run(["git", *author, *arguments], cwd=place, check=True)
    return removed


def _gain(package: str, removed: int, record: CycleRecord) -> Gain:
    before, after = record.header.baseline or {}, record.header.result or {}
    promoted = record.promotions
    tried = [each for each in record.dreams if each.trial is not None]
    return Gain(
        package=package,
        removed=removed,
        tests=(before.get("tests", 0), after.get("tests", before.get("tests", 0))),
        failing=(before.get("failed", 0), after.get("failed", before.get("failed", 0))),
        lines=(before.get("line_coverage"), after.get("line_coverage")),
        branches=(before.get("branch_coverage"), after.get("branch_coverage")),
        mutants=(_score(record, "before"), _score(record, "after")),
        judged=int(sum(_measure(each, "mutants.judged") or 0 for each in promoted)),
        promoted=len(promoted),
        refused=len(tried) - len(promoted),
        findings=len(record.sightings),
        seconds=record.header.seconds,
    )


def _measure(each: object, name: str) -> float | None:
    trial = getattr(each, "trial", None)
    return None if trial is None else trial.evidence.get(name)


def _score(record: CycleRecord, when: str) -> float | None:
    """Over all mutants of the promoted dreams' trials."""
    pairs = [
        (_measure(each, f"mutants.score.{when}"), _measure(each, "mutants.judged"))
        for each in record.promotions
    ]
    known = [(score, judged) for score, judged in pairs if score is not None and judged]
    total = sum(judged for _, judged in known)
    return sum(score * judged for score, judged in known) / total if total else None


def _is_better(gain: Gain) -> bool:
    pairs = (gain.branches, gain.mutants)
    return all(None not in pair and pair[1] > pair[0] for pair in pairs)  # type: ignore[operator]


def _show(gains: list[Gain]) -> None:
    table = Table(box=None)
    columns = ("package", "tests", "lines", "branches", "mutants", "promoted", "refused")
    for column in (*columns, "findings", "seconds"):
        table.add_column(column)
    for gain in gains:
        table.add_row(
            gain.package,
            f"{gain.tests[0]} → {gain.tests[1]}",
            _change(gain.lines),
            _change(gain.branches),
            f"{_change(gain.mutants)} of {gain.judged}",
            str(gain.promoted),
            str(gain.refused),
            str(gain.findings),
            f"{gain.seconds:.0f}",
        )
    Console(width=140).print(table)


def _change(pair: tuple[float | None, float | None]) -> str:
    shown = ["-" if share is None else f"{100 * share:.1f} %" for share in pair]
    return " → ".join(shown)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sdists", nargs="+", metavar="SDIST")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--executions", type=int, help="instead of --seconds")
    parser.add_argument("--dreams", type=int)
    parser.add_argument("--python", help="interpreter with what their tests need")
    parser.add_argument("--keep", metavar="DIR", help="leave repositories and reports there")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
