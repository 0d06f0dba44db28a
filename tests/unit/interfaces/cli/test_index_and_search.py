"""`reverie index` and `reverie search` on the command line."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

MOST_OF_OURS = 52
"""Modules of ours that a search imports where nothing changed."""


@pytest.fixture
def small(repository: Path) -> Path:
    """A repository with two modules, one broken file and a src layout."""
    package = repository / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .price import total\n")
    (package / "price.py").write_text(
        "def total(values: list[int]) -> int:\n    '''Add up prices.'''\n"
        "    if values:\n        return sum(values)\n    return 0\n"
    )
    (repository / "broken.py").write_text("def (\n")
    return repository


def test_the_index_as_json(cli: Callable, small: Path) -> None:
    ran = cli("index", str(small), "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    broken, package, price = document["modules"]
    assert document["repository"] == str(small)
    assert (broken["path"], broken["error"]) == ("broken.py", "line 1: invalid syntax")
    assert (package["name"], package["imports"]) == ("shop", ["shop.price"])
    assert package["exports"] == ["total"]
    (function,) = price["functions"]
    assert (function["name"], function["line"], function["complexity"]) == ("total", 1, 2)
    assert function["signature"] == "(values: list[int]) -> int"
    assert document["edges"] == [["shop", "shop.price"]]
    assert document["totals"]["modules"] == 3
    assert (document["read"], document["unchanged"], document["seconds"] > 0) == (3, 0, True)


def test_an_initialised_repository_remembers(cli: Callable, small: Path) -> None:
    cli("init", "--repo", str(small))
    first = cli("index", str(small), "--json").document
    second = cli("index", "--repo", str(small), "--json").document
    assert (first["read"], second["read"], second["unchanged"]) == (3, 0, 3)
    assert first["modules"] == second["modules"]
    assert first["totals"] == second["totals"]


def test_whoever_indexes_wants_it_remembered(cli: Callable, small: Path) -> None:
    ran = cli("index", str(small))
    assert "broken.py: line 1: invalid syntax" in ran.out
    assert "3 read, 0 unchanged" in ran.out
    assert "0 read, 3 unchanged" in cli("index", str(small)).out
    assert (small / ".reverie" / ".gitignore").read_text().startswith("*\n")


def test_nothing_is_written_where_nobody_asked(cli: Callable, small: Path) -> None:
    assert cli("search", "anything", "--repo", str(small)).code in (0, 1)
    assert not (small / ".reverie").exists()


def test_an_empty_folder_is_an_empty_index(cli: Callable, tmp_path: Path) -> None:
    ran = cli("index", str(tmp_path), "--json")
    assert ran.code == 0
    assert (ran.document["modules"], ran.document["edges"]) == ([], [])
    assert ran.document["totals"]["modules"] == 0
    assert cli("index", str(tmp_path)).code == 0


@pytest.mark.parametrize("name", ["file.py", "missing"])
def test_what_is_no_folder_is_refused_by_name(cli: Callable, tmp_path: Path, name: str) -> None:
    (tmp_path / "file.py").write_text("x = 1\n")
    for command in (
        ["index", str(tmp_path / name)],
        ["search", "x", "--repo", str(tmp_path / name)],
    ):
        ran = cli(*command)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1
        assert name in ran.err


def test_answers_are_places(cli: Callable, small: Path) -> None:
    ran = cli("search", "add", "prices", "--repo", str(small))
    assert ran.code == 0
    assert ran.out == (
        "src/shop/price.py:1: function total(values: list[int]) -> int\n    Add up prices.\n"
    )


def test_answers_as_json(cli: Callable, small: Path) -> None:
    document = cli("search", "(list[int]) -> int", "--json", "--repo", str(small)).document
    (result,) = document["results"]
    assert document["query"] == "(list[int]) -> int"
    assert (result["module"], result["qualname"], result["line"]) == ("shop.price", "total", 1)
    assert (result["kind"], result["summary"]) == ("function", "Add up prices.")


def test_no_answer_is_exit_code_1(cli: Callable, small: Path) -> None:
    ran = cli("search", "zebra", "--repo", str(small))
    assert (ran.code, ran.out) == (1, "nothing found\n")
    assert cli("search", "zebra", "--repo", str(small), "--json").document["results"] == []


@pytest.mark.parametrize("arguments", [["..."], ["x", "--limit", "0"], []])
def test_a_question_that_is_none_is_refused(
    cli: Callable, small: Path, arguments: list[str]
) -> None:
    ran = cli("search", *arguments, "--repo", str(small))
    assert (ran.code, ran.out) == (2, "")


def test_without_a_refresh_the_answer_is_what_is_remembered(cli: Callable, small: Path) -> None:
    cli("init", "--repo", str(small))
    cli("index", str(small))
    (small / "new.py").write_text("def brand_new(): pass\n")
    line = ("search", "brand new", "--repo", str(small))
    assert cli(*line, "--no-refresh").code == 1
    assert cli(*line).code == 0
    assert cli(*line, "--no-refresh").code == 0


def test_names_that_terminals_obey_are_made_harmless(cli: Callable, small: Path) -> None:
    (small / "\x1b[31mred.py").write_text("def crimson(a='\x1b[0m'): '''\x1b]0;title\x07'''\n")
    ran = cli("search", "crimson", "--repo", str(small))
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\x1b" not in cli("index", str(small)).out
    json.loads(cli("index", str(small), "--json").out)


def test_a_search_loads_only_what_it_needs(tmp_path: Path) -> None:
    ran = _searched(tmp_path, _setting_freshness(trail_ns=10**18))
    others = {"rich", "sqlalchemy", "tomllib", "configparser", "difflib", "hashlib", "shutil"}
    others |= {"reverie.sandbox", "reverie.model.execution", "reverie.model.repository.code"}
    assert "reverie.index.remembering.refresh" in ran.loaded
    assert not others & ran.loaded


def test_a_search_where_nothing_changed_lists_no_folder_and_opens_no_file(tmp_path: Path) -> None:
    ran = _searched(tmp_path, _setting_freshness(trail_ns=0))
    others = {
        "logging",
        "reverie.model.repository.indexed",
        "reverie.model.sections",
        "reverie.index.remembering.memory",
    }
    others |= {f"reverie.index.{name}" for name in ("remembering.refresh", "discovery", "naming")}
    assert "reverie.index.remembering.trail" in ran.loaded
    assert not others & ran.loaded
    assert len([each for each in ran.loaded if each.startswith("reverie")]) <= MOST_OF_OURS
    assert ran.looked_into == []


def _setting_freshness(trail_ns: int) -> str:
    """Files are trusted at once, the whole after a while."""
    names = "from reverie.index.remembering import refresh, rereading\nrereading.FRESH_NS = 0\n"
    return f"{names}refresh.FRESH_NS = {trail_ns}\n"


class _Searched(NamedTuple):
    loaded: set[str]
    looked_into: list[str]
    """What of the repository was listed or opened, but for the settings."""


def _searched(folder: Path, first: str) -> _Searched:
    """The second of two searches, each in a process of its own; the first makes the journal."""
    root = folder / "repository"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "one.py").write_text("def only(): ...\n")
    line = ["search", "only", "--repo", str(root), "--journal-url", f"sqlite:///{folder}/j.db"]
    script = (
        "import sys\nlooked = []\n"
        "def see(event, arguments):\n"
        f"    if event in ('open', 'os.scandir') and str(arguments[0]).startswith({str(root)!r}):\n"
        "        looked.append(arguments[0])\n"
        "sys.addaudithook(see)\n"
        "from reverie.interfaces.cli.boundary import run\n"
        f"assert run({line!r}, {{}}) == 0\n"
        "print(*sys.modules, file=sys.stderr)\nprint(*looked, file=sys.stderr)\n"
    )
    for program in (first + script, script):
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.returncode == 0
    modules, looked = ran.stderr.split("\n")[:2]
    return _Searched(set(modules.split()), looked.split())
