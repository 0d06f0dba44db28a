import pytest

from reverie.model.change import Change, FileEdit
from reverie.trials.new_tests import pinned_tests

VERSIONS = frozenset({"3.11.7", "1.2", "8.3.4.dev1"})


def pinned(body: str) -> list[str]:
    source = f"def test_x() -> None:\n    {body}\n\n\ndef test_other():\n    assert 1\n"
    change = Change((FileEdit("tests/test_new.py", None, source),))
    return list(pinned_tests(change, ("tests/test_new.py",), VERSIONS))


@pytest.mark.parametrize(
    "body",
    ['assert version() == "1.2"', 'assert about() == "shop on Python 3.11.7"',
     'assert v == b"x" or v == "8.3.4.dev1"'],
)  # fmt: skip
def test_a_test_that_says_which_version_is_installed_is_named(body: str) -> None:
    assert pinned(body) == ["tests/test_new.py::test_x"]


@pytest.mark.parametrize(
    "body",
    ['assert price() == "1.25"', 'assert parse("13.11.7") == 3', 'assert read("1.2 kg") == 1.2',
     'assert split("3.11.7.1")'],
)  # fmt: skip
def test_numbers_that_only_look_like_one_are_left_alone(body: str) -> None:
    assert pinned(body) == []
