from dataclasses import replace

import pytest

from reverie.instruments.equivalence.scenario import (
    Difference,
    Lens,
    Trace,
    first_difference,
    is_which_of_equals,
)
from reverie.model.measurements.equivalence import DifferenceKind, Observation

SAME = Observation("returned", "1", arguments=("[]",), seconds=0.01)
LENS = Lens()


def kind(old: Observation, new: Observation, lens: Lens = LENS) -> DifferenceKind | None:
    found = first_difference(Trace((old,)), Trace((new,)), lens)
    return None if found is None else found.kind


def test_equal_observations_do_not_differ() -> None:
    assert kind(SAME, replace(SAME, seconds=0.4, message="other words")) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"value": "1.0"}, DifferenceKind.VALUE),
        ({"arguments": ("[1]",)}, DifferenceKind.ARGUMENTS),
        ({"stdout": "x"}, DifferenceKind.STDOUT),
        ({"stderr": "x"}, DifferenceKind.STDERR),
        ({"effects": (("call", "f(1)"),)}, DifferenceKind.EFFECTS),
        ({"files": "a:1"}, DifferenceKind.FILES),
        ({"globals": "A=1"}, DifferenceKind.GLOBALS),
        ({"aliases": ("r is a0",)}, DifferenceKind.ALIASING),
        ({"outcome": "raised", "value": "KeyError"}, DifferenceKind.EXCEPTION),
        ({"outcome": "timeout"}, DifferenceKind.TERMINATION),
    ],
)
def test_each_kind_of_difference_is_named(
    change: dict[str, object], expected: DifferenceKind
) -> None:
    assert kind(SAME, replace(SAME, **change)) is expected  # type: ignore[arg-type]
    assert kind(SAME, replace(SAME, **change), Lens(ignored=frozenset({expected}))) is None  # type: ignore[arg-type]


def test_exceptions_differ_by_type_and_not_by_message() -> None:
    error = Observation("raised", "KeyError", "'a'")
    assert kind(error, replace(error, message="'b'")) is None
    assert kind(error, replace(error, value="ValueError")) is DifferenceKind.EXCEPTION


def test_a_misfit_of_the_old_version_is_excused_unless_types_are_declared() -> None:
    misfit = Observation("raised", "TypeError", is_misfit=True)
    assert kind(misfit, SAME) is None
    assert kind(misfit, SAME, Lens(excuses_misfits=False)) is DifferenceKind.EXCEPTION
    assert kind(SAME, misfit) is DifferenceKind.EXCEPTION


def test_an_old_version_that_is_too_slow_proves_nothing() -> None:
    assert kind(Observation("timeout"), SAME) is None
    slow = replace(SAME, seconds=0.9)
    assert kind(slow, Observation("timeout")) is None


def test_what_could_not_be_made_is_no_difference() -> None:
    assert kind(Observation("unmade"), SAME) is None
    assert kind(SAME, Observation("unmade")) is None


@pytest.mark.parametrize("full", [Observation("raised", "MemoryError"), Observation("lost")])
def test_running_out_of_memory_counts_where_the_old_version_ends_at_once(full: Observation) -> None:
    assert kind(SAME, full) is DifferenceKind.MEMORY
    assert kind(replace(SAME, seconds=0.5), full) is None
    assert kind(full, SAME) is None


def test_the_end_of_the_stack_is_nothing_that_the_old_version_promises() -> None:
    deep = Observation("raised", "RecursionError")
    assert kind(deep, SAME) is None
    assert kind(deep, Observation("timeout")) is None
    assert kind(replace(deep, is_deliberate=True), SAME) is DifferenceKind.EXCEPTION
    assert kind(SAME, deep) is DifferenceKind.EXCEPTION


def test_the_first_step_that_differs_is_told() -> None:
    old = Trace((SAME, SAME))
    found = first_difference(old, Trace((SAME, replace(SAME, value="2"))), LENS)
    assert found is not None
    assert (found.step, found.new.value) == (1, "2")


@pytest.mark.parametrize(
    ("given", "old", "new", "is_convention"),
    [
        (("<Graph items=<iterator 1, 2, >>", "[True, 1.0]"), "(1, 2)", "(True, 2)", True),
        (("<Graph items=<iterator 1, 2, >>", "[True]"), "(1, 2)", "(True, 2)", True),
        (("[0, False]",), "[0]", "[False]", True),
        (("[True, 1]",), "['True']", "['1']", False),
        (("[True, 1]",), "[1]", "[1, True]", False),
        (("[True, 1]",), "[1]", "[2]", False),
        (("[True, 1]",), "[True]", "[1.0]", False),
        (("[0.0, -0.0, 0]",), "[0.0]", "[-0.0]", False),
        (("[True, False]",), "[True, False]", "[1, 0]", False),
        (("['1', True]",), "True", "1", False),
    ],
)
def test_which_of_equal_numbers_that_are_handed_over_is_taken_is_nothing_that_is_promised(
    given: tuple[str, ...], old: str, new: str, is_convention: bool
) -> None:
    before = Observation("returned", old, arguments=given)
    found = Difference(DifferenceKind.VALUE, 0, before, replace(before, value=new))
    assert is_which_of_equals(found) is is_convention
    assert not is_which_of_equals(replace(found, kind=DifferenceKind.STDOUT))


def test_equal_numbers_that_are_given_by_themselves_are_told_apart() -> None:
    """Fraud: `max(low, min(value, high))` gives the limit where an equal value was given."""
    before = Observation("returned", "1.0", arguments=("1.0", "1", "3"))
    found = Difference(DifferenceKind.VALUE, 0, before, replace(before, value="1"))
    assert not is_which_of_equals(found)
