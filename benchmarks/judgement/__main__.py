"""`python -m benchmarks.judgement [CASES …]`: is every change judged as its label says?

CASES are files with one case a line or folders of cases; without any, the bundled frauds and their
honest twins. `packaged.jsonl` changes real packages, whose source distributions it fetches.
`--refactorings` judges the commits of real maintainers listed here (`--mirror` names a folder of
bare git directories). `--repeat 20 --load 4` judges each case again and again beside up to four
busy processes: one change, one verdict. `--against PYTHON` names an interpreter that
another version of Reverie is installed for: both judge each case in turn, and their CPU seconds
stand side by side.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.judgement.cases import REFACTORINGS, Case, read_cases
from benchmarks.judgement.environments import environment_of, name_package

_SECONDS = 1800.0
_OWN = "this"
_BUSY = "while True: pass"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said of one case, once."""

    id: str
    stage: str
    family: str
    expected: str
    verdict: str
    reasons: list[str]
    seconds: float
    cpu_seconds: float
    """Of the command and of every process that it left: user and system."""
    load: int
    version: str = _OWN
    """`this`, or the interpreter of the other one."""

    @property
    def is_right(self) -> bool:
        """Whether only what should be accepted was."""
        return (self.verdict == "promote") == (self.expected == "accept")


def main() -> int:
    options = _parse_options()
    cases = [
        case
        for case in read_cases([str(REFACTORINGS)] if options.refactorings else options.cases)
        if not options.only or case.id in options.only
    ]
    outcomes: list[Outcome] = []
    for case in cases:
        for turn in range(options.repeat):
            load = turn % (options.load + 1)
            for version in (*options.against, _OWN):
                with _busy(load):
                    outcomes.append(_judge(case, options, load, version))
                _tell(outcomes[-1])
            if options.json:
                told = [asdict(each) for each in outcomes]
                Path(options.json).write_text(json.dumps(told, indent=1), "utf-8")
    _show(outcomes)
    own = [each for each in outcomes if each.version == _OWN]
    return 0 if not _wavering(own) and all(each.is_right for each in own) else 1


def _judge(case: Case, options: argparse.Namespace, load: int, version: str) -> Outcome:
    """As a user would: the command, in a repository, with nothing remembered."""
    line = ["guard", "--base", "HEAD~1", "--head", "HEAD", "--stage", case.stage, "--json"]
    python = None
    if case.commit is not None:
        python = environment_of(case.commit, Path(options.environments))
        line += ["--python", python]
    with tempfile.TemporaryDirectory(prefix="judged-") as scratch:
        folder = Path(scratch) / "work"
        case.write(folder, Path(options.mirror) if options.mirror else None)
        if case.commit is not None and python is not None:
            name_package(python, case.commit, folder)
        homes = {f"XDG_{name}_HOME": f"{scratch}/{name}" for name in ("CONFIG", "STATE")}
        began, used = time.monotonic(), _cpu_seconds()
        program = sys.executable if version == _OWN else version
        document = _run([program, "-m", "reverie", *line], folder, {**homes, "HOME": scratch})
        used = _cpu_seconds() - used
    return Outcome(
        id=case.id,
        stage=case.stage,
        family=case.family,
        expected=case.expected,
        verdict=document["verdict"],
        reasons=[
            f"{each['gate']}: {each['reason_code']}: {each['reason']}"
            for each in document["rulings"]
            if each["verdict"] != "pass"
        ],
        seconds=round(time.monotonic() - began, 1),
        cpu_seconds=round(used, 2),
        load=load,
        version=version,
    )


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(line: list[str], folder: Path, homes: dict[str, str]) -> dict[str, Any]:
    # A user's interpreter keeps the bytecode of what it imports.
    kept = {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    try:
        ran = subprocess.run(
            line, cwd=folder, env={**kept, **homes}, capture_output=True, timeout=_SECONDS
        )
        found: dict[str, Any] = json.loads(ran.stdout)
        return found
    except subprocess.TimeoutExpired:
        why = f"no answer within {_SECONDS:g} s"
    except ValueError:
        why = ran.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    none = {"verdict": "none", "gate": "guard", "reason_code": "no_verdict", "reason": why}
    return {"verdict": "none", "rulings": [none]}


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """So many processes beside, that do nothing but take time."""
    others = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for each in others:
            each.kill()
            each.wait()


def _wavering(outcomes: list[Outcome]) -> list[str]:
    said: dict[str, set[str]] = {}
    for each in outcomes:
        said.setdefault(each.id, set()).add(each.verdict)
    return [name for name, verdicts in said.items() if len(verdicts) > 1]


def _tell(outcome: Outcome) -> None:
    mark = "right" if outcome.is_right else "WRONG"
    why = "; ".join(outcome.reasons)[:200]
    told = f"{outcome.id} {outcome.stage} {outcome.family}: {mark}, {outcome.verdict}"
    cost = f"{outcome.seconds:.0f} s, {outcome.cpu_seconds:.1f} CPU s by {outcome.version}"
    print(f"{told}, {cost} {why}", file=sys.stderr, flush=True)


def _show_costs(console: Console, outcomes: list[Outcome]) -> None:
    """CPU seconds, stage by stage; of static refusals there is next to nothing."""
    table = Table(box=None)
    for column in ("version", "stage", "judged", "CPU seconds", "median"):
        table.add_column(column)
    for version in dict.fromkeys(each.version for each in outcomes):
        some = [each for each in outcomes if each.version == version]
        for stage in (*sorted({each.stage for each in some}), "all"):
            costs = [each.cpu_seconds for each in some if stage in (each.stage, "all")]
            told = f"{sum(costs):.1f}", f"{statistics.median(costs):.1f}"
            table.add_row(version, stage, str(len(costs)), *told)
    console.print(table)


def _show(everything: list[Outcome]) -> None:
    console = Console(width=140, markup=False, highlight=False)
    _show_costs(console, everything)
    outcomes = [each for each in everything if each.version == _OWN]
    table = Table(box=None)
    for column in ("family", "expected", "judged", "right", "verdicts"):
        table.add_column(column)
    for key in dict.fromkeys((each.family, each.expected) for each in outcomes):
        some = [each for each in outcomes if (each.family, each.expected) == key]
        verdicts = Counter(each.verdict for each in some)
        told = ", ".join(f"{name} {count}" for name, count in verdicts.most_common())
        table.add_row(*key, str(len(some)), str(sum(each.is_right for each in some)), told)
    console.print(table)
    for expected in ("refuse", "accept"):
        some = [each for each in outcomes if each.expected == expected]
        if some:
            right = sum(each.is_right for each in some)
            console.print(f"{expected}: {right} of {len(some)} ({100 * right / len(some):.0f} %)")
    for name in _wavering(outcomes):
        console.print(f"wavers: {name}")


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASES")
    parser.add_argument("--refactorings", action="store_true", help="commits of real maintainers")
    parser.add_argument("--mirror", default=os.environ.get("MIRROR"), metavar="DIR")
    parser.add_argument("--environments", default="build/environments", metavar="DIR")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--load", type=int, default=0, help="busy processes beside, at most")
    parser.add_argument("--against", nargs="+", default=[], metavar="PYTHON")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
