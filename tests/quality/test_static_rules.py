"""How well the safety rules tell dangerous from benign, on labelled snippets."""

import json
from pathlib import Path
from typing import Any

import pytest

from reverie.model.outcome import TrustTier
from reverie.sandbox.safety import check_source

FLOOR = 0.95
BUNDLED = Path(__file__).with_name("static_cases.jsonl")
BESIDE = Path(__file__).parents[3] / "shared" / "cases" / "static" / "public.jsonl"


def _load(path: Path, split: str | None = None) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [row for row in rows if split is None or row["split"] == split]


def _assert_floors(cases: list[dict[str, Any]]) -> None:
    flagged = {case["id"] for case in cases if not check_source(case["code"]).passed}
    dangerous = {case["id"] for case in cases if case["label"] == "dangerous"}
    caught = flagged & dangerous
    assert len(caught) / len(dangerous) >= FLOOR, sorted(dangerous - flagged)
    assert len(caught) / len(flagged) >= FLOOR, sorted(flagged - dangerous)


@pytest.mark.parametrize("split", ["dev", "held-out"])
def test_bundled_cases(split: str) -> None:
    cases = _load(BUNDLED, split)
    assert len(cases) > 100
    _assert_floors(cases)


@pytest.mark.skipif(not BESIDE.exists(), reason="no shared cases beside the checkout")
def test_shared_cases() -> None:
    _assert_floors(_load(BESIDE))


def test_no_family_is_left_out() -> None:
    missed: dict[str, list[str]] = {}
    families: dict[str, int] = {}
    for case in _load(BUNDLED):
        if case["label"] == "dangerous":
            families[case["family"]] = families.get(case["family"], 0) + 1
            if check_source(case["code"]).passed:
                missed.setdefault(case["family"], []).append(case["id"])
    assert all(len(missed.get(family, ())) <= 0.1 * count for family, count in families.items())


def test_trust_only_makes_it_easier() -> None:
    tiers = list(TrustTier)
    for case in _load(BUNDLED, "dev")[::3]:
        verdicts = [check_source(case["code"], tier=tier).passed for tier in tiers]
        assert verdicts == sorted(verdicts), case["id"]


def test_the_project_itself_would_be_trusted() -> None:
    """Every eighth module, so that each room is looked into; `reverie check` takes them all.

    The contract of sandboxes attacks them, and says so: it would not be trusted.
    """
    source = Path(__file__).parents[2] / "src" / "reverie"
    modules = [each for each in source.rglob("*.py") if "sandbox_contract" not in each.parts]
    for path in sorted(modules)[::8]:
        checked = check_source(path.read_bytes(), path.name, TrustTier.CORE)
        assert checked.passed, (path, checked.findings)
