import subprocess
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.interfaces.cli.views.mutations import (
    changed_lines,
    mutation_document,
    mutation_page,
    mutation_sarif,
    new_lines,
    show_mutation,
    stryker_document,
)
from reverie.model.measurements.suite import (
    Agreement,
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    MutationReport,
)

SOURCE = "é = 1\nx = a <b> c\n"


def judged(number: int, verdict: MutantVerdict) -> JudgedMutant:
    start = SOURCE.encode().index(b"a <b")
    mutant = Mutant(
        f"m.py::f::op::{number}", "m.py", 2, "op", "f", None, 2, 2, start, start + 1, "b<script>",
        number,
    )  # fmt: skip
    killer = "t::a" if verdict is MutantVerdict.KILLED else None
    return JudgedMutant(mutant, verdict, killer)


@pytest.fixture
def report(tmp_path: Path) -> MutationReport:
    (tmp_path / "m.py").write_text(SOURCE)
    several = tuple(judged(number, verdict) for number, verdict in enumerate(MutantVerdict))
    coverage = CoverageMap((), {}, {}, 0.0)
    return MutationReport(several, coverage, Agreement(4, ("m.py::f::op::1",)), 2.0, 1.0, "", "")


def test_the_score_is_about_what_tests_could_notice(report: MutationReport, tmp_path: Path) -> None:
    found = mutation_document(report, str(tmp_path))
    assert (found["mutants"], found["score"]) == (4, 0.5)
    assert (found["equivalent"], found["invalid"], found["error"]) == (1, 1, 1)
    assert found["mutants_per_second"] == 1.5
    assert found["agreement"]["share"] == 0.75
    assert found["files"] == [
        {"file": "m.py", "mutants": 4, "killed": 1, "survived": 1, "timeout": 1, "not_covered": 1,
         "score": 0.5}
    ]  # fmt: skip
    assert "-x = a <b> c\n+x = b<script> <b> c" in found["survivors"][0]["diff"]


def test_survivors_are_warnings_of_code_scanning(report: MutationReport, tmp_path: Path) -> None:
    (run,) = mutation_sarif(mutation_document(report, str(tmp_path)), str(tmp_path))["runs"]
    (result,) = run["results"]
    (place,) = result["locations"]
    assert (result["ruleId"], result["level"]) == ("survived-mutant", "warning")
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "m.py"
    assert place["physicalLocation"]["region"]["startLine"] == 2
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["survived-mutant"]
    assert run["artifacts"][0]["hashes"]["sha-256"]


def test_a_run_without_mutants_has_no_score(tmp_path: Path) -> None:
    empty = MutationReport((), CoverageMap((), {}, {}, 0.0), Agreement(), 1.0, 1.0, "", "")
    found = mutation_document(empty, str(tmp_path))
    assert (found["score"], found["agreement"]["share"]) == (None, None)


def test_source_on_the_page_is_text(report: MutationReport, tmp_path: Path) -> None:
    page = mutation_page(mutation_document(report, str(tmp_path)))
    assert "<script" not in page
    assert "b&lt;script&gt;" in page
    assert "50.0 %" in page


def test_places_in_the_schema_are_lines_and_characters(
    report: MutationReport, tmp_path: Path
) -> None:
    found = stryker_document(report, str(tmp_path))["files"]["m.py"]
    first = found["mutants"][0]
    assert first["location"]["start"] == {"line": 2, "column": 5}
    assert first["location"]["end"] == {"line": 2, "column": 6}
    assert (first["status"], first["killedBy"]) == ("Killed", ["t::a"])
    assert {each["status"] for each in found["mutants"]} == {
        "Killed", "Survived", "Timeout", "NoCoverage", "Ignored", "CompileError", "RuntimeError",
    }  # fmt: skip


def test_new_lines_are_those_that_were_not_there() -> None:
    assert new_lines(["a", "b", "c"], ["a", "x", "c", "d"]) == {2, 4}
    assert new_lines(["a"], ["a"]) == frozenset()
    assert new_lines([], ["a", "b"]) == {1, 2}


def test_a_folder_without_git_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--since 'main'"):
        changed_lines(tmp_path, "main", ())


def test_lines_that_changed_since_a_revision_are_found(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "m.py").write_text("a = 1\nb = 2\n")
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *line], check=True)
    (tmp_path / "m.py").write_text("a = 1\nb = 3\nc = 4\n")
    (tmp_path / "new.py").write_text("z = 1\n")
    found = changed_lines(tmp_path, "HEAD", ("m.py", "new.py"))
    assert found == {"m.py": {2, 3}, "new.py": {1}}
    with pytest.raises(UsageError, match="no such revision: 'nowhere'"):
        changed_lines(tmp_path, "nowhere", ("m.py",))


def test_where_tests_are_weak_is_told_by_function_weakest_first(
    report: MutationReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = mutation_document(report, str(tmp_path))
    one = document["verdicts"][0]
    missed = [{**one, "id": f"m.py::g::op::{n}", "line": n, "verdict": "not_covered"}
              for n in (9, 3, 4)]  # fmt: skip
    missed += [{**one, "line": 2, "verdict": "survived"}] * 2
    show_mutation({**document, "verdicts": missed})
    told = capsys.readouterr().out.partition("where the tests are weak, weakest first:\n")[2]
    rows = [line.split() for line in told.splitlines()[1:3]]
    assert rows == [["m.py::g", "3-4,", "9"], ["m.py::f", "2"]]
    show_mutation({**document, "verdicts": []})
    assert "weak" not in capsys.readouterr().out


def test_differences_are_shown_where_they_are_asked_for(
    report: MutationReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = mutation_document(report, str(tmp_path))
    show_mutation(document)
    told = capsys.readouterr().out
    assert "the changes that no test noticed: the same command with --diffs" in told
    assert "+x = b<script>" not in told
    show_mutation(document, with_diffs=True)
    told = capsys.readouterr().out
    assert "+x = b<script>" in told
    assert "with --diffs" not in told
