import subprocess
import sys
from pathlib import Path

import pytest

from reverie.instruments.equivalence.counterexamples import expression_of, script_of
from reverie.instruments.equivalence.scenario import Difference, Scenario, Step
from reverie.instruments.equivalence.targets import version_of
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import DifferenceKind, Observation

CALL = Call((Expression("[1]"), Expression("2")), (("k", Expression("3")),))


def told(scenario: Scenario, kind: DifferenceKind, *aliases: str) -> str:
    new = Observation("returned", aliases=aliases)
    return expression_of(scenario, Difference(kind, 0, Observation("returned"), new), "f")


@pytest.mark.parametrize(
    ("scenario", "kind", "aliases", "expected"),
    [
        (Scenario.of(CALL), DifferenceKind.VALUE, (), "f([1], 2, k=3)"),
        (Scenario.of(CALL, CALL), DifferenceKind.VALUE, (), "(f([1], 2, k=3), f([1], 2, k=3))"),
        (
            Scenario.of(CALL),
            DifferenceKind.ARGUMENTS,
            (),
            "(lambda a0, a1: (f(a0, a1, k=3), a0, a1))([1], 2)",
        ),
        (
            Scenario.of(CALL),
            DifferenceKind.ALIASING,
            ("r[0] is a0",),
            "(lambda a0, a1: (lambda r: r[0] is a0)(f(a0, a1, k=3)))([1], 2)",
        ),
        (
            Scenario.of(CALL, CALL),
            DifferenceKind.ALIASING,
            ("r1 is r0",),
            "(lambda r0, r1: r1 is r0)(f([1], 2, k=3), f([1], 2, k=3))",
        ),
        (
            Scenario((Step(Call((Expression("[1]"), Expression("[2]"))), aliased=(0, 1)),)),
            DifferenceKind.VALUE,
            (),
            "(lambda a0: (f(a0, a0), a0))([1])",
        ),
    ],
)
def test_the_expression_shows_the_difference(
    scenario: Scenario, kind: DifferenceKind, aliases: tuple[str, ...], expected: str
) -> None:
    assert told(scenario, kind, *aliases) == expected


def test_the_script_runs_on_both_versions(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text("def f(x):\n    return x\n")
    new.write_text("def f(x):\n    raise ValueError(x)\n")
    scenario = Scenario.of(Call((Expression("decimal.Decimal('1')", frozenset({"decimal"})),)))
    versions = [version_of(path.read_text(), "f", str(path)) for path in (old, new)]
    script = tmp_path / "repro.py"
    script.write_text(script_of(scenario, told(scenario, DifferenceKind.VALUE), *versions))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{old} returned Decimal Decimal('1')\n{new} raised ValueError 1\n"


def difference(kind: DifferenceKind, outcome: str = "returned") -> Difference:
    return Difference(kind, 0, Observation(outcome), Observation(outcome))


def test_calls_of_a_callback_are_logged_in_order_with_the_items_drawn() -> None:
    def f(items: list[int], emit: object) -> object:
        assert callable(emit)
        yield from (emit(each) for each in items)

    call = Call((Expression("[1, 2]"), Expression("lambda n: -n")))
    found = difference(DifferenceKind.EFFECTS)
    source = expression_of(Scenario.of(call), found, "f", told=(1,))
    assert eval(source, {"f": f})[1] == [(1, (1,)), -1, (1, (2,)), -2]


def test_what_an_error_leaves_of_the_arguments_is_shown() -> None:
    def f(items: list[int], k: int) -> None:
        items.append(k)
        raise ValueError

    call = Call((Expression("[1]"),), (("k", Expression("3")),))
    found = difference(DifferenceKind.ARGUMENTS, "raised")
    assert eval(expression_of(Scenario.of(call), found, "f"), {"f": f}) == (None, [1, 3])


def test_an_iterator_that_is_closed_early_shows_what_was_left() -> None:
    def f(items: list[int], log: list[str]) -> object:
        try:
            yield from items
        finally:
            log.append("closed")

    call = Call((Expression("iter([1, 2, 3])"), Expression("[]")))
    scenario = Scenario((Step(call, is_brief=True),))
    source = expression_of(scenario, difference(DifferenceKind.ARGUMENTS), "f")
    assert eval(source, {"f": f}) == (1, None, [[2, 3], ["closed"]])


def on_meter(name: str, *arguments: str) -> Step:
    call = Call(tuple(map(Expression, arguments)), receiver=Expression("Meter(3)"))
    return Step(call, callee=f"Meter.{name}", is_shared=name != "first")


def test_steps_on_one_object_share_it_and_errors_do_not_end_it() -> None:
    scenario = Scenario((on_meter("first", "1"), on_meter("fail"), on_meter("mean")))
    seen = Observation("returned")
    found = Difference(DifferenceKind.VALUE, 2, seen, seen, failed=(1,))
    caught = "__import__('unittest').TestCase().assertRaises(Exception, lambda: self.fail())"
    assert expression_of(scenario, found, "Meter.add") == (
        f"(lambda self: (self.first(1), {caught}, self.mean()))(Meter(3))"
    )


def test_the_time_zone_is_set_before() -> None:
    scenario = Scenario((Step(CALL, zone="XST+3"),))
    shown = told(scenario, DifferenceKind.VALUE)
    assert shown.startswith("(__import__('os').environ.update(TZ='XST+3'), ")
    assert shown.endswith(", f([1], 2, k=3))[-1]")


def test_calls_that_overlap_bring_their_own_setup(tmp_path: Path) -> None:
    scenario = Scenario.of(Call((Expression("[1]"),)), Call((Expression("[2]"),)))
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text("def f(x):\n    y = list(x)\n    return y\n")
    new.write_text("y = []\ndef f(x):\n    y[:] = x\n    return list(y)\n")
    versions = [version_of(path.read_text(), "f", str(path)) for path in (old, new)]
    script = tmp_path / "repro.py"
    script.write_text(script_of(scenario, told(scenario, DifferenceKind.THREADS), *versions))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    alone, disturbed = ran.stdout.splitlines()
    assert alone == f"{old} returned list [('[1]', '[2]')]"
    assert disturbed == f"{new} returned list [('[1]', '[2]'), ('[2]', '[2]')]"
