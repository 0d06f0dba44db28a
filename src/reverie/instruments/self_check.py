"""An instrument is believed after it has seen what was planted for it, and not before.

Every instrument has a module `reverie.instruments.<name>.plants` with one function

    def plants(sandbox: Sandbox) -> Iterable[Plant]: ...

Each plant is asked through the instrument's own front door, on a tiny target whose answer is
known: at least one that is clean and one that is not (a mutant that must be killed, a difference
that must be found, a slowdown that must be measured), so that an instrument which always gives
the same answer fails. Add the name to `INSTRUMENTS`; `reverie doctor --instruments` then shows it.

Whoever measures asks first, once per run:

    proofs = Proofs(sandbox)
    proofs.require("mutation")  # raises InstrumentUnproven: a machinery error, never evidence

The same `Proofs` asked again answers from memory, and so does every other one with the same slots
and the same settings: each trial of a night asks, and what has passed is not asked again.
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from reverie.errors import InstrumentUnproven, MachineryError
from reverie.model.measurements.suite import Proof, Sighting

if TYPE_CHECKING:
    from reverie.model.sections import SandboxSection
    from reverie.sandbox.engine import Sandbox

Passed = dict[tuple["SandboxSection", str], Proof]

# In the order in which later ones rely on earlier ones. One whose module is absent is not shown.
INSTRUMENTS = (
    "suite", "mutation", "flakiness", "equivalence", "replay", "benchmark",
    "behaviour",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plant:
    """One question whose answer is known. `observe` asks the instrument as any caller would."""

    name: str
    required: str
    observe: Callable[[], str]


def random_name() -> str:
    """A name for something planted: code that could guess it would behave for it alone."""
    return f"part_{secrets.token_hex(4)}"


def prove(instrument: str, plants: Iterable[Plant]) -> Proof:
    """Ask every question. Our own failure to answer one is an answer too, and a wrong one."""
    return Proof(instrument, tuple(_look(plant) for plant in plants))


def instruments_there() -> tuple[str, ...]:
    """The instruments that have something planted for them."""
    return tuple(name for name in INSTRUMENTS if find_spec(f"{__package__}.{name}") is not None)


_passed_by_slots: WeakKeyDictionary[object, Passed] = WeakKeyDictionary()


def passed_with(sandbox: "Sandbox") -> Passed:
    """What has passed already with these slots, by settings and instrument."""
    return _passed_by_slots.setdefault(sandbox.slots, {})


class Proofs:
    """What has been proven in one run, with one sandbox. Thread-safe."""

    def __init__(self, sandbox: "Sandbox") -> None:
        self._sandbox = sandbox
        self._passed = passed_with(sandbox)
        self._failed: dict[str, Proof] = {}
        self._lock = Lock()

    def of(self, instrument: str) -> Proof:
        """The instrument's proof, whether it passed or not; made on first use."""
        key = self._sandbox.section, instrument
        with self._lock:
            known = self._passed.get(key) or self._failed.get(instrument)
            if known is not None:
                return known
            module = import_module(f"{__package__}.{instrument}.plants")
            proof = prove(instrument, module.plants(self._sandbox))
            if proof.passed:
                self._passed[key] = proof
            else:  # what a busy machine has spoilt is asked again by the next trial
                self._failed[instrument] = proof
            return proof

    def require(self, instrument: str) -> Proof:
        """The proof, or `InstrumentUnproven` naming the first thing that was not seen."""
        proof = self.of(instrument)
        if not proof.passed:
            raise InstrumentUnproven(instrument, _complaint(proof))
        return proof


def _look(plant: Plant) -> Sighting:
    try:
        seen = plant.observe()
    except MachineryError as error:
        seen = f"machinery error: {error}"
    return Sighting(plant.name, plant.required, seen)


def _complaint(proof: Proof) -> str:
    for each in proof.sightings:
        if not each.passed:
            return f"{each.name}: expected {each.required!r}, saw {each.seen!r:.200}"
    return "nothing was planted for it"
