"""Steps as one function, which the instruments take like any other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.model.repository.code import Module, Parameter, ParameterKind
from reverie.model.workflow import Step
from reverie.workflows.discovery.catalogue import Known
from reverie.workflows.discovery.finding import Surroundings

ENTRY = "reverie_workflow"
_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}
# Without a condition of their own: what is compared are those of the steps.
_SETTLE = """
import asyncio as _reverie_asyncio
import types as _reverie_types

_reverie_settling = {
    _reverie_types.CoroutineType: _reverie_asyncio.run,
    _reverie_types.GeneratorType: list,
}


def _reverie_settle(value):
    return _reverie_settling.get(type(value), lambda same: same)(value)
"""
_ONCE = """
import pickle as _reverie_pickle

_reverie_atoms = dict.fromkeys((int, float, str, bool, bytes, type(None)), lambda same: same)


def _reverie_copy(value):
    return _reverie_pickle.loads(_reverie_pickle.dumps(value))


class _ReverieKnown(dict):
    def __init__(self, function, params):
        self.function, self.params = function, params

    def __missing__(self, key):
        value = _reverie_settle(self.function(_reverie_pickle.loads(key), **self.params))
        self[key] = value
        return value


def _reverie_once(function, items, params):
    known = _ReverieKnown(function, params)
    results = []
    for item in items:
        value = known[_reverie_pickle.dumps(item)]
        results.append(_reverie_atoms.get(type(value), _reverie_copy)(value))
    return results
"""


@dataclass(frozen=True, slots=True)
class Segment:
    """Steps of a workflow, and what goes into the first of them."""

    steps: tuple[Step, ...]
    parameters: tuple[Parameter, ...] | None
    """Of the function; None when it takes what the step before returned."""
    annotation: str | None = None
    """Of what flows in."""


def composed(segment: Segment, around: Surroundings, home: Module | None) -> str:
    """The source of a module with one function that does what the steps do.

    With a `home` its own source comes first, so that what its functions do is seen as well;
    callables of other modules are imported.
    """
    known = [around.catalogue[str(step.target)] for step in segment.steps]
    names = _names(known, home)
    imports = [f"import {name} as {alias}" for name, alias in names.items() if alias is not None]
    body = [f"    {line}" for line in _body(segment, known, names)]
    parts = [
        "" if home is None else around.source(home) or "",
        "\n".join(imports),
        _SETTLE,
        _ONCE if any(step.cached for step in segment.steps) else "",
        "\n".join([f"def {ENTRY}({_signature(segment)}):", *body]),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def flowing_annotation(step: Step, known: Known) -> str | None:
    """The annotation of what flows into a step."""
    first = next((each for each in known.positional if each.name not in step.params), None)
    if first is None or first.annotation is None:
        return None
    return f"list[{first.annotation}]" if step.each else first.annotation


def shared_parameters(old: Known, new: Known, fixed: Iterable[str]) -> tuple[Parameter, ...]:
    """What both first steps take: all that is required, and options under names of both."""
    theirs = {each.name for each in new.parameters}
    return tuple(
        each
        for each in old.parameters
        if each.name not in fixed
        and (each.name in theirs or (each.default is None and each.kind not in _STARS))
    )


def _signature(segment: Segment) -> str:
    if segment.parameters is not None:
        return _written(segment.parameters)
    return "value" + (f": {segment.annotation}" if segment.annotation else "")


def _names(known: Sequence[Known], home: Module | None) -> dict[str, str | None]:
    """Modules by the name that they are imported under; None for the home itself."""
    modules = dict.fromkeys(each.module.name for each in known)
    own = None if home is None else home.name
    return {name: None if name == own else f"_reverie_{at}" for at, name in enumerate(modules)}


def _body(segment: Segment, known: Sequence[Known], names: dict[str, str | None]) -> list[str]:
    lines: list[str] = []
    for at, (step, each) in enumerate(zip(segment.steps, known, strict=True)):
        alias, qualname = names[each.module.name], each.target.partition(":")[2]
        function = qualname if alias is None else f"{alias}.{qualname}"
        if at == 0 and segment.parameters is not None:
            passed = _passed(segment.parameters, step)
            lines.append(f"value = _reverie_settle({function}({passed}))")
        else:
            lines.append(f"value = {_later(step, each, function)}")
    return [*lines, "return value"]


def _later(step: Step, known: Known, function: str) -> str:
    params = _keywords(step)
    if step.cached:
        return f"_reverie_once({function}, value, {dict(step.params)!r})"
    if step.each:
        return f"[_reverie_settle({function}({', '.join(['item', *params])})) for item in value]"
    free = [each for each in known.positional if each.name not in step.params]
    has_star = any(each.kind is ParameterKind.VAR_POSITIONAL for each in known.parameters)
    given = f"{function}({', '.join(['value', *params])})"
    alone = f"{function}({', '.join(params)})"
    if not free and not has_star and known.function is not None:
        return f"_reverie_settle({alone})"
    if free and free[0].default is None:
        return f"_reverie_settle({given})"
    return f"_reverie_settle({alone} if value is None else {given})"


def _keywords(step: Step) -> list[str]:
    return [f"{name}={value!r}" for name, value in step.params.items()]


def _passed(parameters: Sequence[Parameter], step: Step) -> str:
    """The function's parameters, handed through, and what is laid down for the step."""
    by_name = (ParameterKind.KEYWORD_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
    parts = []
    for each in parameters:
        if each.kind in by_name and (each.default is not None or each.kind is by_name[0]):
            parts.append(f"{each.name}={each.name}")
        else:
            parts.append(_STARS.get(each.kind, "") + each.name)
    parts += _keywords(step)
    return ", ".join(sorted(parts, key=lambda part: part.startswith("**")))


def _written(parameters: Sequence[Parameter]) -> str:
    """Parameters as they are written; defaults stand for themselves."""
    parts: list[str] = []
    for at, each in enumerate(parameters):
        before = parameters[at - 1].kind if at else None
        if each.kind is ParameterKind.KEYWORD_ONLY and before not in (
            ParameterKind.KEYWORD_ONLY,
            ParameterKind.VAR_POSITIONAL,
        ):
            parts.append("*")
        text = _STARS.get(each.kind, "") + each.name
        text += f": {each.annotation}" if each.annotation else ""
        parts.append(text + (f" = {each.default}" if each.default is not None else ""))
        after = parameters[at + 1].kind if at + 1 < len(parameters) else None
        if each.kind is ParameterKind.POSITIONAL_ONLY and after is not each.kind:
            parts.append("/")
    return ", ".join(parts)
