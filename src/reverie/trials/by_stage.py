"""The trial that each stage asks for. Each is imported by who needs it: a judgement makes one."""

from reverie.errors import UsageError
from reverie.model.dream import Stage
from reverie.model.ruling import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import Trees, TrialPlan


def try_change(stage: Stage, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything measured that the stage's gates ask for, as far as the budget goes."""
    match stage:
        case Stage.A:
            from reverie.trials.tests_trial import try_tests as trial
        case Stage.B:
            from reverie.trials.refactoring_trial import try_refactoring as trial
        case Stage.C:
            from reverie.trials.speed_trial import try_optimisation as trial
        case Stage.INTEGRATION:
            from reverie.trials.integration import try_integration as trial
        case Stage.STUBS:
            from reverie.trials.filling import try_filling as trial
        case Stage.D:
            raise UsageError("findings have no trial: they are never promoted")
    return trial(trees, sandbox, plan)
