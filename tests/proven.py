"""Instruments that prove themselves once for all tests of one run of the suite."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.instruments import self_check
from reverie.model.codec import plain, read
from reverie.model.measurements.suite import Proof
from reverie.model.sections import SandboxSection


class Told(dict[tuple[SandboxSection, str], Proof]):
    """Proofs that passed in this process, or in another one of the same run: a file each."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def get(self, key: tuple[SandboxSection, str], default: Proof | None = None) -> Proof | None:  # type: ignore[override]
        if key not in self:
            try:
                document = json.loads(self._place(key).read_text())
                super().__setitem__(key, read(Proof, document))
            except FileNotFoundError:
                return default
        return self[key]

    def __setitem__(self, key: tuple[SandboxSection, str], proof: Proof) -> None:
        super().__setitem__(key, proof)
        place = self._place(key)
        beside = place.with_suffix(f".{os.getpid()}")
        beside.write_text(json.dumps(plain(proof)))
        beside.rename(place)  # whole, or not there

    def _place(self, key: tuple[SandboxSection, str]) -> Path:
        return self._folder / hashlib.sha256(repr(key).encode()).hexdigest()


@pytest.fixture(scope="session")
def proofs_of_the_run(run_folder: Path) -> Told:
    folder = run_folder / "proven"
    folder.mkdir(exist_ok=True)
    return Told(folder)


@pytest.fixture(scope="module", autouse=True)
def proven_once(proofs_of_the_run: Told) -> Iterator[None]:
    """An instrument that has proven itself in this run is believed by all modules that ask.

    A proof takes seconds, and every command asks for its own. Tests of proofs come in the same
    process: for them nothing is known. No other run of the suite sees it: it may be of other code.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_check, "passed_with", lambda sandbox: proofs_of_the_run)
        yield
