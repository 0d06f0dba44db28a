"""`WorkflowSandboxRunner`: a workflow in isolation, with test data in and expectations checked.

    runner = WorkflowSandboxRunner(repository="path/to/repository")
    run = runner.run(["shop.orders:load", "shop.orders:total"],
                     test_data={"orders.csv": "id,price\n1,20\n"},
                     expected_outputs={"shop.orders:total": 20})

Every step is an execution of its own in the sandbox. What one returns and leaves in its
folder goes to the next; the host carries both and looks into neither.

`CompositeWorkflowScorer` runs a workflow some times, and says what it is like. `profile_workflows`
runs those that a project declares with a profiler started before each step; what it saw is left as
a file beside those of the workflow.
"""

import json
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from os import PathLike
from types import TracebackType
from typing import Any, Self

from reverie.errors import UsageError
from reverie.instruments.profiling import planted_source, read_profile
from reverie.model.execution import MIB, Call, ErrorReport, Execution, Limits, Policy, Request
from reverie.model.measurements.benchmark import Profile, merged_profile
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.repository.code import CodeIndex
from reverie.model.workflow import Step, StepRun, Workflow, WorkflowRun
from reverie.model.workflow_evolution import WorkflowScore
from reverie.sandbox.engine import Sandbox
from reverie.scoring.workflows import score_runs
from reverie.store import ExecutionRecorder, Journal
from reverie.workflows.answers import Answer, Files, files_from, first_unmet, read_answer
from reverie.workflows.program import PRELOADED, entry_name, step_program
from reverie.workflows.recipe import Recipe, recipe_for, search_roots

RESULT_BYTES = 32 * MIB
"""What a step returns and leaves in files, encoded, where the caller gives no limits."""

StepTarget = Callable[..., Any] | str | Step
Injector = Callable[[str], Callable[[], Any] | None] | str


@dataclass(frozen=True, slots=True)
class Order:
    """A step ready to be run."""

    name: str
    recipe: Recipe
    params: Mapping[str, Any]
    each: bool
    cached: bool


def orders_for(
    steps: Iterable[Step], roots: tuple[str, ...], params: Mapping[str, Any]
) -> list[Order]:
    """Every step with a name of its own; `params` are for the first."""
    orders: list[Order] = []
    for step in steps:
        recipe = recipe_for(step.target, roots)
        again = sum(order.recipe.name == recipe.name for order in orders)
        name = f"{recipe.name}#{again + 1}" if again else recipe.name
        own = dict(step.params) if orders else {**step.params, **params}
        orders.append(Order(name, recipe, own, step.each, step.cached))
    return orders


def with_roots(policy: Policy, roots: tuple[str, ...], preloaded: tuple[str, ...]) -> Policy:
    """The policy under which code of these folders is found and read."""
    return replace(
        policy,
        preload=tuple(dict.fromkeys((*policy.preload, *preloaded))),
        readonly=tuple(dict.fromkeys((*policy.readonly, *roots))),
        import_paths=tuple(dict.fromkeys((*roots, *policy.import_paths))),
    )


@dataclass(frozen=True, slots=True)
class _Terms:
    """What all steps of one run share."""

    policy: Policy
    injectors: tuple[dict[str, Any], ...]
    safe_mode: bool


