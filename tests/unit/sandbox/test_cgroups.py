"""Where groups can be made, read from the texts that kernels of all kinds write."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.sandbox.backends.cgroups import (
    OVERHEAD_BYTES,
    CgroupSite,
    SlotCgroup,
    find_site,
    for_slot,
    read_oom_kills,
)

PLAIN = "25 1 8:1 / / rw - ext4 /dev/root rw\n"
Machine = Callable[..., CgroupSite | None]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Builds /proc texts and group folders; `{0}` in a text is where the hierarchies are."""

    def build(mountinfo: str, cgroup: str, groups: dict[str, str | None]) -> CgroupSite | None:
        process = tmp_path / "process"
        process.mkdir()
        where = str(tmp_path)
        (process / "mountinfo").write_text(PLAIN + mountinfo.format(where))
        (process / "cgroup").write_text(cgroup)
        for name, controllers in groups.items():
            folder = tmp_path / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "cgroup.procs").write_text("")
            if controllers is not None:
                (folder / "cgroup.subtree_control").write_text(controllers)
        site = find_site(str(process))
        if site is None:
            return None
        inner = (os.path.relpath(path, where) for path in (site.memory, site.pids))
        return CgroupSite(site.version, *inner)

    return build


V2 = "30 25 0:26 / {0}/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = (
    "31 25 0:27 / {0}/memory rw - cgroup cgroup rw,memory\n"
    "32 25 0:28 / {0}/pids rw - cgroup cgroup rw,pids\n"
)


def test_no_cgroups_at_all(machine: Machine) -> None:
    assert machine("", "", {}) is None


def test_no_proc_at_all(tmp_path: Path) -> None:
    assert find_site(str(tmp_path / "absent")) is None


def test_version_2_in_a_session_uses_the_group_above(machine: Machine) -> None:
    site = machine(
        V2,
        "0::/user.slice/user-0.slice/session-1.scope\n",
        {
            "unified/user.slice/user-0.slice": "cpu memory pids",
            "unified/user.slice/user-0.slice/session-1.scope": "",
        },
    )
    folder = "unified/user.slice/user-0.slice"
    assert site == CgroupSite(2, folder, folder)


def test_version_2_delegated_to_a_user(machine: Machine) -> None:
    own = "user.slice/user-1000.slice/user@1000.service/app.slice"
    site = machine(
        V2,
        f"0::/{own}/terminal.scope\n",
        {f"unified/{own}": "memory pids", f"unified/{own}/terminal.scope": ""},
    )
    assert site == CgroupSite(2, f"unified/{own}", f"unified/{own}")


def test_version_2_with_controllers_in_our_own_group(machine: Machine) -> None:
    site = machine(V2, "0::/jobs\n", {"unified/jobs": "memory pids io", "unified": "memory pids"})
    assert site == CgroupSite(2, "unified/jobs", "unified/jobs")


@pytest.mark.parametrize("controllers", ["", "cpu", "memory", "pids cpuset"])
def test_version_2_without_both_controllers_is_of_no_use(
    machine: Machine, controllers: str
) -> None:
    assert machine(V2, "0::/a/b\n", {"unified/a": controllers, "unified/a/b": ""}) is None


