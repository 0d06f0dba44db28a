"""Every gate that ships keeps the contract that ships."""

import pytest

from reverie.gates.gate import Gate
from reverie.gates.judge import GUARDRAILS, PROOFS
from reverie.testing.gates import GateContract

EVERY = {
    gate.name + type(gate).__name__: gate
    for gates in (*GUARDRAILS.values(), *PROOFS.values())
    for gate in gates
}


class TestEveryGate(GateContract):
    @pytest.fixture(params=list(EVERY))
    def gate(self, request: pytest.FixtureRequest) -> Gate:
        return EVERY[request.param]


def test_there_is_a_gate_for_every_concern() -> None:
    assert len(EVERY) >= 18
