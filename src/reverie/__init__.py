"""Reverie improves a Python repository while nobody works on it, and proves every change.

The public names below are imported when they are first used: `import reverie` loads no room
and has no effects.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.codegen import CodeGenerator, CodeIndexer, SandboxManager
    from reverie.bootstrap.cycles import Cycle
    from reverie.bootstrap.dreams import Database
    from reverie.bootstrap.engines import (
        EngineResult,
        ImprovementEngineRegistry,
        SelfImprovementEngine,
    )
    from reverie.bootstrap.integrations import (
        SelfTestService,
        auto_include_modules,
        generate_workflows_for_modules,
        try_integrate_into_workflows,
    )
    from reverie.bootstrap.workflows import (
        WorkflowSynergyComparator,
        run_repo_section_simulations,
        simulate_temporal_trajectory,
    )
    from reverie.cycle.dreams.runner import DreamTestRunner
    from reverie.dreamers.enrich import enrich
    from reverie.errors import MachineryError, ReverieError, UsageError
    from reverie.gates.alignment.flagger import HumanAlignmentFlagger
    from reverie.inputs.calls import SyntheticTestGenerator
    from reverie.instruments.equivalence import check_equivalence
    from reverie.interfaces.metrics.serving import start_metrics_server
    from reverie.learning.deployment_governance import BorderlineBucket
    from reverie.learning.foresight_tracker import ForesightTracker, UpgradeForecaster
    from reverie.learning.memory_logging import log_with_tags
    from reverie.learning.roi_tracker import ROITracker
    from reverie.learning.weights.learners import DQNSynergyLearner
    from reverie.model.dream import DreamStatus, DreamTestResult
    from reverie.model.events import ERROR_FIX, FEEDBACK, IMPROVEMENT_PATH, INSIGHT, InteractionTag
    from reverie.model.execution import (
        Call,
        ErrorReport,
        Execution,
        Expression,
        FileChange,
        Limits,
        Module,
        Policy,
        Pytest,
        Request,
        Script,
        Usage,
    )
    from reverie.model.history import FailurePattern
    from reverie.model.measurements.equivalence import (
        Counterexample,
        Equivalence,
        EquivalenceVerdict,
    )
    from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome, TrustTier
    from reverie.model.procedure import DreamProcedure, DreamTier, DreamType
    from reverie.model.sections import SandboxSection
    from reverie.model.workflow import Step, StepRun, Workflow, WorkflowRun
    from reverie.sandbox.engine import Sandbox
    from reverie.sandbox.safety import CodeValidator
    from reverie.scoring.synergy import WorkflowGraph
    from reverie.store import DreamStore, Journal, journal_url
    from reverie.trials.dream_sandbox import DreamSandbox
    from reverie.workflows.evolution.manager import WorkflowEvolutionManager
    from reverie.workflows.sandbox_runner import CompositeWorkflowScorer, WorkflowSandboxRunner
    from reverie.workflows.scenarios.presets import generate_canonical_presets

__version__ = "0.1.0"

_PLACES = {
    "reverie.bootstrap": ("open_sandbox",),
    "reverie.bootstrap.codegen": ("CodeGenerator", "CodeIndexer", "SandboxManager"),
    "reverie.bootstrap.cycles": ("Cycle",),
    "reverie.bootstrap.dreams": ("Database",),
    "reverie.bootstrap.engines": (
        "EngineResult",
        "ImprovementEngineRegistry",
        "SelfImprovementEngine",
    ),
    "reverie.bootstrap.integrations": (
        "SelfTestService",
        "auto_include_modules",
        "generate_workflows_for_modules",
        "try_integrate_into_workflows",
    ),
    "reverie.bootstrap.workflows": (
        "WorkflowSynergyComparator",
        "run_repo_section_simulations",
        "simulate_temporal_trajectory",
    ),
    "reverie.cycle.dreams.runner": ("DreamTestRunner",),
    "reverie.dreamers.enrich": ("enrich",),
    "reverie.errors": (
        "MachineryError",
        "ReverieError",
        "UsageError",
    ),
    "reverie.gates.alignment.flagger": ("HumanAlignmentFlagger",),
    "reverie.inputs.calls": ("SyntheticTestGenerator",),
    "reverie.instruments.equivalence": ("check_equivalence",),
    "reverie.interfaces.metrics.serving": ("start_metrics_server",),
    "reverie.learning.deployment_governance": ("BorderlineBucket",),
    "reverie.learning.foresight_tracker": (
        "ForesightTracker",
        "UpgradeForecaster",
    ),
    "reverie.learning.memory_logging": ("log_with_tags",),
    "reverie.learning.roi_tracker": ("ROITracker",),
    "reverie.learning.weights.learners": ("DQNSynergyLearner",),
    "reverie.model.dream": (
        "DreamStatus",
        "DreamTestResult",
    ),
    "reverie.model.events": (
        "ERROR_FIX",
        "FEEDBACK",
        "IMPROVEMENT_PATH",
        "INSIGHT",
        "InteractionTag",
    ),
    "reverie.model.execution": (
        "Call",
        "ErrorReport",
        "Execution",
        "Expression",
        "FileChange",
        "Limits",
        "Module",
        "Policy",
        "Pytest",
        "Request",
        "Script",
        "Usage",
    ),
    "reverie.model.history": ("FailurePattern",),
    "reverie.model.measurements.equivalence": (
        "Counterexample",
        "Equivalence",
        "EquivalenceVerdict",
    ),
    "reverie.model.outcome": (
        "ErrorCategory",
        "IsolationTier",
        "TestOutcome",
        "TrustTier",
    ),
    "reverie.model.procedure": (
        "DreamProcedure",
        "DreamTier",
        "DreamType",
    ),
    "reverie.model.sections": ("SandboxSection",),
    "reverie.model.workflow": (
        "Step",
        "StepRun",
        "Workflow",
        "WorkflowRun",
    ),
    "reverie.sandbox.engine": ("Sandbox",),
    "reverie.sandbox.safety": ("CodeValidator",),
    "reverie.scoring.synergy": ("WorkflowGraph",),
    "reverie.store": (
        "DreamStore",
        "Journal",
        "journal_url",
    ),
    "reverie.trials.dream_sandbox": ("DreamSandbox",),
    "reverie.workflows.evolution.manager": ("WorkflowEvolutionManager",),
    "reverie.workflows.sandbox_runner": (
        "CompositeWorkflowScorer",
        "WorkflowSandboxRunner",
    ),
    "reverie.workflows.scenarios.presets": ("generate_canonical_presets",),
}
_HOMES = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "ERROR_FIX",
    "FEEDBACK",
    "IMPROVEMENT_PATH",
    "INSIGHT",
    "BorderlineBucket",
    "Call",
    "CodeGenerator",
    "CodeIndexer",
    "CodeValidator",
    "CompositeWorkflowScorer",
    "Counterexample",
    "Cycle",
    "DQNSynergyLearner",
    "Database",
    "DreamProcedure",
    "DreamSandbox",
    "DreamStatus",
    "DreamStore",
    "DreamTestResult",
    "DreamTestRunner",
    "DreamTier",
    "DreamType",
    "EngineResult",
    "Equivalence",
    "EquivalenceVerdict",
    "ErrorCategory",
    "ErrorReport",
    "Execution",
    "Expression",
    "FailurePattern",
    "FileChange",
    "ForesightTracker",
    "HumanAlignmentFlagger",
    "ImprovementEngineRegistry",
    "InteractionTag",
    "IsolationTier",
    "Journal",
    "Limits",
    "MachineryError",
    "Module",
    "Policy",
    "Pytest",
    "ROITracker",
    "Request",
    "ReverieError",
    "Sandbox",
    "SandboxManager",
    "SandboxSection",
    "Script",
    "SelfImprovementEngine",
    "SelfTestService",
    "Step",
    "StepRun",
    "SyntheticTestGenerator",
    "TestOutcome",
    "TrustTier",
    "UpgradeForecaster",
    "Usage",
    "UsageError",
    "Workflow",
    "WorkflowEvolutionManager",
    "WorkflowGraph",
    "WorkflowRun",
    "WorkflowSandboxRunner",
    "WorkflowSynergyComparator",
    "__version__",
    "auto_include_modules",
    "check_equivalence",
    "enrich",
    "generate_canonical_presets",
    "generate_workflows_for_modules",
    "journal_url",
    "log_with_tags",
    "open_sandbox",
    "run_repo_section_simulations",
    "simulate_temporal_trajectory",
    "start_metrics_server",
    "try_integrate_into_workflows",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
