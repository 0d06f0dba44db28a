"""`reverie quality` with the real tools in the real sandbox."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.instruments.quality import tools

GOOD = '"""Adds."""\n\n\ndef add(a, b):\n    """The sum."""\n    return a + b\n'
UNUSED = "import os\n"
DANGEROUS = "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"


def parts(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["part"]: each for each in document["parts"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of one good file."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[project]\nname = 'project'\n")
    (folder / "good.py").write_text(GOOD)
    return folder


def judge(cli: Callable, folder: Path, *flags: str, **given: Any) -> Any:
    return cli("quality", str(folder), "--repo", str(folder), "--json", *flags, **given)


def test_every_part_has_its_figure_and_its_own_grade(cli: Callable, project: Path) -> None:
    ran = judge(cli, project)
    assert ran.code == 0, ran.err
    document = ran.document
    assert (document["grade"], document["score"], document["passed"]) == ("excellent", 4.0, True)
    found = parts(document)
    assert list(found) == [
        *("syntax", "lint", "types", "complexity", "docstrings", "security", "duplication")
    ]
    assert found["types"]["absent"] == "nothing is annotated, so there is nothing to check"
    assert found["types"]["grade"] is None
    graded = [each for each in document["parts"] if each["part"] != "types"]
    assert all(each["grade"] == "excellent" for each in graded)


def test_the_score_can_be_recomputed_from_the_document(cli: Callable, project: Path) -> None:
    (project / "bad.py").write_text(UNUSED + DANGEROUS)
    document = judge(cli, project).document
    points = ["reject", "needs_work", "acceptable", "good", "excellent"]
    known = [each for each in document["parts"] if each["grade"] and each["weight"]]
    total = sum(points.index(each["grade"]) * each["weight"] for each in known)
    assert document["score"] == pytest.approx(total / sum(each["weight"] for each in known))
    assert {"ruff:F401", "docstring"} <= {each["rule"] for each in document["findings"]}


def test_ruff_and_mypy_find_what_is_there_and_their_configuration_is_the_repository_s(
    cli: Callable, project: Path
) -> None:
    (project / "typed.py").write_text(
        UNUSED + "import nowhere\n\n\ndef f(x: int) -> str:\n    return x + nowhere.y\n\n\nf('a')\n"
    )
    document = judge(cli, project).document
    rules = [each["rule"] for each in document["findings"] if each["path"] == "typed.py"]
    assert {"mypy:arg-type", "ruff:F401"} <= set(rules)
    assert not any("import-not-found" in rule for rule in rules)
    assert "mypy could not follow 1 imports" in document["notes"]
    (project / "ruff.toml").write_text('[lint]\nselect = ["F811"]\n')
    (project / "mypy.ini").write_text("[mypy]\ndisable_error_code = arg-type\n")
    again = judge(cli, project).document
    assert [each for each in again["findings"] if ":" in each["rule"]] == []


def test_modules_named_like_python_s_own_do_not_stop_the_tools(
    cli: Callable, project: Path
) -> None:
    for name in ("types.py", "mypy.py", "ruff.py", "json.py"):
        (project / name).write_text("raise SystemExit(0)\n")
    (project / "bad.py").write_text(UNUSED)
    document = judge(cli, project).document
    assert parts(document)["lint"]["absent"] is None
    assert "ruff:F401" in {each["rule"] for each in document["findings"]}


def test_a_plug_in_of_mypy_runs_inside_the_sandbox(
    cli: Callable, project: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    (project / "mypy.ini").write_text("[mypy]\nplugins = evil.py\n")
    (project / "evil.py").write_text(
        "import sys\n"
        "def plugin(version):\n"
        "    seen = []\n"
        f"    tries = [({str(project / 'good.py')!r}, 'w'), ({str(tmp_path / 'out')!r}, 'w')]\n"
        f"    for path, mode in [*tries, ({str(secret)!r}, 'r')]:\n"
        "        try:\n            seen.append(open(path, mode).read())\n"
        "        except OSError as error:\n            seen.append(type(error).__name__)\n"
        "    sys.exit(7 if all('Error' in each for each in seen) else 8)\n"
    )
    (project / "typed.py").write_text("def f(x: int) -> int:\n    return x\n")
    document = judge(cli, project).document
    assert parts(document)["types"]["absent"].startswith("mypy failed (7)")
    assert "password" not in json.dumps(document)
    assert (project / "good.py").read_text() == GOOD
    assert not (tmp_path / "out").exists()


def test_a_tool_that_is_not_installed_is_said_and_left_out(
    cli: Callable, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "find_spec", lambda name: None)
    (project / "typed.py").write_text('"""T."""\n\n\ndef f(x: int) -> int:\n    """F."""\n')
    ran = judge(cli, project)
    found = parts(ran.document)
    assert found["lint"]["absent"] == "ruff is not installed"
    assert found["types"]["absent"] == "mypy is not installed"
    assert (ran.document["grade"], ran.document["score"]) == ("excellent", 4.0)
    assert "left out: ruff is not installed" in cli("quality", str(project)).out


def test_below_the_minimum_the_answer_is_no(cli: Callable, project: Path) -> None:
    (project / "bad.py").write_text(UNUSED + DANGEROUS)
    ran = judge(cli, project, "--minimum", "excellent")
    assert ran.code == 1
    assert ran.document["passed"] is False
    text = cli("quality", str(project), "--repo", str(project), "--minimum", "excellent")
    assert text.code == 1
    assert text.out.rstrip().endswith("below excellent")
    assert judge(cli, project, "--minimum", "perfect").code == 2


def test_a_file_that_does_not_parse_rejects_the_whole(cli: Callable, project: Path) -> None:
    (project / "broken.py").write_text("def f(:\n")
    ran = judge(cli, project)
    assert (ran.code, ran.document["grade"], ran.document["capped_by"]) == (1, "reject", "syntax")


def test_only_lines_that_changed_are_judged(cli: Callable, scripted: Callable) -> None:
    made = scripted()
    old = UNUSED + DANGEROUS
    made.commit("Old sins", {"old.py": old, "other.py": old})
    made.commit("Good", {"good.py": GOOD}, day=1)
    nothing = judge(cli, made.folder, "--changed-since", "HEAD")
    assert (nothing.code, nothing.document["grade"], nothing.document["files"]) == (0, None, 0)
    assert "nothing changed" in nothing.document["notes"]
    since = judge(cli, made.folder, "--changed-since", "HEAD~1").document
    assert (since["grade"], since["files"], since["findings"]) == ("excellent", 1, [])
    made.write({"old.py": old + "\n\nimport re\n"})
    new = judge(cli, made.folder, "--changed-since", "HEAD").document
    places = {(each["path"], each["line"], each["rule"]) for each in new["findings"]}
    assert ("old.py", 9, "ruff:F401") in places
    assert {(path, line) for path, line, _ in places} == {("old.py", 9)}
    assert judge(cli, made.folder, "--changed-since", "nowhere").code == 2


def test_a_copy_of_an_old_file_is_seen_though_the_old_file_did_not_change(
    cli: Callable, scripted: Callable
) -> None:
    made = scripted()
    body = "".join(f"    if a > {n} and a.b:\n        c -= a * {n}\n" for n in range(12))
    text = f"def f(a, c):\n{body}    return c\n"
    made.commit("Old", {"old.py": text})
    made.write({"new.py": '"""N."""\n\n\n' + text.replace("f(a", "g(a")})
    document = judge(cli, made.folder, "--changed-since", "HEAD").document
    (pair,) = document["duplicates"]
    assert {pair["first"]["path"], pair["second"]["path"]} == {"old.py", "new.py"}
    assert parts(document)["duplication"]["grade"] == "reject"
    assert {e["path"] for e in document["findings"] if e["part"] == "duplication"} == {"new.py"}


def test_sarif_names_every_check_that_found_something(
    cli: Callable, project: Path, tmp_path: Path
) -> None:
    (project / "bad.py").write_text(UNUSED + DANGEROUS)
    target = tmp_path / "quality.sarif"
    document = judge(cli, project, "--sarif", str(target)).document
    (run,) = json.loads(target.read_text())["runs"]
    described = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(described) == len(set(described))
    assert len(run["results"]) == len(document["findings"])
    for result in run["results"]:
        assert described[result["ruleIndex"]] == result["ruleId"]
    assert judge(cli, project, "--sarif", str(tmp_path / "no" / "x.sarif")).code == 2


def test_files_outside_of_any_repository_are_judged_alone(cli: Callable, tmp_path: Path) -> None:
    path = tmp_path / "alone.py"
    path.write_text(UNUSED + GOOD)
    ran = cli("quality", str(path), "--json", "--repo", str(tmp_path))
    assert "ruff:F401" in {each["rule"] for each in ran.document["findings"]}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ran = cli("quality", str(path), "--json", "--repo", str(elsewhere))
    assert {each["path"] for each in ran.document["findings"]} == {str(path)}
    assert "ruff:F401" in {each["rule"] for each in ran.document["findings"]}


def test_wrong_usage_is_told_in_a_line(cli: Callable, project: Path, tmp_path: Path) -> None:
    ran = cli("quality", str(tmp_path / "nothing"))
    assert (ran.code, ran.out) == (2, "")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no Python file" in cli("quality", str(empty), "--repo", str(project)).err
    ran = cli("quality", str(project), "--repo", str(project), "--changed-since", "HEAD")
    assert (ran.code, "no git repository" in ran.err) == (2, True)


def test_hostile_text_does_not_reach_the_terminal(cli: Callable, project: Path) -> None:
    evil = "evil\x1b[31m\n--config=x.py"
    (project / evil).write_text("def f():\n    return undefined_name\n")
    (project / "named.py").write_text('x = "\x1b[31m"\nraise undefined\n')
    ran = cli("quality", str(project), "--repo", str(project))
    assert "\x1b" not in ran.out
    assert "named.py:2" in ran.out
