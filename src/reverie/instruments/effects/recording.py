"""Both versions of a callable are imported and called under a recorder: what is reached?

found = record_effects(sandbox, old, new, inputs=calls, section=section)

Names of C functions and of functions of other modules that the code calls, and the interpreter's
own audit events, go through the same table as the guardrails'. What the old version reached too
is not told. Only known effects are: that a name is unknown is for the guardrails to say.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from reverie.errors import MachineryError
from reverie.gates.effects.table import Effect, effect_of_reached, is_covered
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.facts import Facts, gather_facts
from reverie.instruments.equivalence.laboratory import Deadline, Laboratory
from reverie.instruments.equivalence.scenario import Scenario
from reverie.instruments.equivalence.search import Search
from reverie.instruments.equivalence.targets import Version
from reverie.model.call import Call as Inputs
from reverie.model.execution import Call, Request
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import IMPATIENT, Spending

_Steps = list[list[dict[str, Any]]]
_MOST_SCENARIOS = 40
_STEP_SECONDS = 1.0
_CPU_SECONDS = 20


@dataclass(frozen=True, slots=True)
class NewEffect:
    """Something that only the new version reached."""

    effect: Effect
    when: str
    """`import` or `call`."""
    place: str

    def __str__(self) -> str:
        return f"{self.effect} at {self.when}, {self.place}"


@cache
def recording_program() -> str:
    """The source of a program whose `record` takes versions and tells what they reach."""
    return bundled("reverie.instruments.effects.inside.record:record")


def record_effects(
    sandbox: Sandbox,
    old: Version,
    new: Version,
    *,
    section: EquivalenceSection,
    inputs: Iterable[Inputs] = (),
    spending: Spending | None = None,
) -> tuple[NewEffect, ...]:
    """What the new version reaches and the old one does not; `MachineryError` if nobody can say."""
    facts = gather_facts(old, new)
    scenarios = _scenarios(sandbox, facts, section, tuple(inputs), spending)
    steps = [[step.document(facts.recorded) for step in each.steps] for each in scenarios]
    return _only_new(sandbox, old, new, steps, (spending or Spending()).patience)


def record_imports(sandbox: Sandbox, old: Version, new: Version) -> tuple[NewEffect, ...]:
    """What importing the new module reaches and importing the old one does not."""
    return _only_new(sandbox, old, new, [], Spending().patience)


def _only_new(
    sandbox: Sandbox, old: Version, new: Version, steps: _Steps, patience: float
) -> tuple[NewEffect, ...]:
    roots = tuple(dict.fromkeys((*old.roots, *new.roots)))  # one slot serves both
    before, after = (_reached(sandbox, each, steps, patience, roots) for each in (old, new))
    found = []
    for when in ("import", "call"):
        known = frozenset(each.effect for each in before if each.when == when)
        told: set[Effect] = set()
        for each in after:
            if each.when == when and each.effect not in told and not is_covered(each.effect, known):
                told.add(each.effect)
                found.append(each)
    return tuple(found)


def _scenarios(
    sandbox: Sandbox,
    facts: Facts,
    section: EquivalenceSection,
    inputs: tuple[Inputs, ...],
    spending: Spending | None,
) -> list[Scenario]:
    """Calls as the comparison would begin with; those that come with the change first."""
    deadline = Deadline(section.budget_seconds, spending or Spending(IMPATIENT))
    laboratory = Laboratory(sandbox, facts, section.step_seconds, deadline)
    contract = Contract.read(None, facts.parameters)
    made = Search(laboratory, contract, section.seed, inputs).batch()
    return made[:_MOST_SCENARIOS]


def _reached(
    sandbox: Sandbox, version: Version, steps: _Steps, patience: float, roots: tuple[str, ...]
) -> list[NewEffect]:
    """Every effect of one version, in a process of its own."""
    plant = f"/{uuid4().hex}.py"
    document = {
        "module": version.module, "entry": version.qualname, "source": version.source,
        "path": version.path, "roots": list(version.roots),
    }  # fmt: skip
    order: dict[str, Any] = {
        "versions": [document],
        "scenarios": steps,
        "step_seconds": _STEP_SECONDS,
        "plant": plant,
    }
    wall = patience * _CPU_SECONDS  # a busy machine is no reason for another answer
    limits = replace(sandbox.section.limits(), wall_seconds=wall, cpu_seconds=_CPU_SECONDS)
    policy = replace(sandbox.section.policy(), readonly=roots, seed=0)
    execution = sandbox.run(Request(Call(recording_program(), "record", order), limits, policy))
    if not execution.succeeded:
        said = "it ended without a word" if execution.error is None else execution.error.message
        raise MachineryError(f"what {version.label} reaches was not recorded: {said}")
    return _read(execution.output, version, plant)


def _read(output: Any, version: Version, plant: str) -> list[NewEffect]:
    """What the recorder tells, read with suspicion: it ran beside the code under test."""
    try:
        rows = [(str(when), str(origin), str(at), int(line)) for when, origin, at, line in output]
    except (TypeError, ValueError) as error:
        raise MachineryError(f"the recorder's answer makes no sense: {error}") from error
    if not any(at == plant for _, _, at, _ in rows):
        raise MachineryError("the recorder was stopped before the end")
    found = []
    for when, origin, at, line in rows:
        effect = None if at == plant else effect_of_reached(origin)
        if effect is not None:
            found.append(NewEffect(effect, when, f"{_shown(at, version)}:{line}"))
    return found


def _shown(path: str, version: Version) -> str:
    for root in version.roots:
        if path.startswith(f"{root}/"):
            return path[len(root) + 1 :]
    return Path(path).name
