"""`python -m benchmarks.changes SDIST…`: what stages B and C do to a package as it is.

Each source distribution is unpacked and committed to a repository of its own, then goes through a
cycle of stage B and one of stage C. All that was promoted, or waits for the two keys of stage C,
is printed as a diff with its evidence, for somebody to read.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from reverie.bootstrap.cycles import Cycle
from reverie.model.cycle import CycleDream, CycleRecord
from reverie.model.dream import DreamStatus
from reverie.model.ruling import Answer

_SHARES = {"B": 2 / 3, "C": 1 / 3}
"""Of the time: refactorings are many, and faster callables few."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One change that was proven, and what it was proven by."""

    package: str
    stage: str
    title: str
    state: str
    """`promoted`, or `waits` for the signatures that stage C asks for."""
    diff: str
    evidence: dict[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One package at one stage."""

    package: str
    stage: str
    tried: int
    offered: int
    held_for: dict[str, int]
    refused_for: dict[str, int]
    line_coverage: float | None
    tests: tuple[int | None, int | None]
    """Before, and with all promotions together; None where nothing was promoted."""
    seconds: float


def main() -> int:
    options = _parse_options()
    outcomes: list[Outcome] = []
    offers: list[Offer] = []
    with tempfile.TemporaryDirectory(prefix="reverie-packages-") as folder:
        for sdist in options.sdists:
            place = Path(options.keep or folder) / Path(sdist).name.removesuffix(".tar.gz")
            _make_repository(Path(sdist), place)
            for stage in options.stages:
                seconds = 60 * options.minutes * _SHARES[stage]
                record = Cycle(place, seconds=seconds, python=options.python, stage=stage).run()
                outcomes.append(_outcome(place.name, record))
                offers += _offers(place.name, record)
                print(json.dumps(asdict(outcomes[-1])), file=sys.stderr, flush=True)
    _show(outcomes, offers)
    if options.json:
        told = {
            "outcomes": [asdict(each) for each in outcomes],
            "offers": [asdict(each) for each in offers],
        }
        Path(options.json).write_text(json.dumps(told, indent=1), "utf-8")
    return 0 if {each.package for each in offers} == {each.package for each in outcomes} else 1


def _make_repository(sdist: Path, place: Path) -> None:
    """A package as it was published, in one commit."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(place.parent, filter="data")
    author = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "As is")):
        subprocess.run(["git", *author, *arguments], cwd=place, check=True)


def _outcome(package: str, record: CycleRecord) -> Outcome:
    before, after = record.header.baseline or {}, record.header.result or {}
    tried = [each for each in record.dreams if each.trial is not None]
    left = [each for each in tried if not _is_offered(each)]
    return Outcome(
        package=package,
        stage=record.header.wishes.stage.value,
        tried=len(tried),
        offered=len(tried) - len(left),
        held_for=_reasons(left, Answer.HOLD),
        refused_for=_reasons(left, Answer.FAIL),
        line_coverage=before.get("line_coverage"),
        tests=(before.get("tests"), after.get("tests")),
        seconds=record.header.seconds,
    )


def _reasons(dreams: list[CycleDream], answer: Answer) -> dict[str, int]:
    found = [
        ruling.reason_code
        for each in dreams
        if each.trial is not None
        for ruling in each.trial.judgement.rulings
        if ruling.verdict is answer
    ]
    return dict(Counter(found).most_common())


def _is_offered(each: CycleDream) -> bool:
    return each.promotion is not None or each.status is DreamStatus.TESTED


def _offers(package: str, record: CycleRecord) -> Iterator[Offer]:
    for each in record.dreams:
        if each.trial is not None and _is_offered(each):
            yield Offer(
                package,
                record.header.wishes.stage.value,
                each.dream.title,
                "waits" if each.promotion is None else "promoted",
                each.dream.change.diff(),
                dict(each.trial.evidence.measures),
            )


def _show(outcomes: list[Outcome], offers: list[Offer]) -> None:
    console = Console(width=120, markup=False, highlight=False)
    for offer in offers:
        console.print(f"{offer.package}, stage {offer.stage}, {offer.state}: {offer.title}")
        console.print(offer.diff)
        told = ", ".join(f"{name} {value:.4g}" for name, value in sorted(offer.evidence.items()))
        console.print(f"{told}\n")
    table = Table(box=None)
    for column in ("package", "stage", "lines", "tried", "offered", "held", "refused", "seconds"):
        table.add_column(column)
    for each in outcomes:
        share = "-" if each.line_coverage is None else f"{100 * each.line_coverage:.0f} %"
        shown = (each.tried, each.offered, _told(each.held_for), _told(each.refused_for))
        table.add_row(
            each.package, each.stage, share, *(str(part) for part in shown), f"{each.seconds:.0f}"
        )
    console.print(table)


def _told(reasons: dict[str, int]) -> str:
    return ", ".join(f"{code} {count}" for code, count in reasons.items()) or "-"


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sdists", nargs="+", metavar="SDIST")
    parser.add_argument("--minutes", type=float, default=60.0, help="for each package")
    parser.add_argument("--stages", nargs="+", choices=tuple(_SHARES), default=tuple(_SHARES))
    parser.add_argument("--python", help="interpreter with what their tests need")
    parser.add_argument("--keep", metavar="DIR", help="leave the repositories there")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
