"""A beekeeper's records: a flat package, a vendored part, an old module and a script."""

from benchmarks.night.planted import Planted

_PYPROJECT = """[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "skep"
version = "2.4.0"
description = "Records of a small beekeeping association: hives, harvests, queens and rounds."
requires-python = ">=3.11"

[project.scripts]
skep = "skep.cli:main"

[tool.setuptools]
packages = ["skep", "skep._vendor"]

[tool.pytest.ini_options]
testpaths = ["tests"]

[tool.reverie.workflows.extraction]
steps = ["skep.harvest:read_log", "skep.harvest:per_apiary", "skep.labels:sheet"]
params = { text = "4 heath 12.5\\n7 lime 9.0\\n4 heath 3.25\\n9 lime 11.75" }
"""
_README = """# skep

Keeps the books of a beekeeping association. `skep report LOG` prints what each apiary brought.

    pip install -e .
    pytest
"""
_INIT = '''"""Records of a small beekeeping association."""

__version__ = "2.4.0"
'''
_SCALES = '''"""What the scales below the hives tell."""

from __future__ import annotations


def parse_reading(line: str) -> tuple[str, float]:
    """A hive and its kilograms from a line such as ``H4: 31.2 kg``.

    Grams are turned into kilograms; another unit, or a line without one, is a ValueError.
    """
    hive, separator, rest = line.partition(":")
    if not separator:
        raise ValueError(f"no hive in {line!r}")
    number, _, unit = rest.strip().partition(" ")
    value = float(number.replace(",", "."))
    if unit == "g":
        value /= 1000
    elif unit != "kg":
        raise ValueError(f"unit {unit!r} of {line!r}")
    return hive.strip(), value


def trend(kilograms: list[float], least: float = 0.2) -> str:
    """``gaining``, ``losing`` or ``steady``: the last value beside the mean of those before."""
    if len(kilograms) < 2:
        return "steady"
    mean = sum(kilograms[:-1]) / (len(kilograms) - 1)
    change = kilograms[-1] - mean
    if change > least:
        return "gaining"
    if change < -least:
        return "losing"
    return "steady"


def has_swarmed(kilograms: list[float]) -> bool:
    """Whether a hive lost between one and four kilograms from one reading to the next."""
    return any(1 <= earlier - later <= 4 for earlier, later in zip(kilograms, kilograms[1:]))


def needs_feed(kilograms: float, month: int, frames: int = 10) -> bool:
    """Whether a hive is too light for the time of the year.

    From October to February it needs 1.5 kg for each frame, in March and April 1 kg, else 0.5 kg.
    """
    if month >= 10 or month <= 2:
        least = 1.5
    elif month <= 4:
        least = 1.0
    else:
        least = 0.5
    return kilograms < least * frames
'''
_LABELS = '''"""Labels for jars."""


def grade(water):
    """The grade of honey by its water in per cent."""
    if water <= 18:
        result = "A"
        return result
    else:
        if water <= 20:
            result = "B"
            return result
        else:
            result = "industrial"
            return result


def sheet(totals):
    """One label for each apiary, in the order of their names."""
    lines = []
    names = list(totals.keys())
    names.sort()
    for i in range(0, len(names)):
        name = names[i]
        kilograms = totals[name]
        lines.append("%s: %.2f kg" % (name, kilograms))
    return lines


def is_allowed(word, forbidden):
    """Whether a word may stand on a label."""
    allowed = True
    for each in forbidden:
        if each.lower() in word.lower():
            allowed = False
    if allowed == True:
        return True
    else:
        return False
'''
_QUEENS = '''"""Queens and the colours they are marked with."""


def colour(year):
    """The colour that breeders agreed on for a year."""
    digit = year % 10
    if digit == 1 or digit == 6:
        return "white"
    elif digit == 2 or digit == 7:
        return "yellow"
    elif digit == 3 or digit == 8:
        return "red"
    elif digit == 4 or digit == 9:
        return "green"
    elif digit == 0 or digit == 5:
        return "blue"


def to_replace(queens, year):
    """The hives whose queen is older than two years, or does not lay."""
    hives = []
    for hive in queens:
        entry = queens[hive]
        if not entry is None:
            if entry["year"] < year - 2:
                hives.append(hive)
            else:
                if entry["lays"] == False:
                    hives.append(hive)
    return hives


def describe(entry):
    """One line about a queen."""
    text = ""
    text = text + str(entry["year"])
    text = text + " "
    text = text + colour(entry["year"])
    if len(entry["line"]) > 0:
        text = text + " of " + entry["line"]
    return text
'''
_MEMBERS = '''"""Who keeps which hives."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hive:
    """One hive, and the member who keeps it."""

    number: int
    keeper: str


@dataclass(frozen=True)
class Weighing:
    """Honey of one hive."""

    hive: int
    kilograms: float


def shares(hives: list[Hive], weighings: list[Weighing]) -> dict[str, float]:
    """The kilograms of each keeper; a weighing of an unknown hive is nobody's."""
    totals: dict[str, float] = {}
    for weighing in weighings:
        for hive in hives:
            if hive.number == weighing.hive:
                totals[hive.keeper] = totals.get(hive.keeper, 0.0) + weighing.kilograms
                break
    return totals
'''
_FEEDING = '''"""Syrup for the winter."""


def sugar(litres: float, ratio: str) -> float:
    """Kilograms of sugar for so many litres of water.

    A ratio is sugar to water by weight, as it is said among keepers.

    >>> sugar(10, "1:1")
    10.0
    >>> sugar(10, "3:2")
    15.0
    >>> sugar(4, "2:1")
    8.0
    """
    parts, of_water = ratio.split(":")
    return litres * int(parts) / int(of_water)


def portions(kilograms: float, each: float) -> int:
    """How many hives can be fed; what is left over feeds nobody.

    >>> portions(10, 2.5)
    4
    >>> portions(12, 2.5)
    4
    >>> portions(0, 2.5)
    0
    """
    return round(kilograms / each)


def per_hive(kilograms: float, hives: int) -> float:
    """What each hive gets; without hives it is a ValueError."""
    if hives < 1:
        raise ValueError("no hives to feed")
    return kilograms / hives
'''
_BLOOM = '''"""When what blooms, by the warmth of the year; no command shows it yet."""

from __future__ import annotations

SUMS = {"hazel": 60, "willow": 120, "cherry": 280, "lime": 900, "heather": 1500}


def day_degrees(highest: float, lowest: float, base: float = 5.0) -> float:
    """The degrees by which the mean of a day lies above a base; never below zero."""
    if lowest > highest:
        raise ValueError(f"{lowest} is above {highest}")
    return max(0.0, (highest + lowest) / 2 - base)


def in_bloom(total: float) -> list[str]:
    """What has begun to bloom at a sum of day degrees, the earliest first."""
    earliest = sorted(SUMS.items(), key=lambda each: each[1])
    return [name for name, needed in earliest if needed <= total]


def days_until(plant: str, total: float, daily: float) -> int | None:
    """Days until a plant blooms if every day brings the same; None if it never does."""
    missing = SUMS[plant] - total
    if missing <= 0:
        return 0
    if daily <= 0:
        return None
    return -int(-missing // daily)
'''
_ROUNDS = '''"""Rounds through the apiaries."""

from __future__ import annotations


def is_due(last: int, today: int, every: int = 9) -> bool:
    """Whether a hive is to be opened: so many days after the last time."""
    return today - last >= every


def longest_spell(flying: list[bool]) -> int:
    """The greatest number of days in a row on which bees flew.

    >>> longest_spell([True, True, False, True])
    2
    >>> longest_spell([False, False])
    0
    >>> longest_spell([])
    0
    >>> longest_spell([False, True, True, True, False, True])
    3
    """
    raise NotImplementedError
'''
_HARVEST = '''"""The log of the extractor."""

from __future__ import annotations

from collections.abc import Iterable


def read_log(text: str) -> list[tuple[int, str, float]]:
    """Hive, apiary and kilograms of every line; empty lines are passed over."""
    entries = []
    for line in text.splitlines():
        if line.strip():
            hive, apiary, kilograms = line.split()
            entries.append((int(hive), apiary, float(kilograms)))
    return entries


def per_apiary(entries: Iterable[tuple[int, str, float]]) -> dict[str, float]:
    """The kilograms of each apiary."""
    totals: dict[str, float] = {}
    for _, apiary, kilograms in entries:
        totals[apiary] = totals.get(apiary, 0.0) + kilograms
    return totals
'''
_LOTS = '''"""Numbers of lots, which nobody may guess."""

import secrets

LETTERS = "ABCDEFGH"


def new_lot(length: int = 6) -> str:
    """A lot's number."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
'''
_CLI = '''"""The command."""

from __future__ import annotations

import argparse
from pathlib import Path

from skep import feeding, harvest, labels, lots, members, queens, rounds, scales
from skep._pollen import POLLEN
from skep._vendor.columns import columns


def report(text: str) -> str:
    """What each apiary brought, with a lot's number."""
    totals = harvest.per_apiary(harvest.read_log(text))
    return columns([[each, ""] for each in labels.sheet(totals)])


def main(arguments: list[str] | None = None) -> int:
    """Print a report, or what is to be done in a month."""
    parser = argparse.ArgumentParser("skep")
    parser.add_argument("log", type=Path)
    parser.add_argument("--lot", action="store_true")
    options = parser.parse_args(arguments)
    print(report(options.log.read_text("utf-8")))
    if options.lot:
        print(lots.new_lot())
    return 0


__all__ = ["POLLEN", "feeding", "main", "members", "queens", "report", "rounds", "scales"]
'''
_POLLEN = """# Generated by scripts/pollen.py from the survey of 2019. Do not edit by hand.

POLLEN = {}
for _k in ["hazel", "willow", "lime"]:
    if not _k in POLLEN:
        POLLEN[_k] = len(_k) * 10


def grains(k):
    if k == None:
        return 0
    else:
        return POLLEN[k]
"""
_COLUMNS = """# Vendored from columns 1.0.4 (BSD-3-Clause). Do not modify; update with `make vendor`


def columns(rows):
    out = ""
    for row in rows:
        line = ""
        for cell in row:
            line = line + str(cell) + "  "
        out = out + line.rstrip() + "\\n"
    return out


def widest(rows):
    m = 0
    for r in rows:
        for c in r:
            if len(c) > m:
                m = len(c)
    return m
"""
_LEGACY = '''"""Deprecated: what version 1 called these things. Will be removed in version 3."""

import warnings

warnings.warn("skep.legacy is deprecated, use skep.queens", DeprecationWarning, stacklevel=2)


def queen_color(y):
    d = y % 10
    if d in (1, 6):
        return "white"
    if d in (2, 7):
        return "yellow"
    return None
'''
_SCRIPT = """#!/usr/bin/env python
# Run by hand once a year.
import sys

names = [l.strip() for l in open(sys.argv[1])] if len(sys.argv) > 1 else []
print("POLLEN = {}")
for i in range(len(names)):
    print("POLLEN[%r] = %d" % (names[i], len(names[i]) * 10))
"""
_TEST_SCALES = """from skep.scales import needs_feed, trend


def test_trend():
    assert trend([30.0, 30.1, 31.0]) == "gaining"


def test_feed():
    assert needs_feed(8.0, 1)
"""
_TEST_LABELS = """from skep.labels import grade, is_allowed, sheet


def test_grades():
    assert [grade(each) for each in (15, 18, 18.5, 20, 20.1)] == ["A", "A", "B", "B", "industrial"]


def test_sheet():
    assert sheet({"lime": 9, "heath": 15.755}) == ["heath: 15.76 kg", "lime: 9.00 kg"]
    assert sheet({}) == []


def test_words():
    assert is_allowed("Summer", ["organic", "raw"])
    assert not is_allowed("Organic summer", ["organic", "raw"])
    assert not is_allowed("raw", ["Raw"])
    assert is_allowed("", ["raw"])
"""
_TEST_QUEENS = """import pytest

from skep.queens import colour, describe, to_replace


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (2020, "blue"),
        (2021, "white"),
        (2022, "yellow"),
        (2023, "red"),
        (2024, "green"),
        (2025, "blue"),
        (2026, "white"),
        (2027, "yellow"),
        (2028, "red"),
        (2029, "green"),
    ],
)
def test_colour(year, expected):
    assert colour(year) == expected


def test_to_replace():
    queens = {
        "H1": {"year": 2020, "lays": True, "line": ""},
        "H2": {"year": 2022, "lays": True, "line": ""},
        "H3": {"year": 2023, "lays": False, "line": ""},
        "H4": None,
        "H5": {"year": 2021, "lays": False, "line": ""},
    }
    assert to_replace(queens, 2024) == ["H1", "H3", "H5"]
    assert to_replace({}, 2024) == []


def test_describe():
    assert describe({"year": 2023, "line": "B7", "lays": True}) == "2023 red of B7"
    assert describe({"year": 2025, "line": "", "lays": True}) == "2025 blue"
"""
_TEST_MEMBERS = """from skep.members import Hive, Weighing, shares


def test_the_whole_association():
    hives = [Hive(number, f"keeper {number % 60}") for number in range(900)]
    weighings = [Weighing(number * 7 % 1000, 0.5) for number in range(3000)]
    totals = shares(hives, weighings)
    assert len(totals) == 60
    assert sum(totals.values()) == 1350.0


def test_unknown_hives_are_nobodys():
    assert shares([Hive(1, "Ana")], [Weighing(1, 2.0), Weighing(2, 5.0)]) == {"Ana": 2.0}


def test_nothing():
    assert shares([], []) == {}
    assert shares([], [Weighing(1, 2.0)]) == {}


def test_the_first_of_two_with_one_number():
    hives = [Hive(1, "Ana"), Hive(1, "Bo")]
    assert shares(hives, [Weighing(1, 2.0)]) == {"Ana": 2.0}
"""
_TEST_REPORT = """from skep import cli, feeding, harvest, lots, rounds

LOG = "4 heath 12.5\\n\\n7 lime 9.0\\n4 heath 3.25\\n"


def test_report():
    assert cli.report(LOG) == "heath: 15.75 kg\\nlime: 9.00 kg\\n"


def test_log():
    assert harvest.read_log("4 heath 12.5") == [(4, "heath", 12.5)]


def test_main(tmp_path, capsys):
    log = tmp_path / "log"
    log.write_text(LOG)
    assert cli.main([str(log)]) == 0
    assert "heath" in capsys.readouterr().out


def test_feeding():
    assert feeding.sugar(10, "1:1") == 10
    assert feeding.portions(10, 2.5) == 4
    assert feeding.per_hive(9, 3) == 3


def test_rounds():
    assert rounds.is_due(1, 10)
    assert not rounds.is_due(1, 9)


def test_letters_of_a_lot_differ():
    assert len(set(lots.new_lot(3))) == 3
"""
_FILES = {
    "pyproject.toml": _PYPROJECT,
    "README.md": _README,
    "skep/__init__.py": _INIT,
    "skep/scales.py": _SCALES,
    "skep/labels.py": _LABELS,
    "skep/queens.py": _QUEENS,
    "skep/members.py": _MEMBERS,
    "skep/feeding.py": _FEEDING,
    "skep/bloom.py": _BLOOM,
    "skep/rounds.py": _ROUNDS,
    "skep/harvest.py": _HARVEST,
    "skep/lots.py": _LOTS,
    "skep/cli.py": _CLI,
    "skep/_pollen.py": _POLLEN,
    "skep/_vendor/__init__.py": "",
    "skep/_vendor/columns.py": _COLUMNS,
    "skep/legacy.py": _LEGACY,
    "scripts/pollen.py": _SCRIPT,
    "tests/test_scales.py": _TEST_SCALES,
    "tests/test_labels.py": _TEST_LABELS,
    "tests/test_queens.py": _TEST_QUEENS,
    "tests/test_members.py": _TEST_MEMBERS,
    "tests/test_report.py": _TEST_REPORT,
}
SKEP = Planted(
    name="skep",
    files=_FILES,
    kinds={
        "skep.scales": "test",
        "skep.labels": "refactor",
        "skep.queens": "refactor",
        "skep.members": "optimisation",
        "skep.bloom": "integration",
        "skep.feeding": "finding",
        "skep.rounds": "generated",
    },
    junk=(
        "README.md",
        "skep/_pollen.py",
        "skep/_vendor/columns.py",
        "skep/legacy.py",
        "scripts/pollen.py",
    ),
    first=(
        "pyproject.toml",
        "README.md",
        "skep/__init__.py",
        "skep/labels.py",
        "skep/queens.py",
        "tests/test_labels.py",
        "tests/test_queens.py",
    ),
    flaky="tests/test_report.py::test_letters_of_a_lot_differ",
    workflow="extraction",
)
