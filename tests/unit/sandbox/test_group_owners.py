"""Groups of processes that are dead are removed, and no others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.sandbox.backends import group_owners
from reverie.sandbox.backends.cgroups import CgroupSite
from reverie.sandbox.backends.group_owners import group_name, is_orphaned, sweep_groups


@pytest.fixture
def alive() -> Iterator[int]:
    """A process that is neither this one nor dead."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process.pid
    process.kill()
    process.communicate()


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def named(pid: int, start: str | None = None, namespace: str | None = None) -> str:
    _, _, own_start, own_namespace, _ = group_name(7).split("-")
    return f"reverie-{pid}-{start or own_start}-{namespace or own_namespace}-7"


def test_only_the_groups_of_dead_processes_are_orphaned(alive: int, dead: int) -> None:
    started = Path(f"/proc/{alive}/stat").read_text().rpartition(")")[2].split()[19]
    assert not is_orphaned(group_name(7))
    assert not is_orphaned(named(alive, started))
    assert is_orphaned(named(alive, "12"))  # the number was given again
    assert is_orphaned(named(dead))


def test_what_cannot_be_known_is_left_alone(dead: int) -> None:
    assert not is_orphaned(f"reverie-{dead}-7")
    assert not is_orphaned(named(dead, namespace="17"))
    assert not is_orphaned(named(dead, start="0"))
    assert not is_orphaned(named(dead) + ".scope")
    assert not is_orphaned("system.slice")
    assert not is_orphaned(named(10**30))


def test_a_process_that_may_not_be_looked_at_is_alive(
    alive: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(group_owners, "_start_of", lambda pid: None)
    monkeypatch.setattr(os, "kill", refuse)
    assert not is_orphaned(f"reverie-{alive}-12-{os.stat('/proc/self/ns/pid').st_ino}-7")


def test_a_group_that_somebody_is_in_is_not_touched(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders stand for groups; in a real one the kernel's files go with it."""
    removed: list[str] = []
    monkeypatch.setattr(os, "rmdir", removed.append)
    names = {"empty": named(dead), "full": named(dead, "13"), "own": group_name(7), "other": "jobs"}
    for name in names.values():
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").write_text("4711\n" if name == names["full"] else "\n")
    (tmp_path / named(dead, "14")).mkdir()  # no group at all: nothing says who is in it
    found = sweep_groups(CgroupSite(1, str(tmp_path), str(tmp_path), str(tmp_path / "absent")))
    assert removed == [str(tmp_path / names["empty"])] == list(found)


def test_a_group_that_cannot_be_removed_stays(tmp_path: Path, dead: int) -> None:
    folder = tmp_path / named(dead)
    folder.mkdir()
    (folder / "cgroup.procs").write_text("")
    assert sweep_groups(CgroupSite(2, str(tmp_path), str(tmp_path))) == ()
    assert folder.is_dir()
