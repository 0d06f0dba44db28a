"""srt held to the sandbox contract; what it does differently is listed by name."""

from collections.abc import Iterator

import pytest

from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox import SandboxContract


class TestSrt(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with Sandbox(SandboxSection(tier=TierChoice.SRT)) as sandbox:
            yield sandbox
