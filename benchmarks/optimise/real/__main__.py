"""`python -m benchmarks.optimise.real FOLDER [--only tree] [--runs 2]`: real code made faster.

FOLDER holds networkx and Pygments as they are published: site-packages, or their unpacked sources.
Every callable goes through what `reverie optimise` does, as often as asked, and its verdict has to
be `promote` each time. What is accepted is written into `--patches` for whoever wants to read it.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import describe_machine, load
from reverie.instruments.benchmark.target import parse_target
from reverie.instruments.self_check import Proofs
from reverie.model.measurements.attempts import Optimisation, OptimisationTrial
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.hotspots import optimise_callable

_VERSION = re.compile(r"""^__version__ = ["']([\d.]+)""", re.MULTILINE)
_COLUMNS = ("callable", "rewrite", "the same on", "p50 / p95 / p99", "growth", "verdict")


@dataclass(frozen=True, slots=True)
class Case:
    """A callable of a package, and who makes its inputs."""

    name: str
    target: str
    maker: str
    budget_seconds: float = 240.0

    @property
    def package(self) -> str:
        """The package that it belongs to."""
        return self.target.partition("/")[0]


CASES = (
    Case("tree", "networkx/generators/classic.py:_tree_edges", "tree_sizes.py"),
    Case("unescape", "networkx/readwrite/gml.py:unescape", "gml_text.py"),
    Case("rebol", "pygments/lexers/rebol.py:RebolLexer.word_callback", "rebol_words.py"),
    Case("red", "pygments/lexers/rebol.py:RedLexer.word_callback", "red_words.py"),
)


def main() -> int:
    """Exit 1 unless every run of every callable ends with an accepted change."""
    asked = _arguments()
    print(f"{describe_machine()}; load {load():.1f}", file=sys.stderr)
    print(f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|")
    is_whole = True
    with Sandbox() as sandbox:
        for name in ("equivalence", "benchmark"):
            Proofs(sandbox).require(name)
        for case in _chosen(asked.only):
            for run in range(asked.runs):
                found = _optimised(sandbox, asked.folder, case, run)
                print(_row(asked.folder, case, found), flush=True)
                is_whole &= found.best is not None
                if found.best is not None and asked.patches is not None:
                    asked.patches.mkdir(parents=True, exist_ok=True)
                    (asked.patches / f"{case.name}.diff").write_text(found.best.patch, "utf-8")
    return 0 if is_whole else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="names, with commas between")
    parser.add_argument("--runs", type=int, default=2, help="of each, with seeds of their own")
    parser.add_argument("--patches", type=Path, help="a folder for what is accepted")
    return parser.parse_args()


def _chosen(only: str) -> Iterator[Case]:
    names = set(filter(None, only.split(",")))
    return (case for case in CASES if not names or case.name in names)


def _optimised(sandbox: Sandbox, folder: Path, case: Case, seed: int) -> Optimisation:
    target = parse_target(f"{folder / case.target}")
    maker = parse_target(f"{Path(__file__).parent / case.maker}:make_input")
    return optimise_callable(sandbox, target, maker, case.budget_seconds, GuardSection(), seed)


def _row(folder: Path, case: Case, found: Optimisation) -> str:
    text = (folder / case.package / "__init__.py").read_text("utf-8")
    version = _VERSION.search(text)
    named = f"{case.package} {version[1] if version else ''} `{case.target.rpartition(':')[2]}`"
    trial = found.best or (found.trials[-1] if found.trials else None)
    if trial is None:
        return f"| {named} | | | | | {found.note} ({found.seconds:.0f} s) |"
    verdict = f"`{trial.judgement.verdict}` ({found.seconds:.0f} s)"
    return f"| {named} | `{trial.pattern}` | {_same(trial)} | {_gain(trial)} | {verdict} |"


def _same(trial: OptimisationTrial) -> str:
    found = trial.equivalence
    if found is None:
        return "its callers"
    reached = min(found.branch_coverage.old, found.branch_coverage.new)
    return f"{found.inputs:,} inputs, {reached:.0%} of the branches"


def _gain(trial: OptimisationTrial) -> str:
    measured = trial.benchmark
    speedup = measured.judgement.speedup if measured else None
    each = [speedup.at(place) if speedup else None for place in (50, 95, 99)]
    told = " / ".join("-" if value is None else f"{value.value:.2f}x" for value in each)
    growth = measured.growth if measured else None
    grown = "" if growth is None else f"n^{growth.old.value:.1f} → n^{growth.new.value:.1f}"
    return f"{told} | {grown}"


if __name__ == "__main__":
    sys.exit(main())
