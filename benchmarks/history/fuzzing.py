"""Does `fuzz` find the fault that was in a module, and nothing once it is mended?

The function or class that the fix changed is named; where it is private, all of its module is
searched. A finding is the fault when the script that comes with it fails on the faulty module and
passes on the fixed one. What is found in the fixed module is an alarm.
"""

import subprocess
from typing import Any

from benchmarks.history.cases import Made, NoAnswer, run, run_reverie

_PATIENCE = 6
_SCRIPT_SECONDS = 60.0


def fuzz(made: Made, budget: float) -> dict[str, Any]:
    """Both modules searched, the faulty one last."""
    made.hide_the_change()
    module = made.tree / made.case["module"]
    found: dict[str, list[dict[str, Any]]] = {}
    for branch in ("fixed", "buggy"):
        module.write_text(made.text(branch, made.case["module"]), "utf-8")
        words = ["fuzz", _target(made), "--repo", made.tree, "--python", made.python,
                 "--budget", f"{budget:g}s", "--anyway"]  # fmt: skip
        try:
            found[branch] = run_reverie(made, words, _PATIENCE * budget)["findings"]
        except NoAnswer as error:
            return {"verdict": "no answer", "is_right": False, "reasons": [str(error)]}
    faults = [each for each in found["buggy"] if _fails(each, made)]
    module.write_text(made.text("fixed", made.case["module"]), "utf-8")
    faults = [each for each in faults if not _fails(each, made)]
    alarms = [f"{each['callable']}: {each['expected']}"[:160] for each in found["fixed"]]
    return {
        "verdict": "found" if faults else "missed",
        "is_right": bool(faults),
        "by": [f"{each['callable']}: {each['input']}"[:160] for each in faults],
        "alarms": alarms,
        "codes": ["alarm"] if alarms else [],
    }


def _target(made: Made) -> str:
    """What is to be searched, as `fuzz` takes it."""
    names = [str(each).partition(".")[0] for each in made.case["functions"]]
    named = next((each for each in names if not each.startswith(("_", "<"))), None)
    module = str(made.tree / made.case["module"])
    return module if named is None else f"{module}:{named}"


def _fails(finding: dict[str, Any], made: Made) -> bool:
    words = [made.python, "-c", finding["repro"]]
    try:
        done = run(words, made.tree, _SCRIPT_SECONDS, PYTHONPATH=made.import_path)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0
