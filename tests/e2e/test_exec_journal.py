"""`reverie exec` and the journal: what is recorded, and what is not even imported."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.store import Journal, failure_patterns, history, journal_url


def recorded(repository: Path) -> tuple:
    with Journal.open(journal_url(repository), create=False) as journal:
        return history(journal)


def test_an_initialised_repository_remembers(cli: Callable, repository: Path) -> None:
    cli("init", "--repo", str(repository))
    ran = cli("exec", "--expression", "6 * 7", "--json", "--repo", str(repository))
    (record,) = recorded(repository)
    assert ran.code == 0
    assert record.id == ran.document["id"]
    assert record.outcome is TestOutcome.SUCCESS
    assert record.isolation == ran.document["isolation"]
    assert record.duration_ms == pytest.approx(ran.document["duration_ms"], abs=0.01)


def test_a_failure_becomes_a_pattern(cli: Callable, repository: Path) -> None:
    cli("init", "--repo", str(repository))
    for _ in range(2):
        assert cli("exec", "--expression", "1 / 0", "--repo", str(repository)).code == 1
    with Journal.open(journal_url(repository), create=False) as journal:
        (pattern,) = failure_patterns(journal)
    assert pattern.frequency == 2
    assert pattern.error_category is ErrorCategory.RUNTIME
    assert pattern.code_snippet == "1 / 0"


def test_an_unprepared_repository_is_left_alone(cli: Callable, repository: Path) -> None:
    assert cli("exec", "--expression", "1", "--repo", str(repository)).code == 0
    assert [path.name for path in repository.iterdir()] == [".git"]


def test_the_flag_opens_the_journal_of_an_unprepared_repository(
    cli: Callable, repository: Path
) -> None:
    assert cli("exec", "--expression", "1", "--journal", "--repo", str(repository)).code == 0
    assert len(recorded(repository)) == 1


def test_recording_can_be_switched_off_and_asked_for_once(cli: Callable, repository: Path) -> None:
    quiet = {"REVERIE_JOURNAL_RECORD": "0"}
    cli("init", "--repo", str(repository))
    line = ("exec", "--expression", "1", "--repo", str(repository))
    assert cli(*line, environ=quiet).code == 0
    assert not (repository / ".reverie" / "journal.db").exists()
    assert cli(*line, "--journal", environ=quiet).code == 0
    assert len(recorded(repository)) == 1


def test_a_stream_is_recorded_whole(repository: Path) -> None:
    requests = [json.dumps({"code": f"_result = {n}"}) for n in range(20)]
    ran = run_reverie(
        ["exec", "--stream", "--journal", "--repo", str(repository)], "\n".join(requests)
    )
    assert ran.returncode == 0, ran.stderr
    assert [json.loads(line)["output"] for line in ran.stdout.splitlines()] == list(range(20))
    assert len(recorded(repository)) == 20


def run_reverie(line: list[str], given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reverie", *line], input=given, capture_output=True, text=True
    )


def imported_by(line: list[str]) -> set[str]:
    script = (
        "import sys\n"
        "from reverie.interfaces.cli.boundary import run\n"
        f"code = run({line!r}, {{}})\n"
        "print('\\0'.join(sys.modules), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stderr.strip().splitlines()[-1].split("\0"))


def test_without_a_journal_the_store_is_not_imported(repository: Path) -> None:
    imported = imported_by(["exec", "--expression", "1", "--json", "--repo", str(repository)])
    assert "reverie.sandbox.engine" in imported
    assert not imported & {"sqlalchemy", "alembic", "sqlite3", "reverie.store"}


def test_recording_in_a_journal_that_is_there_imports_no_sqlalchemy(
    cli: Callable, repository: Path
) -> None:
    line = ["exec", "--expression", "1", "--json", "--journal", "--repo", str(repository)]
    cli(*line)
    imported = imported_by(line)
    assert "reverie.store.recorder" in imported
    assert not imported & {"sqlalchemy", "alembic"}
    assert len(recorded(repository)) == 2
