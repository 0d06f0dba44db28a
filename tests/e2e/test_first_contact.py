"""What a newcomer meets first: repositories whose environment is not what they need."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.environment import preflight
from reverie.instruments.suite.plain import PlainRun, run_plainly

Cli = Callable[..., Any]
CODE = '''"""A shop."""


def price(count):
    """What so many cost."""
    if count < 0:
        raise ValueError("no debts")
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"
NEW = (
    "import pytest\nfrom shop import price\n\n\ndef test_nothing_costs_nothing():\n"
    "    assert price(0) == 0\n\n\ndef test_there_are_no_debts():\n"
    '    with pytest.raises(ValueError, match="no debts"):\n        price(-1)\n'
)


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes a repository with one commit, and goes there: spaces and umlauts on the way."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)

    def write(files: dict[str, str]) -> Path:
        folder = tmp_path / "Lädchen am Eck" / "shop"
        for name, text in {"shop.py": CODE, **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        git(tmp_path, "init", "-q", str(folder))
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "base")
        monkeypatch.chdir(folder)
        return folder

    return write


LACKING = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n'
    'dependencies = ["a-package-that-nobody-has>=3"]\n',
    "shop.py": "import a_package_that_nobody_has\n\n\ndef price(count):\n    return 2 * count\n",
    "tests/test_shop.py": TEST,
}


@pytest.mark.parametrize(
    "words",
    [("run", "--budget", "30"), ("guard", "--stage", "A"), ("mutate",), ("fuzz", "shop.py"),
     ("enrich", "shop"), ("refactor",), ("optimise", ".")],
)  # fmt: skip
def test_a_declared_dependency_that_is_missing_stops_every_command_before_it_begins(
    cli: Cli, lay: Callable[..., Path], words: tuple[str, ...]
) -> None:
    folder = lay(LACKING)
    before = sorted(folder.rglob("*.py"))
    if words[0] == "guard":
        (folder / "tests" / "test_new.py").write_text(NEW)
        before = sorted(folder.rglob("*.py"))
    ran = cli(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "a-package-that-nobody-has>=3" in ran.err
    assert "mend it: reverie prepare --yes (or go on with --anyway)" in ran.err
    assert sorted(folder.rglob("*.py")) == before


def test_a_missing_module_is_never_pinned_by_a_test_even_when_told_to_go_on(
    cli: Cli, lay: Callable[..., Path]
) -> None:
    late = "def price(count):\n    import a_package_that_nobody_has\n    return 2 * count\n"
    folder = lay({**LACKING, "shop.py": late})
    ran = cli("enrich", "shop", "--anyway", "--executions", "40", "--no-measure", "--json")
    assert "going on anyway" in ran.err
    written = "".join(each.read_text() for each in folder.rglob("test*.py"))
    assert "ModuleNotFoundError" not in written
    assert [each["findings"] for each in ran.document] == [[]]


def test_test_files_that_cannot_be_imported_stop_with_the_command_that_mends_them(
    cli: Cli, lay: Callable[..., Path]
) -> None:
    lay({"tests/test_shop.py": TEST, "tests/test_more.py": "import nobody_has_this\n"})
    ran = cli("prepare", "--json")
    document = ran.document
    assert (ran.code, document["ready"], document["passed"]) == (2, False, 1)
    assert list(document["broken_files"]) == ["tests/test_more.py"]
    (finding,) = document["findings"]
    assert finding["code"] == "broken_test_files"
    assert "nobody_has_this" in finding["text"]
    stopped = cli("run", "--budget", "600")
    assert stopped.code == 2
    assert "fails already: tests/test_more.py" in stopped.err


def test_failing_tests_are_listed_and_many_of_them_stop(cli: Cli, lay: Callable[..., Path]) -> None:
    failing = "".join(f"def test_{n}():\n    assert {n} < 0\n\n\n" for n in range(7))
    folder = lay({"tests/test_shop.py": TEST, "tests/test_bad.py": failing})
    ran = cli("prepare")
    assert ran.code == 2
    assert "1 passed, 7 failed, 0 skipped" in ran.out
    assert "fails already: tests.test_bad::test_0 (assert 0 < 0)" in ran.out
    assert "stop: 7 tests failed on the unchanged code" in ran.out
    assert cli("prepare", "--anyway").code == 0
    many = "\n\n@pytest.mark.parametrize('n', range(350))\ndef test_n(n):\n    assert n >= 0\n"
    (folder / "tests/test_many.py").write_text(f"import pytest\n{many}")
    assert cli("prepare").code == 0  # seven of 358
    assert cli("prepare", environ={"REVERIE_ENVIRONMENT_MOST_FAILING": "0"}).code == 2


def test_a_suite_that_hangs_is_cut_off(cli: Cli, lay: Callable[..., Path]) -> None:
    lay({"tests/test_shop.py": "import threading\n\ndef test_a():\n    threading.Event().wait()\n"})
    ran = cli("prepare", "--suite-seconds", "1", "--json")
    assert (ran.code, [each["code"] for each in ran.document["findings"]]) == (2, ["suite_hangs"])


def test_of_a_suite_that_hangs_in_one_file_the_others_do(
    cli: Cli, lay: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not waited for here: what would wait is said to be late at once."""

    def run(sandbox: Any, project: Any, tests: tuple[str, ...], *more: Any) -> PlainRun:
        if tests != ("tests/test_shop.py",):
            return PlainRun({}, "no answer in time", is_late=True, standing="test_a")
        return run_plainly(sandbox, project, tests, *more)

    monkeypatch.setattr(preflight, "run_plainly", run)
    lay({"tests/test_a.py": "def test_a(): ...\n", "tests/test_shop.py": TEST})
    ran = cli("prepare", "--json")
    part = ran.document["part"]
    assert (ran.code, part["left_out"]) == (0, ["tests/test_a.py"])
    assert ran.document["line"].startswith("1 passed, 0 failed, 0 skipped")
    assert "(1 of 2 test files: all of them take too long)" in ran.document["line"]
    assert "does not fit, and is left out: tests/test_a.py" in cli("prepare").out


