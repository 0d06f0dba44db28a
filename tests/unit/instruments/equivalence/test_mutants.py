"""Which mutants of a change are made, and what is not worth one."""

import random

import pytest

from reverie.instruments.equivalence import mutants
from reverie.instruments.equivalence.mutants import Mutant, changes_between, mutants_of
from reverie.instruments.equivalence.pools import Pools
from reverie.instruments.equivalence.search import Progress
from reverie.instruments.equivalence.targets import version_of
from reverie.instruments.mutation.mutant_texts import mutants_of as texts_with_a_mutant

OLD = """
LIMIT = 10

def helper(n):
    return n * 2

def other(n):
    return n * 3

def f(n):
    if n > LIMIT:
        raise ValueError("it is too large: " + str(n + 5))
    total = helper(n)
    return total + 1
"""


def made(old: str, new: str) -> tuple[list[Mutant], list[Mutant]]:
    first, second = version_of(old, "f"), version_of(new, "f")
    return mutants_of(first, second), mutants_of(second, first)


def shown(mutants: list[Mutant]) -> set[str]:
    return {each.shown for each in mutants}


def test_a_change_that_is_a_mutant_is_told_apart_from_mutants_of_it() -> None:
    new = OLD.replace("n > LIMIT", "n >= LIMIT")
    versions = version_of(OLD, "f"), version_of(new, "f")
    (change,) = changes_between(*versions)
    assert (change.shown, change.is_other) == ("n > LIMIT -> n >= LIMIT", True)
    assert change.shown not in shown(mutants_of(*versions))
    rewritten = version_of(new.replace("total + 1", "1 + total"), "f")
    assert changes_between(versions[0], rewritten) == []
    assert changes_between(versions[0], versions[0]) == []


def test_versions_of_one_text_have_no_mutants() -> None:
    assert made(OLD, OLD) == ([], [])


def test_a_small_change_takes_in_the_whole_function_and_nothing_else() -> None:
    old, new = made(OLD, OLD.replace("total + 1", "1 + total"))
    assert "total + 1 -> total - 1" in shown(old)
    assert "1 + total -> 1 - total" in shown(new)
    assert "n > LIMIT -> n >= LIMIT" in shown(new)
    assert not any("n * " in each for each in shown(old) | shown(new))


def test_a_mutant_that_is_the_other_version_is_what_is_compared_anyway() -> None:
    long = "def f(n):\n    return [i + 1 for i in range(0, n)]\n"
    old, new = made(long, long.replace("0, ", ""))
    assert "range(0, n) -> range(n)" not in shown(old)
    assert "i + 1 -> i - 1" in shown(old) & shown(new)


def test_the_words_of_an_error_are_worth_no_mutant() -> None:
    old, _ = made(OLD, OLD.replace("total + 1", "1 + total"))
    assert any(each.operator == "drop_raise" for each in old)
    assert not any("too large" in each and "raise" not in each for each in shown(old))
    assert not any("n + 5 ->" in each for each in shown(old))


def test_a_large_change_counts_by_its_statements() -> None:
    rewritten = OLD.replace(
        "    total = helper(n)\n    return total + 1",
        "    total = helper(n)\n    for each in (4, 5, 6, 7, 8, 9):\n        total += each\n"
        "    return total - 38",
    )
    _, new = made(OLD, rewritten)
    assert any(each.operator == "no_iteration" for each in new)
    assert not any("LIMIT" in each for each in shown(new))


def test_code_behind_a_constant_and_names_of_encodings_are_passed_over() -> None:
    text = "def f(n):\n    debug = False\n    if debug:\n        print(n + 7)\n    return {}\n"
    old, _ = made(text.format("n.encode('utf-8')"), text.format("bytes(n, 'utf-8')"))
    assert not any("n + 7" in each for each in shown(old))
    assert "'utf-8' -> 'UTF-8'" not in shown(old)
    assert "'utf-8' -> 'XXutf-8XX'" in shown(old)


def test_a_mutant_tells_where_it_would_make_a_difference() -> None:
    _, new = made("def f(n):\n    return n\n", "def f(n):\n    return n.split('-', 1)[0]\n")
    limit = next(each for each in new if each.shown == "1 -> (2)" or each.shown == "1 -> 2")
    assert limit.marked is not None
    assert "_rv_mark(lambda: (n.split('-', 1)[0]), lambda: (" in limit.marked
    answer = next(each for each in new if each.operator == "return_none")
    assert answer.marked is not None
    assert "_rv_mark(); return" in answer.marked


def test_known_separators_are_repeated_between_numbers() -> None:
    pools = Pools(random.Random(3))
    assert pools.sentence() is None
    pools.learn_separators("-")
    made_texts = {pools.sentence() for _ in range(400)}
    assert any(
        text is not None
        and [each.isdigit() for each in text.split("-")] == [True] * 3
        and int(text.split("-")[1]) > max(int(text.split("-")[0]), int(text.split("-")[2]))
        for text in made_texts
    )


def test_novelty_is_the_share_of_what_was_seen_once() -> None:
    progress = Progress()
    assert progress.novelty == 1.0
    ways = frozenset({1})
    for number in range(100):
        behaviour = (ways, frozenset({number}) if number % 50 == 0 else ways, "returned ")
        progress.seen[behaviour] += 1
        progress.recent.append(behaviour)
    assert progress.novelty == 0.02


def test_only_where_versions_part_is_looked_and_nothing_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others = [each for each in texts_with_a_mutant(OLD) if each.strip()]
    quick = [shown(changes_between(version_of(OLD, "f"), version_of(each, "f"))) for each in others]
    assert sum(map(bool, quick)) > 5
    monkeypatch.setattr(mutants._Writer, "may_be_other", lambda *_: True)
    slow = [shown(changes_between(version_of(OLD, "f"), version_of(each, "f"))) for each in others]
    assert quick == slow


def test_constants_of_a_class_are_no_part_of_a_method_that_changed() -> None:
    old = """
class Box:
    WORDS = "size"
    MOST = 7

    def f(self, n: int) -> "Box":
        total = n * 2
        return Box(total + self.MOST)
"""
    new = old.replace("total = n * 2\n        return Box(total", "return Box(n * 2")
    versions = version_of(old, "Box.f"), version_of(new, "Box.f")
    assert "n * 2 -> n / 2" in shown(mutants_of(*versions))
    assert not any("size" in each or "7" in each for each in shown(mutants_of(*versions)))
    other = version_of(new.replace("MOST = 7", "MOST = 8"), "Box.f")
    assert any(each.startswith("7 ->") for each in shown(mutants_of(versions[0], other)))
