"""The examination: check the machine, attack every tier, say which one `auto` takes."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from reverie.errors import MachineryError
from reverie.model.outcome import IsolationTier
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.doctor import host_checks, kernel_checks
from reverie.sandbox.doctor.findings import Check, Diagnosis, TierReport
from reverie.sandbox.doctor.machine import Machine
from reverie.sandbox.doctor.probes import probe_all
from reverie.sandbox.engine import AUTO_TIERS, Sandbox

Opener = Callable[[SandboxSection], AbstractContextManager[Sandbox]]

CHECKS: tuple[Callable[[Machine], Check], ...] = (
    kernel_checks.check_kernel,
    kernel_checks.check_architecture,
    kernel_checks.check_user_namespaces,
    kernel_checks.check_mounts,
    kernel_checks.check_proc,
    kernel_checks.check_seccomp,
    kernel_checks.check_landlock,
    kernel_checks.check_cgroups,
    host_checks.check_container,
    host_checks.check_shared_memory,
    host_checks.check_temporary_folder,
    host_checks.check_resource_limits,
    host_checks.check_interpreter,
    host_checks.check_srt,
    host_checks.check_postgres,
    host_checks.check_git,
)
_PROBED = (TierChoice.NAMESPACES, TierChoice.LANDLOCK, TierChoice.SRT)
_NONE = TierReport(IsolationTier.NONE, True, "no isolation; only when asked for by name")


def check_all(machine: Machine) -> tuple[Check, ...]:
    """Every check of the machine, in the order in which things depend on one another."""
    return tuple(check(machine) for check in CHECKS)


def examine(machine: Machine, open_sandbox: Opener = Sandbox) -> Diagnosis:
    """Check the machine, then boot and attack a sandbox of every tier."""
    tiers = tuple(_attack(choice, open_sandbox) for choice in _PROBED)
    there = {report.tier for report in tiers if report.available}
    chosen = next((tier for tier in AUTO_TIERS if tier in there), None)
    return Diagnosis(chosen, check_all(machine), (*tiers, _NONE))


def _attack(choice: TierChoice, open_sandbox: Opener) -> TierReport:
    tier = IsolationTier(choice.value)
    try:
        with open_sandbox(SandboxSection(tier=choice, slots=1)) as sandbox:
            sandbox.warm()
            probes = probe_all(sandbox)
    except MachineryError as error:
        return TierReport(tier, False, str(error))
    failed = [probe.name for probe in probes if not probe.passed]
    reason = f"not contained: {', '.join(failed)}" if failed else None
    return TierReport(tier, True, reason, probes)
