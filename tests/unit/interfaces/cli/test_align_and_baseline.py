"""What `reverie align` and `reverie baseline` answer."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.json_page import documented_keys, section

from reverie.model.ruling import PATH, Baseline
from reverie.promotion.bundle.keys import own_key

OLD = 'def f(x: int) -> int:\n    """It."""\n    return x\n'
KEY = "AKIA" + "Q7RZM2XK4WLN8VBT"
RECORD = "# Fewer tests\n\nsuite.passing falls to 30.\n"


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"shop.py": OLD})
    return repository


def keys_of(root: Path, command: str) -> set[str]:
    return set(documented_keys(section(root, command)))


def test_a_commit_is_held_against_its_parent(shop, cli: Callable, root: Path) -> None:
    shop.commit("Two", {"shop.py": OLD.replace('    """It."""\n', "")})
    ran = cli("align", "--json", "--repo", str(shop.folder))
    assert ran.code == 0
    assert set(ran.document) == keys_of(root, "align")
    assert [each["rule"] for each in ran.document["flags"]] == ["docstring_removed"]
    assert ran.document["base"] == shop.git("rev-parse", "HEAD^")


def test_the_first_commit_has_no_parent(shop, cli: Callable) -> None:
    found = cli("align", "--json", "--repo", str(shop.folder)).document
    assert found["base"] is None
    assert found["head"] == shop.git("rev-parse", "HEAD")


def test_a_failure_is_exit_code_1_and_a_secret_is_shown_nowhere(shop, cli: Callable) -> None:
    shop.commit("Two", {"shop.py": OLD, "settings.py": f'KEY = "{KEY}"\n'})
    ran = cli("align", "HEAD~1..HEAD", "--record", "--repo", str(shop.folder))
    assert ran.code == 1
    assert "alignment_failure" in ran.out
    file = shop.folder / ".reverie" / "alignment_flags.jsonl"
    assert json.loads(file.read_text())["event"] == "alignment:flag"
    assert KEY not in ran.out + ran.err + file.read_text()


@pytest.mark.parametrize("revision", ["nowhere", "a...b", "nowhere..HEAD", "-x"])
def test_a_revision_that_is_none_is_one_line(shop, cli: Callable, revision: str) -> None:
    ran = cli("align", "--repo", str(shop.folder), "--", revision)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert revision.partition("..")[0] in ran.err


@pytest.fixture
def lower(shop, cli: Callable, tmp_path: Path) -> Callable:
    shop.write({"docs/decisions/0001.md": RECORD, PATH: Baseline({"suite.passing": 40.0}).text()})

    def call(name: str, value: str = "suite.passing=30", *, record: str = "docs/decisions/0001.md"):  # type: ignore[no-untyped-def]
        own_key(tmp_path / name)
        key = tmp_path / name / "key.pem"
        return cli(
            *("baseline", "--lower", value, "--decision", record, "--as", name),
            *("--key", str(key), "--json", "--repo", str(shop.folder)),
        )

    return call


def test_two_people_lower_a_baseline_and_one_does_not(
    lower: Callable, root: Path, cli: Callable, shop
) -> None:
    first = lower("ada")
    assert first.code == 0, first.err
    assert set(first.document) == keys_of(root, "baseline")
    assert first.document["measures"] == {"suite.passing": 40.0}
    assert lower("ada").code == 1
    assert lower("bob").document["measures"] == {"suite.passing": 30.0}
    shown = cli("baseline", "--repo", str(shop.folder))
    assert "suite.passing" in shown.out
    assert shown.code == 0


@pytest.mark.parametrize(
    ("value", "record", "code"),
    [
        ("suite.passing=50", "docs/decisions/0001.md", 2),
        ("suite.passing=few", "docs/decisions/0001.md", 2),
        ("speed=1", "docs/decisions/0001.md", 2),
        ("coverage.lines=0.1", "docs/decisions/0001.md", 2),
        ("suite.passing=30", "docs/decisions/0002.md", 1),
        ("suite.passing=30", "../outside.md", 1),
    ],
)
def test_what_does_not_lower_anything_is_refused(
    lower: Callable, shop, value: str, record: str, code: int
) -> None:
    ran = lower("ada", value, record=record)
    assert ran.code == code
    assert len(ran.err.splitlines()) == 1
    assert json.loads((shop.folder / PATH).read_text())["lowered"] == []


def test_a_file_that_says_nothing_is_a_usage_error(shop, cli: Callable) -> None:
    shop.write({PATH: "{}"})
    ran = cli("baseline", "--repo", str(shop.folder))
    assert ran.code == 2
    assert PATH in ran.err


def test_two_wishes_at_once_are_refused(shop, cli: Callable) -> None:
    ran = cli("baseline", "--raise", "--lower", "a=1", "--repo", str(shop.folder))
    assert ran.code == 2
