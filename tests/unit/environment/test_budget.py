"""What is said of a budget names the one that was given, and one that is large enough."""

from dataclasses import replace

from reverie.environment.preflight import Spent, can_do_without, cut_off, findings_within
from reverie.model.repository.environment import Finding, Preflight
from reverie.model.settings.cycle import EnvironmentSection

GREEN = Preflight("3.12", "pyproject.toml", passed=9, seconds=10.0)
CUT = Preflight("3.12", "pyproject.toml", findings=(cut_off(70.0),))
BROKEN = Finding("broken_test_files", "one", "pip install it")


def test_without_a_budget_everything_that_was_found_stops() -> None:
    assert findings_within(CUT, None) == CUT.findings


def test_a_budget_with_time_for_two_more_runs_is_enough() -> None:
    assert findings_within(GREEN, Spent(60, 20, 20)) == ()
    (finding,) = findings_within(GREEN, Spent(60, 21, 20))
    assert finding.text == "a budget of 60 s leaves no time to try anything: the suite takes 10 s"
    assert finding.command == "reverie run --budget 120s"


def test_a_suite_that_was_cut_off_is_told_with_the_budget_that_was_given() -> None:
    (finding,) = findings_within(CUT, Spent(120, 50, 70))
    assert finding.text == (
        "a budget of 120 s leaves no time to try anything: the suite did not come to its end "
        "in the 70 s that it had"
    )
    assert finding.command == "reverie run --budget 420s"


def test_an_environment_that_took_the_time_is_kept_and_the_same_command_does() -> None:
    (finding,) = findings_within(CUT, Spent(120, 110, 10))
    assert "making the environment, which is kept, took 110 s" in finding.text
    assert finding.command == "reverie run --budget 120s"


def test_other_findings_come_first() -> None:
    found = Preflight("3.12", "tox.ini", seconds=100.0, findings=(BROKEN,))
    assert [each.code for each in findings_within(found, Spent(120, 0, 100))] == [
        "broken_test_files",
        "budget_too_small",
    ]


def test_a_few_files_whose_helper_of_the_tests_is_nowhere_stop_nothing() -> None:
    helper, package = "No module named 'test_utils'", "No module named 'yaml'"
    few = Preflight("3.12", "setup.py", passed=300, broken={"tests/system/a.py": helper})
    section = EnvironmentSection()
    assert can_do_without(few, section)
    assert not can_do_without(replace(few, passed=0), section)
    assert not can_do_without(replace(few, broken={**few.broken, "tests/b.py": package}), section)
    many = {f"tests/system/{at}.py": helper for at in range(20)}
    assert not can_do_without(replace(few, broken=many), section)
