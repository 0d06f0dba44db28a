"""Inclusion: what became of every candidate in the end, the files that tell of it, and workflows.

Modules that were integrated get one-step workflows, and longer ones that they fit into.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.calls import SyntheticTestGenerator
from reverie.model.codec import plain
from reverie.model.cycle import CycleDream, CycleRecord, Step, StepState
from reverie.model.dream import DreamKind
from reverie.model.repository.code import Function, Module, Parameter, ParameterKind
from reverie.model.repository.standing import MAP_FILE, ORPHANS_FILE, Inclusion, ModuleMap, SelfTest
from reverie.model.ruling import Answer, Verdict
from reverie.model.settings.judgement import RoiSection
from reverie.model.workflow import Step as WorkflowStep
from reverie.model.workflow import Workflow, WorkflowOrigin
from reverie.scoring.keep_probability import kept_chance
from reverie.scoring.roi import Terms, roi_from
from reverie.stages.integrations import DREAMER
from reverie.syntax.parsing import parse_module
from reverie.trials.integration import import_name
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class Ended:
    """A step of a cycle with the self-test that it is about."""

    step: Step
    test: SelfTest


@dataclass(frozen=True, slots=True)
class Worth:
    """What an integration has to be worth, and by which rates."""

    min_roi: float
    rates: RoiSection


def conclude(
    ended: Iterable[Ended], record: CycleRecord, known: Set[str], worth: Worth
) -> tuple[Inclusion, ...]:
    """Each self-test with what a cycle made of it; `known` are paths that are part of it already.

    A module whose dream was refused is not included; one that passed and leaves nothing to
    change is.
    """
    dreams = _by_module(record)
    return tuple(
        _as_before(each, each.test.path in known)
        if each.step.state is StepState.SKIPPED
        else _concluded(each.test, dreams.get(each.test.module), worth)
        for each in ended
    )


def _as_before(each: Ended, is_known: bool) -> Inclusion:
    """Of a module that this cycle did not look at again."""
    return Inclusion(each.test, is_known, None if is_known else each.step.note)


def _by_module(record: CycleRecord) -> Mapping[str, CycleDream]:
    found = [each for each in record.dreams if each.dream.kind is DreamKind.INTEGRATION]
    return {each.dream.module: each for each in found if each.dream.dreamer == DREAMER}


def _concluded(test: SelfTest, dreamt: CycleDream | None, worth: Worth) -> Inclusion:
    if not test.is_welcome:
        return Inclusion(test, False, _unwelcome(test))
    if dreamt is None:
        roi, least = _roi(worth.rates), worth.min_roi
        return Inclusion(test, roi >= least, _short(roi, least), roi=roi)
    verdict = _verdict(dreamt)
    promotion = dreamt.promotion
    is_in = promotion is not None or verdict is Verdict.PROMOTE
    trial = dreamt.trial
    return Inclusion(
        test,
        is_in,
        None if is_in else _refused(dreamt),
        dream_id=dreamt.dream.id,
        verdict=None if verdict is None else str(verdict),
        branch=None if promotion is None else promotion.branch,
        roi=None if trial is None else trial.score.get("roi"),
    )


def _verdict(dreamt: CycleDream) -> Verdict | None:
    return None if dreamt.trial is None else dreamt.trial.judgement.verdict


def _roi(rates: RoiSection) -> float:
    """Points, of a module that is integrated by being scheduled alone: nothing has to be read."""
    chance = kept_chance(str(DreamKind.INTEGRATION)).probability
    terms = Terms(rates, lines_changed=0, kept_probability=chance)
    return roi_from({"orphans.integrated": 1.0}, terms).points or 0.0


def _short(roi: float, min_roi: float) -> str | None:
    return None if roi >= min_roi else f"worth {roi:.1f} points, not {min_roi:g}"


def _unwelcome(test: SelfTest) -> str:
    if not test.passed:
        return test.reason or "its self-test fails"
    return "another module does the same" if test.redundant else "it is marked as out of date"


def _refused(dreamt: CycleDream) -> str:
    if dreamt.trial is None:
        return f"the change that includes it is {dreamt.status}"
    rulings = dreamt.trial.judgement.rulings
    return "; ".join(each.reason for each in rulings if each.verdict is not Answer.PASS)


def listed_orphans(folder: Path) -> tuple[str, ...]:
    """Paths that somebody keeps in the list of orphans."""
    found = _read(folder / ORPHANS_FILE)
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str))


def write_files(
    folder: Path, included: Sequence[str], orphans: Sequence[str], drawn: ModuleMap
) -> None:
    """The module map with all that was integrated, and the list of orphans as it is now."""
    found = _read(folder / MAP_FILE)
    known = found if isinstance(found, dict) and "groups" in found else plain(drawn)
    _write(folder / MAP_FILE, {**known, "integrated": sorted(included)})
    _write(folder / ORPHANS_FILE, sorted(orphans))


def _read(path: Path) -> Any:
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= _LARGEST:
            return json.loads(path.read_text("utf-8"))
    return None


def _write(path: Path, document: object) -> None:
    """A file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", "utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


