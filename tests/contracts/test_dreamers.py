"""Every dreamer that ships keeps the contract that ships."""

from collections.abc import Callable

import pytest

from reverie.model.repository.standing import IntegrationSection
from reverie.model.sections import OrphansSection
from reverie.stages.dreamer import Dreamer
from reverie.stages.generating import StubDreamer
from reverie.stages.integrations import IntegrationDreamer, NoMemory, Rules, SelfTesting
from reverie.stages.refactorings import RefactorDreamer
from reverie.stages.speeding import SpeedDreamer
from reverie.stages.tests import TestDreamer
from reverie.testing.dreamers import DreamerContract


def integrating() -> Dreamer:
    rules = Rules(IntegrationSection(), OrphansSection())
    return IntegrationDreamer(SelfTesting(TestDreamer(), NoMemory()), rules)


EVERY: dict[str, Callable[[], Dreamer]] = {
    "tests": TestDreamer,
    "refactor": RefactorDreamer,
    "optimise": SpeedDreamer,
    "integration": integrating,
    "stubs": StubDreamer,
}


class TestEveryDreamer(DreamerContract):
    @pytest.fixture(params=list(EVERY))
    def make_dreamer(self, request: pytest.FixtureRequest) -> Callable[[], Dreamer]:
        return EVERY[request.param]
