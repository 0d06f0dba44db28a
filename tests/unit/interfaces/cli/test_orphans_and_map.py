"""`reverie orphans`, `reverie index --map` and `--html`, through the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index.orphans import evidence_files

KEYS = {"name", "path", "orphan", "isolated", "redundant", "legacy", "confidence", "reasons"}
FILES = {
    "pyproject.toml": '[project]\nname = "app"\n',
    "app/__init__.py": "from app import core\n",
    "app/core.py": "def run():\n    return 1\n",
    "app/head.py": "from app import tail\n",
    "app/tail.py": "VALUE = 1\n",
}


@pytest.fixture
def app(repository: Path) -> Path:
    for path, text in FILES.items():
        place = repository / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
    return repository


def names(ran) -> list[str]:  # type: ignore[no-untyped-def]
    return [each["name"] for each in ran.document["modules"]]


def test_the_document_has_the_promised_keys(cli: Callable, app: Path) -> None:
    ran = cli("orphans", str(app), "--json")
    assert ran.code == 0
    assert set(ran.document) == {"modules"}
    assert all(set(each) >= KEYS | {"parents"} for each in ran.document["modules"])
    assert names(ran) == ["app.head", "app.tail"]


@pytest.mark.parametrize(
    ("line", "environ"),
    [
        (["--no-recursive-isolated"], {}),
        ([], {"SANDBOX_RECURSIVE_ISOLATED": "0"}),
        ([], {"SELF_TEST_RECURSIVE_ISOLATED": "0"}),
        (["--max-depth", "0"], {}),
        (["--max-recursion-depth", "0"], {}),
        ([], {"SANDBOX_MAX_RECURSION_DEPTH": "0"}),
    ],
)
def test_flags_and_variables_hold_the_chain_back(
    cli: Callable, app: Path, line: list[str], environ: dict[str, str]
) -> None:
    assert names(cli("orphans", str(app), "--json", *line, environ=environ)) == ["app.head"]


@pytest.mark.parametrize(
    "flag", ["--no-recursive", "--no-recursive-orphans", "--no-recursive-include"]
)
def test_recursion_has_the_names_of_the_documents(cli: Callable, app: Path, flag: str) -> None:
    (app / "app" / "head.py").write_text("from app import core, tail\n")
    assert names(cli("orphans", str(app), "--json", flag)) == ["app.head"]


def test_people_get_a_table_and_a_sum(cli: Callable, app: Path) -> None:
    out = cli("orphans", str(app)).out
    assert "app/head.py" in out
    assert "\n2 orphaned, 2 isolated, 0 redundant, 0 legacy\n" in out


def test_an_initialised_repository_keeps_the_answer_in_files(cli: Callable, app: Path) -> None:
    cli("orphans", str(app))
    assert not (app / ".reverie").exists()
    cli("init", "--repo", str(app))
    cli("orphans", str(app))
    folder = app / ".reverie"
    assert json.loads((folder / "orphan_modules.json").read_text()) == [
        "app/head.py",
        "app/tail.py",
    ]
    marks = json.loads((folder / "orphan_classifications.json").read_text())
    assert marks["app/tail.py"]["parents"] == ["app.head"]


def test_the_map_is_added_to_the_document(cli: Callable, app: Path) -> None:
    ran = cli("index", str(app), "--map", "--json")
    assert ran.document["map"]["algorithm"] == "louvain"
    members = [path for group in ran.document["map"]["groups"] for path in group["modules"]]
    assert sorted(members) == sorted(path for path in FILES if path.endswith(".py"))
    assert ran.document["graph"]["cycles"] == [["app", "app.core"]] or isinstance(
        ran.document["graph"]["cycles"], list
    )
    assert ran.document["graph"]["modules"]["app.tail"] == {"layer": 0, "reach": 1 / 3}


def test_ids_of_groups_outlive_a_change(cli: Callable, app: Path) -> None:
    cli("init", "--repo", str(app))
    cli("index", str(app), "--map")
    file = app / ".reverie" / "module_map.json"
    text = file.read_text()
    known = json.loads(text)
    known["groups"][0]["id"] = "a name that people gave"
    file.write_text(json.dumps(known))
    again = cli("index", str(app), "--map", "--json").document["map"]["groups"]
    assert "a name that people gave" in {group["id"] for group in again}


@pytest.mark.parametrize("text", ["", "[1]", '{"groups": [{"id": 1}]}', "{" * 5000])
def test_a_map_that_cannot_be_read_is_drawn_up_afresh(cli: Callable, app: Path, text: str) -> None:
    cli("init", "--repo", str(app))
    (app / ".reverie" / "module_map.json").write_text(text)
    assert cli("index", str(app), "--map").code == 0
    assert json.loads((app / ".reverie" / "module_map.json").read_text())["groups"]


def test_the_picture_is_one_file(cli: Callable, app: Path, tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    assert cli("index", str(app), "--html", str(page)).code == 0
    assert '"app/tail.py"' in page.read_text()
    assert [path.name for path in tmp_path.glob("*map*")] == ["map.html"]


def test_a_place_that_cannot_be_written_is_one_line(cli: Callable, app: Path) -> None:
    ran = cli("index", str(app), "--html", str(app / "missing" / "map.html"))
    assert ran.code == 2
    assert ran.err.startswith("error: cannot write ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        ["index", "--map", "--algorithm", "magic"],
        ["index", "--map", "--threshold", "2"],
        ["orphans", "--max-depth", "-1"],
        ["orphans", "--similarity", "0.1"],
        ["orphans", "/no/such/folder"],
    ],
)
def test_a_value_that_is_no_use_is_named(cli: Callable, app: Path, line: list[str]) -> None:
    where = [] if line[-1].startswith("/") else ["--repo", str(app)]
    ran = cli(*line, *where)
    assert ran.code == 2
    assert line[-1] in ran.err


def past(scripted: Callable, *, report: bool) -> Path:
    """A repository whose orphan was last changed 400 days before the newest commit."""
    made = scripted("past")
    made.commit("Begin", dict(FILES))
    made.commit("Go on", {"app/core.py": "def run():\n    return 2\n"}, day=400)
    if report:
        lines = {"executed_lines": [1], "missing_lines": []}
        files = {"app/head.py": lines, "app/core.py": {**lines, "missing_lines": [2]}}
        made.write({"coverage.json": json.dumps({"meta": {"version": "7"}, "files": files})})
    return Path(made.folder)


def reasons(ran, path: str) -> str:  # type: ignore[no-untyped-def]
    found = [each for each in ran.document["modules"] if each["path"] == path]
    return "; ".join(found[0]["reasons"])


def test_the_age_of_an_orphan_and_what_the_tests_run_of_it_are_among_the_reasons(
    cli: Callable, scripted: Callable
) -> None:
    ran = cli("orphans", str(past(scripted, report=True)), "--json")
    assert "unchanged for 400 days" in reasons(ran, "app/head.py")
    assert "the tests run 100% of its lines" in reasons(ran, "app/head.py")
    assert "the tests run" not in reasons(ran, "app/tail.py")
    confidence = {each["path"]: each["confidence"] for each in ran.document["modules"]}
    assert confidence["app/head.py"] < confidence["app/tail.py"]


def test_what_is_not_known_is_said(cli: Callable, scripted: Callable, app: Path) -> None:
    assert "note: no coverage report" in cli("orphans", str(past(scripted, report=False))).out
    assert "git age is not known" in cli("orphans", str(app)).out


def test_the_picture_is_coloured_by_coverage_and_hotness_where_they_are_known(
    cli: Callable, scripted: Callable, tmp_path: Path
) -> None:
    page = tmp_path / "map.html"
    assert cli("index", str(past(scripted, report=True)), "--html", str(page)).code == 0
    text = page.read_text("utf-8")
    assert '"coverage":0.5' in text.replace(" ", "")
    assert '"hotness":1.0' in text.replace(" ", "")


def test_a_source_is_parsed_for_its_uses_once_and_again_when_it_changes(
    cli: Callable, scripted: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = past(scripted, report=False)
    read: list[str] = []
    original = evidence_files.read_source_facts

    def listening(path: Path) -> object:
        read.append(path.name)
        return original(path)

    monkeypatch.setattr(evidence_files, "read_source_facts", listening)
    monkeypatch.chdir(folder)
    assert cli("init").code == 0
    first = cli("orphans", str(folder), "--json").out
    assert sorted(read) == ["__init__.py", "core.py", "head.py", "tail.py"]
    read.clear()
    assert cli("orphans", str(folder), "--json").out == first
    assert read == []
    (folder / "app/head.py").write_text("LATER = 'app.tail'\n")
    assert names(cli("orphans", str(folder), "--json")) == ["app.head"]
    assert read == ["head.py"]
