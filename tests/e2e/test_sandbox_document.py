"""Python examples of `autonomous_sandbox.md` in a repository, with our import path."""

from pathlib import Path

import pytest

import reverie
from reverie import SelfImprovementEngine
from reverie.model.events import InteractionTag
from reverie.store.cycles.self_tests import InteractionMemory

FLOWS = """[tool.reverie.workflows]
main_flow = ["prices:read", "prices:total"]
candidate_flow = ["prices:read", "prices:total"]
"""
PRICES = """def read() -> list[int]:
    return [1, 2, 3]


def total(prices: list[int]) -> int:
    return sum(prices)
"""
RISK = """
engine = SelfImprovementEngine(
    context_builder=builder,
    foresight_tracker=ForesightTracker(),
)
wf = "workflow-1"
risk = engine.foresight_tracker.predict_roi_collapse(wf)
if risk["risk"] in {"Immediate collapse risk", "Volatile"} or risk["brittle"]:
    engine.enqueue_preventative_fixes([wf])
    print("promotion blocked")
else:
    print("workflow is safe to promote")
"""
ALIKE = """
scores = WorkflowSynergyComparator.compare("main_flow", "candidate_flow")
if WorkflowSynergyComparator.is_duplicate(
    scores, {"similarity": 0.96, "entropy": 0.04}
):
    merged = WorkflowSynergyComparator.merge_duplicate("main_flow", "candidate_flow")
"""
TAGS = """
log_with_tags(memory, prompt, response, tags=[FEEDBACK])
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text(FLOWS)
    (tmp_path / "prices.py").write_text(PRICES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_example(source: str, **more: object) -> dict[str, object]:
    scope: dict[str, object] = {name: getattr(reverie, name) for name in reverie.__all__} | more
    eval(compile(source, "<example>", "exec"), scope)
    return scope


def test_a_workflow_at_risk(capsys: pytest.CaptureFixture[str]) -> None:
    scope = run_example(RISK, builder=object())
    assert isinstance(scope["engine"], SelfImprovementEngine)
    assert capsys.readouterr().out == "workflow is safe to promote\n"


def test_two_workflows_alike() -> None:
    with reverie.Database():  # as `reverie init` makes it
        assert run_example(ALIKE)["merged"]


def test_an_exchange_is_logged_with_its_tags() -> None:
    with reverie.Database() as journal:
        memory = InteractionMemory(journal)
        run_example(TAGS, memory=memory, prompt="why?", response="because")
        (kept,) = memory.tagged(InteractionTag.FEEDBACK)
    assert (kept.prompt, kept.response) == ("why?", "because")
