"""A function that is declared with examples is written, with its tests, and waits for a person."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

LABELS = '''"""What stands on labels."""


def shout(text: str) -> str:
    """In capitals."""
    return text.upper()


def middle(text: str) -> str:
    """The text without its first and last letter.

    >>> middle("lamp")
    'am'
    >>> middle("a")
    ''
    >>> middle("sword")
    'wor'
    """
    raise NotImplementedError
'''
TEST = (
    'from shop.labels import shout\n\n\ndef test_shout() -> None:\n    assert shout("a") == "A"\n'
)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_what_is_declared_is_written_by_its_examples(cli: Callable, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / "shop").mkdir(parents=True)
    (shop / "tests").mkdir()
    (shop / "shop/__init__.py").touch()
    (shop / "shop/labels.py").write_text(LABELS)
    (shop / "tests/test_labels.py").write_text(TEST)
    for line in ("init -q -b main", "add -A", "commit -q -m Shop"):
        named = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *named, *line.split()], cwd=shop, check=True)
    spent = ("--executions", "60", "--seed", "3", "--stage", "stubs")
    ran = cli("run", str(shop), *spent, "--json")
    assert (ran.code, ran.document["promotions"]) == (0, []), ran.err
    (waiting,) = ran.document["waiting"]
    assert (waiting["kind"], waiting["module"]) == ("generated", "shop.labels")
    assert waiting["needs"] == ["1 approval by somebody else than the author"]
    told = cli("show", waiting["dream"], "--repo", str(shop), "--json").out
    assert "findings.removed" in told, "what its docs said is true now, and counts"
    patch = cli("show", waiting["dream"], "--patch", "--repo", str(shop)).out
    subprocess.run(["git", "apply"], cwd=shop, input=patch, text=True, check=True)
    assert "return text[1:-1]" in (shop / "shop/labels.py").read_text()
    assert "from shop.labels import middle" in (shop / "tests/test_middle.py").read_text()
    again = cli("run", str(shop), *spent, "--json").document
    assert (again["promotions"], again["waiting"]) == ([], [])