def test_version_2_does_not_climb_out_of_the_hierarchy(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("memory pids")
    (tmp_path / "cgroup.procs").write_text("")
    assert machine(V2, "0::/\n", {"unified": ""}) is None


def test_a_group_that_cannot_be_joined_is_of_no_use(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "unified" / "a").mkdir(parents=True)
    (tmp_path / "unified" / "a" / "cgroup.subtree_control").write_text("memory pids")
    assert machine(V2, "0::/a/b\n", {}) is None


def test_version_1_uses_our_own_groups(machine: Machine) -> None:
    site = machine(V1, "4:memory:/jobs\n8:pids:/other\n", {"memory/jobs": None, "pids/other": None})
    assert site == CgroupSite(1, "memory/jobs", "pids/other")


def test_version_1_falls_back_to_the_top_of_the_hierarchy(machine: Machine) -> None:
    site = machine(V1, "4:memory:/gone\n8:pids:/gone\n", {"memory": None, "pids": None})
    assert site == CgroupSite(1, "memory", "pids")


def test_version_1_with_joint_controllers(machine: Machine) -> None:
    mounts = "31 25 0:27 / {0}/joint rw - cgroup cgroup rw,memory,pids\n"
    site = machine(mounts, "4:pids,memory:/jobs\n", {"joint/jobs": None})
    assert site == CgroupSite(1, "joint/jobs", "joint/jobs")


@pytest.mark.parametrize("missing", ["memory", "pids"])
def test_version_1_needs_both_controllers(machine: Machine, missing: str) -> None:
    mounts = "".join(line for line in V1.splitlines(True) if f"rw,{missing}" not in line)
    groups: dict[str, str | None] = {"memory": None, "pids": None}
    assert machine(mounts, "4:memory:/\n8:pids:/\n", groups) is None


def test_a_hybrid_machine_uses_the_controllers_of_version_1(machine: Machine) -> None:
    site = machine(
        V1 + V2,
        "9:name=systemd:/\n8:pids:/\n4:memory:/\n0::/\n",
        {"memory": None, "pids": None, "unified": ""},
    )
    assert site == CgroupSite(1, "memory", "pids")


def test_a_container_that_sees_its_own_part_of_the_hierarchy(machine: Machine) -> None:
    mounts = "30 25 0:26 /docker/4711 {0}/unified ro - cgroup2 cgroup2 rw\n"
    site = machine(
        mounts,
        "0::/docker/4711/jobs\n",
        {"unified": "memory pids", "unified/jobs": "memory pids"},
    )
    assert site == CgroupSite(2, "unified/jobs", "unified/jobs")


def test_a_mount_point_with_blanks(machine: Machine) -> None:
    mounts = "30 25 0:26 / {0}/with\\040blank rw - cgroup2 none rw\n"
    site = machine(mounts, "0::/a\n", {"with blank/a": "memory pids"})
    assert site == CgroupSite(2, "with blank/a", "with blank/a")


def test_odd_lines_do_no_harm(machine: Machine) -> None:
    mounts = "40 25 0:30 / /x rw shared:1 master:2 - tmpfs tmpfs rw,size=1k\n" + V2
    site = machine(mounts, "1:name=systemd:/a:b\n0::/a\n", {"unified/a": "memory pids"})
    assert site == CgroupSite(2, "unified/a", "unified/a")


def test_a_slot_has_one_group_in_version_2_and_two_in_version_1() -> None:
    second = for_slot(CgroupSite(2, "/cg", "/cg"), "slot").recipe(1000, 10)
    assert second == [
        {
            "path": "/cg/slot",
            "files": {
                "memory.max": str(1000 + OVERHEAD_BYTES),
                "memory.swap.max": "0",
                "pids.max": "18",
            },
        }
    ]
    first = for_slot(CgroupSite(1, "/m", "/p"), "slot").recipe(1000, 10)
    assert [(group["path"], group["files"]) for group in first] == [
        ("/m/slot", {"memory.limit_in_bytes": str(1000 + OVERHEAD_BYTES)}),
        ("/p/slot", {"pids.max": "18"}),
    ]


def test_limits_are_changed_in_place(tmp_path: Path) -> None:
    for name in ("memory.max", "pids.max"):
        (tmp_path / name).write_text("")
    SlotCgroup(2, str(tmp_path), str(tmp_path)).set_limits(5, 6)
    assert (tmp_path / "memory.max").read_text() == str(5 + OVERHEAD_BYTES)
    assert (tmp_path / "pids.max").read_text() == "14"


@pytest.mark.parametrize(
    ("version", "file", "text", "kills"),
    [
        (2, "memory.events", "low 0\nhigh 0\nmax 9\noom 4\noom_kill 3\noom_group_kill 0\n", 3),
        (1, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 12\n", 12),
        (1, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n", 0),
    ],
)
def test_kills_for_memory_are_counted(
    tmp_path: Path, version: int, file: str, text: str, kills: int
) -> None:
    (tmp_path / file).write_text(text)
    descriptor = SlotCgroup(version, str(tmp_path), "").open_oom_counter()
    try:
        assert read_oom_kills(descriptor) == kills
        assert read_oom_kills(descriptor) == kills
    finally:
        os.close(descriptor)
    assert read_oom_kills(descriptor) == 0
