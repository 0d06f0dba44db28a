from pathlib import Path

import pytest

from reverie.dreamers.enrich.writing.habits import Framework, Habits, find_habits, named_files_alone

_CASE = "import unittest\n\n\nclass ThingTest(unittest.TestCase):\n    def test_it(self): ...\n"
_FUNCTION = "import pytest\n\n\ndef test_it():\n    assert True\n"


def _repository(tmp_path: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("files", "module", "expected"),
    [
        ({}, "pkg.dates", "tests/test_dates.py"),
        ({"tests/test_a.py": _FUNCTION}, "pkg.dates", "tests/test_dates.py"),
        ({"test/a_test.py": _FUNCTION}, "pkg.dates", "test/dates_test.py"),
        ({"tests/test_dates.py": _FUNCTION}, "pkg.dates", "tests/test_dates_behaviour.py"),
        ({"tests/unit/pkg/test_a.py": _FUNCTION}, "pkg.dates", "tests/unit/pkg/test_dates.py"),
        ({"tests/sub/test_dates.py": _FUNCTION, "tests/sub/test_dates_behaviour.py": ""},
         "pkg.dates", "tests/sub/test_pkg_dates_behaviour.py"),
        ({"pkg/tests/test_a.py": _FUNCTION}, "pkg._parser", "pkg/tests/test_parser.py"),
        ({"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['checks']",
          "checks/test_a.py": _FUNCTION}, "pkg.dates", "checks/test_dates.py"),
        ({"pyproject.toml": "[tool.pytest.ini_options]\npython_files = 'check_*.py'",
          "tests/check_a.py": _FUNCTION}, "pkg.dates", "tests/check_dates.py"),
        ({"tests.py": _FUNCTION}, "pkg.dates", "test_dates.py"),
        ({".venv/pyvenv.cfg": "", ".venv/lib/test_x.py": ""}, "pkg", "tests/test_pkg.py"),
    ],
)  # fmt: skip
def test_a_new_file_goes_where_its_like_are(
    tmp_path: Path, files: dict[str, str], module: str, expected: str
) -> None:
    repository = _repository(tmp_path, files)
    found = find_habits(repository, module)
    assert found.path == expected
    assert not (tmp_path / found.path).exists()


def test_unittest_is_followed_where_it_is_the_rule(tmp_path: Path) -> None:
    cases = {f"tests/test_{n}.py": _CASE for n in "abc"}
    repository = _repository(tmp_path, {**cases, "tests/test_d.py": _FUNCTION})
    assert find_habits(repository, "pkg.x").framework is Framework.UNITTEST
    assert find_habits(repository, "pkg.x", Framework.PYTEST).framework is Framework.PYTEST


def test_the_narrower_line_wins(tmp_path: Path) -> None:
    repository = _repository(tmp_path, {"pyproject.toml": "[tool.black]\nline-length = 88\n"})
    assert find_habits(repository, "pkg.x").width == 88


def test_without_a_repository_there_is_only_a_name() -> None:
    assert find_habits(None, "pkg._parser") == Habits("test_parser.py")


def test_a_suite_of_named_files_takes_no_new_one(tmp_path: Path) -> None:
    (tmp_path / "test.py").write_text("def test_it():\n    assert True\n")
    (tmp_path / "tests").mkdir()
    for told, expected in (
        ('testpaths = ["test.py"]', ("test.py",)),
        ('testpaths = ["test.py", "tests"]', ()),
        ("", ()),
    ):
        (tmp_path / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{told}\n")
        assert named_files_alone(tmp_path) == expected