ALARMED = """import warnings

import pytest


def pytest_configure(config):
    warnings.warn(pytest.PytestDeprecationWarning("the default will change"), stacklevel=1)
"""


def test_what_plugins_say_of_themselves_is_no_failure_of_a_strict_suite(
    cli: Cli, lay: Callable[..., Path]
) -> None:
    strict = (
        "import warnings\nimport pytest\n\n\ndef test_warnings_are_errors():\n"
        "    with pytest.raises(UserWarning):\n        warnings.warn('x')\n"
    )
    lay({"tests/test_shop.py": TEST, "tests/test_strict.py": strict, "conftest.py": ALARMED,
         "pytest.ini": "[pytest]\nfilterwarnings = error\n"})  # fmt: skip
    assert cli("prepare").out.startswith("2 passed, 0 failed")


def test_tests_in_one_file_called_test_are_found(cli: Cli, lay: Callable[..., Path]) -> None:
    lay({"test.py": TEST, "tests/data.txt": ""})
    ran = cli("prepare")
    assert (ran.code, ran.out.startswith("1 passed, 0 failed")) == (0, True)


def test_tests_are_where_the_configuration_says(cli: Cli, lay: Callable[..., Path]) -> None:
    lay({"checks/check_shop.py": TEST,
         "pytest.ini": "[pytest]\ntestpaths = checks\npython_files = check_*.py\n"})  # fmt: skip
    assert cli("prepare").out.startswith("1 passed, 0 failed")


VERSIONED = {
    "shop.py": "", "src/shop/__init__.py": f"from shop._version import version\n\n{CODE}",
    ".gitignore": "_version.py\n.reverie\n", "tests/test_shop.py": TEST,
}  # fmt: skip


def test_who_goes_on_anyway_has_it_written_in_report_and_commits_and_proofs_are_verified(
    cli: Cli, lay: Callable[..., Path]
) -> None:
    """The code needs a file that git ignores, also where its proof is verified."""
    folder = lay({**VERSIONED, "tests/test_more.py": "import nobody_has_this\n"})
    (folder / "shop.py").unlink()
    git(folder, "commit", "-qam", "one package")
    (folder / "src/shop/_version.py").write_text('version = "1.0"\n')
    ran = cli("run", "--anyway", "--stage", "A", "--executions", "60", "--dreams", "1", "--json")
    (warning,) = [each for each in ran.document["environment"]["notes"] if "anyway" in each]
    assert "1 test file cannot be imported: tests/test_more.py" in warning
    assert len(ran.document["promotions"]) == 1, ran.err
    words = ["git", "log", "--all", "--format=%(trailers:key=Reverie-Warning,valueonly)"]
    told = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert told.count("went on anyway") == 1
    (bundle,) = (folder / ".reverie" / "bundles").iterdir()
    checked = cli("verify", str(bundle), "--json")
    assert (checked.code, checked.document["reason"]) == (0, None)


