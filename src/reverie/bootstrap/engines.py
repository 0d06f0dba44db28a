"""Engines by name: cycles over several repositories, and what became of their workflows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reverie.bootstrap.cycles import Cycle
from reverie.errors import ReverieError, UsageError

if TYPE_CHECKING:
    from reverie.bootstrap.integrations import Integrated
    from reverie.bootstrap.workflows import WorkflowShelf
    from reverie.learning.foresight_tracker import ForesightTracker
    from reverie.learning.weights.learners import Learner
    from reverie.model.cycle import CycleRecord
    from reverie.model.workflow import Workflow
    from reverie.settings import Loaded
    from reverie.workflows.evolution.manager import WorkflowEvolutionManager

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class EngineResult:
    """What one cycle of one engine came to."""

    record: CycleRecord | None
    workflow_evolution: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """By name of the workflow: `status` (promoted, stable, unchanged), `reason`, `roi_delta`."""
    integration: Integrated | None = None
    error: str | None = None
    """Why there was no cycle; the other engines ran all the same."""

    @property
    def promotions(self) -> int:
        """How many dreams came true."""
        return 0 if self.record is None else len(self.record.promotions)


class SelfImprovementEngine:
    """Improves one repository, cycle by cycle.

    engine = SelfImprovementEngine("path/to/repository", bot_name="alpha")
    result = engine.run_cycle()

    A cycle dreams, tries, rules and promotes; then the workflows evolve. What is given besides
    (`seconds`, `executions`, `seed`, `stage`, `python`) is what `Cycle` takes. There is no prompt
    to build a context for: a `context_builder` is accepted and not used. With a
    `synergy_learner_cls` the weights of the parts of ROI are learned anew after every cycle, and
    with a `synergy_weights_path` written there, as JSON.
    """

    def __init__(
        self,
        repository: str | Path = ".",
        *,
        bot_name: str = "reverie",
        foresight_tracker: ForesightTracker | None = None,
        context_builder: object = None,
        synergy_learner_cls: type[Learner] | None = None,
        synergy_weights_path: str | Path | None = None,
        **wishes: Any,
    ) -> None:
        self.repository = Path(repository)
        self.bot_name = bot_name
        self._tracker = foresight_tracker
        self._learner_cls = synergy_learner_cls
        self._weights_path = None if synergy_weights_path is None else Path(synergy_weights_path)
        self._wishes = wishes
        self._queue: list[str] = []

    @property
    def foresight_tracker(self) -> ForesightTracker:
        """How the worth of modules and workflows went so far; a fresh one when none was given."""
        from reverie.learning.foresight_tracker import ForesightTracker

        if self._tracker is None:
            self._tracker = ForesightTracker()
        return self._tracker

    @property
    def queue(self) -> tuple[str, ...]:
        """Modules that the next cycle looks at first."""
        return tuple(self._queue)

    def enqueue_preventative_fixes(self, modules: Iterable[str]) -> tuple[str, ...]:
        """Have the next cycle look at these modules first; all that wait, in order."""
        for each in modules:
            if each not in self._queue:
                self._queue.append(each)
        return self.queue

    def run_cycle(self) -> EngineResult:
        """One cycle, to its end; then the workflows."""
        cycle = Cycle(self.repository, **self._wishes)
        cycle.first = self.queue
        record = cycle.run()
        self._queue.clear()
        if self._learner_cls is not None:
            weights = learn_weights(cycle.loaded, self._learner_cls())
            if self._weights_path is not None:
                _write_weights(self._weights_path, weights)
        return EngineResult(record, evolve_workflows(cycle.loaded), cycle.integrated)


class ImprovementEngineRegistry:
    """Engines by name, run one after another."""

    def __init__(self) -> None:
        self._engines: dict[str, SelfImprovementEngine] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """In the order in which they are run."""
        return tuple(self._engines)

    def register_engine(self, name: str, engine: SelfImprovementEngine) -> None:
        """Add an engine; `UsageError` when the name is taken."""
        if name in self._engines:
            raise UsageError(f"there is an engine {name!r} already")
        self._engines[name] = engine

    def unregister_engine(self, name: str) -> None:
        """Take an engine out; `UsageError` when there is none."""
        if self._engines.pop(name, None) is None:
            raise UsageError(f"there is no engine {name!r}")

    def run_all_cycles(self) -> dict[str, EngineResult]:
        """One cycle of each; what keeps one from running is in its result."""
        return {name: _run(engine) for name, engine in self._engines.items()}


def learn_weights(loaded: Loaded, learner: Learner) -> Mapping[str, float]:
    """The weights in force after learning from what became of promotions so far."""
    from reverie.bootstrap.governance import open_trainer
    from reverie.store import Journal

    if loaded.journal_url is None:
        return {}
    with Journal.open(loaded.journal_url) as journal:
        trainer = open_trainer(loaded, journal, learner)
        trainer.run_once()
        return trainer.weights


def _write_weights(path: Path, weights: Mapping[str, float]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(dict(weights), sort_keys=True) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(f"synergy_weights_path {str(path)!r}: {error.strerror}") from error


def evolve_workflows(loaded: Loaded) -> dict[str, Mapping[str, Any]]:
    """Every workflow that has a name, made better where a variant is proven to be."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import evolution_manager, open_shelf

    with open_shelf(loaded) as shelf:
        named = [each for each in shelf.named() if shelf.merged_into(each) is None]
        if not named:
            return {}
        with open_sandbox(loaded.settings.sandbox) as sandbox:
            manager = evolution_manager(sandbox, shelf, loaded.settings)
            return {each.name: _evolved(shelf, manager, each) for each in named}


def _evolved(
    shelf: WorkflowShelf, manager: WorkflowEvolutionManager, workflow: Workflow
) -> Mapping[str, Any]:
    found = manager.evolve(workflow)
    told = {"status": str(found.status), "reason": found.reason, "roi_delta": found.roi_delta}
    version = shelf.keep(found, manager.source_hash(workflow), told)
    return told if version is None else {**told, "version": version}


def _run(engine: SelfImprovementEngine) -> EngineResult:
    try:
        return engine.run_cycle()
    except ReverieError as error:
        return EngineResult(None, error=str(error))
