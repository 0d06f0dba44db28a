import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

Layout = dict[str, str]


def lay(root: Path, files: Layout) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return root


def reverie_of(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["reverie"]


def test_makes_the_folder_once(cli: Callable, repository: Path) -> None:
    first = cli("init", "--json", "--repo", str(repository)).document
    again = cli("init", "--json", "--repo", str(repository)).document
    folder = repository / ".reverie"
    assert (first["repository"], first["data_dir"]) == (str(repository), str(folder))
    assert (first["created"], again["created"]) == (True, False)
    assert (folder / ".gitignore").read_text() == "*\n!/baseline.json\n"


def test_opens_the_journal_from_then_on(cli: Callable, repository: Path) -> None:
    assert cli("init", "--repo", str(repository)).out.startswith("initialised: ")
    document = cli("config", "--json", "--repo", str(repository)).document
    assert document["journal"] == f"sqlite:///{repository}/.reverie/journal.db"


def test_refuses_a_folder_that_is_no_repository(cli: Callable, tmp_path: Path) -> None:
    ran = cli("init", "--repo", str(tmp_path))
    assert ran.code == 2
    assert ran.err == f"error: {tmp_path} is no repository: no .git and no pyproject.toml\n"
    assert list(tmp_path.iterdir()) == []


def test_says_why_it_cannot(cli: Callable, repository: Path) -> None:
    (repository / "taken").write_text("")
    environ = {"SANDBOX_DATA_DIR": "taken/here"}
    ran = cli("init", "--repo", str(repository), environ=environ)
    assert ran.code == 2
    assert ran.err.startswith(f"error: cannot make {repository}/taken/here: ")
    assert not (repository / "pyproject.toml").exists()


SOURCE = "def double(n):\n    return 2 * n\n"
TEST = "def test_it():\n    assert True\n"
UNIT = "import unittest\n\nclass T(unittest.TestCase):\n    def test_it(self): pass\n"
LAYOUTS: dict[str, tuple[Layout, dict[str, object]]] = {
    "src": (
        {"src/shop/__init__.py": "", "src/shop/cart.py": SOURCE, "tests/test_cart.py": TEST},
        {"index.roots": ["src"], "guard.test_roots": ["tests"]},
    ),
    "flat": (
        {"shop/__init__.py": "", "shop/cart.py": SOURCE, "test/test_cart.py": UNIT},
        {"guard.test_roots": ["test"]},
    ),
    "code below another folder, by what is imported": (
        {"lib/shop/__init__.py": "", "lib/shop/a.py": SOURCE, "run.py": "import shop.a\n"},
        {"index.roots": ["lib"]},
    ),
    "one file": ({"shop.py": SOURCE}, {}),
    "nothing at all": ({}, {}),
    "tests beside the code": (
        {"shop/__init__.py": "", "shop/cart.py": SOURCE, "shop/test_cart.py": TEST},
        {},
    ),
    "tests in every package": (
        {"a/__init__.py": "", "a/m.py": SOURCE, "a/tests/test_m.py": TEST,
         "b/__init__.py": "", "b/m.py": SOURCE, "b/tests/test_m.py": TEST},
        {"guard.test_roots": ["tests"]},
    ),
    "tests in a folder of another name": (
        {"shop.py": SOURCE, "checks/unit/test_a.py": TEST, "checks/test_b.py": TEST},
        {"guard.test_roots": ["checks"]},
    ),
    "a production package called testing": (
        {"shop/__init__.py": "", "shop/testing/__init__.py": "", "shop/testing/fakes.py": SOURCE,
         "tests/test_a.py": TEST},
        {"guard.test_roots": ["tests"]},
    ),
    "where pytest is told to look": (
        {"shop.py": SOURCE, "quality/suite/test_a.py": TEST, "quality/tool.py": SOURCE,
         "pytest.ini": "[pytest]\ntestpaths = quality/suite\n"},
        {"guard.test_roots": ["quality/suite"]},
    ),
    "benchmarks that look like tests": (
        {"shop.py": SOURCE, "tests/test_a.py": TEST, "bench/test_speed.py": TEST,
         "pytest.ini": "[pytest]\ntestpaths = tests\n"},
        {"guard.test_roots": ["tests"]},
    ),
    "copies and generated files": (
        {"shop/__init__.py": "", "shop/_vendor/six.py": SOURCE, "shop/api_pb2.py": SOURCE},
        {"guard.protected": ["*_pb2.py", "_vendor"]},
    ),
    "several projects tell by themselves": (
        {"a/pyproject.toml": "", "a/src/p/__init__.py": "", "a/src/p/m.py": SOURCE,
         "b/pyproject.toml": "", "b/src/q/__init__.py": "", "b/src/q/m.py": SOURCE},
        {},
    ),
}  # fmt: skip
LOOKED_FOR = ("index.roots", "guard.test_roots", "guard.protected")


@pytest.mark.parametrize("name", LAYOUTS)
def test_writes_what_it_sees_once_and_it_loads(cli: Callable, repository: Path, name: str) -> None:
    files, expected = LAYOUTS[name]
    lay(repository, files)
    at = ("--json", "--repo", str(repository))
    modules = cli("index", *at).document["modules"]
    document = cli("init", *at).document
    written = {each["key"]: each["value"] for each in document["settings"]}
    assert {key: written[key] for key in LOOKED_FOR if key in written} == expected
    config = cli("config", *at).document["settings"]
    assert all(config[key]["value"] == value for key, value in written.items())
    assert all(config[key]["origin"].startswith("pyproject.toml") for key in written)
    assert [each["name"] for each in cli("index", *at).document["modules"]] == [
        each["name"] for each in modules
    ]
    before = (repository / "pyproject.toml").read_bytes()
    again = cli("init", *at).document
    assert (again["changed"], again["diff"]) == (False, "")
    assert {each["state"] for each in again["settings"]} == {"kept"}
    assert (repository / "pyproject.toml").read_bytes() == before


def test_a_dry_run_shows_the_difference_and_writes_nothing(cli: Callable, repository: Path) -> None:
    lay(repository, {**LAYOUTS["src"][0], "pyproject.toml": "[project]\nname = 'shop'\n"})
    before = sorted(repository.rglob("*"))
    dry = cli("init", "--dry-run", "--json", "--repo", str(repository)).document
    shown = cli("init", "--dry-run", "--repo", str(repository)).out
    assert sorted(repository.rglob("*")) == before
    assert (repository / "pyproject.toml").read_text() == "[project]\nname = 'shop'\n"
    assert dry["diff"] in shown
    assert '+roots = ["src"]' in dry["diff"]
    assert cli("init", "--json", "--repo", str(repository)).document["diff"] == dry["diff"]


def test_only_the_folder_when_asked_so(cli: Callable, repository: Path) -> None:
    ran = cli("init", "--no-settings", "--json", "--repo", str(repository))
    assert (ran.document["file"], ran.document["settings"]) == (None, [])
    assert not (repository / "pyproject.toml").exists()


ODD_FILES = {
    "no end of line": "[project]\nname = 'shop'",
    "ends of lines of another system": "[project]\r\nname = 'shop'\r\n",
    "empty": "",
    "a section that is there": "[tool.reverie.guard] # ours\n# many\nfiles = 1\n\n[x]\ny = 1\n",
    "a header in a string": (
        '[x]\ny = """\n[tool.reverie.guard]\n"""\n[tool.reverie.guard]\nfiles = 1'
    ),
    "only in a string": '[x]\ny = """\n[tool.reverie.guard]\n[tool.reverie]\n"""\n',
    "quoted names": "[ \"tool\" . 'reverie'.guard ]\nfiles = 1\n",
    "dotted keys": "[tool.reverie]\nguard.files = 1\n",
    "dotted from the top": "tool.reverie.guard.files = 1\n",
    "inline section": "[tool.reverie]\nguard = { files = 1 }\n",
    "inline everything": "tool = { reverie = { guard = { files = 1 } } }\n",
    "arrays of tables": "[[x]]\ny = 1\n[[x]]\ny = 2\n",
    "names beyond ASCII": "[x]\n\"\u00e9\U0001f600\" = '\u4e2d'\n",
}
WITHOUT_A_PLACE = {
    "dotted keys": set(),
    "dotted from the top": {"guard.test_roots"},
    "inline section": {"guard.test_roots"},
    "inline everything": {
        *("index.roots", "guard.test_roots", "safety.paths"),
        *("nightly.time", "nightly.budget_seconds"),
    },
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_leaves_every_other_byte(cli: Callable, repository: Path, name: str) -> None:
    lay(repository, {**LAYOUTS["src"][0], "pyproject.toml": ODD_FILES[name]})
    document = cli("init", "--json", "--repo", str(repository)).document
    after = (repository / "pyproject.toml").read_bytes().decode()
    lines = iter(after.splitlines())
    assert all(line in lines for line in ODD_FILES[name].splitlines()), "a line was changed"
    assert after.count("\r\n") == (after.count("\n") if "\r" in ODD_FILES[name] else 0)
    told = {each["key"]: each for each in document["settings"]}
    left_out = {key for key, each in told.items() if each["state"] == "left_out"}
    assert left_out == WITHOUT_A_PLACE.get(name, set())
    config = cli("config", "--json", "--repo", str(repository)).document["settings"]
    assert all(config[key]["value"] == told[key]["value"] for key in told.keys() - left_out)
    assert config["guard.files"]["value"] == (1 if "files = 1" in ODD_FILES[name] else 2)


def test_keeps_what_is_there_and_says_so(cli: Callable, repository: Path) -> None:
    mine = "[tool.reverie.index]\nroots = ['src', 'more']\n"
    lay(repository, {**LAYOUTS["src"][0], "more/x.py": "", "pyproject.toml": mine,
                     ".env": "REVERIE_NIGHTLY_TIME=03:30\n"})  # fmt: skip
    ran = cli("init", "--repo", str(repository))
    assert "kept index.roots: pyproject.toml or .env has it" in ran.out
    assert reverie_of(repository)["index"] == {"roots": ["src", "more"]}
    assert "time" not in reverie_of(repository)["nightly"]


def test_a_shell_does_not_decide_what_is_written(cli: Callable, repository: Path) -> None:
    environ = {"REVERIE_NIGHTLY_TIME": "05:00"}
    cli("init", "--repo", str(repository), environ=environ)
    assert reverie_of(repository)["nightly"]["time"] == "02:00"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[tool", "error: pyproject.toml: not valid TOML: "),
        (b"\xff\xfe", "error: pyproject.toml: not UTF-8 at byte 0"),
        (b"[tool.reverie.nightlyy]\n", "error: pyproject.toml: unknown setting"),
        (b"[tool.reverie.nightly]\ntime = 7\n", "error: nightly.time = 7"),
    ],
)
def test_a_bad_file_is_left_alone(
    cli: Callable, repository: Path, content: bytes, said: str
) -> None:
    (repository / "pyproject.toml").write_bytes(content)
    ran = cli("init", "--repo", str(repository))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith(said)
    assert (repository / "pyproject.toml").read_bytes() == content
    assert not (repository / ".reverie").exists()


def test_a_link_out_of_the_repository_is_not_written_through(
    cli: Callable, repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "theirs.toml").write_text("")
    (repository / "pyproject.toml").symlink_to(tmp_path / "theirs.toml")
    ran = cli("init", "--repo", str(repository))
    assert (ran.code, "link out of the repository" in ran.err) == (2, True)
    assert (tmp_path / "theirs.toml").read_text() == ""
    assert not (repository / ".reverie").exists()


def test_names_of_folders_say_nothing_else(cli: Callable, repository: Path) -> None:
    hostile = ['t"]\nx = 1\n#', "tests\u202e", "a'b\"c\\d"]
    for name in hostile:
        lay(repository / name, {"test_a.py": TEST, "test_b.py": TEST})
    lay(repository, {"shop.py": SOURCE})
    ran = cli("init", "--repo", str(repository))
    assert ran.code == 0
    assert set(reverie_of(repository)) == {"guard", "safety", "nightly"}
    assert reverie_of(repository)["guard"] == {"test_roots": ["a'b\"c\\d"]}


def test_mode_and_link_inside_stay(cli: Callable, repository: Path) -> None:
    lay(repository, {"etc/project.toml": "[x]\ny = 1\n"})
    (repository / "etc/project.toml").chmod(0o640)
    (repository / "pyproject.toml").symlink_to("etc/project.toml")
    assert cli("init", "--repo", str(repository)).code == 0
    assert (repository / "pyproject.toml").is_symlink()
    assert (repository / "etc/project.toml").stat().st_mode & 0o777 == 0o640
    assert reverie_of(repository)["nightly"]["time"] == "02:00"
    assert sorted(each.name for each in (repository / "etc").iterdir()) == ["project.toml"]


def test_what_git_knows_is_used(cli: Callable, scripted: Callable) -> None:
    history = scripted()
    for day in range(0, 28, 2):
        history.commit("One", {"shop.py": f"N = {day}\n"}, day=day)
    history.commit("Last", {".github/workflows/tests.yml": "on: push\n"}, day=28)
    history.git("branch", "reverie")
    assert cli("init", "--repo", str(history.folder)).code == 0
    assert reverie_of(history.folder)["promotion"] == {"branch_prefix": "reverie-night"}


@pytest.fixture
def asked(cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Callable:
    """`reverie init` before a person who gives these answers."""
    lay(repository, LAYOUTS["src"][0])
    monkeypatch.setattr("reverie.interfaces.cli.commands.init.can_ask", lambda: True)

    def call(*answers: str, options: tuple[str, ...] = ()) -> object:
        given = iter(answers)
        monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: next(given))
        return cli("init", *options, "--repo", str(repository))

    return call


def test_a_person_is_asked_about_three_settings(asked: Callable, repository: Path) -> None:
    ran = asked("9h", "soon", "30m", "checks, tests/", "src/shop/_vendor/*")
    assert ran.code == 0
    assert ran.err.count("a time from 1m to 4h") == 2
    written = reverie_of(repository)
    assert written["nightly"]["budget_seconds"] == 1800
    assert written["guard"]["test_roots"] == ["checks", "tests"]
    assert written["guard"]["protected"] == ["src/shop/_vendor/*"]
    assert "checks/*" in written["safety"]["paths"]
    again = asked()
    assert (again.code, "wrote" in again.out) == (0, False)


def test_enter_takes_what_is_proposed(asked: Callable, cli: Callable, repository: Path) -> None:
    proposed = cli("init", "--dry-run", "--json", "--repo", str(repository)).document["diff"]
    assert asked("", "", "").code == 0
    whole = "".join(
        f"+{line}\n" for line in (repository / "pyproject.toml").read_text().splitlines()
    )
    assert proposed.endswith(whole)


@pytest.mark.parametrize("options", [("--yes",), ("--dry-run",), ("--json",)])
def test_whoever_wants_no_question_is_asked_none(asked: Callable, options: tuple[str, ...]) -> None:
    ran = asked(options=options)
    assert (ran.code, ran.err) == (0, "")
    if options != ("--json",):
        assert "guard.protected = not set: What must never be changed?" in ran.out


@pytest.mark.parametrize("path", ["/etc", "../other", "~/x"])
def test_an_answer_that_leads_outside_is_asked_again(asked: Callable, path: str) -> None:
    ran = asked("", path, "tests", "")
    assert ran.code == 0
    assert "paths inside of the repository" in ran.err
