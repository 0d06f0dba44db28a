"""Is a reverted fix held back, and is honest work of maintainers let through?"""

import resource
import time
from typing import Any

from benchmarks.history.cases import Made, NoAnswer, run_reverie


def judge(made: Made, seconds: float) -> dict[str, Any]:
    """The verdict of `reverie guard`: a speed-up as stage C, everything else as stage B."""
    base, head = made.branches
    stage = "C" if made.case["class"] == "speedup" else "B"
    words = ["guard", "--base", base, "--head", head, "--stage", stage, "--python", made.python]
    words.append("--anyway")  # environments of cases lack plugins that some tests ask for
    began, used = time.monotonic(), _cpu_seconds()
    try:
        document = run_reverie(made, words, seconds)
    except NoAnswer as error:
        document = {"verdict": "none", "rulings": [], "error": str(error)}
    rulings = [each for each in document["rulings"] if each["verdict"] != "pass"]
    codes = sorted({each["reason_code"] for each in rulings})
    return {
        "verdict": document["verdict"],
        "is_right": is_right(made.case["class"], document["verdict"]),
        "needs": document.get("needs", []),
        "codes": codes,
        "reasons": [
            f"{each['gate']}: {each['reason_code']}: {each['reason']} ({each.get('measured')})"
            for each in rulings
        ]
        or [document.get("error", "")],
        "measures": document.get("measures", {}),
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(_cpu_seconds() - used, 1),
    }


def _cpu_seconds() -> float:
    """Of all that was started and has ended; what is killed with its parents is missing."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def is_right(kind: str, verdict: str) -> bool:
    """A reverted fix is not promoted; honest work is, though people may still owe approvals."""
    return (verdict == "promote") == (kind != "fault")
