"""Examples of docs are tried before any other look; a module with a wrong one comes first."""

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from reverie.bootstrap import rank_copy
from reverie.index import read_repository
from reverie.model.cycle import CycleBudget
from reverie.model.sections import IndexSection, SafetySection
from reverie.model.settings.analysis import CandidatesSection
from reverie.promotion.trial_tree import read_source
from reverie.sandbox.engine import Sandbox
from reverie.stages.discovery import DiscoveryDreamer
from reverie.stages.dreamer import Allowance, Survey, dream_about
from reverie.stages.grounds import Grounds, Interpreter, measure_suite

HOT = '''def total(prices: list[int], rate: int) -> int:
    """Add prices.

    >>> total([1, 2], 0)
    3
    """
    found = 0
    for each in prices:
        if each > 0:
            found += each
    return found + rate
'''
WRONG = '''def to_tens(cents: int) -> int:
    """The nearest tens.

    >>> to_tens(12)
    10
    >>> to_tens(18)
    20
    """
    return cents // 10 * 10
'''
DATED = '''"""Deprecated: superseded by tens. Kept for an old report."""


def old(cents: int) -> int:
    """
    >>> old(3)
    4
    """
    return cents
'''


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def survey_of(sandbox: Sandbox, folder: Path) -> Survey:
    for name, text in {"hot": HOT, "tens": WRONG, "dated": DATED}.items():
        (folder / f"{name}.py").write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    code = read_repository(folder, IndexSection(), SafetySection().tier_of)
    source, python = read_source(folder, None), Interpreter(None)
    grounds = Grounds(folder, folder, source, code, python, dated=frozenset({"dated.py"}))
    return Survey(grounds, sandbox, measure_suite(sandbox, folder, None, 30.0, None))


def test_a_wrong_example_is_found_before_anything_else_and_once(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    survey = survey_of(sandbox, tmp_path)
    dreamer = DiscoveryDreamer(partial(rank_copy, tmp_path, section=CandidatesSection()))
    targets = list(dreamer.targets(survey))
    assert [each.module for each in targets] == ["tens", "hot"], "what is out of date is left alone"
    allowance = Allowance(CycleBudget(seconds=8.0, executions=400))
    found = dream_about(dreamer, survey.about("tens", "tens.py"), allowance)
    (seen,) = (each for each in found.sightings if each.details["kind"] == "example")
    assert seen.title == "to_tens(18): 10"
