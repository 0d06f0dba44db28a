"""How alike workflows are, by figures whose bounds are known."""

import pytest

from reverie.errors import UsageError
from reverie.model.workflow import Step, Workflow
from reverie.workflows.synergy_comparator import WorkflowSynergyComparator, merged_workflow

FLOW = ["a:f", "b:g", "c:h", "d:i"]
compare = WorkflowSynergyComparator.compare


def test_a_workflow_is_a_copy_of_itself() -> None:
    scores = compare(FLOW, FLOW)
    assert scores.similarity == pytest.approx(1)
    assert scores.shared_module_ratio == 1
    assert scores.entropy_a == scores.entropy_b == 2
    assert WorkflowSynergyComparator.is_duplicate(scores)
    assert WorkflowSynergyComparator.is_mergeable(scores)


def test_workflows_without_a_common_step_are_not_alike() -> None:
    scores = compare(FLOW, ["x:f", "y:g"])
    assert scores.similarity == 0
    assert scores.shared_module_ratio == 0
    assert not WorkflowSynergyComparator.is_duplicate(scores)


def test_likeness_falls_with_what_is_different_and_does_not_depend_on_the_side() -> None:
    others = [FLOW, [*FLOW, "e:j"], FLOW[:2], FLOW[::-1], FLOW[:1]]
    found = [compare(FLOW, each).similarity for each in others]
    assert found[0] > max(found[1:])
    for each in others:
        assert compare(FLOW, each).similarity == pytest.approx(compare(each, FLOW).similarity)
        assert 0 <= compare(FLOW, each).similarity <= 1 + 1e-9
        assert 0 <= compare(FLOW, each).aggregate <= 1


def test_order_counts() -> None:
    assert (
        compare(FLOW, FLOW[::-1]).similarity
        < compare(FLOW, ["a:f", "b:g", "d:i", "c:h"]).similarity
    )


def test_other_arguments_are_another_step() -> None:
    one = Workflow("one", (Step("a:f"), Step("b:g", {"rate": 1})))
    other = Workflow("other", (Step("a:f"), Step("b:g", {"rate": 2})))
    assert compare(one, other).similarity < 0.95
    assert compare(one, other).shared_module_ratio == 1


@pytest.mark.parametrize(
    ("modules", "overfit", "repeated"),
    [("ab", False, ()), ("aab", True, ()), ("aaaabbcde", True, ("a",)), ("a", True, ())],
)
def test_leaning_on_too_little_is_overfit(
    modules: str, overfit: bool, repeated: tuple[str, ...]
) -> None:
    found = WorkflowSynergyComparator.analyze_overfitting([f"{each}:f" for each in modules])
    assert (found.is_overfit, found.repeated) == (overfit, repeated)


def test_the_caller_sets_thresholds_and_misspelt_ones_are_refused() -> None:
    scores = compare(FLOW, [*FLOW, "e:j"])
    assert WorkflowSynergyComparator.is_duplicate(scores, {"similarity": 0.1, "entropy": 9})
    with pytest.raises(UsageError, match="'similarty' is no threshold"):
        WorkflowSynergyComparator.is_duplicate(scores, {"similarty": 0.1})


def test_a_merged_workflow_is_tried_on_the_data_of_both() -> None:
    one = Workflow("one", (Step("a:f"),), params={"x": 1}, test_data={"a": "1"})
    copy = Workflow(
        "copy", (Step("a:f"),), params={"x": 2}, inputs=({"x": 1},), test_data={"a": "2", "b": "3"}
    )
    merged = merged_workflow(one, copy)
    assert merged.inputs == ({"x": 2},)
    assert merged.test_data == {"a": "1", "b": "3"}


def test_a_name_needs_a_shelf() -> None:
    with pytest.raises(UsageError, match="no shelf"):
        compare("one", "other")
