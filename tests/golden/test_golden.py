import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from reverie import __version__
from reverie.interfaces.cli.root import build_root
from reverie.model.outcome import TestOutcome
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.testing.fakes import finished

COMMANDS = build_root().list_commands(click.Context(build_root()))


def test_help(cli: Callable, golden: Callable) -> None:
    golden("help.txt", cli("--help").out)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of(cli: Callable, golden: Callable, command: str) -> None:
    ran = cli(command, "--help")
    assert ran.code == 0
    assert re.search(r"^Example:\n  \S", ran.out, re.MULTILINE), "the help has no example"
    golden(f"help-{command}.txt", ran.out)


def test_config(cli: Callable, golden: Callable, root: Path) -> None:
    sample = root / "examples" / "sample_repo"
    ran = cli("config", "--repo", str(sample), "--json")
    told = json.dumps(str(sample))[1:-1]  # the clone may lie anywhere
    golden("config.json", ran.out.replace(told, "<sample>"))


@pytest.fixture
def recorded(repository: Path) -> Path:
    """A repository whose journal has a success and a failure."""
    with Journal.open(journal_url(repository)) as journal, ExecutionRecorder(journal) as recorder:
        recorder(*finished(0))
        recorder(*finished(1, outcome=TestOutcome.RUNTIME_ERROR, message="KeyError: 'name'"))
    return repository


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("history", []),
        ("history-details", [finished(1)[1].id[:12]]),
        ("history-stats", ["--stats"]),
        ("history-patterns", ["--patterns"]),
    ],
)
def test_history(
    cli: Callable, golden: Callable, recorded: Path, name: str, line: list[str]
) -> None:
    where = ("--repo", str(recorded))
    as_json = cli("history", *line, *where, "--json").out
    golden(f"{name}.json", scrubbed(as_json, recorded))
    golden(f"{name}.txt", scrubbed(cli("history", *line, *where).out, recorded))


def scrubbed(text: str, repository: Path) -> str:
    return text.replace(str(repository), "<repository>").replace(__version__, "<version>")


def test_check(cli: Callable, golden: Callable, repository: Path) -> None:
    (repository / "generated.py").write_text("import os\n\nos.system('ls')\n")
    line = ("check", str(repository / "generated.py"), "--tier", "sandbox")
    line += ("--repo", str(repository))
    for name, flags in (("check.json", ["--json"]), ("check.txt", [])):
        golden(name, scrubbed(cli(*line, *flags).out, repository))


def test_orphans(cli: Callable, golden: Callable, repository: Path) -> None:
    (repository / "pyproject.toml").write_text('[project]\nname = "app"\n')
    (repository / "app").mkdir()
    for name, text in (
        ("__init__", "from app import core\n"),
        ("core", "def run():\n    return 1\n"),
        ("report_old", '"""Deprecated: use app.core."""\nfrom app import core, tables\n'),
        ("tables", "ROWS = 3\n"),
    ):
        (repository / "app" / f"{name}.py").write_text(text)
    golden("orphans.json", cli("orphans", str(repository), "--json").out)
    golden("orphans.txt", cli("orphans", str(repository)).out)
    golden("index-map.txt", cli("index", str(repository), "--map").out)


def test_a_rule(cli: Callable, golden: Callable, repository: Path) -> None:
    line = ("rules", "show", "debugger", "--repo", str(repository))
    golden("rules-show.json", cli(*line, "--json").out)
    golden("rules-show.txt", cli(*line).out)


@pytest.mark.parametrize("name", ["list", "show", "add", "enable", "disable", "remove"])
def test_help_of_rules(cli: Callable, golden: Callable, name: str) -> None:
    golden(f"help-rules-{name}.txt", cli("rules", name, "--help").out)


def test_candidates(cli: Callable, golden: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    price = "def price(a):\n    if a:\n        return 1\n    return 2\n"
    made.commit("Begin", {"shop.py": price, "plain.py": "def plain():\n    pass\n"})
    made.commit("Fix a price", {"shop.py": price.replace("2", "3")}, day=90, author="Bob")
    covered = {"executed_lines": [1, 2, 3], "missing_lines": [4]}
    made.write({"coverage.json": json.dumps({"files": {"shop.py": covered}})})
    made.commit("Begin to test", {"test_shop.py": "import shop\n"}, day=180)
    for name, flags in (("candidates.json", ["--json"]), ("candidates.txt", [])):
        golden(name, scrubbed(cli("candidates", str(made.folder), *flags).out, made.folder))


def test_the_index(cli: Callable, golden: Callable, root: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample"
    shutil.copytree(root / "examples" / "sample_repo", sample)
    ran = cli("index", str(sample), "--json")
    text = json.dumps({**ran.document, "seconds": 0}, indent=1)
    golden("index.json", text.replace(str(sample), "<sample>") + "\n")
    shown = cli("index", str(sample)).out
    golden("index.txt", re.sub(r"in [\d.]+ s", "in <seconds> s", shown))


@pytest.mark.parametrize("name", ["words", "signature"])
def test_a_search(cli: Callable, golden: Callable, root: Path, name: str) -> None:
    question = {"words": "fine for late loans", "signature": "(str) -> str"}[name]
    line = ("search", question, "--repo", str(root / "examples" / "sample_repo"))
    golden(f"search-{name}.txt", cli(*line).out)
    text = re.sub(r'"seconds": [\d.]+', '"seconds": 0', cli(*line, "--json").out)
    golden(f"search-{name}.json", text)


@pytest.mark.parametrize("name", ["install", "status", "run", "uninstall"])
def test_help_of_nightly(cli: Callable, golden: Callable, name: str) -> None:
    golden(f"help-nightly-{name}.txt", cli("nightly", name, "--help").out)


@pytest.mark.parametrize(
    "name", ["new", "add", "list", "show", "evaluate", "test", "report", "journal", "health"]
)
def test_help_of_dream(cli: Callable, golden: Callable, name: str) -> None:
    golden(f"help-dream-{name}.txt", cli("dream", name, "--help").out)


@pytest.mark.parametrize("name", ["list", "run", "compare", "evolve"])
def test_help_of_workflow(cli: Callable, golden: Callable, name: str) -> None:
    golden(f"help-workflow-{name}.txt", cli("workflow", name, "--help").out)


@pytest.mark.parametrize(
    "line",
    [
        ("scenarios", "list"),
        ("scenarios", "generate"),
        ("workflow", "stress"),
        ("workflow", "trajectory"),
    ],
)
def test_help_about_scenarios(cli: Callable, golden: Callable, line: tuple[str, str]) -> None:
    golden(f"help-{'-'.join(line)}.txt", cli(*line, "--help").out)


def test_the_canonical_scenarios(cli: Callable, golden: Callable) -> None:
    golden("scenarios.txt", cli("scenarios", "list").out)
    golden("scenarios.json", cli("scenarios", "list", "--json").out)
