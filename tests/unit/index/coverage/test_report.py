import os
import runpy
import sqlite3
from collections.abc import Callable
from pathlib import Path

import coverage
import pytest
from coverage.numbits import nums_to_numbits
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import UsageError
from reverie.index import coverage_files
from reverie.index.coverage import find_report, map_coverage, read_report
from reverie.index.coverage_files import RawCoverage, RawFile, lines_of
from reverie.model.repository.candidate import CoverageMap, FileCoverage

SOURCE = b"""\
def f(x):
    if x:
        return 1
    return 2


def g():
    return 3


f(1)
"""
SCHEMA = """
CREATE TABLE coverage_schema (version integer);
INSERT INTO coverage_schema VALUES (7);
CREATE TABLE file (id integer primary key, path text);
CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob);
CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer);
"""


@pytest.fixture
def measured(tmp_path: Path) -> Callable[..., Path]:
    """A repository whose one module was run under the real coverage.py."""

    def make(*, branch: bool = False) -> Path:
        module = tmp_path / "m.py"
        module.write_bytes(SOURCE)
        data = coverage.Coverage(
            data_file=str(tmp_path / ".coverage"), config_file=False, branch=branch
        )
        with data.collect():
            runpy.run_path(str(module))
        data.save()
        data.json_report(outfile=str(tmp_path / "coverage.json"))
        data.xml_report(outfile=str(tmp_path / "coverage.xml"))
        return tmp_path

    return make


def mapped(repository: Path, report: str, source: bytes = SOURCE) -> CoverageMap:
    raw = read_report(repository / report)
    return map_coverage(raw, report, repository, ["m.py"], {"m.py": source}.get)


@pytest.mark.parametrize("branch", [False, True])
@pytest.mark.parametrize("name", [".coverage", "coverage.json", "coverage.xml"])
def test_all_three_kinds_of_file_say_the_same(measured: Callable, name: str, branch: bool) -> None:
    (found,) = mapped(measured(branch=branch), name).files.values()
    assert (found.executed, found.missing) == ({1, 2, 3, 7, 11}, {4, 8})
    assert found.share == pytest.approx(5 / 7)
    has_branches = branch and name != ".coverage"
    expected = (1, 2) if has_branches else (None, None)
    if name == "coverage.json" and not branch:
        expected = (found.branches_covered, found.branches_total)
    assert (found.branches_covered, found.branches_total) == expected


def test_the_most_telling_file_is_taken(measured: Callable, tmp_path: Path) -> None:
    measured()
    for name in ("coverage.json", "coverage.xml", ".coverage"):
        found = find_report(tmp_path)
        assert found is not None
        assert found.name == name
        found.unlink()
    assert find_report(tmp_path) is None


@pytest.mark.parametrize("name", [".coverage", "coverage.json", "coverage.xml"])
def test_lines_beyond_the_end_are_stale_and_not_used(measured: Callable, name: str) -> None:
    shorter = b"".join(SOURCE.splitlines(True)[:5])
    found = mapped(measured(), name, shorter)
    assert (dict(found.files), found.stale) == ({}, ("m.py",))


def test_a_file_that_is_gone_or_no_longer_parses_has_no_coverage(measured: Callable) -> None:
    repository = measured()
    raw = read_report(repository / ".coverage")
    gone = map_coverage(raw, "x", repository, [], lambda path: None)
    assert (dict(gone.files), gone.unknown) == ({}, 1)
    broken = map_coverage(raw, "x", repository, ["m.py"], lambda path: b"def f(:\n" * 20)
    assert dict(broken.files) == {}


@pytest.mark.parametrize(
    ("reported", "folders", "expected"),
    [
        ("src/pkg/a.py", (), "src/pkg/a.py"),
        ("pkg/a.py", (), "src/pkg/a.py"),
        ("pkg\\a.py", (), "src/pkg/a.py"),
        ("a.py", ("/repository/src/pkg",), "src/pkg/a.py"),
        ("/repository/src/pkg/a.py", (), "src/pkg/a.py"),
        ("/ci/build/17/src/pkg/a.py", (), "src/pkg/a.py"),
        ("/ci/other/a.py", (), None),
        ("/ci/build/setup.py", (), "setup.py"),
        ("util.py", (), None),
        ("../../etc/passwd", (), None),
        ("", (), None),
    ],
)
def test_which_module_a_reported_path_means(
    reported: str, folders: tuple[str, ...], expected: str | None
) -> None:
    paths = ["src/pkg/a.py", "src/pkg/util.py", "tools/util.py", "setup.py"]
    raw = RawCoverage({reported: RawFile(frozenset({1}), frozenset())}, folders)
    found = map_coverage(raw, "x", Path("/repository"), paths, lambda path: b"x = 1\n")
    assert list(found.files) == ([] if expected is None else [expected])
    assert found.unknown == (expected is None)


