"""A scenario as one Python expression that shows the difference, and as a script to run."""

import ast
from dataclasses import replace

from reverie.instruments.equivalence.compare import Difference
from reverie.instruments.equivalence.program import interleaving_source
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.targets import Version
from reverie.model.call import Call, combine
from reverie.model.equivalence import DifferenceKind

_DISTURBANCES = {"List": "{0}.append({0}[0])", "Dict": "{0}.pop(next(iter({0})))"}

_MOVING = "__import__('os').environ.update(TZ={!r}), __import__('time').tzset()"
_LIMITING = "(lambda r: r.setrlimit(r.RLIMIT_AS, (1 << 29, 1 << 29)))(__import__('resource'))"
_CATCHING = "__import__('unittest').TestCase().assertRaises"


def expression_of(
    scenario: Scenario, found: Difference, qualname: str, told: tuple[int, ...] = ()
) -> str:
    """The calls as one expression for the namespace of either version.

    `told` are the positions of callbacks: where their calls make the difference, they are logged.
    """
    steps = scenario.steps
    if found.kind is DifferenceKind.THREADS:
        calls = (f"lambda: {step.call.render(qualname)}" for step in steps)
        return f"sorted(interleavings({', '.join(calls)}))"
    shares = "<again" in found.old.value + found.new.value
    alias = _alias(found) if found.kind is DifferenceKind.ALIASING or shares else ""
    if len(steps) > 1:
        told_so = _several(steps, found, qualname, alias)
    elif found.kind is DifferenceKind.EFFECTS and _is_plain(steps[0]) and told:
        told_so = _logged(steps[0].call, qualname, told)
    elif found.kind is DifferenceKind.ARGUMENTS and found.old.outcome == "raised":
        told_so = _after_an_error(steps[0], qualname)
    else:
        told_so = _single(steps[0], found.kind, alias, qualname)
    before = [_MOVING.format(steps[0].zone)] if steps[0].zone else []
    before += [_LIMITING] if found.kind is DifferenceKind.MEMORY else []
    return f"({', '.join((*before, told_so))})[-1]" if before else told_so


def _several(steps: tuple[Step, ...], found: Difference, qualname: str, alias: str) -> str:
    """All calls, one after the other; those that are known to raise do not end it."""
    calls = []
    for number, step in enumerate(steps):
        name, call = step.callee or qualname, step.call
        if any(each.is_shared for each in steps) and call.receiver is not None:
            call = replace(call, receiver=call.receiver.replaced("self"))
        said = call.render(name)
        calls.append(f"{_CATCHING}(Exception, lambda: {said})" if number in found.failed else said)
    told = f"({', '.join(calls)})"
    if alias:
        names = ", ".join(f"r{number}" for number in range(len(steps)))
        told = f"(lambda {names}: {alias}){told}"
    shared = next((each.call.receiver for each in steps if each.is_shared), None)
    return told if shared is None else f"(lambda self: {told})({shared.source})"


def _alias(found: Difference) -> str:
    """An identity that holds in one version only, if source can say it."""
    either = set(found.old.aliases) ^ set(found.new.aliases)
    told = sorted((each for each in either if "…" not in each), key=len)
    return told[0] if told else ""


def _single(step: Step, kind: DifferenceKind, alias: str, qualname: str) -> str:
    call, name = step.call, step.callee or qualname
    if call.receiver is not None or not call.args:
        return call.render(name)
    given = [f"a{place}" for place in range(len(call.args))]
    if step.aliased is not None:
        given[step.aliased[1]] = given[step.aliased[0]]
    keywords = [f"{key}={value.source}" for key, value in call.kwargs]
    result = f"{name}({', '.join((*given, *keywords))})"
    names = ", ".join(dict.fromkeys(given))
    sources = dict(zip(reversed(given), reversed(call.args), strict=True))
    values = ", ".join(sources[each].source for each in dict.fromkeys(given))
    if step.is_brief:
        left = f"[list(a) if hasattr(a, '__next__') else a for a in ({names},)]"
        body = f"(lambda r: (next(r, None), getattr(r, 'close', bool)(), {left}))({result})"
    elif step.is_late:
        body = f"(lambda r: ({''.join(_disturbed(call))}list(r))[-1])({result})"
    elif alias:
        body = f"(lambda r: {alias})({result})"
    elif kind is DifferenceKind.ARGUMENTS or step.aliased is not None:
        body = f"({result}, {names})"
    else:
        return call.render(name)
    return f"(lambda {names}: {body})({values})"


def _is_plain(step: Step) -> bool:
    return step.call.receiver is None and step.aliased is None and not step.is_late


def _logged(call: Call, name: str, told: tuple[int, ...]) -> str:
    """The call with callbacks that write down what they are told, and when an item was drawn."""
    given = [
        f"(lambda *given: (log.append(({place}, given)), ({each.source})(*given))[1])"
        if place in told
        else each.source
        for place, each in enumerate(call.args)
    ]
    given += [f"{key}={value.source}" for key, value in call.kwargs]
    drawn = "[log.append(each) for each in r] if hasattr(r, '__next__') else r"
    return f"(lambda log: ((lambda r: {drawn})({name}({', '.join(given)})), log))([])"


def _after_an_error(step: Step, name: str) -> str:
    """What an error leaves of the arguments."""
    call = step.call
    if not _is_plain(step) or not call.args:
        return call.render(name)
    names = ", ".join(f"a{place}" for place in range(len(call.args)))
    keywords = "".join(f", {key}={value.source}" for key, value in call.kwargs)
    caught = f"{_CATCHING}(BaseException, {name}, {names}{keywords})"
    values = ", ".join(each.source for each in call.args)
    return f"(lambda {names}: ({caught}, {names}))({values})"


def _disturbed(call: Call) -> list[str]:
    forms = [type(ast.parse(each.source, mode="eval").body).__name__ for each in call.args]
    return [
        _DISTURBANCES[form].format(f"a{place}") + ", "
        for place, form in enumerate(forms)
        if form in _DISTURBANCES
    ]


def script_of(scenario: Scenario, expression: str, old: Version, new: Version) -> str:
    """`python repro.py [OLD NEW]` evaluates the expression in both and prints what happened."""
    needs = combine("", [part for step in scenario.steps for part in step.call.expressions()])
    helper = interleaving_source() if "interleavings(" in expression else ""
    setup = "\n".join(filter(None, (helper, Call((needs,)).preamble)))
    modules = [each.module if "." in each.module else each.path for each in (old, new)]
    roots = list(dict.fromkeys((*old.roots, *new.roots)))
    return f'''"""python repro.py [OLD.py NEW.py]: the same expression on both versions."""
import asyncio
import importlib
import inspect
import runpy
import sys

sys.path[:0] = {roots!a}
SETUP = {setup!a}
EXPRESSION = {expression!a}
for place in sys.argv[1:] or {modules!a}:
    is_file = place.endswith(".py")
    namespace = runpy.run_path(place) if is_file else dict(vars(importlib.import_module(place)))
    exec(SETUP, namespace)
    try:
        value = eval(EXPRESSION, namespace)
        value = asyncio.run(value) if inspect.iscoroutine(value) else value
        shown = list(value) if hasattr(value, "__next__") else value
        print(place, "returned", type(value).__name__, repr(shown))
    except BaseException as error:
        print(place, "raised", type(error).__name__, error)
'''
