"""`python -m benchmarks.history CASES --mirror DIR`: our commands on commits of real maintainers.

CASES is a folder with `cases.jsonl`, `materialise.py` and `envs/env.sh`; DIR holds bare git
directories, `OWNER+NAME/repo`. Four questions, each of the classes that it is about:

judge     `guard` does not promote a reverted fix, and promotes a refactoring (B) and a speed-up (C)
tests     tests that `enrich` writes for the fixed module fail on the faulty one
fuzz      `fuzz` finds the fault, and nothing in the fixed module
optimise  `optimise` reaches half of what the maintainers gained, from where they began

`--mined first` and `--mined kept` ask about `mined.jsonl` instead, commits of other repositories
that were chosen by reading before any was judged: half of them are worked on, half only measured.
Cases come in the order of a hash, classes in turn. One JSON line for each answer: what has its line
is not asked again, so that a run can be stopped and gone on with.
"""

import argparse
import json
import os
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.history.cases import CLASSES, Case, Made, NotMade, Sources, made, read_cases
from benchmarks.history.fuzzing import fuzz
from benchmarks.history.gaining import WAYS, gain
from benchmarks.history.judging import judge
from benchmarks.history.noticing import notice
from benchmarks.machine import describe_machine, load

QUESTIONS: Mapping[
    str, tuple[Callable[[Made, argparse.Namespace], dict[str, Any]], tuple[str, ...]]
]
QUESTIONS = {
    "judge": (lambda made, given: judge(made, given.seconds), CLASSES),
    "tests": (lambda made, given: notice(made, given.budget), ("fault",)),
    "fuzz": (lambda made, given: fuzz(made, given.budget), ("fault",)),
    "optimise": (lambda made, given: gain(made, given.budget, given.way), ("speedup",)),
}
"""Who answers, and for which classes."""
_MINED = Path(__file__).with_name("mined.jsonl")
_NOT_ASKED = ("not made", "not there before")


def main() -> int:
    """Ask what was not asked yet; 1 where a reverted fix was promoted."""
    given = _parse_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    results = read_results(given.json)
    waiting = [
        (question, case)
        for question in given.only
        for case in _chosen(given)
        if case["class"] in QUESTIONS[question][1] and (question, case["id"]) not in results
    ]
    print(f"{describe_machine()}; load {load():.1f}", file=sys.stderr)
    sources = Sources(given.cases, given.listed, given.mirror, given.environments)
    for count, (question, case) in enumerate(waiting[: given.most], 1):
        result = _ask(question, case, sources, given)
        results[question, case["id"]] = result
        with given.json.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(result) + "\n")
        total = min(len(waiting), given.most)
        print(f"[{count}/{total}] {told(result)}", file=sys.stderr, flush=True)
    known = {case["id"] for case in read_cases(given.listed)}
    show([each for each in results.values() if each["id"] in known])
    return int(
        any(each["question"] == "judge" and _is_let_through(each) for each in results.values())
    )


def read_results(file: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """What was answered before, by question and case."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {(each["question"], each["id"]): each for each in map(json.loads, lines)}


def _chosen(given: argparse.Namespace) -> list[Case]:
    def is_named(case: Case, parts: Sequence[str]) -> bool:
        return any(part in case["id"] for part in parts)

    chosen = [
        each
        for each in read_cases(given.listed, given.classes)
        if (not given.case or is_named(each, given.case)) and each.get("half") == given.mined
    ]
    return sorted(chosen, key=lambda each: is_named(each, given.last))


def _ask(question: str, case: Case, sources: Sources, given: argparse.Namespace) -> dict[str, Any]:
    began = time.monotonic()
    try:
        with made(case, sources) as ready:
            answer = QUESTIONS[question][0](ready, given)
    except NotMade as error:
        answer = {"verdict": "not made", "is_right": False, "reasons": [str(error)]}
    about = {
        "question": question,
        "id": case["id"],
        "class": case["class"],
        "load": round(load(), 1),
    }
    return {**about, "seconds": round(time.monotonic() - began, 1), **answer}


def told(result: Mapping[str, Any]) -> str:
    """One line of progress."""
    mark = "right" if result["is_right"] else "WRONG"
    why = "; ".join(result.get("reasons", []))[:240]
    said = f"{result['question']} {result['id']}: {mark}, {result['verdict']}"
    return f"{said}, {result['seconds']:.0f} s {why}"


def _is_let_through(result: Mapping[str, Any]) -> bool:
    return (result["class"], result["verdict"]) == ("fault", "promote")


def show(results: list[dict[str, Any]]) -> None:
    """A row for each question and class, then why: reason codes by how often they stood there."""
    console = Console(width=150, markup=False, highlight=False)
    table = Table(box=None)
    for column in ("question", "class", "asked", "right", "median s", "verdicts", "reason codes"):
        table.add_column(column)
    for key in dict.fromkeys((each["question"], each["class"]) for each in results):
        some = [each for each in results if (each["question"], each["class"]) == key]
        counted = [each for each in some if each["verdict"] not in _NOT_ASKED]
        right = sum(each["is_right"] for each in counted)
        share = f"{right} ({100 * right / len(counted):.0f} %)" if counted else "-"
        middle = f"{statistics.median(each['seconds'] for each in some):.0f}"
        verdicts = Counter(each["verdict"] for each in some)
        codes = Counter(code for each in some for code in each.get("codes", ()))
        table.add_row(*key, str(len(counted)), share, middle, _counts(verdicts), _counts(codes))
    console.print(table)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.history",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("cases", type=Path, metavar="CASES")
    parser.add_argument("--mined", choices=("first", "kept"), help="of our own list, a half")
    parser.add_argument("--mirror", type=Path, default=os.environ.get("MIRROR"), metavar="DIR")
    parser.add_argument("--only", nargs="+", choices=QUESTIONS, default=list(QUESTIONS))
    parser.add_argument("--class", nargs="+", choices=CLASSES, default=CLASSES, dest="classes")
    parser.add_argument("--case", nargs="+", metavar="ID", help="parts of ids")
    parser.add_argument("--last", nargs="+", default=[], metavar="ID", help="asked after the rest")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="cases to try now")
    parser.add_argument("--seconds", type=float, default=900.0, help="for one judgement, at most")
    parser.add_argument("--budget", type=float, default=60.0, help="of what writes or searches")
    parser.add_argument("--way", choices=WAYS, default="single", help="of optimise")
    parser.add_argument(
        "--environments", type=Path, default=Path("build/fault-envs"), metavar="DIR"
    )
    parser.add_argument("--json", type=Path, default=Path("build/history.jsonl"), metavar="FILE")
    given = parser.parse_args()
    given.listed = _MINED if given.mined else given.cases / "cases.jsonl"
    if given.mirror is None:
        parser.error("--mirror is needed: a folder of bare git directories")
    return given


if __name__ == "__main__":
    sys.exit(main())
