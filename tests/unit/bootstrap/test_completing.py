"""An environment that we made gets what its suite lacks, and only then."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import environments
from reverie.bootstrap.environments import Wish, looked_at
from reverie.errors import MachineryError, OutOfTime, ReverieError
from reverie.model.repository.environment import Finding, Preflight, Surroundings
from reverie.settings import load_settings

MADE = Surroundings("/made/1", "3.11", "environment made from pyproject.toml", is_made=True)
LACKING = Preflight(
    "3.11", "", findings=(Finding("broken_test_files", "one", "mend", wants=("trio",)),)
)
READY = Preflight("3.11", "", passed=3)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "shop"\n[project.optional-dependencies]\nfast = ["h2>=3"]\n'
    )
    return folder


def look_at(
    repository: Path, wish: Wish, answers: list[Preflight], monkeypatch: pytest.MonkeyPatch
) -> tuple[Preflight, list[tuple[str, ...]]]:
    """What it comes to, and what was asked to be installed."""
    asked: list[tuple[str, ...]] = []

    def settle(loaded: object, wish: Wish, environ: object) -> Surroundings:
        asked.append(wish.extra)
        return replace(MADE, python=f"/made/{len(asked) + 1}")

    monkeypatch.setattr(environments, "settle", settle)
    loaded = load_settings(repository, {}, {})
    waiting = list(answers)
    _, found = looked_at(loaded, MADE, wish, {}, lambda around: waiting.pop(0))
    return found, asked


def test_extras_and_what_failures_name_are_installed_with_consent(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = Wish(is_settled=True)
    found, asked = look_at(repository, wish, [LACKING, READY], monkeypatch)
    assert found.is_ready
    assert asked == [("h2>=3", "trio")]


def test_nothing_is_installed_that_nobody_agreed_to(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, asked = look_at(repository, Wish(), [LACKING], monkeypatch)
    assert (found, asked) == (LACKING, [])


def test_a_failure_that_names_nothing_new_is_not_tried_again(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = Wish(is_settled=True)
    found, asked = look_at(repository, wish, [LACKING, LACKING], monkeypatch)
    assert (found, len(asked)) == (LACKING, 1)


def test_a_budget_that_is_too_small_is_no_lack_of_packages(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Preflight("3.11", "", findings=(Finding("budget_too_small", "late", "more"),))
    found, asked = look_at(repository, Wish(is_settled=True), [late], monkeypatch)
    assert (found, asked) == (late, [])


@pytest.mark.parametrize("error", [OutOfTime("the time was over"), MachineryError("no pip")])
def test_what_cannot_be_installed_in_time_leaves_the_answer_there_was(
    repository: Path, monkeypatch: pytest.MonkeyPatch, error: ReverieError
) -> None:
    """It says what is missing, with the command; before, the time alone ended the command."""

    def settle(loaded: object, wish: Wish, environ: object) -> Surroundings:
        raise error

    monkeypatch.setattr(environments, "settle", settle)
    loaded, told = load_settings(repository, {}, {}), list[str]()
    wish = Wish(is_settled=True, say=told.append)
    assert looked_at(loaded, MADE, wish, {}, lambda around: LACKING) == (MADE, LACKING)
    assert told[-1] == f"not installed: {error}"
