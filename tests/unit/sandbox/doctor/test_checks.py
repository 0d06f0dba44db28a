"""What the doctor makes of a machine, and that its fix is the one for that machine."""

import errno
from dataclasses import replace

import pytest

from reverie.sandbox.backends.kernel_features import NAMES, Feature
from reverie.sandbox.doctor.examination import check_all
from reverie.sandbox.doctor.findings import Check, State
from reverie.sandbox.doctor.machine import CgroupFacts, Container, Folder, Kind, Machine

REFUSED = Feature("Operation not permitted", errno.EPERM)


def check(machine: Machine, name: str) -> Check:
    return next(check for check in check_all(machine) if check.name == name)


def refusing(machine: Machine, *names: str, feature: Feature = REFUSED) -> Machine:
    return replace(machine, features={**machine.features, **dict.fromkeys(names, feature)})


def with_sysctl(machine: Machine, name: str, value: str) -> Machine:
    return replace(machine, sysctls={**machine.sysctls, name: value})


def test_a_good_machine_needs_nothing(good: Machine) -> None:
    assert {check.state for check in check_all(good)} == {State.OK}
    assert {check.fix for check in check_all(good)} == {None}


def test_a_barren_machine_is_explained_check_by_check(barren: Machine) -> None:
    checks = check_all(barren)
    assert {check.state for check in checks} == {State.LIMITED, State.MISSING}
    assert all(check.seen and check.why and check.fix for check in checks)
    assert len({check.name for check in checks}) == len(checks)


def test_a_check_is_fine_exactly_when_there_is_nothing_to_fix(
    good: Machine, barren: Machine
) -> None:
    mixed = refusing(replace(barren, features=good.features), "proc")
    for machine in (good, barren, mixed):
        for found in check_all(machine):
            assert (found.state is State.OK) == (found.fix is None), found.name


@pytest.mark.parametrize(
    ("sysctl", "value", "fix"),
    [
        (
            "user.max_user_namespaces",
            "0",
            "sudo sysctl -w user.max_user_namespaces=15000",
        ),
        (
            "kernel.unprivileged_userns_clone",
            "0",
            "sudo sysctl -w kernel.unprivileged_userns_clone=1",
        ),
    ],
)
def test_a_sysctl_that_forbids_user_namespaces_is_named_with_its_opposite(
    good: Machine, sysctl: str, value: str, fix: str
) -> None:
    found = check(with_sysctl(refusing(good, "user_namespace"), sysctl, value), "user namespaces")
    assert found.state is State.MISSING
    assert f"{sysctl}={value}" in found.seen
    assert found.fix == fix


@pytest.mark.parametrize("refused", [("user_namespace", "mounts"), ("mounts",)])
def test_ubuntu_2404_gets_its_apparmor_profile(good: Machine, refused: tuple[str, ...]) -> None:
    sysctl = "kernel.apparmor_restrict_unprivileged_userns"
    machine = with_sysctl(refusing(good, *refused), sysctl, "1")
    name = "user namespaces" if "user_namespace" in refused else "mounts"
    found = check(machine, name)
    assert found.state is State.MISSING
    assert sysctl in found.seen
    assert found.fix is not None
    assert "profile reverie /usr/bin/python3.12 flags=(unconfined)" in found.fix
    assert "apparmor_parser -r /etc/apparmor.d/reverie" in found.fix
    assert f"sudo sysctl -w {sysctl}=0" in found.fix


def test_a_sysctl_alone_is_no_verdict_when_the_attempt_worked(good: Machine) -> None:
    machine = with_sysctl(good, "kernel.apparmor_restrict_unprivileged_userns", "1")
    assert check(machine, "user namespaces").state is State.OK
    assert check(machine, "mounts").state is State.OK


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Kind.DOCKER, "docker run --security-opt seccomp=unconfined"),
        (Kind.PODMAN, "podman run --security-opt seccomp=unconfined"),
        (Kind.KUBERNETES, "procMount: Unmasked"),
        (Kind.LXC, "security.nesting true"),
        (Kind.WSL, "wsl --set-version DISTRIBUTION 2"),
        (Kind.GVISOR, "--runtime=runc"),
        (Kind.OTHER, "the container's settings"),
    ],
)
def test_a_container_in_the_way_comes_with_the_flags_that_open_it(
    good: Machine, kind: Kind, words: str
) -> None:
    around = replace(good, container=Container(kind, "/mark"))
    found = check(refusing(around, "user_namespace", "mounts", "proc"), "container")
    assert found.state is State.LIMITED
    assert found.fix is not None
    assert words in found.fix
    assert "{" not in found.fix or kind is Kind.KUBERNETES
    assert check(around, "container").state is State.OK


