"""Worth by module, kind and dreamer; when a module is done, and when it is open again."""

from pathlib import Path

import pytest

from reverie import ROITracker
from reverie.errors import UsageError
from reverie.learning.roi_tracker import remediation_hints
from reverie.model.worth import Risk, RoiRow, Severity
from reverie.scoring.trajectory import Completion


def row(points: float | None, module: str = "shop", source: str = "s1", **more: object) -> RoiRow:
    groups = {"module": module, "kind": "test", "dreamer": "tests"}
    return RoiRow("d", points, groups=groups, source_hash=source, **more)  # type: ignore[arg-type]


def test_rows_are_found_by_every_group() -> None:
    tracker = ROITracker([row(1.0), row(2.0, "cart")])
    tracker.record(row(3.0))
    assert [each.points for each in tracker.history("module", "shop")] == [1.0, 3.0]
    assert len(tracker.history("dreamer", "tests")) == 3
    assert tracker.history("workflow", "x") == ()
    with pytest.raises(UsageError, match="'colour' is no group"):
        tracker.history("colour", "red")


def test_a_module_is_done_until_its_source_changes(tmp_path: Path) -> None:
    tracker = ROITracker([row(0.01), row(0.0), row(0.02), row(9.0, "cart")])
    (cart, shop) = tracker.standings()
    assert (shop.completion, shop.attempts) == (Completion.DIMINISHED, 3)
    assert cart.completion is Completion.INSUFFICIENT
    (written,) = tracker.write_flags(tmp_path)
    assert (written.name, written.read_text()) == ("shop.flags", "diminishing returns\n3 dreams\n")
    assert tracker.write_flags(tmp_path, {"shop": "s2"}) == []
    assert not written.exists()
    assert tracker.diminishing() == 0.25


def test_entropy_moves_from_dream_to_dream() -> None:
    rows = [row(1.0, entropy=2.0), row(1.0), row(1.0, entropy=2.5), row(1.0, entropy=2.25)]
    assert ROITracker(rows).module_entropy_deltas == {"shop": (0.5, -0.25)}


def test_hints_name_what_costs_most() -> None:
    tracker = ROITracker()
    assert remediation_hints(tracker.calculate_raroi(10, Risk())) == []
    risky = tracker.calculate_raroi(10, Risk(variation=1.0, failed_suites=2))
    assert [each.split()[0] for each in remediation_hints(risky)] == ["mend", "repeat"]
    deep = tracker.calculate_raroi(-1, Risk(rolled_back=9, severity=Severity.CRITICAL))
    assert [each.split()[0] for each in remediation_hints(deep)] == ["it", "split"]