_ENTRIES = ("main", "run")
_VARIANTS = 3
_STARS = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def workflow_of(module: Module, folder: Path, runner: WorkflowSandboxRunner) -> Workflow | None:
    """A workflow of one step that was run and succeeded; None where the module has none."""
    for workflow in proposals(module, folder):
        if runner.run(list(workflow.steps), params=workflow.params).succeeded:
            return workflow
    return None


def proposals(module: Module, folder: Path) -> Iterator[Workflow]:
    """One-step workflows of a module, its entry points first, with arguments made to fit."""
    functions = [each for each in module.functions if _is_callable(each)]
    functions.sort(key=lambda each: (each.name not in _ENTRIES, len(required(each)), each.line))
    for function in functions:
        for params in _arguments(function, module, folder):
            step = WorkflowStep(f"{import_name(module)}:{function.qualname}")
            yield Workflow(
                name=import_name(module),
                steps=(step,),
                origin=WorkflowOrigin.MODULE,
                params=params,
                source=module.path,
            )


def extended(workflow: Workflow, module: Module) -> Iterator[Workflow]:
    """A workflow with a function of the module at its end, as branches beside it."""
    for function in module.functions:
        if _is_callable(function) and len(required(function)) == 1:
            target = f"{import_name(module)}:{function.qualname}"
            if target not in workflow.targets:
                yield Workflow(
                    name=f"{workflow.name}+{function.name}",
                    steps=(*workflow.steps, WorkflowStep(target)),
                    origin=WorkflowOrigin.MODULE,
                    params=workflow.params,
                    test_data=workflow.test_data,
                    safe_mode=workflow.safe_mode,
                    source=f"{workflow.name} and {module.path}",
                )


def required(function: Function) -> Sequence[Parameter]:
    """Parameters that a call has to give."""
    return [
        each for each in function.parameters if each.default is None and each.kind not in _STARS
    ]


def _is_callable(function: Function) -> bool:
    is_plain = not function.is_nested and not function.is_generator and not function.is_async
    by_name = ParameterKind.POSITIONAL_ONLY not in {each.kind for each in required(function)}
    return is_plain and by_name and not function.name.startswith("_") and not function.decorators


def _arguments(function: Function, module: Module, folder: Path) -> Iterator[Mapping[str, Any]]:
    if not required(function):
        yield {}
        return
    try:
        source = (folder / module.path).read_text("utf-8-sig")
        code = "\n".join(source.splitlines()[function.line - 1 : function.end_line])
        parse_module(code)
        made = SyntheticTestGenerator().generate_test_inputs(code, _VARIANTS)
    except (OSError, ValueError, SyntaxError, RecursionError, UsageError):
        return
    names = {each.name for each in required(function)}
    for each in made:
        params = {name: value for name, value in each.items() if name in names}
        if params.keys() == names and _is_plain(params):
            yield params


def _is_plain(params: Mapping[str, Any]) -> bool:
    """Whether JSON brings the arguments back as they are."""
    try:
        return bool(json.loads(json.dumps(params, allow_nan=False)) == params)
    except (TypeError, ValueError, RecursionError):
        return False
