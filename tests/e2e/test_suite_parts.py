"""A suite that does not fit into the budget: what fits is run, and no more is claimed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PRICES = '''"""Prices in a shop."""


def discount(total: int) -> int:
    """The discount in cents: nothing below 50 euros, 5 % from there, 10 % from 200 euros.

    >>> discount(6000)
    300
    """
    if total < 0:
        raise ValueError("a total is never negative")
    if total >= 20000:
        return total // 10
    if total >= 5000:
        return total // 20
    return 0
'''
STOCK = '''"""The stock of a shop."""


def missing(wanted: dict[str, int], there: dict[str, int]) -> list[str]:
    """Names of what is not there in the number that is wanted, in order."""
    return sorted(name for name, count in wanted.items() if there.get(name, 0) < count)
'''
SLOW = """import threading

from shop import stock


def test_stock():
    assert stock.missing({"tea": 1}, {}) == ["tea"]
    threading.Event().wait(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "shop/__init__.py": "",
        "shop/prices.py": PRICES,
        "shop/stock.py": STOCK,
        "tests/test_prices.py": "from shop.prices import discount\n\n\ndef test_small():\n"
        "    assert discount(100) == 0\n",
        "tests/test_stock.py": SLOW,
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    }
    folder = tmp_path / "repository"
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for git in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "base")):
        subprocess.run(["git", *git], cwd=folder, check=True, capture_output=True)
    return folder


def reverie(folder: Path, *words: str) -> Any:
    environ = {**os.environ, "XDG_STATE_HOME": str(folder.parent / "state")}
    environ.pop("VIRTUAL_ENV", None)
    command = [sys.executable, "-m", "reverie", *words, "--json"]
    ran = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_what_fits_is_run_and_only_what_it_is_about_gets_tests(folder: Path) -> None:
    document = reverie(folder, "run", "--budget", "60s", "--dreams", "2")
    part = document["environment"]["part"]
    assert part["files"] == ["tests/test_prices.py"]
    assert part["left_out"] == ["tests/test_stock.py"]
    assert part["partly_asked"] == ["shop/stock.py"]
    assert {(each["kind"], each["module"]) for each in document["promotions"]} == {
        ("test", "shop.prices")
    }
    (promotion,) = document["promotions"]
    reverie(folder, "verify", promotion["bundle"])


def test_where_code_is_to_be_changed_a_part_does_not_do(folder: Path) -> None:
    with pytest.raises(AssertionError, match="leaves no time to try anything: the suite did not"):
        reverie(folder, "run", "--stage", "B", "--budget", "8s")