def test_an_honest_test_is_promoted_in_a_repository_with_habits_of_its_own(
    cli: Cli, lay: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no home can be written. Three habits at once: a plugin that leaves a folder behind,
    which is no deed of the new test; a file that git ignores and the code needs; cases whose names
    differ from run to run."""
    conftest = (
        "import os\n\ndef pytest_configure():\n    os.makedirs('.benchmarks', exist_ok=True)\n"
    )
    changing = (
        "import os\nimport pytest\nfrom shop import price\n\n"
        "CASES = [pytest.param(n, id=os.urandom(4).hex()) for n in (1, 2, 3)]\n\n\n"
        '@pytest.mark.parametrize("count", CASES)\ndef test_price(count):\n'
        "    assert price(count) == 2 * count\n\n\n"
        '@pytest.mark.parametrize("thing", [object()], ids=repr)\ndef test_zero(thing):\n'
        "    assert price(0) == 0\n"
    )
    files = {**VERSIONED, "conftest.py": conftest, "tests/test_changing.py": changing}
    folder = lay(files)
    (folder / "shop.py").unlink()
    git(folder, "commit", "-qam", "one package")
    (folder / "src/shop/_version.py").write_text('version = "1.0"\n')
    (folder / "tests" / "test_new.py").write_text(NEW)
    # In that case a folder below the temporary one does.
    homeless = {"HOME": "/dev/null/nobody", "TMPDIR": str(folder.parent)}
    for name, value in homeless.items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name)
    ran = cli("guard", "--stage", "A", "--json", environ=homeless)
    assert ran.document["measures"]["suite.lost"] == 0
    assert ran.document["verdict"] == "promote", ran.out


INSIDE = {
    "shop.py": "", "shop/__init__.py": CODE, "shop/tests/__init__.py": "", "conftest.py": "",
    "shop/tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n",
    "shop/tests/check_shop.py": "from .. import price\n\n\ndef test_two(two):\n"
    "    assert price(two) == 4\n",
    "tox.ini": "[testenv]\ndeps = pytest\n[pytest]\npython_files = check_*.py\n",
}  # fmt: skip
EXAMPLES = {
    "shop.py": CODE.replace("many cost.", "many cost.\n\n    >>> price(2)\n    4\n    "),
    "README.md": "    >>> from shop import price\n    >>> price(3)\n    6\n",
    "pytest.ini": "[pytest]\naddopts = --doctest-modules --doctest-glob=*.md\n",
    "tests/test_shop.py": TEST,
}
PARTS = {
    "shop.py": "",
    "parts/one/pyproject.toml": '[project]\nname = "shop"\n',
    "parts/one/src/shop/__init__.py": CODE,
    "parts/one/tests/test_shop.py": TEST,
    "parts/two/pyproject.toml": '[project]\nname = "till"\ndependencies = ["shop"]\n',
    "parts/two/src/till/__init__.py": "from shop import price as pay\n",
    "parts/two/tests/test_till.py": TEST.replace("shop import price", "till import pay as price"),
}


def test_examples_in_texts_and_docstrings_are_run(cli: Cli, lay: Callable[..., Path]) -> None:
    lay(EXAMPLES)
    assert cli("prepare").out.startswith("3 passed, 0 failed")


@pytest.mark.parametrize(
    ("files", "new", "passed"),
    [(INSIDE, "shop/tests/check_new.py", 1), (PARTS, "parts/one/tests/test_new.py", 2)],
    ids=["in the package, by other names", "several projects"],
)
def test_an_honest_test_is_promoted_wherever_tests_lie(
    cli: Cli, lay: Callable[..., Path], files: dict[str, str], new: str, passed: int
) -> None:
    folder = lay(files)
    (folder / "shop.py").unlink()
    git(folder, "commit", "-qam", "packages")
    assert cli("prepare").out.startswith(f"{passed} passed, 0 failed")
    (folder / new).write_text(NEW)
    ran = cli("guard", "--stage", "A", "--json")
    assert ran.document["verdict"] == "promote", ran.out
