"""Which changed files hold tests that a change of code may not touch."""

import pytest

from reverie.model.change import Change, FileEdit
from reverie.trials.refactoring_trial import touched_tests

CODE = 'def two():\n    """It is two.\n\n    >>> two()\n    2\n    """\n    return 1 + 1\n'


@pytest.mark.parametrize(
    ("path", "before", "after", "is_touched"),
    [
        ("shop.py", CODE, CODE.replace("1 + 1", "2"), False),
        ("shop.py", CODE, CODE.replace("It is two.", "2."), True),
        ("shop.py", CODE, CODE.replace(">>> two()\n    2\n", ""), True),
        ("shop.py", CODE, None, True),
        ("tests/test_shop.py", CODE, CODE.replace("1 + 1", "2"), True),
        ("shop.py", CODE + "__test__ = {}\n", CODE, True),
        ("README.md", ">>> two()\n2\n", ">>> two()\n3\n", True),
    ],
)
def test_examples_are_tests_and_the_code_around_them_is_not(
    path: str, before: str, after: str | None, is_touched: bool
) -> None:
    change = Change((FileEdit(path, before, after),))
    assert list(touched_tests(change, {path})) == ([path] if is_touched else [])
    assert not list(touched_tests(change, {"tests/test_other.py"}))
