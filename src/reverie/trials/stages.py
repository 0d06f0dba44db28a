"""The trial that each stage asks for."""

from reverie.errors import UsageError
from reverie.model.dream import Stage
from reverie.model.ruling import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.integration import try_integration
from reverie.trials.plan import Trees, TrialPlan
from reverie.trials.stage_a import try_tests
from reverie.trials.stage_b import try_refactoring
from reverie.trials.stage_c import try_optimisation


def try_change(stage: Stage, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything measured that the stage's gates ask for, as far as the budget goes."""
    match stage:
        case Stage.A:
            return try_tests(trees, sandbox, plan)
        case Stage.B:
            return try_refactoring(trees, sandbox, plan)
        case Stage.C:
            return try_optimisation(trees, sandbox, plan)
        case Stage.INTEGRATION:
            return try_integration(trees, sandbox, plan)
        case Stage.D:
            raise UsageError("stage D has no trial: what it finds is never promoted")
