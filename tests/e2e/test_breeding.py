"""A hot function that no known rewrite fits is bred in a night, and proven like any other."""

from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.model.cycle import CycleBudget
from reverie.model.sections import IndexSection, SafetySection
from reverie.promotion.trial_tree import read_source
from reverie.sandbox.engine import Sandbox
from reverie.stages import speeding
from reverie.stages.dreamer import Allowance, Survey, dream_about
from reverie.stages.grounds import Grounds, Interpreter
from reverie.stages.speeding import SpeedDreamer

HOT = '''def count(texts: list[str]) -> int:
    """How many there are."""
    return sum([1 for each in texts])
'''
TEST = """from hot import count


def test_many() -> None:
    texts = [str(n) for n in range(200000)]
    assert [count(texts) for _ in range(20)] == [200000] * 20
"""


def test_what_no_rewrite_makes_faster_is_bred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Single rewrites, which know this one by now, are said to make nothing faster."""
    monkeypatch.setattr(speeding, "optimise_hotspots", lambda *_: ())
    (tmp_path / "hot.py").write_text(HOT)
    (tmp_path / "test_hot.py").write_text(TEST)
    code = read_repository(tmp_path, IndexSection(), SafetySection().tier_of)
    grounds = Grounds(tmp_path, tmp_path, read_source(tmp_path, None), code, Interpreter(None))
    dreamer, allowance = SpeedDreamer(), Allowance(CycleBudget(seconds=40.0), seed=1)
    with Sandbox() as sandbox:
        survey = Survey(grounds, sandbox)
        assert [each.module for each in dreamer.targets(survey)] == ["hot"]
        dreamt = dream_about(dreamer, survey.about("hot", "hot.py"), allowance)
    (dream,) = dreamt.dreams
    (edit,) = dream.change.edits
    assert "return len(texts)" in (edit.after or "")
    assert dream.title == "Speed up count"
    assert dreamt.figures["bred"] >= 1
