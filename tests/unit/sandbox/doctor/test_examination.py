"""Which tier `auto` takes, and what a diagnosis is worth."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.json_page import documented_keys, section

from reverie.errors import IsolationUnavailable
from reverie.model.outcome import IsolationTier
from reverie.model.sections import SandboxSection
from reverie.sandbox.doctor.examination import check_all, examine
from reverie.sandbox.doctor.findings import Diagnosis, Probe, TierReport
from reverie.sandbox.doctor.machine import Machine
from reverie.sandbox.engine import Sandbox

HELD = (Probe("x", True, ""),)
BROKE = (Probe("x", True, ""), Probe("y", False, ""))


def refuse(section: SandboxSection) -> Sandbox:
    raise IsolationUnavailable(f"tier {section.tier} cannot be used here: planted")


def test_where_no_tier_starts_auto_has_none_and_says_why(barren: Machine) -> None:
    diagnosis = examine(barren, refuse)
    assert diagnosis.tier is None
    assert not diagnosis.is_sound
    probed = [report for report in diagnosis.tiers if report.tier is not IsolationTier.NONE]
    assert len(probed) == 3
    assert all(not report.available and "planted" in str(report.reason) for report in probed)


def test_none_is_never_what_auto_takes(barren: Machine) -> None:
    reports = {report.tier: report for report in examine(barren, refuse).tiers}
    assert reports[IsolationTier.NONE].available
    assert "only when asked for" in str(reports[IsolationTier.NONE].reason)


@pytest.mark.parametrize(
    ("tier", "probes", "sound"),
    [
        (IsolationTier.NAMESPACES, HELD, True),
        (IsolationTier.NAMESPACES, BROKE, False),
        (None, HELD, False),
    ],
)
def test_a_tier_that_did_not_hold_is_no_tier_to_trust(
    tier: IsolationTier | None, probes: tuple[Probe, ...], sound: bool
) -> None:
    report = TierReport(IsolationTier.NAMESPACES, True, None, probes)
    assert Diagnosis(tier, (), (report,)).is_sound is sound


def test_the_command_ends_with_1_where_nothing_contains(
    cli: Callable, barren: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.interfaces.cli.commands import doctor

    monkeypatch.setattr(doctor, "read_machine", lambda: barren)
    monkeypatch.setattr(doctor, "examine", lambda machine: examine(machine, refuse))
    ran = cli("doctor")
    assert ran.code == 1
    assert "auto takes no tier" in ran.out
    assert "docker run --cap-add SYS_ADMIN" in ran.out
    assert "\x1b" not in ran.out
    document = cli("doctor", "--json")
    assert document.code == 1
    assert document.document["tier"] is None


def test_the_json_keys_are_the_documented_ones(
    cli: Callable, root: Path, good: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.interfaces.cli.commands import doctor

    report = TierReport(IsolationTier.NAMESPACES, True, None, HELD)
    diagnosis = Diagnosis(IsolationTier.NAMESPACES, check_all(good), (report,))
    monkeypatch.setattr(doctor, "read_machine", lambda: good)
    monkeypatch.setattr(doctor, "examine", lambda machine: diagnosis)
    ran = cli("doctor", "--json")
    assert ran.code == 0
    told = section(root, "doctor")
    assert set(keys(ran.document)) == set(documented_keys(told))
    names = {check["name"] for check in ran.document["checks"]}
    assert all(f"`{name}`" in told for name in names)


def keys(value: object, prefix: str = "") -> Iterator[str]:
    """Paths of a document as docs/json.md writes them."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item, prefix)
    if isinstance(value, dict):
        for key, item in value.items():
            path = f"{prefix}{key}"
            yield path
            yield from keys(item, f"{path}[]." if isinstance(item, list) else f"{path}.")
