import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.testing.fakes import finished


@pytest.fixture
def recorded(repository: Path) -> Path:
    """A repository whose journal has five executions, two of which failed alike."""
    with (
        Journal.open(journal_url(repository)) as journal,
        ExecutionRecorder(journal) as recorder,
    ):
        recorder(*finished(0))
        recorder(*finished(1, outcome=TestOutcome.TIMEOUT, message="stopped after 1 s"))
        for number in (2, 3):
            outcome, message = TestOutcome.RUNTIME_ERROR, "ZeroDivisionError: \x1b[31mdivision"
            recorder(*finished(number, outcome=outcome, message=message))
        recorder(*finished(4, isolation=IsolationTier.LANDLOCK))
    return repository


def ids(*numbers: int) -> list[str]:
    return [finished(number)[1].id for number in numbers]


def shown(cli: Callable, repository: Path, *line: str) -> list[str]:
    ran = cli("history", "--json", "--repo", str(repository), *line)
    assert ran.code == 0, ran.err
    return [each["id"] for each in ran.document["executions"]]


def test_newest_first(cli: Callable, recorded: Path) -> None:
    assert shown(cli, recorded) == ids(4, 3, 2, 1, 0)


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        (["--outcome", "runtime_error"], (3, 2)),
        (["--tier", "landlock"], (4,)),
        (["--limit", "2"], (4, 3)),
        (["--since", "2025-01-01T00:00:03+00:00"], (4, 3)),
        (["--before", ids(2)[0][:12]], (1, 0)),
        (["--outcome", "success", "--tier", "namespaces"], (0,)),
        (["--outcome", "syntax_error"], ()),
    ],
)
def test_filters(cli: Callable, recorded: Path, line: list[str], numbers: tuple[int]) -> None:
    assert shown(cli, recorded, *line) == ids(*numbers)


def test_people_get_a_table_that_no_terminal_obeys(cli: Callable, recorded: Path) -> None:
    ran = cli("history", "--repo", str(recorded))
    assert "\x1b" not in ran.out
    lines = ran.out.splitlines()
    assert lines[0].split()[:2] == ["id", "started"]
    assert lines[1].startswith(ids(4)[0][:12] + "  2025-01-01 00:00:04  success")
    assert r"\x1b[31mdivision" in lines[2]
    assert len(lines) == 6


def test_details_by_a_prefix(cli: Callable, recorded: Path) -> None:
    line = ("history", ids(3)[0][:10], "--repo", str(recorded))
    execution = cli(*line, "--json").document["execution"]
    assert execution["id"] == ids(3)[0]
    assert execution["source"] == "def f(x):\n    return x\n"
    assert execution["limits"]["wall_seconds"] == 30.0
    assert execution["policy"]["enable_network"] is False
    assert execution["pattern"]["frequency"] == 2
    assert "ZeroDivisionError" in execution["pattern"]["suggested_fix"]
    ran = cli(*line)
    assert "\x1b" not in ran.out
    assert "def f(x):" in ran.out
    assert "seen                      2 times" in ran.out


def test_statistics(cli: Callable, recorded: Path) -> None:
    line = ("history", "--stats", "--repo", str(recorded))
    figures = cli(*line, "--json").document["statistics"]
    assert figures["executions"] == 5
    assert figures["by_outcome"] == {"success": 2, "runtime_error": 2, "timeout": 1}
    assert figures["success_rate"] == 0.4
    since = cli(*line, "--json", "--since", "2025-01-01T00:00:04+00:00").document["statistics"]
    assert since["executions"] == 1
    assert "success rate           40.0%" in cli(*line).out


def test_patterns_with_their_fix(cli: Callable, recorded: Path) -> None:
    line = ("history", "--patterns", "--repo", str(recorded))
    first, second = cli(*line, "--json").document["patterns"]
    assert (first["frequency"], second["frequency"]) == (2, 1)
    assert first["suggested_fix"].startswith("Decide what a divisor of zero means")
    assert len(cli(*line, "--limit", "1", "--json").document["patterns"]) == 1
    assert "\x1b" not in cli(*line).out


def test_where_nothing_is_recorded(cli: Callable, repository: Path) -> None:
    line = ("history", "--repo", str(repository))
    ran = cli(*line)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "nothing is recorded here: run `reverie init`, or give --journal-url\n"
    assert cli(*line, "--json").document == {"journal": None, "executions": []}
    assert cli(*line, "--stats", "--json").document == {"journal": None, "statistics": None}
    assert cli(*line, "--patterns", "--json").document == {"journal": None, "patterns": []}
    assert cli(*line, "abc").code == 2
    cli("init", "--repo", str(repository))
    assert cli(*line).out == "nothing is recorded yet\n"
    names = sorted(path.name for path in (repository / ".reverie").iterdir())
    assert names == [".gitignore", "owner"]


def test_an_empty_journal(cli: Callable, repository: Path) -> None:
    Journal.open(journal_url(repository)).close()
    line = ("history", "--repo", str(repository))
    assert cli(*line).out == "no execution matches\n"
    assert cli(*line, "--patterns").out == "nothing has failed\n"
    assert "success rate        -" in cli(*line, "--stats").out
    assert json.loads(cli(*line, "--stats", "--json").out)["statistics"]["success_rate"] is None


def test_a_journal_named_on_the_line(cli: Callable, recorded: Path, tmp_path: Path) -> None:
    url = journal_url(recorded)
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    assert len(shown(cli, other, "--journal-url", url)) == 5


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (["nosuchid"], "no execution has the id 'nosuchid'"),
        (["--since", "yesterday"], "--since takes 30m, 2h, 3d or a date like 2024-05-01"),
        (["--limit", "0"], "a limit is from 1 to"),
        (["--stats", "--patterns"], "not two of them"),
        (["abc", "--outcome", "success"], "--outcome does not go with an ID"),
        (["--patterns", "--since", "2h"], "--since does not go with --patterns"),
        (["--outcome", "splendid"], "'splendid' is not one of 'success'"),
    ],
)
def test_wrong_usage(cli: Callable, recorded: Path, line: list[str], complaint: str) -> None:
    ran = cli("history", "--repo", str(recorded), *line)
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.err.count("\n") == 1
