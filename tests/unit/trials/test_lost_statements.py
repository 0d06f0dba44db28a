from reverie.model.change import FileEdit
from reverie.model.measurements.suite import CoverageMap
from reverie.trials.suites import MeasuredTree, lost_statements


def lost(before: str, ran_before: set[int], after: str, ran_after: set[int]) -> list[str]:
    trees = [
        MeasuredTree(None, CoverageMap((), {"shop.py": {"": frozenset(ran)}}, {}, 0.0))
        for ran in (ran_before, ran_after)
    ]
    edit = FileEdit("shop.py", before, after)
    return list(lost_statements(trees[0], trees[1], [edit]))


OLD = """def f(a):
    if a < 0:
        raise ValueError("negative: " + str(a))
    b = a * 2
    return b
"""


def test_code_that_was_not_run_may_be_written_otherwise() -> None:
    new = OLD.replace(
        'raise ValueError("negative: " + str(a))',
        'raise ValueError(\n            f"negative: {a}"\n        )',
    )
    assert lost(OLD, {2, 4, 5}, new, {2, 6, 7}) == []


def test_code_that_is_no_longer_run_is_named() -> None:
    assert lost(OLD, {2, 4, 5}, OLD, {2, 5}) == ["shop.py:4"]


def test_new_code_that_nobody_runs_is_named() -> None:
    new = OLD.replace("    b = a * 2\n", "    if a == 77:\n        a = 0\n    b = a * 2\n")
    assert lost(OLD, {2, 4, 5}, new, {2, 4, 6, 7}) == ["shop.py:5"]


def test_new_code_in_the_place_of_code_that_was_run_has_to_be_run() -> None:
    old = "def f(a):\n    b = a * 2\n    return b\n"
    new = "def f(a):\n    return (\n        a * 2\n    )\n"
    assert lost(old, {2, 3}, new, {2, 3}) == []
    assert lost(old, {2, 3}, new, set()) == ["shop.py:2"]


def test_a_statement_that_moved_into_a_helper_is_compared_with_itself() -> None:
    new = """def f(a):
    _check(a)
    b = a * 2
    return b


def _check(a):
    if a < 0:
        raise ValueError("negative: " + str(a))
"""
    assert lost(OLD, {2, 4, 5}, new, {2, 3, 4, 8}) == []
