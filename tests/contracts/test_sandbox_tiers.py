import os
from collections.abc import Iterator

import pytest

from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox import SandboxContract


def opened(tier: TierChoice) -> Iterator[Sandbox]:
    with Sandbox(SandboxSection(tier=tier)) as sandbox:
        yield sandbox


class TestNamespaces(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        yield from opened(TierChoice.NAMESPACES)


class TestLandlock(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        yield from opened(TierChoice.LANDLOCK)


class TestNone(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        yield from opened(TierChoice.NONE)
