"""The gate protocol: what is laid before a gate, and how it rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from reverie.gates.effects.table import Effect
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Evidence, Ruling
from reverie.model.settings.judgement import GuardSection


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a gate may know of the repository that a change would land in."""

    packages: frozenset[str] = frozenset()
    """Top-level names under which production code is imported."""
    modules: frozenset[str] = frozenset()
    """Top-level names that belong to Python and to the libraries in use."""
    fixtures: frozenset[str] = frozenset()
    """Names of fixtures that tests of the repository may ask for."""
    valued: frozenset[str] = frozenset()
    """Names of production functions that are declared to return more than yes or no."""
    libraries: frozenset[str] = frozenset()
    """Top-level names from outside that the repository imports already."""
    test_effects: frozenset[Effect] = frozenset()
    """What its tests reach, by exact name."""
    sources: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)
    """Texts of production files before the change, by dotted name (`shop.__init__`)."""
    words: frozenset[str] = field(default=frozenset(), repr=False)
    """Words and names of files that any code says, also that of tests."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is judged: a change, at which stage, where it would land, and what was measured."""

    stage: Stage
    change: Change
    evidence: Evidence | None = None
    section: GuardSection = field(default_factory=GuardSection)
    surroundings: Surroundings = field(default_factory=Surroundings)
    baseline: Mapping[str, float] | None = None
    """What the repository has reached; None where nobody keeps that."""
    is_own: bool = False
    """Whether it was written by a dreamer, and not by a person or an agent."""
    aside: tuple[str, ...] = ()
    """Files of the change that no code reaches: taken out of it, and named."""

    def measured(self, name: str) -> float | None:
        """A measure of the trial; None when nobody took it."""
        return None if self.evidence is None else self.evidence.get(name)

    def named(self, name: str) -> tuple[str, ...]:
        """The names behind a measure."""
        return () if self.evidence is None else tuple(self.evidence.details.get(name, ()))


class Gate(Protocol):
    """One reason a change may be turned away."""

    @property
    def name(self) -> str:
        """Stable name, as it appears in the journal and in reports."""
        ...

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Rule on what is laid before it, at least once.

        What is missing is a `hold` or a `fail`, never a `pass`.
        """
        ...


def ruled(gate: str, objections: Iterable[Ruling], passed: str) -> tuple[Ruling, ...]:
    """The objections, or one `pass` when there are none."""
    return tuple(objections) or (Ruling(gate, Answer.PASS, "ok", passed),)


def nothing_to_judge(gate: str) -> tuple[Ruling, ...]:
    """The ruling on a change without edits."""
    return (Ruling(gate, Answer.HOLD, "nothing_to_judge", "the change has no edits"),)


def not_measured(gate: str, measure: str) -> Ruling:
    """The ruling on evidence that is not there."""
    return Ruling(gate, Answer.HOLD, "not_measured", f"nobody measured {measure}", None, measure)