@pytest.mark.parametrize("kind", [Kind.DOCKER, Kind.PODMAN, Kind.KUBERNETES])
def test_root_without_power_is_told_to_ask_for_it(good: Machine, kind: Kind) -> None:
    around = Container(kind, "/mark")
    powerless = replace(refusing(good, "mounts", "proc"), is_root=True, container=around)
    fix = check(powerless, "mounts").fix
    assert fix is not None
    assert "SYS_ADMIN" in fix
    assert "SYS_ADMIN" not in str(check(replace(powerless, is_root=False), "mounts").fix)


def test_a_masked_proc_is_a_limit_not_the_end(good: Machine) -> None:
    machine = refusing(replace(good, container=Container(Kind.DOCKER, "/.dockerenv")), "proc")
    found = check(machine, "proc")
    assert found.state is State.LIMITED
    assert "systempaths=unconfined" in str(found.fix)


def test_what_depends_on_something_missing_points_there(good: Machine) -> None:
    machine = refusing(good, "user_namespace", "mounts", "proc")
    assert check(machine, "mounts").fix == "first fix user namespaces"
    assert check(machine, "proc").fix == "first fix mounts"


def test_landlock_that_is_built_but_not_listed_is_put_on_the_list(good: Machine) -> None:
    machine = refusing(good, "landlock", feature=Feature("not supported", errno.EOPNOTSUPP))
    found = check(replace(machine, security_modules=("capability", "yama")), "landlock")
    assert "not in the kernel's lsm list (capability,yama)" in found.seen
    assert "lsm=landlock,capability,yama" in str(found.fix)


def test_landlock_that_is_not_built_needs_another_kernel(good: Machine) -> None:
    machine = refusing(good, "landlock", feature=Feature("not implemented", errno.ENOSYS))
    found = check(replace(machine, security_modules=None), "landlock")
    assert "not in this kernel" in found.seen
    assert "5.13" in str(found.fix)


@pytest.mark.parametrize(
    ("facts", "seen", "fix"),
    [
        (CgroupFacts(2, None, ("pids",), True), "memory not handed down", "systemd-run --user"),
        (CgroupFacts(2, None, ("memory", "pids"), True), "not writable", "Delegate=yes"),
        (CgroupFacts(2, None, (), False), "memory and pids", "cgroup.subtree_control"),
        (CgroupFacts(1, None, (), True), "version 1", "unified_cgroup_hierarchy=1"),
        (CgroupFacts(None, None, (), True), "none mounted", "mount -t cgroup2"),
    ],
)
def test_cgroups_that_cannot_be_used_are_a_limit_with_its_fix(
    good: Machine, facts: CgroupFacts, seen: str, fix: str
) -> None:
    found = check(replace(good, cgroups=facts), "cgroups")
    assert found.state is State.LIMITED
    assert seen in found.seen
    assert fix in str(found.fix)


@pytest.mark.parametrize(
    ("release", "state"),
    [
        ("4.19.0", State.MISSING),
        ("5.4.0-generic", State.LIMITED),
        ("5.13.1", State.OK),
        ("10.0", State.OK),
        ("unknown", State.MISSING),
    ],
)
def test_a_kernel_is_as_good_as_its_version(good: Machine, release: str, state: State) -> None:
    assert check(replace(good, release=release), "kernel").state is state


def test_a_temporary_folder_without_execution_is_named(good: Machine) -> None:
    found = check(replace(good, temporary=Folder("/tmp", True, True, 1 << 40)), "temporary folder")
    assert found.state is State.LIMITED
    assert "remount,exec /tmp" in str(found.fix)


def test_limits_are_raised_one_by_one(good: Machine) -> None:
    limits = {"open files": 256, "processes": None, "address space": None}
    assert check(replace(good, resource_limits=limits), "resource limits").fix == "ulimit -n 4096"


def test_a_closed_home_matters_to_root_alone(good: Machine) -> None:
    machine = replace(good, closed_folder="/root")
    assert check(machine, "interpreter").state is State.OK
    assert check(replace(machine, is_root=True), "interpreter").state is State.LIMITED


def test_every_trial_is_judged_by_some_check(good: Machine) -> None:
    for name in NAMES:
        assert any(check.state is not State.OK for check in check_all(refusing(good, name))), name
