"""Where isolation is not available: never less than was asked for, and a word on what to do.

A real filter on the whole command takes away what a tier needs, as a container or a hardened
kernel would; a patched pool takes tiers away one by one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import IsolationUnavailable
from reverie.model.execution import Expression, Request
from reverie.model.outcome import IsolationTier
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox import engine
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.pool import SlotPool
from reverie.sandbox.profile import Profile

WITHOUT = """
import errno, os, struct, sys
from reverie.sandbox.inside import kernel, seccomp
numbers = kernel.machine()[1]
code = struct.pack("HBBI", 0x20, 0, 0, 0)
for name in sys.argv[1].split(","):
    code += struct.pack("HBBI", 0x15, 0, 1, numbers[name])
    code += struct.pack("HBBI", 0x06, 0, 0, 0x00050000 | errno.EPERM)
code += struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
seccomp.install(code)
os.execv(sys.executable, [sys.executable, "-m", "reverie", *sys.argv[2:]])
"""
GOOD = json.dumps({"code": "def f(): return 42", "entry": "f"}).encode()


def run_without(
    calls: str, *arguments: str, folder: Path
) -> tuple[subprocess.CompletedProcess[bytes], dict[str, Any]]:
    """`reverie` on a machine that refuses these system calls."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT, calls, *arguments],
        input=GOOD,
        capture_output=True,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr
    return ran, json.loads(ran.stdout) if ran.stdout else {}


def test_nothing_taken_away_is_the_strongest_tier(tmp_path: Path) -> None:
    ran, reply = run_without("reboot", "exec", "--request", "-", folder=tmp_path)
    assert ran.returncode == 0
    assert (reply["output"], reply["isolation"]) == (42, "namespaces")


def test_without_namespaces_auto_is_landlock_and_says_so(tmp_path: Path) -> None:
    ran, reply = run_without("unshare", "exec", "--request", "-", folder=tmp_path)
    assert ran.returncode == 0
    assert (reply["output"], reply["isolation"]) == (42, "landlock")


@pytest.mark.parametrize("calls", ["unshare,landlock_create_ruleset", "unshare,prctl"])
def test_without_both_auto_refuses_and_says_what_to_do(tmp_path: Path, calls: str) -> None:
    ran, reply = run_without(calls, "exec", "--request", "-", folder=tmp_path)
    assert ran.returncode == 3
    assert reply["outcome"] == "unknown_error"
    assert reply["output"] is None
    assert "reverie doctor" in reply["error"]
    assert "namespaces" in reply["error"]
    assert "landlock" in reply["error"]


def test_a_tier_asked_for_by_name_is_not_replaced_by_a_weaker_one(tmp_path: Path) -> None:
    ran, reply = run_without(
        "unshare", "exec", "--tier", "namespaces", "--request", "-", folder=tmp_path
    )
    assert ran.returncode == 3
    assert "unshare" in reply["error"]
    assert reply["output"] is None


def test_no_filter_is_no_sandbox(tmp_path: Path) -> None:
    """Everything else works, but the system call filter cannot be installed."""
    ran, reply = run_without("seccomp,prctl", "exec", "--request", "-", folder=tmp_path)
    assert ran.returncode == 3
    assert reply["output"] is None


class Unavailable:
    """A pool on which some tiers do not come up; it remembers which were tried."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *missing: IsolationTier) -> None:
        self.tried: list[IsolationTier] = []
        really = SlotPool.take

        def take(pool: SlotPool, profile: Profile) -> Any:
            self.tried.append(profile.tier)
            if profile.tier in missing:
                raise IsolationUnavailable(f"tier {profile.tier} cannot be used here: made up")
            return really(pool, profile)

        monkeypatch.setattr(SlotPool, "take", take)
        monkeypatch.setattr(engine, "_strongest", set())


NAMESPACES, LANDLOCK, NONE = (
    IsolationTier.NAMESPACES,
    IsolationTier.LANDLOCK,
    IsolationTier.NONE,
)


def test_auto_tries_the_strongest_first_and_never_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Unavailable(monkeypatch, NAMESPACES, LANDLOCK)
    with Sandbox() as sandbox, pytest.raises(IsolationUnavailable) as caught:
        sandbox.run(Request(Expression("1")))
    assert pool.tried == [NAMESPACES, LANDLOCK]
    assert "reverie doctor" in str(caught.value)
    assert str(caught.value).count("made up") == 2


def test_auto_decides_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Unavailable(monkeypatch, NAMESPACES)
    with Sandbox() as sandbox:
        for _ in range(2):
            assert sandbox.run(Request(Expression("1"))).isolation is LANDLOCK
    assert pool.tried.count(NAMESPACES) == 1


def test_a_weaker_tier_holds_for_one_sandbox_and_the_strongest_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as bad_moment:
        Unavailable(bad_moment, NAMESPACES)
        with Sandbox() as sandbox:
            assert sandbox.run(Request(Expression("1"))).isolation is LANDLOCK
    pool = Unavailable(monkeypatch)
    for _ in range(2):
        with Sandbox() as sandbox:
            assert sandbox.tier is NAMESPACES
    assert pool.tried == [NAMESPACES]


def test_none_is_used_only_when_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Unavailable(monkeypatch, NAMESPACES, LANDLOCK)
    with Sandbox(SandboxSection(tier=TierChoice.NONE)) as sandbox:
        assert sandbox.run(Request(Expression("1"))).isolation is NONE
    assert set(pool.tried) == {NONE}
