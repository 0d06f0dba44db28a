from pathlib import Path
from typing import Any

import pytest

from reverie.bootstrap import remembered_judgements
from reverie.model.dream import DreamKind, Stage
from reverie.model.repository.environment import Surroundings
from reverie.promotion.trial_tree import read_source
from reverie.settings import load_settings
from reverie.testing.fakes import new_file, proven_dream
from reverie.trials.plan import TrialPlan


class SeenError(Exception):
    """Ends a trial where its plan is seen."""


@pytest.mark.parametrize(("kind", "is_own"), [(DreamKind.TEST, True), (DreamKind.REFACTOR, False)])
def test_a_proof_is_run_again_as_the_trial_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: DreamKind, is_own: bool
) -> None:
    """Tests of Reverie's own are compared on other mutants than those of anybody else."""
    plans: list[TrialPlan] = []

    def see(stage: Stage, trees: Any, sandbox: Any, plan: TrialPlan) -> None:
        plans.append(plan)
        raise SeenError

    monkeypatch.setattr(remembered_judgements, "try_change", see)
    (tmp_path / "shop.py").write_text("PRICE = 2\n")
    change = new_file("tests/test_shop.py", "def test_shop():\n    assert True\n")
    proven = proven_dream(change, read_source(tmp_path), kind=kind)
    again = remembered_judgements.rerun_trials(
        load_settings(tmp_path, {}, {}), Surroundings(None, "3.11", "the Python that runs Reverie")
    )
    with pytest.raises(SeenError):
        again(proven, tmp_path)
    assert [each.is_own for each in plans] == [is_own]
