import venv
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.instruments.mutation.project import find_project, has_tests


def made(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return root


def test_a_source_folder_is_found_with_its_packages(tmp_path: Path) -> None:
    root = made(
        tmp_path, "src/a/__init__.py", "src/a/b.py", "src/a/tests/test_b.py", "src/c.py",
        "tests/test_a.py", "setup.py", "docs/conf.py",
    )  # fmt: skip
    project = find_project(root)
    assert project.files == ("src/a/__init__.py", "src/a/b.py", "src/c.py")
    assert project.packages == ("a", "c")
    assert project.import_paths == (str(root / "src"), str(root))
    assert project.tests == ("tests",)


def test_packages_and_modules_beside_each_other_are_found(tmp_path: Path) -> None:
    root = made(
        tmp_path, "a/__init__.py", "a/b.py", "one.py", "test_one.py", "conftest.py", "setup.py",
        "examples/__init__.py", "noxfile.py", "venv/pyvenv.cfg", "venv/x/__init__.py",
    )  # fmt: skip
    project = find_project(root)
    assert project.files == ("a/__init__.py", "a/b.py", "one.py")
    assert project.tests == (".",)


def test_what_is_asked_for_is_all_there_is(tmp_path: Path) -> None:
    root = made(tmp_path, "a/__init__.py", "a/b.py", "tests/x/test_b.py")
    (root / "a" / "b.py").write_text("x = 1\n")
    project = find_project(root, str(root / "a" / "b.py"), [str(root / "tests" / "x")])
    assert (project.files, project.packages) == (("a/b.py",), ("a",))
    assert project.tests == ("tests/x",)


@pytest.mark.parametrize(
    ("path", "tests", "words"),
    [
        ("nowhere", (), "nowhere"),
        ("/usr", (), "not inside the repository"),
        (None, ("nowhere",), "no such tests: 'nowhere'"),
        (None, ("/usr",), "not inside the repository"),
    ],
)
def test_a_wrong_path_is_named(
    tmp_path: Path, path: str | None, tests: tuple[str, ...], words: str
) -> None:
    root = made(tmp_path, "a.py", "tests/test_a.py")
    with pytest.raises(UsageError, match=words):
        find_project(root, path, tests)


def test_no_tests_and_no_source_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no Python source"):
        find_project(tmp_path)
    with pytest.raises(UsageError, match="no tests found"):
        find_project(made(tmp_path, "a.py"))


def test_an_environment_without_pytest_is_passed_over_and_said(tmp_path: Path) -> None:
    root = made(tmp_path, "a.py", "tests/test_a.py")
    venv.create(root / ".venv", symlinks=True)
    project = find_project(root)
    assert project.python is None
    assert ".venv has no pytest" in project.notes[0]


def test_a_suite_in_one_file_stays_when_tests_come_to_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("x = 1\n")
    (tmp_path / "test.py").write_text("def test_x():\n    assert True\n")
    assert find_project(tmp_path).tests == ("test.py",)
    (tmp_path / "test_new.py").write_text("def test_y():\n    assert True\n")
    assert find_project(tmp_path).tests == ("test.py", "test_new.py")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_more.py").write_text("def test_z():\n    assert True\n")
    assert find_project(tmp_path).tests == ("tests", "test.py", "test_new.py")


def test_a_suite_in_one_file_that_the_configuration_names_too_is_run_once(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("x = 1\n")
    for name in ("tests.py", "property_tests.py"):
        (tmp_path / name).write_text("def test_x():\n    assert True\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = tests.py property_tests.py\n")
    assert find_project(tmp_path).tests == ("tests.py", "property_tests.py")


def test_a_suite_with_names_of_another_runner_is_found_and_stays_one(tmp_path: Path) -> None:
    root = made(tmp_path, "shop/__init__.py", "shop/a.py", "shop/tests/__init__.py")
    (root / "shop" / "a.py").write_text("x = 1\n")
    for name in ("config_tests.py", "deep/pathtests.py"):
        (root / "shop" / "tests" / name).parent.mkdir(exist_ok=True)
        (root / "shop" / "tests" / name).write_text("class One(TestCase):\n    pass\n")
    (root / "shop" / "tests" / "testing_words.py").write_text("words = []\n")
    suite = ("shop/tests/config_tests.py", "shop/tests/deep/pathtests.py")
    assert find_project(root).tests == suite
    (root / "tests").mkdir()
    (root / "tests" / "test_a.py").write_text("def test_a():\n    pass\n")
    assert find_project(root).tests == ("tests", *suite)
    for name in ("test_b.py", "test_c.py"):
        (root / "tests" / name).write_text("def test_a():\n    pass\n")
    assert find_project(root).tests == ("tests",)


def test_where_tests_have_a_folder_those_in_packages_and_examples_are_run_too(
    tmp_path: Path,
) -> None:
    root = made(
        tmp_path, "a/__init__.py", "a/b.py", "tests/test_a.py", "a/helper_test.py", "a/test_b.py",
        "docs/use.md", "examples/test_x.py", ".venv/lib/test_y.py",
    )  # fmt: skip
    assert find_project(root).tests == ("tests",)
    for path in ("a/test_b.py", "examples/test_x.py", ".venv/lib/test_y.py"):
        (root / path).write_text("def test_x():\n    assert True\n")
    assert find_project(root).tests == ("tests", "a")
    (root / "pytest.ini").write_text("[pytest]\naddopts = --doctest-glob=*.md --doctest-modules\n")
    assert find_project(root).tests == ("tests", "a", "docs")
    (root / "setup.py").write_text("raise SystemExit\n")
    (root / "pytest.ini").write_text(
        "[pytest]\naddopts = --doctest-glob=*.md --doctest-glob=*.py --ignore=docs\n"
    )
    assert find_project(root).tests == ("tests", "a", "examples")


def test_tests_have_the_names_that_the_configuration_gives_them(tmp_path: Path) -> None:
    root = made(tmp_path, "a.py", "checks/check_a.py", "pytest.ini")
    (root / "pytest.ini").write_text("[pytest]\npython_files = check_*.py\n")
    assert find_project(root).tests == (".",)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("def test_total(): ...\n", True),
        ("class T(unittest.TestCase): ...\n", True),
        ("def run_tests(): ...\n\nrun_tests()\n", False),
    ],
)
def test_a_script_that_is_called_test_is_no_suite(tmp_path: Path, text: str, holds: bool) -> None:
    (tmp_path / "test.py").write_text(text)
    assert has_tests(tmp_path / "test.py") is holds


def test_examples_alone_are_a_suite(tmp_path: Path) -> None:
    root = made(tmp_path, "a.py", "pytest.ini")
    (root / "pytest.ini").write_text("[pytest]\naddopts = --doctest-modules\n")
    assert find_project(root).tests == (".",)


def test_projects_side_by_side_are_imported_each_from_its_folder(tmp_path: Path) -> None:
    root = made(tmp_path, "packages/one/pyproject.toml", "packages/one/src/a/__init__.py",
                "packages/two/pyproject.toml", "packages/two/b/__init__.py",
                "packages/two/tests/test_b.py")  # fmt: skip
    project = find_project(root)
    assert project.files == ("packages/one/src/a/__init__.py", "packages/two/b/__init__.py")
    assert project.packages == ("a", "b")
    assert {f"{root}/packages/one/src", f"{root}/packages/two"} <= set(project.import_paths)


def test_a_place_of_tests_may_be_the_repository_itself(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = . docs\n", "utf-8")
    (tmp_path / "shop.py").write_text("LIMIT = 3\n", "utf-8")
    (tmp_path / "test_shop.py").write_text("def test_it():\n    assert True\n", "utf-8")
    assert find_project(tmp_path).tests == (".",)
