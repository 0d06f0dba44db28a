"""What reaches those that depend on a change."""

import pytest

from reverie.scoring.synergy import Impact, WorkflowGraph, transmission


def test_a_wave_goes_downstream_and_only_as_far_as_was_measured() -> None:
    graph = WorkflowGraph()
    graph.add_dependency("report", "load", 0.5)
    graph.add_dependency("mail", "report", -1.0)
    graph.add_dependency("page", "report")
    graph.add_dependency("load", "mail", 1.0)
    wave = graph.simulate_impact_wave("load", 4.0, 0.2)
    assert wave == {
        "report": Impact(2.0, 0.1),
        "mail": Impact(-2.0, 0.1),
        "page": Impact(None, None),
    }
    assert graph.simulate_impact_wave("nobody", 1.0) == {}


def test_how_much_gets_through_is_measured_or_not_known() -> None:
    up = [1.0, 2.0, 4.0, 3.0, 5.0, 9.0]
    assert transmission(up, [each * -2 + 7 for each in up]) == pytest.approx(-2)
    assert transmission(up[:4], up[:4]) is None
    assert transmission([1.0] * 9, up) is None
