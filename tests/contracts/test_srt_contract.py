"""srt held to the sandbox contract; what it does differently is listed by name.

Every execution starts a new srt, so this takes minutes: `make soak` runs it.
"""

import importlib.util
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


def documented(root: Path, tier: str) -> dict[str, str]:
    """The deviations of a tier as docs/internal/isolation_tiers.md lists them."""
    page = (root / "docs" / "internal" / "isolation_tiers.md").read_text("utf-8")
    section = page.partition(f"\n### {tier}\n")[2].partition("\n#")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `test_")]
    return {row.split("`")[1]: row.split("|")[2].strip() for row in rows}


def test_every_deviation_of_srt_is_documented_with_its_reason(root: Path) -> None:
    assert documented(root, "srt") == dict(SRT_DEVIATIONS)


def test_every_deviation_of_landlock_is_documented_with_its_reason(root: Path) -> None:
    path = root / "tests" / "contracts" / "test_sandbox_tiers.py"
    spec = importlib.util.spec_from_file_location("tiers", path)
    assert spec is not None
    assert spec.loader is not None
    tiers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tiers)
    assert documented(root, "landlock") == tiers.LANDLOCK | tiers.WITHOUT_CGROUP_LANDLOCK
