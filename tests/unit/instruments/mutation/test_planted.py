"""What is planted has to be seen, on the way of an import and on the way of a call."""

from typing import Any, cast

import pytest

from reverie.errors import InstrumentUnproven
from reverie.instruments.mutation.controls import prove_in_place
from reverie.instruments.mutation.inside.sites import RAISES
from reverie.instruments.mutation.sandbox_side import (
    FarSide,
    FreshAnswer,
    Order,
    SliceAnswer,
    SliceResult,
)
from reverie.model.measurements.suite import CoverageMap, TestLook

TEST = TestLook(
    id="test_shop.py::test_total", outcome="passed", reason="", cpu_seconds=0.1, is_slow=False,
    starts_processes=False, lines={"shop.py": {"total": frozenset({2})}}, arcs={},
)  # fmt: skip
COVERAGE = CoverageMap((TEST,), {"shop.py": {"<module>": frozenset({1})}}, {}, 0.1)


class Far:
    """A far side whose forks see planted failures on the ways that are given."""

    has_forks = True
    baseline_seconds = 10.0

    def __init__(self, *, sees_imports: bool, sees_calls: bool) -> None:
        self.imports_in_forks = True
        self.seen = {True: sees_imports, False: sees_calls}
        self.fresh: list[str | None] = []

    def serve(self, orders: list[Order], coverage: CoverageMap, **more: Any) -> SliceAnswer:
        found = []
        for each in orders:
            is_killed = each.mutant.number == RAISES and self.seen[each.at_import]
            verdict = "killed" if is_killed else "survived"
            found.append(SliceResult(each.mutant.id, verdict, 0 if is_killed else -1, True))
        return SliceAnswer(tuple(found), ())

    def afresh(self, file: str | None, source: str | None, coverage: CoverageMap) -> FreshAnswer:
        self.fresh.append(file)
        return FreshAnswer(is_killed=file is not None, killer=None, ran=1)


def prove(far: Far) -> CoverageMap:
    return prove_in_place(cast("FarSide", far), COVERAGE).coverage


def test_what_forks_see_needs_no_fresh_process() -> None:
    far = Far(sees_imports=True, sees_calls=True)
    assert prove(far) == COVERAGE
    assert (far.imports_in_forks, far.fresh) == (True, [])


def test_a_module_that_forks_cannot_import_again_is_judged_in_fresh_processes() -> None:
    far = Far(sees_imports=False, sees_calls=True)
    assert prove(far) == COVERAGE
    assert (far.imports_in_forks, far.fresh) == (False, [None, "shop.py"])


def test_a_planted_failure_of_a_call_that_nobody_sees_proves_nothing() -> None:
    with pytest.raises(InstrumentUnproven, match=r"\(call\): survived"):
        prove(Far(sees_imports=True, sees_calls=False))
