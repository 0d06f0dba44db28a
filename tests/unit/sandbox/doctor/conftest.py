"""Machines that are not there: one where everything works, one where nothing does."""

import errno

import pytest

from reverie.sandbox.backends.kernel_features import NAMES, Feature
from reverie.sandbox.doctor.machine import SYSCTLS, CgroupFacts, Container, Folder, Kind, Machine


@pytest.fixture
def good() -> Machine:
    return Machine(
        release="6.8.0-31-generic",
        architecture="x86_64",
        is_root=False,
        can_administrate=False,
        features={name: Feature(None, value=4 if name == "landlock" else None) for name in NAMES},
        sysctls={
            "user.max_user_namespaces": "63000",
            "kernel.unprivileged_userns_clone": None,
            "kernel.apparmor_restrict_unprivileged_userns": "0",
        },
        security_modules=("lockdown", "capability", "landlock", "yama", "apparmor"),
        container=None,
        cgroups=CgroupFacts(2, "/sys/fs/cgroup/user.slice", ("memory", "pids"), True),
        shared_memory_bytes=1 << 30,
        temporary=Folder("/tmp", True, False, 1 << 40),
        resource_limits={"open files": 4096, "processes": None, "address space": None},
        interpreter="/usr/bin/python3.12",
        closed_folder=None,
        srt_version="0.0.78",
        srt_problem=None,
        has_postgres=True,
        git="/usr/bin/git",
    )


@pytest.fixture
def barren() -> Machine:
    refused = Feature("Operation not permitted", errno.EPERM)
    return Machine(
        release="4.4.0",
        architecture="riscv64",
        is_root=True,
        can_administrate=False,
        features=dict.fromkeys(NAMES, refused),
        sysctls=dict.fromkeys(SYSCTLS),
        security_modules=None,
        container=Container(Kind.DOCKER, "/.dockerenv"),
        cgroups=CgroupFacts(None, None, (), False),
        shared_memory_bytes=None,
        temporary=Folder("/tmp", False, True, 0),
        resource_limits={"open files": 64, "processes": 32, "address space": 1 << 28},
        interpreter="/root/python/bin/python3",
        closed_folder="/root",
        srt_version=None,
        srt_problem="tier srt: srt is not installed",
        has_postgres=False,
        git=None,
    )
