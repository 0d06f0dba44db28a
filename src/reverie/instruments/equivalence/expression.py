"""A scenario as one Python expression, and as a script that anyone can run."""

from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.targets import Version
from reverie.model.call import Call, combine
from reverie.model.equivalence import DifferenceKind


def expression_of(scenario: Scenario, qualname: str, kind: DifferenceKind) -> str:
    """The calls as one expression for the namespace of either version."""
    steps = scenario.steps
    if len(steps) == 1:
        return _single(steps[0], qualname, kind)
    if kind is DifferenceKind.ALIASING:
        *first, last = [_rendered(each, qualname) for each in steps]
        told = ", ".join((*first, last))
        return f"(lambda *r: [a is b for a in r for b in r])({told})"
    return "(" + ", ".join(_rendered(each, qualname) for each in steps) + ")"


def _rendered(step: Step, qualname: str) -> str:
    return step.call.render(step.callee or qualname)


def _single(step: Step, qualname: str, kind: DifferenceKind) -> str:
    call = step.call
    name = step.callee or qualname
    if step.aliased is not None:
        given = ["x" if n in step.aliased else each.source for n, each in enumerate(call.args)]
        given += [f"{key}={value.source}" for key, value in call.kwargs]
        shared = call.args[step.aliased[0]].source
        return f"(lambda x: ({name}({', '.join(given)}), x))({shared})"
    if kind is DifferenceKind.ALIASING and call.args and call.receiver is None:
        given = [f"a{place}" for place in range(len(call.args))]
        keywords = "".join(f", {key}={value.source}" for key, value in call.kwargs)
        result = f"{name}({', '.join(given)}{keywords})"
        values = ", ".join(each.source for each in call.args)
        shown = ", ".join(f"r is {each}" for each in given)
        return f"(lambda {', '.join(given)}: (lambda r: ({shown}, r))({result}))({values})"
    return call.render(name)


def preamble_of(scenario: Scenario) -> str:
    """Imports and definitions that the expression needs."""
    needs = combine("", [part for step in scenario.steps for part in step.call.expressions()])
    return Call((needs,)).preamble


def script_of(scenario: Scenario, expression: str, old: Version, new: Version) -> str:
    """`python repro.py OLD NEW` evaluates the expression in both and prints what happened."""
    preamble = preamble_of(scenario)
    setup = f"{preamble}\n" if preamble else ""
    return f'''"""python repro.py OLD.py NEW.py: the same expression on both versions."""
import asyncio
import inspect
import runpy
import sys

SETUP = {setup!r}
EXPRESSION = {expression!r}
for path in sys.argv[1:] or ({old.path!r}, {new.path!r}):
    namespace = runpy.run_path(path)
    exec(SETUP, namespace)
    try:
        value = eval(EXPRESSION, namespace)
        value = asyncio.run(value) if inspect.iscoroutine(value) else value
        shown = list(value) if hasattr(value, "__next__") else value
        print(path, "returned", type(value).__name__, repr(shown))
    except BaseException as error:
        print(path, "raised", type(error).__name__, error)
'''
