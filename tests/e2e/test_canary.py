"""`reverie canary`: beside each other in the sandbox, and back by itself."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Promotion,
    PromotionStatus,
    Step,
    Trial,
)
from reverie.model.dream import Dream, DreamKind, DreamStatus
from reverie.model.measurements.equivalence import Canary, CanaryPlan, CanaryState
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence, Judgement
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.store.cycles.findings import ask_to_stop, find_canary, record_canary, update_canary
from reverie.store.cycles.promotions import record_offer

NOW = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)
OLD = "def total(items: list[int]) -> int:\n    return sum(items)\n"
VERSIONS = {
    "good.py": OLD.replace("sum(items)", "sum(list(items))"),
    "other.py": OLD.replace("sum(items)", "sum(items[:2])"),
    "raising.py": OLD.replace("sum(items)", "items[0] - items[0] + sum(items)"),
    "slow.py": OLD.replace("sum(items)", "[sum(items) for _ in range(300)][0]"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".reverie").mkdir()
    for name, source in {"old.py": OLD, **VERSIONS}.items():
        (tmp_path / name).write_text(source)
    return tmp_path


@pytest.mark.parametrize(
    ("new", "state", "reason"),
    [
        ("good.py", "passed", None),
        ("other.py", "failed", "difference"),
        ("raising.py", "failed", "new_error"),
        ("slow.py", "failed", "latency"),
    ],
)
def test_a_worse_version_fails(
    cli: Callable, folder: Path, new: str, state: str, reason: str | None
) -> None:
    sides = ("--old", str(folder / "old.py:total"), "--new", str(folder / f"{new}:total"))
    plan = ("--share", "50%", "--calls", "200", "--slower", "2")
    done = cli("canary", "start", *sides, *plan, "--json", "--repo", str(folder))
    assert done.code == (0 if state == "passed" else 1), done.err
    (canary,) = done.document["canaries"]
    assert canary["state"] == state
    assert (canary["reason"] or "").partition(":")[0] == (reason or "")
    shown = cli("canary", "status", "--json", "--repo", str(folder))
    assert shown.document["id"] == canary["id"]
    assert shown.document["figures"]["traffic"] == 2 * shown.document["figures"]["compared"]


def test_recorded_traffic_decides(cli: Callable, folder: Path) -> None:
    sides = ("--old", str(folder / "old.py:total"), "--new", str(folder / "other.py:total"))
    traffic = folder / "calls.txt"
    traffic.write_text('total([1, 2])\n{"args": [[3]]}\n')
    plan = ("--share", "1", "--calls", "200", "--slower", "50", "--traffic", str(traffic))
    assert cli("canary", "start", *sides, *plan, "--repo", str(folder)).code == 0
    traffic.write_text("total([1, 2])\ntotal([1, 2, 3])\n")
    assert cli("canary", "start", *sides, *plan, "--repo", str(folder)).code == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "--old"),
        (("--old", "a.py:f"), "--new"),
        (("--old", "no.py:f", "--new", "no.py:f"), "no.py"),
        (("abcdef",), "abcdef"),
        (("abcdef", "--share", "200%"), "200%"),
    ],
)
def test_wrong_usage_is_told(
    cli: Callable, folder: Path, arguments: tuple[str, ...], named: str
) -> None:
    done = cli("canary", "start", *arguments, "--repo", str(folder))
    assert done.code == 2
    assert named in done.err


def test_a_wish_to_stop_is_kept_until_it_is_heard(tmp_path: Path) -> None:
    (tmp_path / ".reverie").mkdir()
    canary = Canary("abc", "a", "b", None, CanaryPlan(), CanaryState.RUNNING, NOW)
    with Journal.open(journal_url(tmp_path)) as journal:
        record_canary(journal, tmp_path, canary)
        assert ask_to_stop(journal, canary)
        update_canary(journal, canary)
        assert find_canary(journal, tmp_path, "ab").state is CanaryState.STOPPING
        assert not ask_to_stop(journal, canary)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_promotion_that_is_worse_is_rolled_back(cli: Callable, tmp_path: Path) -> None:
    new = OLD.replace("sum(items)", "sum(items[:2])")
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "sums.py").write_text(OLD)
    (tmp_path / ".gitignore").write_text(".reverie/\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Sums")
    base = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "checkout", "-qb", "reverie/one")
    (tmp_path / "sums.py").write_text(new)
    git(tmp_path, "commit", "-qam", "Faster sums")
    commit = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "checkout", "-q", "main")
    (tmp_path / ".reverie").mkdir()
    change = Change((FileEdit("sums.py", OLD, new),))
    dream = Dream(DreamKind.OPTIMISATION, "sums", "sums", "Faster sums", change)
    promotion = Promotion(
        dream.id, dream.kind, dream.title, PromotionStatus.OFFERED, NOW,
        branch="reverie/one", commit=commit, base=base,
    )  # fmt: skip
    _journal(tmp_path, dream, promotion)
    plan = ("--share", "1", "--calls", "200")
    done = cli("canary", "start", dream.id, *plan, "--json", "--repo", str(tmp_path))
    assert done.code == 1, done.err
    assert done.document["rolled_back"] == {"branch": "reverie/one", "commit": None}
    assert "reverie/one" not in git(tmp_path, "branch", "--list")
    lines = (tmp_path / ".reverie" / "events.jsonl").read_text().splitlines()
    told = {each["event"]: each for each in map(json.loads, lines)}
    assert list(told) == ["canary:rolled_back", "promotion:rolled_back"]
    assert all(each["dream_id"] == dream.id for each in told.values())
    data = told["canary:rolled_back"]["data"]
    assert (data["canary"], data["branch"]) == (done.document["canaries"][0]["id"], "reverie/one")
    assert data["differences"] > 0
    assert data["reason"] in told["promotion:rolled_back"]["data"]["why"]


def _journal(folder: Path, dream: Dream, promotion: Promotion) -> None:
    header = CycleHeader(
        id="20261115-0300-abcd",
        repository=str(folder),
        started_at=NOW,
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
        revision=promotion.base,
    )
    pending = CycleDream(dream, 0, "0" * 16, DreamStatus.PENDING_TEST)
    evidence = Evidence({}, 0, IsolationTier.NONE, ("reverie",))
    trial = Trial(evidence, Judgement(()), {}, 1.0, 10)
    step = Step(0, "sums", "sums", "sums.py", "0" * 16)
    with Journal.open(journal_url(folder)) as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(header, [step])
        writer.dreamt(step, [pending], [])
        writer.tried(pending, trial)
        record_offer(journal, header.id, promotion)
