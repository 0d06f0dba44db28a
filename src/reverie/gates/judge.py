"""Which gates stand before each stage, and what people owe beyond them."""

from collections.abc import Sequence

from reverie.gates.aside import left_aside, needs_of_aside
from reverie.gates.filling import ExamplesHoldGate, FillingGate
from reverie.gates.gate import Gate, Matter
from reverie.gates.integration import FrontGate, IntegrationGate
from reverie.gates.paths import PathsGate, SizeGate
from reverie.gates.production.contracts import ComplexityGate, ErrorsGate, ExamplesGate
from reverie.gates.production.reach import ReachGate
from reverie.gates.production.state import StateGate
from reverie.gates.production.surface import SurfaceGate
from reverie.gates.proof import (
    BaselineGate,
    EffectsGate,
    EquivalenceGate,
    KeepingGate,
    MemoryGate,
    MutationGate,
    RatchetGate,
    SpeedGate,
    StabilityGate,
    SuiteGate,
    WatchGate,
    WorthGate,
    rule_on_workflows,
)
from reverie.gates.suite.chance import ChanceGate
from reverie.gates.suite.honesty import HonestyGate
from reverie.gates.suite.old_tests import KeptGate
from reverie.gates.suite.oracle import OracleGate
from reverie.gates.suite.reach import TestReachGate
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Judgement, Need, NeedKind, Ruling

_BOUNDS: tuple[Gate, ...] = (PathsGate(), SizeGate(), BaselineGate())
_TESTS: tuple[Gate, ...] = (
    KeptGate(), OracleGate(), HonestyGate(), TestReachGate(), ChanceGate(),
)  # fmt: skip
_CODE: tuple[Gate, ...] = (
    ErrorsGate(), ReachGate(), SurfaceGate(), StateGate(), ComplexityGate(), ExamplesGate(),
)  # fmt: skip
_SAME: tuple[Gate, ...] = (
    SuiteGate(), WatchGate(), EquivalenceGate(), EffectsGate(), MutationGate(), RatchetGate(),
)  # fmt: skip
GUARDRAILS: dict[Stage, tuple[Gate, ...]] = {
    Stage.A: (*_BOUNDS, *_TESTS),
    Stage.B: (*_BOUNDS, *_CODE),
    Stage.C: (*_BOUNDS, *_CODE),
    Stage.INTEGRATION: (*_BOUNDS, *_TESTS, FrontGate(), ErrorsGate(), ReachGate(), StateGate()),
    Stage.STUBS: (*_BOUNDS, *_TESTS, FillingGate(), ErrorsGate(), ReachGate(), StateGate()),
}
"""What can be read from the change alone."""
_NEW_TESTS: tuple[Gate, ...] = (StabilityGate(), WorthGate(), MutationGate(), RatchetGate())
PROOFS: dict[Stage, tuple[Gate, ...]] = {
    Stage.A: (*_NEW_TESTS, KeepingGate()),
    Stage.B: _SAME,
    Stage.C: (*_SAME, SpeedGate(), MemoryGate()),
    Stage.INTEGRATION: (*_NEW_TESTS, IntegrationGate(), EffectsGate()),
    Stage.STUBS: (*_NEW_TESTS, ExamplesHoldGate(), EffectsGate()),
}
"""What a trial must have measured."""
_ALONE: dict[Stage, tuple[Gate, ...]] = {
    Stage.B: (EquivalenceGate(), EffectsGate()),
    Stage.C: (EquivalenceGate(), EffectsGate(), SpeedGate(), MemoryGate()),
}
"""What can be shown of a callable without the suite of its repository."""
_OWN_TESTS = Need(NeedKind.OTHER, words="the tests of its repository (reverie guard)")


def needs_of(matter: Matter) -> tuple[Need, ...]:
    """What people still owe before a change of this stage is promoted."""
    unread = needs_of_aside(left_aside(matter))
    if matter.stage is Stage.STUBS:  # beyond its examples nobody has said what is wanted
        return Need(NeedKind.APPROVALS, 1), *unread
    if matter.stage is not Stage.C:
        return unread
    others = (NeedKind.DECISION_RECORD, NeedKind.CANARY_PLAN, NeedKind.TESTED_ROLLBACK)
    return Need(NeedKind.APPROVALS, matter.section.approvals), *map(Need, others), *unread


def judge_statically(matter: Matter) -> tuple[Ruling, ...]:
    """The guardrails alone: what they refuse needs no trial. What no code reaches is left aside."""
    return _rulings(left_aside(matter), GUARDRAILS.get(matter.stage, ()))


def judge(matter: Matter, said: tuple[Ruling, ...] | None = None) -> Judgement:
    """Guardrails and proofs together. Stage D has none: it is never promoted.

    `said` is what the guardrails said of this very matter: with evidence they may say more.
    """
    rulings = judge_statically(matter) if said is None else said
    if not any(each.verdict is Answer.FAIL for each in rulings):
        proofs = _rulings(matter, PROOFS.get(matter.stage, ()))
        rulings += _settled((*proofs, *rule_on_workflows(matter)))
    if not rulings:
        why = "a finding is for people to read; it is never promoted"
        rulings = (Ruling("stage", Answer.FAIL, "never_promoted", why, str(matter.stage)),)
    return Judgement(rulings, needs_of(matter))


def judge_callable(matter: Matter) -> Judgement:
    """A rewritten callable on its own, without the suite of a repository, which is owed.

    The guardrails and the proofs are those of the stage; what only a suite can show is a need.
    """
    rulings = judge_statically(matter)
    if not any(each.verdict is Answer.FAIL for each in rulings):
        rulings += _settled(_rulings(matter, _ALONE.get(matter.stage, ())))
    return Judgement(rulings, (_OWN_TESTS, *needs_of(matter)))


def _settled(rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
    """Where a proof fails a trial stops: what it did not measure then is no doubt of its own."""
    if not any(each.verdict is Answer.FAIL for each in rulings):
        return rulings
    return tuple(each for each in rulings if each.reason_code != "not_measured")


def _rulings(matter: Matter, gates: Sequence[Gate]) -> tuple[Ruling, ...]:
    return tuple(ruling for gate in gates for ruling in gate.judge(matter))
