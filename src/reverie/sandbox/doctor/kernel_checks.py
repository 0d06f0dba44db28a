"""Judgement on what the kernel allows: namespaces, filters, Landlock, control groups. Pure."""

import errno
import re

from reverie.sandbox.backends.kernel_features import Feature
from reverie.sandbox.doctor import fixes
from reverie.sandbox.doctor.findings import Check, State
from reverie.sandbox.doctor.machine import Machine
from reverie.sandbox.inside.kernel import MACHINES

_NEEDED_KERNEL = (5, 3)  # pidfd_open
_WANTED_KERNEL = (5, 13)  # Landlock
_UPGRADE = "upgrade to a kernel of version 5.13 or newer"


def check_kernel(machine: Machine) -> Check:
    """Old kernels lack what every tier stands on."""
    numbers = re.match(r"(\d+)\.(\d+)", machine.release)
    version = tuple(map(int, numbers.groups())) if numbers else (0, 0)
    why = "every tier needs 5.3; Landlock came with 5.13"
    if version < _NEEDED_KERNEL:
        return Check("kernel", State.MISSING, machine.release, why, _UPGRADE)
    state = State.OK if version >= _WANTED_KERNEL else State.LIMITED
    return Check("kernel", state, machine.release, why, None if state is State.OK else _UPGRADE)


def check_architecture(machine: Machine) -> Check:
    """System calls are made by number, and numbers differ."""
    known = machine.architecture in MACHINES
    why = "system calls are made and filtered by number"
    fix = None if known else f"use a machine of {' or '.join(MACHINES)}; elsewhere only tier none"
    return Check(
        "architecture", State.OK if known else State.MISSING, machine.architecture, why, fix
    )


def check_user_namespaces(machine: Machine) -> Check:
    """The foundation of tier namespaces, and of srt."""
    feature = machine.features["user_namespace"]
    why = "tiers namespaces and srt: a sandbox without power over anything outside"
    if feature.worked:
        return Check("user namespaces", State.OK, "a fresh process could make one", why)
    return Check("user namespaces", State.MISSING, *_who_forbids(machine, feature, why))


def _who_forbids(machine: Machine, feature: Feature, why: str) -> tuple[str, str, str]:
    seen = f"refused: {feature.error}"
    values = machine.sysctls
    if values["user.max_user_namespaces"] == "0":
        return f"{seen}; user.max_user_namespaces=0", why, fixes.RAISE_NAMESPACES
    if values["kernel.unprivileged_userns_clone"] == "0":
        return f"{seen}; kernel.unprivileged_userns_clone=0", why, fixes.ALLOW_CLONE
    if values["kernel.apparmor_restrict_unprivileged_userns"] == "1":
        profile = fixes.apparmor_profile(machine.interpreter)
        return f"{seen}; kernel.apparmor_restrict_unprivileged_userns=1", why, profile
    if feature.errno == errno.ENOSYS or feature.errno == errno.EINVAL:
        return f"{seen}; not in this kernel", why, "use a kernel built with CONFIG_USER_NS=y"
    return seen, why, fixes.open_container(machine)


def check_mounts(machine: Machine) -> Check:
    """A root of its own. AppArmor lets the namespace through and takes the power in it away."""
    feature = machine.features["mounts"]
    why = "tiers namespaces and srt: a root of its own, with nothing in it but what is shown"
    if feature.worked:
        return Check("mounts", State.OK, "a fresh process could mount in its namespaces", why)
    seen = f"refused: {feature.error}"
    if not machine.features["user_namespace"].worked:
        return Check("mounts", State.MISSING, seen, why, "first fix user namespaces")
    if machine.sysctls["kernel.apparmor_restrict_unprivileged_userns"] == "1":
        profile = fixes.apparmor_profile(machine.interpreter)
        seen += "; kernel.apparmor_restrict_unprivileged_userns=1"
        return Check("mounts", State.MISSING, seen, why, profile)
    if machine.is_root and not machine.can_administrate:
        seen += "; root without CAP_SYS_ADMIN"
        other = "or run Reverie as an ordinary user"
        return Check("mounts", State.MISSING, seen, why, f"{fixes.open_container(machine)} {other}")
    return Check("mounts", State.MISSING, seen, why, fixes.open_container(machine))