@given(st.sets(st.integers(1, 5000)))
def test_bits_are_read_as_coverage_py_writes_them(lines: set[int]) -> None:
    assert lines_of(nums_to_numbits(lines)) == sorted(lines)


def database(path: Path, statements: str) -> Path:
    with sqlite3.connect(path) as made:
        made.executescript(statements)
    made.close()
    return path


@pytest.mark.parametrize(
    "statements",
    [
        "CREATE TABLE other (x)",
        SCHEMA.replace("VALUES (7)", "VALUES (99)"),
        SCHEMA + "INSERT INTO file VALUES (1, 'm.py'); INSERT INTO line_bits VALUES (1, 1, 'no');",
        SCHEMA + "INSERT INTO arc VALUES (1, 1, 'one', 2);",
        SCHEMA.replace("INSERT INTO coverage_schema VALUES (7);", ""),
    ],
)
def test_a_database_of_another_shape_is_refused(tmp_path: Path, statements: str) -> None:
    with pytest.raises(UsageError, match="coverage"):
        read_report(database(tmp_path / ".coverage", statements))


def test_a_table_that_is_a_view_is_refused(tmp_path: Path) -> None:
    endless = (
        "CREATE VIEW line_bits AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        " SELECT x AS file_id, x AS context_id, x AS numbits FROM n;"
    )
    schema = "\n".join(line for line in SCHEMA.splitlines() if "line_bits" not in line)
    with pytest.raises(UsageError, match="its tables are others"):
        read_report(database(tmp_path / ".coverage", schema + endless))


def test_a_query_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (
        "INSERT INTO arc WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n"
        " WHERE x < 2000) SELECT 1, 1, x, x FROM n;"
    )
    path = database(tmp_path / ".coverage", SCHEMA + rows)
    read_report(path)
    monkeypatch.setattr(coverage_files, "_STEPS_BETWEEN_LOOKS", 10)
    monkeypatch.setattr(coverage_files, "_MAX_LOOKS", 20)
    with pytest.raises(UsageError, match="interrupted"):
        read_report(path)


def test_reading_a_database_changes_nothing(measured: Callable, tmp_path: Path) -> None:
    measured()
    before = (tmp_path / ".coverage").read_bytes()
    names = sorted(os.listdir(tmp_path))
    read_report(tmp_path / ".coverage")
    assert (tmp_path / ".coverage").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == names


BOMB = """<?xml version="1.0"?><!DOCTYPE coverage [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<coverage><sources><source>&c;</source></sources></coverage>"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "declares entities"),
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><coverage>&e;</coverage>', "entit"),
        ("<coverage><class", "no coverage report"),
        ("<html></html>", "no <coverage>"),
        ('<coverage><class filename="m.py"><line number="1"/></class></coverage>', "hits|report"),
        (
            '<coverage><class filename="m.py"><line number="-4" hits="1"/></class></coverage>',
            "line -4",
        ),
        ("[]", "no coverage report"),
        ("{}", "KeyError"),
        ('{"files": 1}', "no coverage report"),
        ('{"files": {"m.py": {"executed_lines": ["1"], "missing_lines": []}}}', "line number"),
        ('{"files": {"m.py": {"executed_lines": [1e99], "missing_lines": []}}}', "line number"),
        ('{"files": {"m.py": {"executed_lines": [true], "missing_lines": []}}}', "line number"),
        ("[" * 100_000, "no coverage report"),
        ("", "no coverage report"),
        ("\udcff", "no coverage report"),
    ],
)
def test_a_report_that_is_none_is_named_in_a_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "report"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=reason) as caught:
        read_report(path)
    assert "report" in str(caught.value)


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "coverage.xml")
    with pytest.raises(UsageError, match="not a file"):
        read_report(tmp_path / "coverage.xml")
    with pytest.raises(UsageError, match="No such file"):
        read_report(tmp_path / "nothing")


def test_lines_of_methods_are_not_counted_twice(tmp_path: Path) -> None:
    text = (
        '<coverage><packages><package><classes><class filename="m.py"><methods><method><lines>'
        '<line number="9" hits="0"/></lines></method></methods><lines><line number="1" hits="2"/>'
        '<line number="2" hits="0" branch="true" condition-coverage="50% (1/2)"/></lines></class>'
        '<class filename="m.py"><lines><line number="3" hits="1"/></lines></class>'
        "</classes></package></packages></coverage>"
    )
    (tmp_path / "coverage.xml").write_text(text)
    assert read_report(tmp_path / "coverage.xml").files == {
        "m.py": RawFile(frozenset({1, 3}), frozenset({2}), 1, 2)
    }


def test_without_lines_to_run_there_is_no_share() -> None:
    assert FileCoverage(frozenset(), frozenset()).share is None
