"""One-step workflows for modules that were integrated, and longer ones that they fit into."""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.generator import SyntheticTestGenerator
from reverie.model.code import Function, Module, Parameter, ParameterKind
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.trials.importing import import_name
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

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
            step = Step(f"{import_name(module)}:{function.qualname}")
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
                    steps=(*workflow.steps, Step(target)),
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
        ast.parse(code)
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
