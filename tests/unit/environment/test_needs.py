"""What a repository declares is read from its files, whichever tool they are for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.environment.declarations import poetry_specifier
from reverie.environment.needs import (
    Needs,
    read_needs,
    read_options,
    read_requires_python,
    read_wants,
    with_newer,
    with_wanted,
)

Lay = Callable[[dict[str, str]], Path]
PROJECT = '[project]\nname = "shop"\nversion = "1.0"\ndependencies = ["attrs>=22"]\n'


def read(root: Path, version: str = "3.11") -> Needs:
    return read_needs(root, version)


def names(requirements: object) -> list[str]:
    return sorted(str(each) for each in requirements)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("files", "runtime", "tests", "label"),
    [
        (
            {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["pytest>=8", '
             '"freezegun"]\ndocs = ["sphinx"]\n'},
            ["attrs>=22"], ["freezegun", "pytest>=8"], "pyproject.toml [test]",
        ),
        (
            {"pyproject.toml": PROJECT + '[dependency-groups]\ntests = ["pytest", '
             '{include-group = "more"}]\nmore = ["hypothesis"]\n'},
            ["attrs>=22"], ["hypothesis", "pytest"], "pyproject.toml [tests]",
        ),
        (
            {"pyproject.toml": '[tool.poetry]\nname = "shop"\nversion = "1.0"\n'
             '[tool.poetry.dependencies]\npython = "^3.9"\nattrs = "^22.1"\n'
             'numpy = {version = "*", optional = true}\n'
             '[tool.poetry.group.dev.dependencies]\npytest = "*"\nblack = "*"\n'},
            ["attrs<23,>=22.1"], ["pytest"], "pyproject.toml [dev]",
        ),
        (
            {"pyproject.toml": PROJECT + '[dependency-groups]\ntesting-extra = ["cloudpickle"]\n'
             'dev = ["pytest>=8", "dirty-equals", "pytest-run-parallel"]\n'},
            ["attrs>=22"],
            ["cloudpickle", "dirty-equals", "pytest-run-parallel", "pytest>=8"],
            "pyproject.toml [testing-extra] + pyproject.toml [dev]",
        ),
        (
            {"setup.cfg": "[metadata]\nname = shop\n[options]\ninstall_requires =\n    attrs\n"
             "    tomli; python_version < '3.11'\n[options.extras_require]\ntesting =\n    pytest\n"
             "    pretend\n"},
            ["attrs"], ["pretend", "pytest"], "setup.cfg [testing]",
        ),
        (
            {"setup.py": "from setuptools import setup\nNEEDS = ['attrs']\n"
             "setup(name='shop', install_requires=NEEDS + ['six'], tests_require=['mock'])\n"},
            ["attrs", "six"], ["mock", "pytest"], "setup.py [tests_require]",
        ),
        (
            {"setup.py": "from setuptools import setup\n"
             "setup(name='shop', install_requires=open('requirements.txt').read().split())\n",
             "requirements.txt": "attrs==22.1  # why\n--index-url https://elsewhere.example\n"},
            ["attrs==22.1"], ["pytest"], "setup.py",
        ),
        (
            {"requirements.txt": "attrs\n", "requirements-test.txt": "-r requirements.txt\nmock\n"},
            ["attrs"], ["attrs", "mock", "pytest"], "requirements.txt + requirements-test.txt",
        ),
        (
            {"pyproject.toml": PROJECT,
             "tox.ini": "[testenv]\nextras =\ndeps =\n    pytest\n    py27: mock\n"
             "    py311: pretend\n    {[base]deps}\n[base]\ndeps = six\n"},
            ["attrs>=22"], ["pretend", "pytest", "six"], "pyproject.toml + tox.ini [testenv]",
        ),
        (
            {"pyproject.toml": PROJECT,
             ".github/workflows/ci.yml": "   - run: python -m pip install -U pip pytest mock .\n"},
            ["attrs>=22"], ["mock", "pytest"], "pyproject.toml + .github/workflows/ci.yml",
        ),
        (
            {"pyproject.toml": PROJECT + '[dependency-groups]\nchecks = ["pretend"]\n',
             "setup.cfg": "[tox:tox]\n[testenv]\ndependency_groups = checks\ndeps = pytest\n"},
            ["attrs>=22"], ["pretend", "pytest"], "pyproject.toml + setup.cfg [testenv]",
        ),
        (
            {"pyproject.toml": PROJECT + '[dependency-groups]\nchecks = ["pretend"]\n',
             ".gitlab-ci.yml": "script:\n  - pip install 'pytest>=7' \"mock<6\" --group checks\n"},
            ["attrs>=22"], ["mock<6", "pretend", "pytest>=7"], "pyproject.toml + .gitlab-ci.yml",
        ),
        (
            {"pyproject.toml": PROJECT.replace('"attrs>=22"', '"attrs>=22", "till", "Pot_2"')
             + "[tool.uv.sources]\ntill = { workspace = true }\npot-2 = [{ path = '../pot' }]\n"
             "attrs = { index = 'own' }\n"},
            ["attrs>=22"], ["pytest"], "pyproject.toml",
        ),
        (
            {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["pytest"]\n'
             'fast = ["numpy"]\ndoc = ["sphinx"]\nexample = ["geopandas"]\n',
             ".github/workflows/ci.yml": "   - run: pip install .[test,fast,doc,example]\n"},
            ["attrs>=22"], ["numpy", "pytest"], "pyproject.toml [test] + pyproject.toml [fast]",
        ),
        ({"shop.py": ""}, [], ["pytest"], "no declared dependencies"),
    ],
)  # fmt: skip
def test_what_is_declared_is_read(
    lay: Lay, files: dict[str, str], runtime: list[str], tests: list[str], label: str
) -> None:
    needs = read(lay(files))
    assert (names(needs.runtime), names(needs.tests), needs.label) == (runtime, tests, label)


def test_extras_of_the_project_itself_stand_for_what_they_hold(lay: Lay) -> None:
    root = lay({"pyproject.toml": PROJECT + '[project.optional-dependencies]\n'
                'tests = ["shop[more]", "pytest"]\nmore = ["mock"]\n'})  # fmt: skip
    assert names(read(root).tests) == ["mock", "pytest"]


def test_a_repository_does_not_say_where_packages_come_from(lay: Lay) -> None:
    root = lay({"pyproject.toml": PROJECT.replace("attrs>=22", "attrs @ git+https://x.example/a"),
                "requirements-dev.txt": "-i https://x.example\nhttps://x.example/b.whl\n"
                "./local\n-e git+https://x.example/c\nmock\n"})  # fmt: skip
    needs = read(root)
    assert needs.runtime == ()
    assert names(needs.tests) == ["mock", "pytest"]
    assert len(needs.left_out) == 4


def test_files_that_lie_outside_are_not_read(lay: Lay, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret-package\n")
    root = lay({"requirements.txt": "-r ../secret.txt\nattrs\n"})
    assert names(read(root).runtime) == ["attrs"]


def test_what_only_a_test_imports_is_taken_from_wherever_it_is_declared(lay: Lay) -> None:
    root = lay({"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["pytest"]\n'
                'fast = ["pyyaml>=6"]\n', "dev-requirements.txt": "pytest-mock\nblack\n",
                "tests/test_a.py": "import os, yaml, nowhere\n\ndef test_a(mocker): ...\n",
                "tests/test_b.py": "try:\n  import black\nexcept ImportError: 0\n"})  # fmt: skip
    needs = with_wanted(root, read(root), "3.11")
    assert names(needs.wanted) == ["pytest-mock", "pyyaml>=6"]


def test_what_is_added_later_stands_beside_what_was_added_before() -> None:
    assert with_newer(("numpy<2", "mock"), ("NumPy<3", "six")) == ("mock", "NumPy<3", "six")


def test_a_plugin_is_wanted_whose_mark_or_fixture_tests_use_declared_or_not(lay: Lay) -> None:
    root = lay({"pyproject.toml": PROJECT, "tests/conftest.py": "def snapshot(): ...\n",
                "tests/test_a.py": "import pytest\n\n@pytest.mark.asyncio\n"
                "async def test_a(mocker, snapshot): ...\n\ndef made(faker): ...\n"})  # fmt: skip
    needs = with_wanted(root, read(root), "3.11")
    assert names(needs.wanted) == ["pytest-asyncio", "pytest-mock"]


def test_some_files_of_the_tests_can_be_read_alone(lay: Lay) -> None:
    root = lay({"tests/test_a.py": "import h2, hpack\n", "tests/bench/run.py": "import pandas\n"})
    assert read_wants(root).imports == ("h2", "hpack", "pandas")
    assert read_wants(root, [root / "tests" / "test_a.py"]).imports == ("h2", "hpack")


@pytest.mark.parametrize("name", ["uv.lock", "poetry.lock"])
def test_a_lock_pins_what_it_has_once(lay: Lay, name: str) -> None:
    text = "".join(
        f'[[package]]\nname = "{package}"\nversion = "{version}"\n{more}\n'
        for package, version, more in [
            ("attrs", "22.1.0", ""), ("six", "1.0", ""), ("six", "2.0", ""),
            ("shop", "1.0", 'source = { editable = "." }'),
        ]
    )  # fmt: skip
    lock = read(lay({"pyproject.toml": PROJECT, name: text})).lock
    assert lock is not None
    assert (lock.source, dict(lock.pins)) == (name, {"attrs": "22.1.0"})


@pytest.mark.parametrize(
    ("said", "meant"),
    [("^1.2", ">=1.2,<2"), ("^0.2.3", ">=0.2.3,<0.3"), ("~1.2", ">=1.2,<1.3"), ("1.*", "==1.*"),
     ("*", ""), (">=1,<3", ">=1,<3"), ("^2.7 || ^3.8", ">=3.8,<4"), ("^0.0.3", ">=0.0.3,<0.0.4")],
)  # fmt: skip
def test_versions_of_poetry_are_understood(said: str, meant: str) -> None:
    assert poetry_specifier(said) == meant


def test_the_version_of_python_is_read_from_any_file(lay: Lay) -> None:
    root = lay({"setup.py": "import setuptools\nsetuptools.setup(python_requires='>=3.10')\n"})
    assert read_requires_python(root) == ">=3.10"


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "uv.lock"])
def test_a_file_that_is_broken_says_nothing(lay: Lay, name: str) -> None:
    root = lay({name: "[[[ (\0", "requirements.txt": "attrs\n"})
    assert names(read(root).runtime) == ["attrs"]


def test_setup_py_is_never_run(lay: Lay, tmp_path: Path) -> None:
    mark = tmp_path / "was_run"
    root = lay({"setup.py": f"open({str(mark)!r}, 'w')\nfrom setuptools import setup\nsetup()\n"})
    read(root)
    assert not mark.exists()


def test_options_of_a_project_are_its_extras_for_use(lay: Lay) -> None:
    root = lay(
        {
            "pyproject.toml": '[project]\nname = "shop"\n[project.optional-dependencies]\n'
            'http2 = ["h2>=3"]\ndocs = ["sphinx"]\ndev = ["ruff"]\ntest = ["pytest"]\n'
            'all = ["shop[http2]"]\n'
        }
    )
    assert [str(each) for each in read_options(root, "3.12")] == ["h2>=3"]
