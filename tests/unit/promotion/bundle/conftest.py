"""One bundle to tamper with, and the key that signed it."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.model.cycle import Proven
from reverie.promotion.bundle.keys import SigningKey, own_key
from reverie.promotion.bundle.verification import Rerun, Verification, Verifier
from reverie.promotion.bundle.writing import Sealing, read_environment, write_bundle
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream


@dataclass(frozen=True)
class Sealed:
    folder: Path
    repository: Path
    key: SigningKey
    proven: Proven

    def verify(self, **options: object) -> Verification:
        given = {"trusted": (self.key.public,), **options}
        return Verifier(**given).verify(self.folder)  # type: ignore[arg-type]

    def verify_again(self, **measures: float) -> Verification:
        """With a second run that measured what is given, and otherwise the same."""
        from dataclasses import replace

        def rerun(proven: Proven, tree: Path) -> Rerun:
            assert (tree / "cart.py").is_file()
            again = {**proven.evidence.measures, **measures}
            kept = {name: value for name, value in again.items() if value is not None}
            return Rerun(replace(proven.evidence, measures=kept), proven.judgement)

        return self.verify(repository=self.repository, rerun=rerun)


@pytest.fixture
def sealed(scripted: Callable, tmp_path: Path) -> Sealed:
    repository = scripted("shop")
    repository.commit("One", {"cart.py": "def total(prices):\n    return sum(prices)\n"})
    key = own_key(tmp_path / "config")
    measures = {
        "tests.passed_runs": 5.0,
        "mutants.newly_killed": 30.0,
        "coverage.lines.after": 0.9,
        "trial.seconds": 3.5,
        "odd": float("nan"),
    }
    change = new_file("tests/test_é \udcff.py", "def test():\n    assert 1\n\udcff")
    proven = proven_dream(change, read_source(repository.folder), measures=measures)
    sealing = Sealing(key, datetime(2026, 11, 15, tzinfo=UTC), read_environment(), "0.1.0", True)
    written = write_bundle(tmp_path / "bundles", proven, sealing, repository.folder)
    return Sealed(written.folder, repository.folder, key, proven)


@pytest.fixture
def copied(sealed: Sealed, tmp_path: Path) -> Callable[[], Path]:
    """Makes a fresh copy of the bundle."""

    def copy() -> Path:
        target = tmp_path / "copy"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(sealed.folder, target)
        return target

    return copy
