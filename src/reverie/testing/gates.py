"""The contract every gate must pass. Subclass it and provide a `gate` fixture."""

import pytest

from reverie.gates.gate import Gate, Matter
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence

_STAGES = (Stage.A, Stage.B, Stage.C)


def _nothing(stage: Stage) -> Matter:
    return Matter(stage, Change(()))


class GateContract:
    """Shipped, so that a gate written elsewhere is held to the same rules."""

    @pytest.fixture
    def gate(self) -> Gate:
        raise NotImplementedError("provide the gate under test")

    @pytest.mark.parametrize("stage", _STAGES)
    def test_nothing_laid_before_it_never_passes(self, gate: Gate, stage: Stage) -> None:
        answers = [ruling.verdict for ruling in gate.judge(_nothing(stage))]
        assert answers
        assert Answer.PASS not in answers

    @pytest.mark.parametrize("stage", _STAGES)
    def test_evidence_without_measures_never_passes(self, gate: Gate, stage: Stage) -> None:
        empty = Evidence({}, 0, IsolationTier.NONE, ())
        matter = Matter(stage, Change(()), empty)
        assert Answer.PASS not in [ruling.verdict for ruling in gate.judge(matter)]

    @pytest.mark.parametrize("stage", _STAGES)
    def test_a_ruling_can_be_repeated(self, gate: Gate, stage: Stage) -> None:
        assert gate.judge(_nothing(stage)) == gate.judge(_nothing(stage))

    @pytest.mark.parametrize("stage", _STAGES)
    def test_a_ruling_names_its_gate_its_code_and_its_reason(
        self, gate: Gate, stage: Stage
    ) -> None:
        for ruling in gate.judge(_nothing(stage)):
            assert ruling.gate == gate.name
            assert ruling.reason
            assert ruling.reason_code.replace("_", "").isalnum()