class WorkflowSandboxRunner:
    """Runs workflows in the sandbox; the file system and the network of the host stay out."""

    def __init__(
        self,
        *,
        repository: str | PathLike[str] | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
        sandbox: Sandbox | None = None,
        journal: Journal | None = None,
    ) -> None:
        """`repository` is where `module:callable` is looked for, otherwise the import path is.

        `limits` are for each step. `policy` is what steps may reach besides their own modules.
        A `sandbox` or `journal` that is given stays open; the journal gets every step.
        """
        self.roots = search_roots(repository)
        section = None if sandbox is None else sandbox.section
        self._opening = threading.Lock()
        self._resources = ExitStack()
        self._closing = weakref.finalize(self, self._resources.close)
        self._sandbox = sandbox
        self._journal = journal
        self._recorder: ExecutionRecorder | None = None
        self.policy = policy or (Policy() if section is None else section.policy())
        base = Limits() if section is None else section.limits()
        self.limits = limits or replace(base, result_bytes=RESULT_BYTES)

    def run(
        self,
        workflow: StepTarget | Sequence[StepTarget],
        *,
        params: Mapping[str, Any] | None = None,
        test_data: Mapping[str, str | bytes] | None = None,
        expected_outputs: Mapping[str, Any] | None = None,
        safe_mode: bool = False,
        mock_injectors: Iterable[Injector] | None = None,
    ) -> WorkflowRun:
        """Run the steps one after another in a fresh folder; what goes wrong is in the result.

        `params` are keyword arguments of the first step. `safe_mode` makes every attempt to
        reach the network a `RuntimeError`. Each injector is called with the folder's path
        before a step, may replace what it likes, and returns a teardown, run after the step
        even when that failed.
        """
        before = files_from(test_data or {})
        orders = self._orders(workflow, params or {})
        injectors = [
            recipe_for(each, self.roots, allow_source=True) for each in mock_injectors or ()
        ]
        terms = _Terms(
            self._policy([*(order.recipe for order in orders), *injectors], safe_mode),
            tuple(recipe.document() for recipe in injectors),
            safe_mode,
        )
        steps, files = self._run_steps(orders, terms, before)
        return _conclude(steps, files, before, expected_outputs or {}, safe_mode)

    def run_workflow(
        self,
        workflow: Workflow,
        *,
        params: Mapping[str, Any] | None = None,
        mock_injectors: Iterable[Injector] | None = None,
    ) -> WorkflowRun:
        """Run a workflow on its own data; `params` take the place of its own."""
        return self.run(
            workflow.steps,
            params=workflow.params if params is None else params,
            test_data=workflow.test_data,
            expected_outputs=workflow.expected_outputs if params is None else None,
            safe_mode=workflow.safe_mode,
            mock_injectors=mock_injectors,
        )

    def close(self) -> None:
        """End the sandbox, if it was opened here."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _orders(
        self, workflow: StepTarget | Sequence[StepTarget], params: Mapping[str, Any]
    ) -> list[Order]:
        if isinstance(workflow, str) or not isinstance(workflow, Sequence):
            workflow = [workflow]
        if not workflow:
            raise UsageError("a workflow needs at least one step")
        steps = [target if isinstance(target, Step) else Step(target) for target in workflow]
        return orders_for(steps, self.roots, params)

    def _policy(self, recipes: Sequence[Recipe], safe_mode: bool) -> Policy:
        roots = tuple(dict.fromkeys(root for recipe in recipes for root in recipe.roots))
        enable_network = self.policy.enable_network and not safe_mode
        return replace(with_roots(self.policy, roots, PRELOADED), enable_network=enable_network)

    def _run_steps(
        self, orders: Sequence[Order], terms: _Terms, files: Files
    ) -> tuple[list[StepRun], Files]:
        steps: list[StepRun] = []
        handed: str | None = None
        for order in orders:
            hands_on = order is not orders[-1]
            document = {**files.document(), "handed": handed, "hands_on": hands_on}
            answer = self._run_step(order, terms, document)
            steps.append(answer.step)
            if not answer.step.execution.succeeded:
                break
            files, handed = answer.files, answer.handed
        return steps, files

    def _run_step(self, order: Order, terms: _Terms, given: dict[str, Any]) -> Answer:
        entry = entry_name(order.recipe.name)
        params = {
            **given,
            "step": order.recipe.document(),
            "params": dict(order.params),
            "each": order.each,
            "cached": order.cached,
            "injectors": list(terms.injectors),
            "safe_mode": terms.safe_mode,
            "most_bytes": self.limits.result_bytes // 2,
        }
        program = step_program(order.name, entry)
        request = Request(Call(program, entry, params), self.limits, terms.policy)
        execution = self._engine().run(request)
        answer = read_answer(order.name, execution, self.limits.result_bytes // 2)
        if self._recorder is not None:
            self._recorder(request, answer.step.execution)
        return answer

    def _engine(self) -> Sandbox:
        with self._opening:
            if not self._closing.alive:
                raise UsageError("this WorkflowSandboxRunner is closed")
            if self._journal is not None and self._recorder is None:
                self._recorder = self._resources.enter_context(ExecutionRecorder(self._journal))
            if self._sandbox is None:
                self._sandbox = self._resources.enter_context(Sandbox())
            return self._sandbox


def _conclude(
    steps: Sequence[StepRun],
    files: Files,
    before: Files,
    expected: Mapping[str, Any],
    safe_mode: bool,
) -> WorkflowRun:
    last: Execution = steps[-1].execution
    outcome, category, error = last.outcome, last.error_category, last.error
    failed_step = None if last.succeeded else steps[-1].name
    if last.succeeded:
        unmet = first_unmet(expected, steps, files.contents)
        if unmet is not None:
            outcome, category = TestOutcome.RUNTIME_ERROR, ErrorCategory.LOGIC
            error = ErrorReport(unmet)
    return WorkflowRun(
        outcome=outcome,
        error_category=category,
        error=error,
        failed_step=failed_step,
        steps=tuple(steps),
        files=files.contents,
        changes=files.changes_since(before),
        safe_mode=safe_mode,
    )


RUNS = 3
Told = Callable[[Workflow, WorkflowRun], Any]


class CompositeWorkflowScorer:
    """Scores workflows by running them in the sandbox."""

    def __init__(
        self, runner: WorkflowSandboxRunner, told: Told = lambda workflow, run: None
    ) -> None:
        """`told` hears of every run."""
        self._runner = runner
        self._told = told

    def score(
        self, workflow: Workflow, runs: int = RUNS, baseline: WorkflowScore | None = None
    ) -> WorkflowScore:
        """The score of so many runs on the workflow's own data."""
        if runs < 1:
            raise UsageError(f"a workflow is scored by at least one run, not {runs}")
        done = []
        for _ in range(runs):
            done.append(self._runner.run_workflow(workflow))
            self._told(workflow, done[-1])
        return score_runs(done, baseline)


