"""`python -m benchmarks.generate [SPECS.jsonl …]`: solved, refused and wrong specifications.

A line of a file is one specification (`id`, `sentence`, `signature`, `examples`) with `hidden`
calls that the generator never sees and its answer is held against. Without a file the bundled
ones of `blind.py`, `everyday.py` and `errands.py` are used, or those of one with --only.
"""

import argparse
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.generate import blind, errands, everyday
from benchmarks.generate.blind import SHOWN
from reverie.dreamers.generate import Answer, generate, read_spec
from reverie.model.execution import Call, Limits, Request
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox

Cases = list[tuple[Callable[..., Any], list[tuple[Any, ...]]]]
_BUNDLED: dict[str, Cases] = {
    "blind.py": blind.CASES, "everyday.py": everyday.CASES, "errands.py": errands.CASES,
}  # fmt: skip
_SHOWN_KEYS = ("sentence", "signature", "examples")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one specification; `wrong` is the first hidden call that it fails."""

    id: str
    answer: Answer
    wrong: str | None

    @property
    def verdict(self) -> str:
        if not self.answer.solved:
            return "refused"
        return "solved" if self.wrong is None else "WRONG"


def bundled(cases: Cases) -> list[dict[str, Any]]:
    rows = []
    for reference, calls in cases:
        results = [{"args": list(args), "result": reference(*deepcopy(args))} for args in calls]
        rows.append(
            {
                "id": reference.__name__,
                "sentence": inspect.getdoc(reference),
                "signature": f"def {reference.__name__}{inspect.signature(reference)}",
                "examples": results[:SHOWN],
                "hidden": results[SHOWN:],
            }
        )
    return rows


def judge(sandbox: Sandbox, row: dict[str, Any], seconds: float) -> Outcome:
    spec = read_spec({key: row[key] for key in _SHOWN_KEYS})
    answer = generate(sandbox, spec, seconds)
    wrong = None
    for each in row["hidden"] if answer.solved else ():
        wrong = wrong or _failing(sandbox, answer, spec.parameters, each)
    return Outcome(row["id"], answer, wrong)


def _failing(
    sandbox: Sandbox, answer: Answer, parameters: tuple[str, ...], hidden: dict[str, Any]
) -> str | None:
    params = dict(zip(parameters, hidden["args"], strict=True))
    call = Call(answer.source or "", answer.name, params)
    execution = sandbox.run(Request(call, Limits(wall_seconds=10)))
    given = execution.output if execution.succeeded else execution.error
    if execution.succeeded and json.dumps(given) == json.dumps(hidden["result"]):
        return None
    return f"{hidden['args']} -> {given!r}, not {hidden['result']!r}"


def _told(outcome: Outcome) -> Outcome:
    """One line on stderr while the run goes on."""
    answer = outcome.answer
    rest = answer.reason or f"{answer.origin}, mutants {answer.killed}/{answer.mutants}"
    line = f"{outcome.verdict:8} {answer.seconds:5.1f} s  {outcome.id}: {rest}"
    print(line, outcome.wrong or "", file=sys.stderr, flush=True)
    return outcome


def _printed(name: str, outcomes: Sequence[Outcome]) -> int:
    solved = sum(each.verdict == "solved" for each in outcomes)
    wrong = sum(each.verdict == "WRONG" for each in outcomes)
    longest = max(each.answer.seconds for each in outcomes)
    killed = sum(each.answer.killed or 0 for each in outcomes)
    mutants = sum(each.answer.mutants or 0 for each in outcomes)
    share = f"{solved} of {len(outcomes)} solved ({solved / len(outcomes):.0%})"
    noticed = f"tests kill {killed} of {mutants} mutants"
    print(f"{name}: {share}, {wrong} wrong, longest {longest:.1f} s, {noticed}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--half", choices=("first", "kept"), help="of what was mined")
    parser.add_argument("--only", action="append", choices=sorted(_BUNDLED))
    given = parser.parse_args()
    sets = {path.name: _rows(path, given.half) for path in given.files}
    chosen = given.only or list(_BUNDLED)
    sets = sets or {name: bundled(_BUNDLED[name]) for name in chosen}
    with Sandbox(SandboxSection()) as sandbox:
        wrong = sum(
            _printed(name, [_told(judge(sandbox, row, given.seconds)) for row in rows])
            for name, rows in sets.items()
        )
    return 1 if wrong else 0


def _rows(path: Path, half: str | None) -> list[dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [each for each in rows if half in (None, each.get("half"))]


if __name__ == "__main__":
    sys.exit(main())
