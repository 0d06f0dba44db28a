"""The expected value of a test, module by module.

    value = change * fault * spread * untested * complexity

`change` * `fault` is how many faulty changes to expect, `untested` the share of them that no test
would see; `spread` and `complexity` say how easily a change goes wrong. A factor that is not known
is left out of the product.
"""

import math
from collections.abc import Mapping, Sequence

from reverie.model.candidate import (
    Candidate,
    Factors,
    ModuleComplexity,
    ModuleHistory,
)
from reverie.model.code import Function, Module
from reverie.model.coverage import CoverageMap, FileCoverage

FORMULA = "value = change * fault * spread * untested * complexity"
CHANGE_PRIOR = 0.1
"""Nothing is sure never to change again."""
FAULT_PRIOR = (1.0, 9.0)
"""Beta prior: before anything is known, one change in ten goes wrong."""


def rank(
    modules: Sequence[Module],
    histories: Mapping[str, ModuleHistory] | None,
    coverage: CoverageMap | None,
    line_counts: Mapping[str, int],
) -> tuple[Candidate, ...]:
    """The modules, most valuable first; equals by path."""
    candidates = [
        _candidate(
            module,
            None if histories is None else histories.get(module.path),
            None if coverage is None else coverage.files.get(module.path),
            line_counts.get(module.path, module.loc),
        )
        for module in modules
    ]
    return tuple(sorted(candidates, key=lambda each: (-each.value, each.path)))


def functions_of(module: Module) -> list[Function]:
    """The functions of a module and the methods of its classes."""
    return [*module.functions, *(each for owner in module.classes for each in owner.methods)]


def complexity_of(module: Module) -> ModuleComplexity:
    """What the index knows of a module's functions, summed up."""
    functions = functions_of(module)
    return ModuleComplexity(
        functions=len(functions),
        total=sum(each.complexity for each in functions),
        highest=max((each.complexity for each in functions), default=0),
        cognitive=sum(each.cognitive for each in functions),
    )


def factors_of(
    complexity: ModuleComplexity, history: ModuleHistory | None, coverage: FileCoverage | None
) -> Factors:
    """The factors of a value, each from one thing that was measured."""
    change = fault = spread = None
    if history is not None:
        change = CHANGE_PRIOR + history.churn
        fault = (FAULT_PRIOR[0] + history.faults) / (sum(FAULT_PRIOR) + history.churn)
        share = history.main_author_share
        spread = 1.0 if share is None else 2.0 - share
    share = None if coverage is None else coverage.share
    return Factors(
        change=change,
        fault=fault,
        spread=spread,
        untested=None if share is None else 1.0 - share,
        complexity=math.log2(1 + complexity.total),
    )


def value_of(factors: Factors) -> float:
    """The product of the factors that are known."""
    known = (factors.change, factors.fault, factors.spread, factors.untested, factors.complexity)
    return math.prod(factor for factor in known if factor is not None)


def _candidate(
    module: Module, history: ModuleHistory | None, coverage: FileCoverage | None, lines: int
) -> Candidate:
    complexity = complexity_of(module)
    factors = factors_of(complexity, history, coverage)
    return Candidate(
        module=module.name,
        path=module.path,
        lines=lines,
        value=value_of(factors),
        factors=factors,
        complexity=complexity,
        history=history,
        coverage=coverage,
    )
