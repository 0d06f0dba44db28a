"""`reverie optimise` from the text of a slow function to a proven patch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SLOW = '''\
def distinct(names: list[str]) -> list[str]:
    """The names without repeats, first ones kept."""
    kept = []
    for name in names:
        if name not in kept:
            kept.append(name)
    return kept
'''


@pytest.fixture
def optimise(cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs `reverie optimise` in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: cli("optimise", *arguments)


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    return file


def test_a_quadratic_function_is_made_linear_and_proven(
    optimise: Callable[..., Any], slow: Path
) -> None:
    done = optimise("slow.py:distinct", "--budget", "120s", "--json")
    found = done.document
    assert done.code == 0, done.out + done.err
    best = next(each for each in found["dreams"] if each["id"] == found["best"])
    assert best["verdict"] == "promote"
    assert best["equivalence"]["verdict"] == "equivalent"
    assert best["speedup"]["p50"] > 2
    assert best["growth"]["after"] < best["growth"]["before"]
    assert "set()" in found["source"]
    assert slow.read_text() == SLOW


def test_what_cannot_be_hashed_is_left_alone(optimise: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(SLOW.replace("list[str]", "list[list]"))
    done = optimise("rows.py:distinct", "--json")
    found = done.document if done.out else {"best": None}
    assert found["best"] is None
    assert done.code in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("nothing.py:f",), "nothing.py"),
        (("slow.py",), "slow.py"),
        (("slow.py:distinct", "--budget", "soon"), "soon"),
        (("slow.py:absent",), "absent"),
    ],
)
def test_a_wrong_question_is_one_line(
    cli: Callable,
    slow: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    named: str,
) -> None:
    monkeypatch.chdir(slow.parent)
    ran = cli("optimise", *arguments)
    assert ran.code == 2
    assert named in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_where_no_pattern_fits_nothing_has_to_be_proven(
    cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(sandbox: object) -> None:
        raise AssertionError("nothing is measured")

    monkeypatch.setattr("reverie.interfaces.cli.commands.optimise.Proofs", refuse)
    file = tmp_path / "plain.py"
    file.write_text("def one() -> int:\n    return 1\n")
    ran = cli("optimise", f"{file}:one", "--json", "--repo", str(tmp_path))
    assert (ran.code, ran.document["note"]) == (1, "no known pattern fits")