_PREFIX = "reverie-profile-"
_MOST_BYTES = 16 << 20
_INJECTOR = """

def profile_step(root):
    import json, os
    profiler = cProfile.Profile()
    profiler.enable()
    planted_slow()
    planted_quick()

    def write_down():
        profiler.disable()
        number = sum(each.startswith({prefix!r}) for each in os.listdir(root))
        with open(os.path.join(root, {prefix!r} + str(number) + ".json"), "x") as file:
            json.dump(profile_rows(profiler, {repository!r}), file)

    return write_down
"""


def profile_workflows(
    runner: WorkflowSandboxRunner, workflows: Iterable[Workflow], index: CodeIndex
) -> Profile:
    """Run workflows under a profiler; the functions of the repository, hottest first."""
    found: list[Profile] = []
    source = planted_source() + _INJECTOR.format(prefix=_PREFIX, repository=index.repository)
    for workflow in workflows:
        run = runner.run_workflow(workflow, mock_injectors=[source])
        profiles = [read_profile(each, index) for each in _written(run)]
        if not run.succeeded and run.failed_step is not None:
            profiles.append(Profile((), 0.0, f"{workflow.name}: {run.failed_step}: {run.outcome}"))
        found.append(merged_profile(profiles))
    if not found:
        return Profile((), 0.0, "no workflow is declared")
    return merged_profile(found)


def _written(run: WorkflowRun) -> Iterator[Any]:
    """What steps left of their profiles: text of code that nobody trusts, read as JSON."""
    for name, data in sorted(run.files.items()):
        if name.startswith(_PREFIX) and len(data) <= _MOST_BYTES:
            try:
                yield json.loads(data)
            except (ValueError, RecursionError):
                yield None
