import math

import pytest

from reverie.index.ranking import complexity_of, factors_of, rank, value_of
from reverie.model.outcome import TrustTier
from reverie.model.repository.candidate import (
    CountedTouch,
    CoverageMap,
    Factors,
    FileCoverage,
    ModuleComplexity,
    ModuleHistory,
)
from reverie.model.repository.code import Class, Function, Module


def function(complexity: int, name: str = "f") -> Function:
    return Function(name, name, 1, 2, (), None, (), None, False, False, complexity, 1, 2)


def module(path: str, *complexities: int) -> Module:
    functions = tuple(function(each) for each in complexities)
    return Module("m", path, "", 5, False, TrustTier.TRUSTED, functions=functions)


def past(*weights: float, fixes: int = 0, authors: int = 1) -> ModuleHistory:
    return ModuleHistory(
        tuple(
            CountedTouch(str(n), f"author {n % authors}", 0, weight, n < fixes, False)
            for n, weight in enumerate(weights)
        )
    )


def covered(executed: int, missing: int) -> FileCoverage:
    return FileCoverage(frozenset(range(1, executed + 1)), frozenset(range(100, 100 + missing)))


SIMPLE = ModuleComplexity(1, 3, 3, 1)


def test_the_factors_of_a_module_that_is_known_well() -> None:
    factors = factors_of(SIMPLE, past(1, 1, 0.5, 0.5, fixes=1, authors=2), covered(3, 1))
    assert factors == Factors(change=3.1, fault=2 / 13, spread=1.5, untested=0.25, complexity=2.0)
    assert value_of(factors) == pytest.approx(3.1 * 2 / 13 * 1.5 * 0.25 * 2)


def test_a_factor_that_is_not_known_is_left_out() -> None:
    assert factors_of(SIMPLE, None, None) == Factors(None, None, None, None, 2.0)
    assert value_of(Factors(None, None, None, None, 2.0)) == 2.0
    assert factors_of(SIMPLE, None, covered(0, 0)).untested is None


def test_a_module_that_never_changed_is_worth_something() -> None:
    factors = factors_of(SIMPLE, past(), None)
    assert (factors.change, factors.fault, factors.spread) == (0.1, 0.1, 1.0)


def test_a_module_that_is_tested_whole_is_worth_nothing_more() -> None:
    assert value_of(factors_of(SIMPLE, past(1), covered(5, 0))) == 0


def test_more_of_anything_is_worth_more() -> None:
    base = value_of(factors_of(SIMPLE, past(1, 1), covered(5, 5)))
    assert value_of(factors_of(SIMPLE, past(1, 1, 1), covered(5, 5))) > base
    assert value_of(factors_of(SIMPLE, past(1, 1, fixes=1), covered(5, 5))) > base
    assert value_of(factors_of(SIMPLE, past(1, 1, authors=2), covered(5, 5))) > base
    assert value_of(factors_of(SIMPLE, past(1, 1), covered(4, 6))) > base
    worse = ModuleComplexity(1, 4, 4, 1)
    assert value_of(factors_of(worse, past(1, 1), covered(5, 5))) > base


def test_methods_count_as_functions_do() -> None:
    methods = (function(5, "m"),)
    owner = Class("C", "C", 1, 9, (), (), None, methods)
    whole = Module(
        *("m", "m.py", "", 5, False, TrustTier.TRUSTED),
        functions=(function(2),),
        classes=(owner,),
    )
    assert complexity_of(whole) == ModuleComplexity(2, 7, 5, 2)


def test_the_most_valuable_comes_first_and_equals_by_path() -> None:
    modules = [module("b.py", 1), module("a.py", 1), module("c.py", 7)]
    ranked = rank(modules, None, None, {"a.py": 10})
    assert [each.path for each in ranked] == ["c.py", "a.py", "b.py"]
    assert ranked[0].value == math.log2(8)
    assert [each.lines for each in ranked] == [5, 10, 5]


def test_coverage_and_history_are_taken_by_path() -> None:
    coverage = CoverageMap("x", {"a.py": covered(1, 3)})
    ranked = rank([module("a.py", 1), module("b.py", 1)], {"b.py": past(1)}, coverage, {})
    by_path = {each.path: each.factors for each in ranked}
    assert (by_path["a.py"].untested, by_path["a.py"].change) == (0.75, None)
    assert (by_path["b.py"].untested, by_path["b.py"].change) == (None, 1.1)
