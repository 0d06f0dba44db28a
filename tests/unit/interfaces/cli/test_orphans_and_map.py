"""`reverie orphans`, `reverie index --map` and `--html`, through the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

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
    assert out.endswith("2 orphaned, 2 isolated, 0 redundant, 0 legacy\n")


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