def check_proc(machine: Machine) -> Check:
    """Container runtimes mask parts of /proc; then the kernel refuses a fresh one."""
    feature = machine.features["proc"]
    why = "a /proc that shows only the sandbox; without it and cgroups memory is not watched"
    if feature.worked:
        return Check("proc", State.OK, "a fresh process could mount its own", why)
    seen = f"refused: {feature.error}"
    if not machine.features["mounts"].worked:
        return Check("proc", State.MISSING, seen, why, "first fix mounts")
    return Check(
        "proc", State.LIMITED, f"{seen}; /proc is masked", why, fixes.open_container(machine)
    )


def check_seccomp(machine: Machine) -> Check:
    """Every tier but none filters system calls."""
    feature = machine.features["seccomp"]
    why = "every tier but none filters system calls"
    if feature.worked:
        return Check("seccomp", State.OK, "a fresh process could install the filter", why)
    fix = "use a kernel built with CONFIG_SECCOMP_FILTER=y"
    return Check("seccomp", State.MISSING, f"refused: {feature.error}", why, fix)


def check_landlock(machine: Machine) -> Check:
    """Tier landlock stands on it; tier namespaces takes it as a second wall."""
    feature = machine.features["landlock"]
    why = "tier landlock stands on it; the others take it as a second wall"
    if feature.worked:
        return Check("landlock", State.OK, f"version {feature.value}", why)
    seen = f"refused: {feature.error}"
    modules = machine.security_modules
    if feature.errno == errno.ENOSYS:
        return Check("landlock", State.MISSING, f"{seen}; not in this kernel", why, _UPGRADE)
    if modules is not None and "landlock" not in modules:
        seen = f"{seen}; not in the kernel's lsm list ({','.join(modules)})"
        return Check("landlock", State.MISSING, seen, why, fixes.enable_landlock(modules))
    if feature.errno == errno.EOPNOTSUPP:
        return Check("landlock", State.MISSING, seen, why, fixes.enable_landlock(modules or ()))
    return Check("landlock", State.MISSING, seen, why, fixes.open_container(machine))


def check_cgroups(machine: Machine) -> Check:
    """Exact limits for a whole tree; without them the tree is watched."""
    facts = machine.cgroups
    why = "memory and process limits of a whole tree, exact; without them it is watched every 30 ms"
    if facts.site is not None:
        seen = f"version {facts.version}, groups can be made in {facts.site}"
        return Check("cgroups", State.OK, seen, why)
    if facts.version is None:
        seen, fix = "none mounted", "mount -t cgroup2 none /sys/fs/cgroup"
        return Check("cgroups", State.LIMITED, seen, why, fix)
    if facts.version == 1:
        seen = "version 1, no memory and pids group that we may write"
        fix = "boot with systemd.unified_cgroup_hierarchy=1, or run Reverie as root"
        return Check("cgroups", State.LIMITED, seen, why, fix)
    absent = [name for name in ("memory", "pids") if name not in facts.controllers]
    handed = f"{' and '.join(absent)} not handed down" if absent else "handed down, not writable"
    seen = f"version 2, {handed} to our group"
    if machine.container is not None:
        fix = f"{fixes.open_container(machine)} with --cgroupns=private and a writable cgroup mount"
    elif facts.has_systemd:
        fix = f"{fixes.DELEGATE} (over ssh once: {fixes.LINGER})"
    else:
        fix = "as root: echo '+memory +pids' > /sys/fs/cgroup/cgroup.subtree_control"
    return Check("cgroups", State.LIMITED, seen, why, fix)
