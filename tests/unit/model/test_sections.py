import dataclasses

import pytest

from reverie.model.execution import MIB, Limits, Policy
from reverie.model.outcome import IsolationTier, TrustTier
from reverie.model.sections import PathTier, SafetySection, SandboxSection, TierChoice


def test_default_settings_are_the_default_limits_and_policy() -> None:
    assert SandboxSection().limits() == Limits()
    assert SandboxSection().policy() == Policy()


def test_every_limit_follows_its_setting() -> None:
    section = SandboxSection(
        timeout_seconds=1.5,
        memory_mb=100,
        max_output_bytes=10,
        result_bytes=2048,
        processes=3,
        open_files=17,
        disk_mb=5,
        file_mb=4,
    )
    assert section.limits() == Limits(
        wall_seconds=1.5,
        memory_bytes=100 * MIB,
        output_bytes=10,
        result_bytes=2048,
        processes=3,
        open_files=17,
        disk_bytes=5 * MIB,
        file_bytes=4 * MIB,
    )


def test_every_permission_follows_its_setting() -> None:
    section = SandboxSection(enable_network=True, enable_filesystem=True, preload=("json",))
    assert section.policy() == Policy(
        enable_network=True, enable_filesystem=True, preload=("json",)
    )


def test_every_tier_can_be_asked_for_by_name() -> None:
    assert TierChoice.AUTO.tier is None
    assert {choice.tier for choice in TierChoice} - {None} == set(IsolationTier)


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("tests/deep/test_x.py", TrustTier.TESTING),
        ("src/core/x.py", TrustTier.CORE),
        ("src/core/generated/x.py", TrustTier.CORE),
        ("other.py", TrustTier.SANDBOX),
    ],
)
def test_the_first_matching_pattern_decides(path: str, tier: TrustTier) -> None:
    section = SafetySection(
        paths=(
            PathTier("tests/*", TrustTier.TESTING),
            PathTier("src/core/*", TrustTier.CORE),
            PathTier("*/generated/*", TrustTier.SANDBOX),
        )
    )
    assert section.tier_of(path) is tier


def test_a_section_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SandboxSection().slots = 9  # type: ignore[misc]
