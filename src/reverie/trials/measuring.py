"""What a trial has found so far, and how it becomes evidence."""

import sys
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version

from reverie.model.dream import Stage
from reverie.model.evidence import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import SuiteChange
from reverie.trials.trees import Trees

_MOST_NAMES = 50


class Findings:
    """Measures by name, with the names behind them: what is not noted stays absent."""

    def __init__(self) -> None:
        self.measures: dict[str, float] = {}
        self.details: dict[str, tuple[str, ...]] = {}

    def note(self, name: str, value: float) -> None:
        """A figure."""
        self.measures[name] = float(value)

    def note_names(self, name: str, found: Iterable[str]) -> None:
        """How many there are, and which."""
        names = tuple(found)
        self.measures[name] = float(len(names))
        if names:
            self.details[name] = names[:_MOST_NAMES]

    def note_suites(self, tests: int, suites: SuiteChange) -> None:
        """What became of the tests that were there."""
        self.note("suite.tests", tests)
        self.note_names("suite.failing_before", suites.failing_before)
        self.note_names("suite.newly_failing", suites.newly_failing)
        self.note_names("suite.lost", suites.lost)
        self.note_names("suite.weaker", suites.weaker)

    def evidence(self, stage: Stage, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
        """Everything found, with all it takes to find it again."""
        limits = {
            k: float(v) for k, v in asdict(plan.section).items() if isinstance(v, int | float)
        }
        versions = {name: version(name) for name in ("pytest", "reverie")}
        return Evidence(
            measures=self.measures,
            seed=plan.seed,
            isolation=sandbox.tier,
            command=("reverie", "guard", "--stage", str(stage)),
            limits=limits,
            hashes={"change": trees.change.digest},
            versions={"python": sys.version.partition(" ")[0], **versions},
            details=self.details,
        )
