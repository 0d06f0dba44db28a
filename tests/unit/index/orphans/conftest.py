"""Small repositories, and how their modules stand."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.index.orphans import classify, read_evidence
from reverie.model.repository.standing import ModuleSignals, ModuleStanding
from reverie.model.sections import IndexSection, OrphansSection, SafetySection

Standings = dict[str, ModuleStanding]


@pytest.fixture
def standings(tmp_path: Path) -> Callable[..., Standings]:
    """Writes files, and answers with the marked modules by path."""

    def find(
        files: Mapping[str, str],
        signals: Mapping[str, ModuleSignals] | None = None,
        **settings: object,
    ) -> Standings:
        for path, content in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, "utf-8")
        index = read_repository(tmp_path, IndexSection(), SafetySection().tier_of)
        evidence = read_evidence(tmp_path, index)
        section = OrphansSection(**settings)  # type: ignore[arg-type]
        return {each.path: each for each in classify(index, evidence, section, signals)}

    return find
