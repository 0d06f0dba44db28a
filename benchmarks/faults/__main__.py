"""`python -m benchmarks.faults RESULTS --cases FOLDER --mirror FOLDER`: real faults, noticed?

Tests are written for the fixed module, without the fix's own tests and without the change log,
and run on the module as it was before. One JSON line per case; a case that has its line is not
tried again, so that a run can be stopped and gone on with. `--cases` holds `cases.jsonl`,
`materialise.py` and `envs/env.sh`. Exits with 1 below the wanted share.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

WANTED = 0.5
_PATIENCE = 8
"""In budgets: a busy machine takes longer for what comes after the search."""
_SECONDS = 300
_TOLD = ("CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "docs/change*", "docs/release*", "docs/news*")
"""Files that tell of the fix."""


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("results", type=Path, help="a file of JSON lines, added to")
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--envs", type=Path, default=Path("build/fault-envs"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=100, help="cases to try now")
    given = parser.parse_args()
    given.results.parent.mkdir(parents=True, exist_ok=True)
    done = read_results(given.results)
    waiting = [each for each in faults(given.cases) if each["id"] not in done]
    for case in _spread(waiting)[: given.most]:
        result = {"id": case["id"], "kind": case["kind"], **try_case(case, given)}
        with given.results.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(result) + "\n")
        print(f"{case['id']:32} {_told(result)}", flush=True)
    return judge(read_results(given.results))


def read_results(file: Path) -> dict[str, dict[str, Any]]:
    """What was tried before, by case."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {each["id"]: each for each in map(json.loads, lines)}


def faults(folder: Path) -> Iterator[dict[str, Any]]:
    """The faults in functions that were there before the fix."""
    for line in (folder / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["class"] == "fault" and set(case["functions"]) - set(
            case["functions_added_by_fix"]
        ):
            yield case


def _spread(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of each repository in turn."""
    turns: dict[str, int] = {}
    ranked = []
    for case in cases:
        turns[case["repo"]] = turns.get(case["repo"], 0) + 1
        ranked.append((turns[case["repo"]], case["repo"], case["id"], case))
    return [each[-1] for each in sorted(ranked, key=lambda each: each[:-1])]


def try_case(case: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """One case: what was written, and what it came to on both sides."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        tree = Path(os.path.realpath(scratch), "tree")
        words = [sys.executable, given.cases / "materialise.py", case["id"], tree,
                 "--mirror", given.mirror, "--cases", given.cases / "cases.jsonl"]  # fmt: skip
        made = _run(words, Path(scratch))
        if made.returncode:
            return {"verdict": "not made", "note": made.stderr.strip()[-200:]}
        key = case["repo"].replace("/", "+")
        built = _run([given.cases / "envs" / "env.sh", key, given.envs.resolve()], Path(scratch))
        if built.returncode:
            return {"verdict": "not made", "note": built.stderr.strip()[-200:]}
        old = _run(["git", "show", f"buggy:{case['module']}"], tree).stdout
        if not _has_any(old, set(case["functions"]) - set(case["functions_added_by_fix"])):
            return {"verdict": "not there before"}
        python = built.stdout.strip().splitlines()[-1]
        found = _written_and_run(case, tree, Path(scratch), python, given)
    return {**found, "seconds": round(time.monotonic() - began, 1)}


def _has_any(source: str, functions: set[str]) -> bool:
    names = {
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    return any(each.rpartition(".")[2] in names for each in functions)


def _written_and_run(
    case: dict[str, Any], tree: Path, scratch: Path, python: str, given: argparse.Namespace
) -> dict[str, Any]:
    for pattern in _TOLD:
        for each in (*tree.glob(pattern), *tree.glob(pattern.lower())):
            _run(["rm", "-rf", each], scratch)
    words = [
        sys.executable, "-m", "reverie", "enrich", tree / case["module"], "--repo", tree,
        "--python", python, "--budget", f"{given.seconds:g}s", "--seed", given.seed,
        "--style", "pytest", "--no-measure", "--json", "--anyway", "--out", scratch / "out",
    ]  # fmt: skip
    try:
        done = _run(words, scratch, seconds=_PATIENCE * given.seconds)
        answer = json.loads(done.stdout)[0]
    except subprocess.TimeoutExpired:
        return {"verdict": "no end in time"}
    except (ValueError, LookupError):
        return {"verdict": "not written", "note": done.stderr.strip()[-200:]}
    if answer["file"] is None:
        return {"verdict": "nothing worth keeping", "tests": 0}
    tests = scratch / answer["file"]
    fixed = _outcomes(tests, tree, python)
    _run(["git", "show", f"buggy:{case['module']}"], tree, into=tree / case["module"])
    buggy = _outcomes(tests, tree, python)
    noticing = sorted(name for name, how in fixed.items()
                      if how == "passed" and buggy.get(name) != "passed")  # fmt: skip
    return {
        "verdict": "noticed" if noticing else "missed",
        "tests": len(fixed),
        "failing_on_fixed": sorted(name for name, how in fixed.items() if how != "passed"),
        "by": noticing[:5],
    }


def _outcomes(tests: Path, tree: Path, python: str) -> dict[str, str]:
    report = tests.with_suffix(".xml")
    report.unlink(missing_ok=True)
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull,
             f"--rootdir={tests.parent}", f"--junitxml={report}", tests]  # fmt: skip
    _run(words, tests.parent, PYTHONPATH=f"{tree / 'src'}{os.pathsep}{tree}")
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        is_bad = any(child.tag in ("failure", "error", "skipped") for child in case)
        found[str(case.get("name"))] = "failed" if is_bad else "passed"
    return found


def _run(
    words: Sequence[object],
    place: Path,
    *,
    seconds: float = _SECONDS,
    into: Path | None = None,
    **more: str,
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **more}
    done = subprocess.run(
        list(map(str, words)), cwd=place, env=environment,
        capture_output=True, text=True, timeout=seconds, check=False,
    )  # fmt: skip
    if into is not None:
        into.write_text(done.stdout, "utf-8")
    return done


def _told(result: dict[str, Any]) -> str:
    by = f" by {result['by'][0]}" if result.get("by") else ""
    note = f" ({result['note']})" if result.get("note") else ""
    return f"{result['verdict']}{by}, {result.get('tests', 0)} tests{note}"


def judge(results: dict[str, dict[str, Any]]) -> int:
    """The share of those whose function was there before, and that could be tried at all."""
    counted = [
        each for each in results.values() if each["verdict"] not in ("not made", "not there before")
    ]
    noticed = sum(each["verdict"] == "noticed" for each in counted)
    share = noticed / len(counted) if counted else 0.0
    is_met = share >= WANTED
    print(f"{'yes' if is_met else 'no '} {noticed} of {len(counted)} faults noticed ({share:.0%})")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
