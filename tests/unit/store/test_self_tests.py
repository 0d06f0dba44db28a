"""Self-tests and exchanges with models outlive the process that made them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.learning.memory_logging import log_with_tags
from reverie.model.events import FEEDBACK, INSIGHT, InteractionTag, normalised_tags
from reverie.model.repository.standing import Inclusion, SelfTest
from reverie.store import Journal
from reverie.store.cycles.self_tests import InteractionMemory, SelfTestMemory

TEST = SelfTest("sea.tides", "sea/tides.py", "hash", True, ("sea/tides.py",), tests=3, coverage=0.5)


@pytest.fixture
def journal(any_url: str) -> Iterator[Journal]:
    with Journal.open(any_url) as journal:
        yield journal


def test_a_self_test_is_found_on_the_same_source_only(journal: Journal, tmp_path: Path) -> None:
    memory = SelfTestMemory(journal, tmp_path)
    memory.keep(TEST)
    assert memory.find("sea/tides.py", "hash") == TEST
    assert memory.find("sea/tides.py", "other") is None
    assert memory.find("sea/waves.py", "hash") is None
    assert SelfTestMemory(journal, tmp_path / "elsewhere").find("sea/tides.py", "hash") is None


def test_the_same_again_takes_the_place_of_the_first(journal: Journal, tmp_path: Path) -> None:
    memory = SelfTestMemory(journal, tmp_path)
    memory.keep(TEST)
    memory.keep(replace(TEST, passed=False, reason="it fails"))
    found = memory.find("sea/tides.py", "hash")
    assert found is not None
    assert (found.passed, found.reason) == (False, "it fails")


def test_the_figures_count_the_last_test_of_every_module(journal: Journal, tmp_path: Path) -> None:
    memory = SelfTestMemory(journal, tmp_path)
    assert memory.figures().gauges()["orphan_modules_tested_total"] == 0
    assert "self_test_average_coverage" not in memory.figures().gauges(), "nobody measured it"
    memory.keep(replace(TEST, source_hash="older", passed=False))
    memory.keep(TEST)
    memory.keep(replace(TEST, path="old.py", module="old", legacy=True, coverage=None))
    memory.keep(replace(TEST, path="copy.py", module="copy", redundant=True, coverage=None))
    memory.keep(replace(TEST, path="bad.py", module="bad", passed=False, coverage=None))
    memory.include(Inclusion(TEST, True, None, workflow="sea.tides"))
    memory.include(Inclusion(TEST, True, None, workflow="sea.tides"))
    assert memory.included() == ["sea/tides.py"]
    gauges = memory.figures().gauges()
    assert gauges["orphan_modules_tested_total"] == 4
    assert gauges["orphan_modules_reintroduced_total"] == 1
    assert gauges["orphan_modules_failed_total"] == 1
    assert gauges["orphan_modules_redundant_total"] == 1
    assert gauges["orphan_modules_legacy_total"] == 1
    assert gauges["self_test_passed_total"] == 3
    assert gauges["self_test_average_coverage"] == 0.5


def test_labels_are_normalised_and_unknown_ones_are_left_out() -> None:
    assert normalised_tags(["feedback", "Error fix", "nonsense"]) == (
        FEEDBACK,
        InteractionTag.ERROR_FIX,
    )
    assert normalised_tags(["improvement-path"]) == (InteractionTag.IMPROVEMENT_PATH,)
    assert normalised_tags(["nonsense"]) == (INSIGHT,), "every exchange has a tag"


def test_exchanges_are_found_by_their_tag(journal: Journal) -> None:
    memory = InteractionMemory(journal)
    first = log_with_tags(memory, "how is it?", "good", tags=[FEEDBACK])
    log_with_tags(memory, "an idea?", "\x00two", tags=["what?"])
    assert memory.tagged(FEEDBACK) == [first]
    (idea,) = memory.tagged(INSIGHT)
    assert idea.prompt == "an idea?"
    assert memory.tagged(InteractionTag.ERROR_FIX) == []
    kept: list[object] = []
    log_with_tags(kept, "a list is memory enough", "yes")  # type: ignore[arg-type]
    assert len(kept) == 1
