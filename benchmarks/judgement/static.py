"""`python -m benchmarks.judgement.static [CASES …]`: what do the guardrails alone object to?

They run nothing, so every case takes a second. Without CASES, the refactorings of real maintainers
listed here, for which each objection has to be a good one. `--against FILE` names what is judged
otherwise than in an earlier run that was kept with `--json FILE`.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.judgement.cases import REFACTORINGS, STATIC, Case, read_cases
from reverie.bootstrap.guard import GuardQuestion, judge_change, read_change
from reverie.model.dream import Stage
from reverie.model.ruling import Answer
from reverie.settings import Settings


def main() -> int:
    options = _parse_options()
    paths = options.cases or [str(REFACTORINGS), str(STATIC)]
    told: dict[str, list[str]] = {}
    asked = {"accept": 0, "refuse": 0}
    objected = {"accept": 0, "refuse": 0}
    for case in read_cases(paths):
        if options.only and case.id not in options.only:
            continue
        told[case.id] = objections(case, Path(options.mirror) if options.mirror else None)
        asked[case.expected] += 1
        objected[case.expected] += bool(told[case.id])
        print(f"{case.id} {case.family} {case.expected}", *told[case.id], sep="\n    ", flush=True)
    for expected, count in asked.items():
        if count:
            print(f"{expected}: objections to {objected[expected]} of {count}")
    if options.json:
        Path(options.json).write_text(json.dumps(told, indent=1), "utf-8")
    return _compare(told, options.against) if options.against else 0


def objections(case: Case, mirror: Path | None = None) -> list[str]:
    """What the guardrails say against a change: `gate: code: reason`, each once."""
    with tempfile.TemporaryDirectory(prefix="judged-") as scratch:
        folder = Path(scratch) / "work"
        case.write(folder, mirror)
        files, change = read_change(folder, "HEAD~1", "HEAD", None)
    question = GuardQuestion(files, change, Stage(case.stage), is_static=True)
    rulings = judge_change(question, Settings()).judgement.rulings
    return [
        f"{each.gate}: {each.reason_code}: {each.reason} ({each.measured})"
        for each in rulings
        if each.verdict is not Answer.PASS and each.reason_code != "not_run"
    ]


def _compare(told: Mapping[str, list[str]], earlier: str) -> int:
    before = json.loads(Path(earlier).read_text("utf-8"))
    others = [name for name in told if bool(told[name]) != bool(before.get(name))]
    for name in others:
        word = "objected to now" if told[name] else "no longer objected to"
        print(f"{word}: {name}", *(told[name] or before[name]), sep="\n    ")
    return 1 if others else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASES")
    parser.add_argument("--mirror", default=os.environ.get("MIRROR"), metavar="DIR")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--against", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
