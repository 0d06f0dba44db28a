"""What the path of a file says about it."""

import pytest

from reverie.index.paths import is_test_path


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("tests/shop.py", True),
        ("shop/test_till.py", True),
        ("test.py", True),
        ("shop/tests.py", True),
        ("src/shop/test.py", False),
        ("shop/latest.py", False),
    ],
)
def test_a_file_is_one_of_tests_by_its_name_or_its_folder(path: str, answer: bool) -> None:
    assert is_test_path(path) is answer
