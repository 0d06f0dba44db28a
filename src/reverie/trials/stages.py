"""The trial that each stage asks for."""

from reverie.errors import UsageError
from reverie.model.dream import Stage
from reverie.model.evidence import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.stage_a import try_tests
from reverie.trials.trees import Trees


def try_change(stage: Stage, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything measured that the stage's gates ask for, as far as the budget goes."""
    if stage is Stage.A:
        return try_tests(trees, sandbox, plan)
    raise UsageError(f"stage {stage} has no trial")
