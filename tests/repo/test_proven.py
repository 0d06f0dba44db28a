"""What the suite's processes tell one another of instruments that have proven themselves."""

from pathlib import Path

from tests.proven import Told

from reverie.model.measurements.suite import Proof, Sighting
from reverie.model.sections import SandboxSection

KEY = (SandboxSection(), "suite")
PROOF = Proof("suite", (Sighting("a plant", "seen", "seen"),))


def test_what_has_passed_in_one_process_is_known_in_another(tmp_path: Path) -> None:
    here, there = Told(tmp_path), Told(tmp_path)
    assert there.get(KEY) is None
    here[KEY] = PROOF
    assert there.get(KEY) == PROOF
    assert there.get((SandboxSection(slots=7), "suite")) is None
    assert there.get((SandboxSection(), "mutation")) is None
    assert len(list(tmp_path.iterdir())) == 1


def test_another_run_knows_nothing(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    Told(tmp_path / "one")[KEY] = PROOF
    assert Told(tmp_path / "other").get(KEY) is None
