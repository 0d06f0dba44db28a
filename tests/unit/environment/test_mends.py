"""The command that mends a suite names all that is missing, by what its failures say."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.environment import mends
from reverie.environment.mends import (
    absent_modules,
    extras_named,
    known_mends,
    likely_distributions,
    modules_named,
    own_package,
)
from reverie.environment.needs import read_wants
from reverie.instruments.mutation.project import find_project
from reverie.model.repository.environment import Surroundings
from reverie.sandbox.interpreters import own_interpreter

AROUND = Surroundings(None, "3.11.7", "a test")


def test_fixtures_marks_and_versions_are_known() -> None:
    reasons = (
        "fixture 'mocker' not found",
        "Unknown pytest.mark.asyncio - is this a typo?",
        "AttributeError: `np.float_` was removed in the NumPy 2.0 release. Use `np.float64`",
        "pytest.PytestRemovedIn9Warning: Marks applied to fixtures",
        "AssertionError: 1 == 2",
        "fixture 'mocker' not found",
    )
    assert known_mends(reasons) == ["pytest-mock", "pytest-asyncio", "numpy<2", "pytest<9"]


def test_modules_that_are_missing_are_named() -> None:
    assert list(modules_named("ModuleNotFoundError: No module named 'py.builtin'")) == ["py"]
    said = "pytest.PytestConfigWarning: Failed to import filter module 'trio': ignore: x"
    assert list(modules_named(said)) == ["trio"]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("RuntimeError: the client needs more. Install it with: $ pip install httpx2", "httpx2"),
        ("ImportError: The `opentelemetry-api` package is required.", "opentelemetry-api"),
        ("ImportError: jinja2 must be installed to use templates", "jinja2"),
    ],
)  # fmt: skip
def test_packages_that_ask_for_others_in_words_are_understood(said: str, named: str) -> None:
    assert list(modules_named(said)) == [named]


def test_a_name_that_an_import_would_have_bound_stands_for_what_is_imported(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def total(): return 0\n")
    (tmp_path / "test_shop.py").write_text(
        "try:\n    import fuzzing_tool\n    from fuzzing_base.more import settings\n"
        "except ImportError:\n    fuzzing_tool = None\n\n@settings\ndef test_total(): pass\n"
    )
    project = find_project(tmp_path)
    given = Surroundings(None, "3.11", "the one that was named")
    reasons = ("NameError: name 'settings' is not defined",)
    found = absent_modules(reasons, given, project, ("test_shop.py",))
    assert found == ["fuzzing_base", "fuzzing_tool"]
    assert absent_modules(("NameError: name 'other' is not defined",), given, project) == ()


def test_an_entry_point_of_the_repository_is_no_package_to_install(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "shop"\n[project.entry-points."shop.extensions"]\ntoc = "shop.toc:Toc"\n'
    )
    (tmp_path / "shop.py").write_text("def total(): return 0\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_toc.py").write_text("def test_toc(): pass\n")
    project = find_project(tmp_path)
    reasons = ("ModuleNotFoundError: No module named 'toc'",)
    given = Surroundings(None, "3.11", "the one that was named")
    assert absent_modules(reasons, given, project) == ()
    assert own_package(reasons, given, project) == ("-e", ".")
    assert own_package(("No module named 'yaml'",), given, project) == ()
    assert own_package(reasons, replace(given, is_made=True), project) == ()


def test_what_lies_in_the_repository_is_never_fetched(tmp_path: Path) -> None:
    """Packages of a workspace may bear the names of strangers in the index."""
    for path in ("packages/one/pyproject.toml", "packages/one/src/requests/__init__.py",
                 "packages/two/setup.py", "packages/two/till.py"):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "test_all.py").write_text("import requests, till, yaml\n")
    assert read_wants(tmp_path).imports == ("yaml",)


def test_no_package_of_a_guessed_name_is_asked_for() -> None:
    assert likely_distributions(["test_utils", "yaml", "attr"]) == ["test-utils", "pyyaml", "attrs"]


def test_what_tests_are_made_of_is_no_package_to_install(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("x = 1\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("import test_utils\nimport tools_of_mine\n")
    project = find_project(tmp_path)
    reasons = ["ModuleNotFoundError: No module named 'test_utils'"]
    assert absent_modules(reasons, AROUND, project) == ["tools_of_mine"]


def test_tests_that_bear_the_name_of_an_extra_want_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "fetching-2.0.dist-info"
    folder.mkdir()
    extras = "".join(f"Provides-Extra: {each}\n" for each in ("brotli", "h2", "cover", "tests"))
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: fetching\nVersion: 2.0\n{extras}"
    )
    monkeypatch.setattr(
        mends, "own_interpreter", lambda: replace(own_interpreter(), site_packages=(str(tmp_path),))
    )
    assert extras_named(["tests.test_h2::Test_BrotliDecoder"], AROUND) == ["fetching[brotli]"]
    assert extras_named(["tests.test_h2::test_plain", "a::DiscoveryTests::cover"], AROUND) == []
    assert extras_named(["tests::test_brotlin"], AROUND) == []
