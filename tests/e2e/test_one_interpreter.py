"""The interpreter that a repository needs reaches every command: here code imports what Reverie
itself does not have."""

import asyncio
import importlib.metadata
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.dreamers.procedures.variant import Strategy
from reverie.errors import UsageError
from reverie.instruments.mutation.project import find_project
from reverie.model.change import Change, FileEdit
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.settings import load_settings
from reverie.trials.findings import Findings
from reverie.trials.new_tests import NewTests
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import EMPTY, MeasuredTree

Cli = Callable[..., Any]
NEEDED = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
CODE = '''"""Prices by the list of another package."""

from pricelist import RATE


def missing(wanted: list[int], known: list[int]) -> list[int]:
    """Those that are not known."""
    found = []
    for each in wanted:
        if each * RATE not in known:
            found.append(each)
    return found


def price(count: int) -> int:
    """What so many cost."""
    if count > 10:
        cost = count * RATE - 1
    else:
        cost = count * RATE
    return cost
'''
EARLY = CODE.replace(
    "        cost = count * RATE - 1\n    else:\n        cost = count * RATE\n    return cost\n",
    "        return count * RATE - 1\n    return count * RATE\n",
)
QUICK = CODE.replace("    found = []\n", "    found = []\n    known = set(known)\n")
TEST = (
    "from shop import missing, price\n\n\ndef test_price():\n    assert price(2) == 4\n"
    "    assert price(11) == 21\n\n\ndef test_missing():\n    assert missing([1, 2], [2]) == [2]\n"
)
DECLARED = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["pricelist"]\n'


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An environment with pytest and `pricelist`."""
    folder = tmp_path_factory.mktemp("environment") / "elsewhere"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    base = Path(sys.executable).resolve()
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(base)
    about = f"home = {base.parent}\nversion = {sys.version.split()[0]}\n"
    (folder / "pyvenv.cfg").write_text(about)
    for name in NEEDED:
        for file in importlib.metadata.distribution(name).files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                target = packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), target)
    (packages / "pricelist.py").write_text("RATE = 2\n")
    (packages / "pricelist-1.0.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: pricelist\nVersion: 1.0\n"
    (packages / "pricelist-1.0.dist-info" / "METADATA").write_text(metadata)
    return str(folder / "bin" / "python")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text(DECLARED)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "base")):
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
    monkeypatch.chdir(folder)
    return folder


def write(folder: Path, text: str) -> str:
    (folder / "draft.py").write_text(text)
    return "draft.py"


def test_two_versions_are_compared_with_it(cli: Cli, shop: Path, python: str) -> None:
    words = ("equiv", "shop.py:price", f"{write(shop, EARLY)}:price", "--json", "--budget", "5s")
    refused = cli(*words)
    assert (refused.code, refused.out) == (2, "")
    assert "declared and not installed" in refused.err
    ran = cli(*words, "--python", python)
    assert (ran.code, ran.document["verdict"]) == (0, "equivalent"), ran.out


def test_two_versions_are_timed_with_it(cli: Cli, shop: Path, python: str) -> None:
    words = ("bench", "shop.py:missing", f"{write(shop, QUICK)}:missing", "--json", "--budget",
             "2s", "--call", "missing(list(range(n)), list(range(n)))", "--n", "300")  # fmt: skip
    assert cli(*words).code == 2
    ran = cli(*words, "--python", python)
    assert (ran.code, ran.document["verdict"]) == (0, "faster"), ran.out


def test_a_callable_is_made_faster_with_it(cli: Cli, shop: Path, python: str) -> None:
    words = ("optimise", "shop.py:missing", "--budget", "3s", "--json")
    ran = cli(*words, "--python", python)
    assert ran.document["dreams"], ran.out


def test_a_refactoring_of_code_that_imports_it_is_promoted(
    cli: Cli, shop: Path, python: str
) -> None:
    (shop / "shop.py").write_text(EARLY)
    ran = cli("guard", "--stage", "B", "--json", "--python", python)
    assert ran.document["verdict"] == "promote", ran.out


@pytest.mark.parametrize(
    "words",
    [("baseline", "--raise"), ("integrate",), ("integrate", "--dry-run"), ("optimise", "."),
     ("optimise", "shop.py:missing"), ("equiv", "shop.py:price", "shop.py:price"),
     ("bench", "shop.py:price", "shop.py:price")],
)  # fmt: skip
def test_no_command_begins_without_what_is_declared(
    cli: Cli, shop: Path, words: tuple[str, ...]
) -> None:
    ran = cli(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "declared and not installed" in ran.err
    assert "mend it: reverie prepare --yes (or go on with --anyway)" in ran.err


def test_the_figures_of_a_repository_are_measured_with_it(
    cli: Cli, shop: Path, python: str
) -> None:
    ran = cli("baseline", "--raise", "--json", "--python", python)
    assert (ran.code, ran.document["measured"]["suite.passing"]) == (0, 2), ran.err


def test_tools_for_agents_use_it_and_say_what_is_missing(shop: Path, python: str) -> None:
    pytest.importorskip("mcp", reason="NOT RUN: the MCP SDK is not installed")
    from reverie.interfaces.mcp.code_tools import _compare, _run
    from reverie.interfaces.mcp.desk import Desk, Progress
    from reverie.interfaces.mcp.proof_tools import judge_patch

    loaded = load_settings(shop, {}, {})
    desk = Desk(loaded, python)
    same = ("shop.py:price", "shop.py:price")
    assert _compare(desk, *same, EARLY, 5.0, Progress()).verdict == "equivalent"
    code = "import pricelist\n\n\ndef f():\n    return pricelist.RATE\n"
    assert _run(desk, code, "f", {}, None, None).output == 2
    (shop / "tests" / "test_new.py").write_text(
        "from shop import price\n\n\ndef test_ten():\n    assert price(10) == 20\n"
    )
    diff = ["git", "diff", "--no-index", "/dev/null", "tests/test_new.py"]
    patch = subprocess.run(diff, cwd=shop, capture_output=True, text=True, check=False).stdout
    for ask in (
        lambda: _compare(Desk(loaded), *same, EARLY, 5.0, Progress()),
        lambda: judge_patch(Desk(loaded), patch, "A", "HEAD", False),
    ):
        with pytest.raises(UsageError, match="mend it: reverie prepare --yes"):
            ask()


def test_dreams_that_agents_ask_for_are_tried_with_it(cli: Cli, shop: Path, python: str) -> None:
    pytest.importorskip("mcp", reason="NOT RUN: the MCP SDK is not installed")
    from reverie.interfaces.mcp.desk import Desk, Progress
    from reverie.interfaces.mcp.dream_tools import _dream, _Wanted

    assert cli("init").code == 0
    loaded = load_settings(shop, {}, {})
    wanted = _Wanted("shop.py", "price", Strategy.LIGHT, 0, 5)
    assert asyncio.run(_dream(Desk(loaded, python), wanted, Progress())).stored
    with pytest.raises(UsageError, match="mend it: reverie prepare --yes"):
        asyncio.run(_dream(Desk(loaded), wanted, Progress()))


def test_new_tests_pass_also_where_only_what_is_declared_is_installed(
    shop: Path, python: str, tmp_path: Path
) -> None:
    other = tmp_path / "fresh"
    shutil.copytree(Path(python).parent.parent, other, symlinks=True)
    (packages,) = other.glob("lib/python3*/site-packages")
    (packages / "pricelist.py").write_text("RATE = 2\nLABEL = 'of another release'\n")
    source = (
        "import pricelist\nfrom shop import price\n\n\n"
        "def test_ten():\n    assert price(10) == 20\n"
        "\n\ndef test_label():\n    assert price(3) == 6\n"
        "    assert not hasattr(pricelist, 'LABEL')\n"
    )
    (shop / "tests" / "test_new.py").write_text(source)
    change = Change((FileEdit("tests/test_new.py", None, source),))
    names = ("tests/test_new.py::test_label", "tests/test_new.py::test_ten")
    project = find_project(shop, python=python)
    new = NewTests(MeasuredTree(project, EMPTY), change, ("tests/test_new.py",), names)
    plan = TrialPlan(GuardSection(runs=1), python=python, fresh=str(other / "bin" / "python"))
    found = Findings()
    with Sandbox() as sandbox:
        new.note_runs(found, sandbox, plan)
    assert found.details["tests.only_here"] == ("tests/test_new.py::test_label",)
