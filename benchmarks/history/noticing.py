"""Do tests that were written for the fixed module notice the fault that was in it?

The fix's own tests and the change log are not there when they are written.
"""

import ast
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from benchmarks.history.cases import Made, NoAnswer, run, run_reverie

_PATIENCE = 8
"""In budgets: a busy machine takes longer for what comes after the search."""
_SUITE_SECONDS = 300.0


def notice(made: Made, budget: float) -> dict[str, Any]:
    """What was written, and what it came to on both sides."""
    case = made.case
    wanted = set(case["functions"]) - set(case["functions_added_by_fix"])
    if not _has_any(made.text("buggy", case["module"]), wanted):
        return {"verdict": "not there before", "is_right": False}
    made.hide_the_change()
    words = ["enrich", made.tree / case["module"], "--repo", made.tree, "--python", made.python,
             "--budget", f"{budget:g}s", "--seed", 1, "--style", "pytest", "--no-measure",
             "--anyway", "--out", made.scratch / "out"]  # fmt: skip
    try:
        answer = run_reverie(made, words, _PATIENCE * budget)[0]
    except NoAnswer as error:
        return {"verdict": "not written", "is_right": False, "reasons": [str(error)]}
    except (LookupError, TypeError):
        return {"verdict": "not written", "is_right": False}
    if answer["file"] is None:
        return {"verdict": "nothing worth keeping", "is_right": False, "tests": 0}
    tests = made.tree / answer["file"]
    fixed = _outcomes(tests, made)
    (made.tree / case["module"]).write_text(made.text("buggy", case["module"]), "utf-8")
    buggy = _outcomes(tests, made)
    passing = [name for name, how in fixed.items() if how == "passed"]
    noticing = sorted(name for name in passing if buggy.get(name) != "passed")
    return {
        "verdict": "noticed" if noticing else "missed",
        "is_right": bool(noticing),
        "tests": len(fixed),
        "failing_on_fixed": sorted(set(fixed) - set(passing)),
        "by": noticing[:5],
    }


def _has_any(source: str, functions: set[str]) -> bool:
    names = {
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    return any(each == "<module>" or each.rpartition(".")[2] in names for each in functions)


def _outcomes(tests: Path, made: Made) -> dict[str, str]:
    report = tests.with_suffix(".xml")
    report.unlink(missing_ok=True)
    words = [made.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull,
             f"--rootdir={tests.parent}", f"--junitxml={report}", tests]  # fmt: skip
    run(words, tests.parent, _SUITE_SECONDS, PYTHONPATH=made.import_path)
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        is_bad = any(child.tag in ("failure", "error", "skipped") for child in case)
        found[str(case.get("name"))] = "failed" if is_bad else "passed"
    return found
