"""A parcel office: small modules below `src`, and a tested table of fares."""

from benchmarks.night.planted import Planted

_PROJECT = """[project]
name = "parcels"
version = "1.0"
description = "Fares, labels and stock of a parcel office."
requires-python = ">=3.10"

[project.scripts]
parcels = "parcels.office:main"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
"""
_FARES = '''"""What sending a parcel costs."""


def fare(weight: int, express: bool = False) -> int:
    """Cents for a parcel of so many grams; express costs half as much again."""
    if weight <= 0:
        raise ValueError("a parcel weighs something")
    if weight <= 500:
        cents = 240
    elif weight <= 2000:
        cents = 480
    else:
        cents = 950
    return cents * 3 // 2 if express else cents


def discount(parcels: int) -> int:
    """Percent off for so many parcels a month."""
    if parcels >= 100:
        return 20
    if parcels >= 20:
        return 10
    return 0
'''
_LABELS = '''"""Words on a parcel."""


def label(weight: int, fragile: bool) -> str:
    """How a parcel is marked."""
    if fragile == True:
        if weight > 10:
            word = "heavy, fragile"
        else:
            word = "fragile"
        return word
    else:
        if weight > 10:
            word = "heavy"
        else:
            word = "plain"
        return word


def is_bulky(width: int, height: int) -> bool:
    """Whether a parcel needs a trolley."""
    if width * height > 1000:
        return True
    else:
        return False
'''
_STOCK = '''"""What is on the shelves."""


def missing(wanted: list[int], known: list[int]) -> list[int]:
    """Numbers that are wanted and not known, in order."""
    found = []
    for each in wanted:
        if each not in known:
            found.append(each)
    return found
'''
_ROUNDING = '''"""Money in tens of cents."""


def to_tens(cents: int) -> int:
    """The nearest tens of cents.

    >>> to_tens(12)
    10
    >>> to_tens(18)
    20
    """
    return cents // 10 * 10
'''
_POSTCODES = '''"""Postcodes: which district a parcel goes to."""


def district(postcode: str) -> str:
    """The first two digits of a postcode of five."""
    if len(postcode) != 5 or not postcode.isdigit():
        raise ValueError(f"no postcode: {postcode}")
    return postcode[:2]


def is_island(postcode: str) -> bool:
    """Whether a parcel takes the ferry: districts 17, 18 and 25."""
    return district(postcode) in ("17", "18", "25")
'''
_OFFICE = '''"""The office: what a customer pays, and what is told."""

from parcels.fares import discount, fare
from parcels.labels import is_bulky, label
from parcels.rounding import to_tens
from parcels.stock import missing


def bill(weights: list[int], known: list[int]) -> int:
    """Cents for several parcels, those that are not known."""
    total = sum(fare(each) for each in missing(weights, known))
    return total - total * discount(len(weights)) // 100


def tell(weight: int, fragile: bool) -> str:
    """A line for the customer."""
    trolley = " (trolley)" if is_bulky(weight, 2) else ""
    return f"{label(weight, fragile)}{trolley}: {to_tens(fare(weight))}"


def main() -> None:
    """The smallest office there is."""
    print(tell(100, False))
'''
_OLD_FARES = '''"""Deprecated: superseded by parcels.fares. Kept for an old report."""

import warnings

warnings.warn("old_fares is deprecated: use parcels.fares", DeprecationWarning, stacklevel=2)


def old_fare(weight: int) -> int:
    """Cents, as of ten years ago."""
    return 200 if weight < 1000 else 400
'''
_TEST_LABELS = """import pytest

from parcels.labels import is_bulky, label


@pytest.mark.parametrize(
    ("weight", "fragile", "word"),
    [
        (11, True, "heavy, fragile"),
        (10, True, "fragile"),
        (11, False, "heavy"),
        (10, False, "plain"),
    ],
)
def test_a_label_tells_weight_and_care(weight: int, fragile: bool, word: str) -> None:
    assert label(weight, fragile) == word


def test_bulky_is_more_than_a_thousand() -> None:
    assert is_bulky(100, 11)
    assert not is_bulky(100, 10)
"""
_TEST_STOCK = """from parcels.stock import missing


def test_what_is_not_known_is_missing_in_order() -> None:
    assert missing([3, 1, 2, 1], [2]) == [3, 1, 1]
    assert missing([], [1]) == []


def test_a_whole_warehouse() -> None:
    assert missing(list(range(3000)), list(range(1500))) == list(range(1500, 3000))
"""
_TEST_OFFICE = """import pytest

from parcels.fares import fare
from parcels.office import bill, main, tell
from parcels.rounding import to_tens


def test_a_light_parcel_is_cheap() -> None:
    assert fare(100) == 240


def test_a_bill_of_one() -> None:
    assert bill([100], []) == 240


def test_full_tens_stay() -> None:
    assert to_tens(240) == 240


def test_the_office_tells_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert capsys.readouterr().out == "heavy: 240\\n"
    assert tell(600, True) == "heavy, fragile (trolley): 480"
"""
_FILES = {
    "pyproject.toml": _PROJECT,
    "README.md": "# parcels\n\nFares, labels and stock of a parcel office.\n",
    "src/parcels/__init__.py": '"""A parcel office."""\n',
    "src/parcels/fares.py": _FARES,
    "src/parcels/labels.py": _LABELS,
    "src/parcels/stock.py": _STOCK,
    "src/parcels/rounding.py": _ROUNDING,
    "src/parcels/postcodes.py": _POSTCODES,
    "src/parcels/office.py": _OFFICE,
    "src/parcels/old_fares.py": _OLD_FARES,
    "tests/test_labels.py": _TEST_LABELS,
    "tests/test_stock.py": _TEST_STOCK,
    "tests/test_office.py": _TEST_OFFICE,
}
PARCELS = Planted(
    name="parcels",
    files=_FILES,
    kinds={
        "parcels.fares": "test",
        "parcels.labels": "refactor",
        "parcels.stock": "optimisation",
        "parcels.postcodes": "integration",
        "parcels.rounding": "finding",
    },
    junk=("src/parcels/old_fares.py", "README.md", "pyproject.toml"),
    first=tuple(each for each in _FILES if "fares" not in each),
)
