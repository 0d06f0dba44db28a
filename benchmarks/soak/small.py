"""A repository that a whole cycle is soon done with: one module, one test, two commits."""

import subprocess
from pathlib import Path

_FARE = '''"""Fares of a ferry."""


def fare(adults: int, children: int = 0, has_car: bool = False) -> int:
    """What a crossing costs, in cents."""
    if adults < 0 or children < 0:
        raise ValueError("nobody travels a negative number of times")
    total = 450 * adults + 200 * children
    if has_car:
        total += 1200
    if adults + children >= 10:
        total = total * 9 // 10
    return total
'''
_TEST = """from fares import fare


def test_one_adult():
    assert fare(1) == 450
"""
_README = "# Ferry\n\nFares.\n"
SETTINGS = {
    "REVERIE_GUARD_RUNS": "2",
    "REVERIE_GUARD_MUTANTS": "12",
    "REVERIE_ROI_CONFIDENCE": "0.2",
}
"""For its cycles, in the environment: a repository cannot ask for less than the defaults."""
_PAST = (
    ("Fares", {"fares.py": _FARE, "README.md": _README, "pyproject.toml": ""}),
    ("Test a fare", {"tests/test_fares.py": _TEST}),
)


def make_small(folder: Path) -> None:
    """The repository, with its past, in a folder that is not there yet."""
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main")
    for message, files in _PAST:
        for name, text in files.items():
            place = folder / name
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", message)


def _git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True)
