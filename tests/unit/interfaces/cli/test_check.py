import json
from collections.abc import Callable
from pathlib import Path

import pytest

BAD = 'import os\nos.system("ls")\n'
GOOD = "x = 1\n"


@pytest.fixture
def code(repository: Path) -> Path:
    (repository / "bad.py").write_text(BAD)
    (repository / "good.py").write_text(GOOD)
    return repository


def test_a_file_that_passes(cli: Callable, code: Path) -> None:
    ran = cli("check", str(code / "good.py"), "--json", "--repo", str(code))
    assert ran.code == 0
    assert ran.document["passed"] is True
    assert ran.document["files"][0]["findings"] == []


def test_a_file_that_does_not(cli: Callable, code: Path) -> None:
    path = str(code / "bad.py")
    ran = cli("check", path, str(code / "good.py"), "--json", "--repo", str(code))
    assert ran.code == 1
    assert ran.document["passed"] is False
    first, second = ran.document["files"]
    assert (first["path"], first["passed"], second["passed"]) == (path, False, True)
    finding = first["findings"][0]
    assert (finding["line"], finding["column"], finding["severity"]) == (2, 1, "critical")
    assert "os.system" in finding["message"]


def test_people_get_a_line_per_finding(cli: Callable, code: Path) -> None:
    ran = cli("check", str(code / "bad.py"), "--repo", str(code))
    assert ran.code == 1
    assert f"{code}/bad.py:2:1: critical process: os.system" in ran.out
    assert ran.out.splitlines()[-1] == "1 file, 2 findings: 1 did not pass"


def test_nothing_of_a_file_reaches_the_terminal_raw(cli: Callable, code: Path) -> None:
    path = code / "odd\x1b[2J.py"
    path.write_text("import os\nos.system('\x1b[31m')\n")
    ran = cli("check", str(path), "--repo", str(code))
    assert "\x1b" not in ran.out
    assert r"odd\x1b[2J.py:2:1" in ran.out


def test_folders_are_walked_for_python(cli: Callable, code: Path) -> None:
    for name in (".venv/lib/x.py", "__pycache__/x.py", "env/bin/x.py", "pkg/deep/x.py"):
        (code / name).parent.mkdir(parents=True, exist_ok=True)
        (code / name).write_text(BAD)
    (code / "env" / "pyvenv.cfg").write_text("")
    (code / "pkg" / "notes.txt").write_text(BAD)
    document = cli("check", str(code), str(code / "bad.py"), "--json", "--repo", str(code)).document
    names = [Path(each["path"]).relative_to(code).as_posix() for each in document["files"]]
    assert names == ["bad.py", "good.py", "pkg/deep/x.py"]


def test_the_tier_is_the_one_given_or_the_settings_choice(cli: Callable, code: Path) -> None:
    environ = {"REVERIE_SAFETY_PATHS": "bad*=core"}
    line = ("check", str(code / "bad.py"), "--repo", str(code))
    assert cli(*line, environ=environ).code == 0
    assert cli(*line, "--tier", "sandbox", environ=environ).code == 1
    (code / "other.py").write_text(BAD)
    assert cli("check", str(code / "other.py"), "--repo", str(code), environ=environ).code == 1


def test_settings_switch_rules_off(cli: Callable, code: Path) -> None:
    line = ("check", str(code / "bad.py"), "--repo", str(code))
    assert cli(*line, environ={"REVERIE_SAFETY_DISABLE": "process,shell-command"}).code == 0
    ran = cli(*line, environ={"REVERIE_SAFETY_DISABLE": "proces"})
    assert ran.code == 2
    assert ran.err == "error: safety.disable: no safety rule has the id 'proces'\n"


def test_sarif_is_written_beside_the_answer(cli: Callable, code: Path, tmp_path: Path) -> None:
    target = tmp_path / "findings.sarif"
    ran = cli("check", str(code / "bad.py"), "--sarif", str(target), "--repo", str(code))
    assert ran.code == 1
    sarif = json.loads(target.read_text("utf-8"))
    assert sarif["version"] == "2.1.0"
    assert {each["ruleId"] for each in sarif["runs"][0]["results"]} == {"process", "shell-command"}
    ran = cli("check", str(code / "bad.py"), "--sarif", str(target / "x"))
    assert ran.code == 2
    assert ran.err.startswith("error: --sarif: ")


def test_a_file_that_does_not_parse_does_not_pass(cli: Callable, code: Path) -> None:
    (code / "broken.py").write_text("def f(:\n")
    assert cli("check", str(code / "broken.py"), "--repo", str(code)).code == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ([], "Missing argument 'FILE...'"),
        (["nowhere.py"], "no such file or folder: 'nowhere.py'"),
        (["good.py", "--tier", "golden"], "'golden' is not one of 'sandbox'"),
    ],
)
def test_wrong_usage(
    cli: Callable, code: Path, monkeypatch: pytest.MonkeyPatch, line: list[str], complaint: str
) -> None:
    monkeypatch.chdir(code)
    ran = cli("check", *line)
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.out == ""


def test_checking_imports_no_database(code: Path) -> None:
    import subprocess
    import sys

    line = ["check", str(code / "good.py"), "--repo", str(code)]
    script = (
        "import sys\nfrom reverie.interfaces.cli.boundary import run\n"
        f"assert run({line!r}, {{}}) == 0\n"
        "assert not {'sqlalchemy', 'alembic', 'rich'} & set(sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
