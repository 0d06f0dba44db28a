"""Which rewritten functions are mutated before and after a refactoring."""

from types import SimpleNamespace
from typing import Any, cast

from reverie.model.change import Change, FileEdit
from reverie.model.settings.judgement import GuardSection
from reverie.trials.changed import changed_code
from reverie.trials.refactoring_trial import RefactoringTrial

BEFORE = "def f(x):\n n = len(x)\n return x.size\ndef g(x):\n return x + 1\n"
AFTER = "def f(x):\n return x.size\ndef g(x):\n return 1 + x\n"


def names_to_mutate(*edits: FileEdit) -> tuple[str, ...]:
    trial = SimpleNamespace(
        trees=SimpleNamespace(change=Change(edits)), plan=SimpleNamespace(section=GuardSection())
    )
    code = changed_code(BEFORE, AFTER)
    return RefactoringTrial._names_to_mutate(cast(Any, trial), code)


def test_what_takes_the_same_steps_is_not_mutated() -> None:
    assert names_to_mutate(FileEdit("shop.py", BEFORE, AFTER)) == ("g",)


def test_all_of_it_is_mutated_where_tests_change_as_well() -> None:
    tests = FileEdit("tests/test_shop.py", "def test_f(): assert 1\n", "def test_f(): pass\n")
    assert names_to_mutate(FileEdit("shop.py", BEFORE, AFTER), tests) == ("f", "g")
