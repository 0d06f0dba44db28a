"""Paired times of a workflow and its variant, on the workflow's own data or on made-up inputs."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.inputs import calls_for, read
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.plan import Effort
from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.model.benchmark import Benchmark, RequiredGain
from reverie.model.code import Parameter, ParameterKind
from reverie.model.workflow import Workflow
from reverie.sandbox.engine import Sandbox
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.composition import ENTRY, Segment, composed, shared_parameters
from reverie.workflows.places import search_roots

_SIZE = 300
_GENERATED_CALLS = 64
_MAKER = "make_input"
_GIVEN = (Parameter("given", ParameterKind.VAR_KEYWORD),)
_PATHS = """from __future__ import annotations

import sys

sys.path[:0] = [each for each in {roots!r} if each not in sys.path]

"""
_OWN = """
import copy
import os
import tempfile

_FILES = {files!r}
_GIVEN = {given!r}
_PLACE = tempfile.mkdtemp()
os.chdir(_PLACE)
for _name, _text in _FILES.items():
    _path = os.path.join(_PLACE, _name.lstrip("/"))
    os.makedirs(os.path.dirname(_path), exist_ok=True)
    with open(_path, "w", encoding="utf-8", newline="") as _file:
        _file.write(_text)


def make_input(n, seed):
    return (), copy.deepcopy(_GIVEN[seed % len(_GIVEN)])
"""
_MADE_UP = """
import random as _chance

import {module} as _home

globals().update({{name: each for name, each in vars(_home).items() if name[:2] != "__"}})
{preamble}
_CALLS = [{calls}]


def _given(*args, **kwargs):
    return args, kwargs


def make_input(n, seed):
    return _CALLS[seed % len(_CALLS)](n, seed, _chance.Random(seed))
"""


def compare_workflows(
    sandbox: Sandbox,
    around: Surroundings,
    pair: tuple[Workflow, Workflow],
    inputs: Sequence[Mapping[str, Any]],
    effort: Effort,
    seed: int = 0,
) -> Benchmark:
    """Both from the first step to the last, in pairs; `UsageError` where they cannot be timed."""
    firsts = [around.catalogue[each.targets[0]] for each in pair]
    shared = shared_parameters(firsts[0], firsts[1], pair[0].steps[0].params)
    needed = tuple(each for each in shared if each.default is None)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        parameters = _GIVEN if inputs else needed
        old, new = (
            _target(folder, name, composed(Segment(each.steps, parameters), around, None), around)
            for name, each in zip(("workflow_before", "workflow_after"), pair, strict=True)
        )
        maker = _own(pair[0], inputs) if inputs else _made_up(pair[0], needed, around, seed)
        made = _target(folder, "workflow_inputs", maker, around)
        # Its root is the repository, which is so shown inside; its file is seen with the others.
        shown = replace(made, root=str(around.repository.absolute()), attribute=_MAKER)
        comparison = Comparison(old, new, Inputs(shown), _SIZE, seed)
        return compare_speed(sandbox, comparison, RequiredGain(), effort)


def _target(folder: Path, name: str, source: str, around: Surroundings) -> CallableTarget:
    file = folder / f"{name}.py"
    roots = list(search_roots(around.repository))
    file.write_text(_PATHS.format(roots=roots) + source, "utf-8")
    return CallableTarget(str(file), name, str(folder), ENTRY)


def _own(workflow: Workflow, inputs: Sequence[Mapping[str, Any]]) -> str:
    """The workflow's own files and arguments."""
    given = [dict(each) for each in inputs]
    return _OWN.format(files=dict(workflow.test_data), given=given)


def _made_up(
    workflow: Workflow, needed: tuple[Parameter, ...], around: Surroundings, seed: int
) -> str:
    """Arguments by the annotations of the first step: growing where those say enough."""
    home = around.catalogue[workflow.targets[0]].module
    source = composed(Segment(workflow.steps[:1], needed), around, home)
    growing = growing_calls(source, ENTRY)
    calls, preamble = list(growing), ""
    if not calls:
        shape = read(source, ENTRY, module=home.name)
        found = calls_for(shape, seed=seed, count=_GENERATED_CALLS, edges=False)
        calls = [f"_given({call.arguments})" for call in found]
        preamble = "\n".join(dict.fromkeys(call.preamble for call in found))
    if not calls:
        raise UsageError(
            f"no inputs for {workflow.targets[0]!r}: declare params for {workflow.name}"
        )
    listed = ", ".join(f"lambda n, seed, random: {call}" for call in calls)
    return _MADE_UP.format(module=home.name, preamble=preamble, calls=listed)
