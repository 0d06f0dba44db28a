"""Facts are read where they lie, and a fact that is not there is absent."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.sandbox.doctor.machine import Container, Kind, find_container, read_machine


def put(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_a_machine_without_proc_and_sys_is_still_read(tmp_path: Path) -> None:
    machine = read_machine(tmp_path, {})
    assert set(machine.sysctls.values()) == {None}
    assert machine.security_modules is None
    assert machine.container is None
    assert machine.cgroups.version is None
    assert machine.shared_memory_bytes is None
    assert machine.can_administrate is False


def test_sysctls_modules_and_power_are_read(tmp_path: Path) -> None:
    put(tmp_path, "proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n")
    put(tmp_path, "sys/kernel/security/lsm", "capability,landlock,yama")
    put(tmp_path, "proc/self/status", "Name:\tx\nCapEff:\t0000000000200000\n")
    machine = read_machine(tmp_path, {})
    assert machine.sysctls["kernel.apparmor_restrict_unprivileged_userns"] == "1"
    assert machine.security_modules == ("capability", "landlock", "yama")
    assert machine.can_administrate is True


@pytest.mark.parametrize(
    ("path", "text", "environ", "kind"),
    [
        (".dockerenv", "", {}, Kind.DOCKER),
        ("run/.containerenv", "", {}, Kind.PODMAN),
        ("run/systemd/container", "lxc\n", {}, Kind.LXC),
        ("run/systemd/container", "systemd-nspawn", {}, Kind.OTHER),
        ("proc/1/cgroup", "0::/lxc/box", {}, Kind.LXC),
        ("proc/1/cgroup", "4:memory:/docker/0a1b", {}, Kind.DOCKER),
        ("run/secrets/kubernetes.io/token", "", {}, Kind.KUBERNETES),
        (".dockerenv", "", {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, Kind.KUBERNETES),
        ("empty", "", {"container": "podman"}, Kind.PODMAN),
        (
            "proc/version",
            "Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016\n",
            {},
            Kind.GVISOR,
        ),
    ],
)
def test_the_wall_around_us_is_known_by_its_mark(
    tmp_path: Path, path: str, text: str, environ: Mapping[str, str], kind: Kind
) -> None:
    put(tmp_path, path, text)
    found = find_container(tmp_path, environ, "6.8.0")
    assert found is not None
    assert found.kind is kind
    assert found.mark


def test_wsl_is_known_by_its_kernel(tmp_path: Path) -> None:
    release = "5.15.153.1-microsoft-standard-WSL2"
    assert find_container(tmp_path, {}, release) == Container(Kind.WSL, f"kernel {release}")


def test_an_open_field_has_no_wall(tmp_path: Path) -> None:
    assert find_container(tmp_path, {}, "6.8.0") is None
