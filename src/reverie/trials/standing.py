"""The figures of a repository as it stands, for its baseline."""

from collections.abc import Mapping
from pathlib import Path

from reverie.sandbox.engine import Sandbox
from reverie.trials.coverage import covered, lines_to_cover
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import measure_tree


def measure_standing(folder: Path, sandbox: Sandbox, plan: TrialPlan) -> Mapping[str, float]:
    """As trials measure them; what could not be measured is not there."""
    tree = measure_tree(folder, sandbox, plan)
    if tree.project is None:
        return {}
    found = {"suite.passing": float(sum(e.outcome == "passed" for e in tree.coverage.tests))}
    total = lines_to_cover(tree, tree.project.files)
    if total:
        run = covered(tree, tree.project.files).lines
        found["coverage.lines"] = round(len(run & total) / len(total), 6)
    return found
