"""srt held to the sandbox contract; what it does differently is listed by name.

Every execution starts a new srt, so this takes minutes: `make soak` runs it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, NoReturn

import pytest

from reverie.errors import IsolationUnavailable
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.backends.srt import find_srt
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox import SandboxContract
from reverie.testing.srt_deviations import SRT_DEVIATIONS


@pytest.mark.soak
class TestSrt(SandboxContract):
    deviations: ClassVar[frozenset[str]] = frozenset(SRT_DEVIATIONS)

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls, not_run: Callable[[str], NoReturn]) -> Iterator[Sandbox]:
        try:
            find_srt()
        except IsolationUnavailable as error:
            not_run(str(error))
        with Sandbox(SandboxSection(tier=TierChoice.SRT)) as sandbox:
            yield sandbox


def test_every_deviation_is_documented_with_its_reason(root: Path) -> None:
    page = (root / "docs" / "isolation.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `test_")]
    documented = {row.split("`")[1]: row.split("|")[2].strip() for row in rows}
    assert documented == dict(SRT_DEVIATIONS)
