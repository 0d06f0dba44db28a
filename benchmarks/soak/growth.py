"""What grew over many cycles: judged by trend once everything is warm, not by two readings."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

WARM_SHARE = 0.2
RSS_KB_PER_CYCLE = 8.0
RSS_LEAST_MB = 3.0
"""A trend that came to less than this in all is the allocator's own unrest."""
SLACK = 2
BRANCHES_KEPT = 3
"""The user's own, the newest of ours that nobody decided about yet, and one on its way out."""
COUNTED = ("descriptors", "threads", "temporary", "files", "worktrees")


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is after a cycle."""

    cycle: int
    rss_mb: float
    descriptors: int
    threads: int
    temporary: int
    files: int
    """In the repository and its data folder, without git's objects and proof bundles."""
    worktrees: int
    branches: int
    bundles: int
    promotions: int
    journal_kb: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What grew, and by how much a cycle."""

    rss_kb_per_cycle: float
    journal_kb_per_cycle: float
    grown: dict[str, str]


def judge(found: Sequence[Standing]) -> Judged:
    """Compare what was after the first fifth with what is at the end."""
    warm = found[int(len(found) * WARM_SHARE) :]
    cycles = [each.cycle for each in warm]
    rss = slope(cycles, [each.rss_mb * 1000 for each in warm])
    journal = slope(cycles, [each.journal_kb for each in warm])
    grown = {}
    if rss > RSS_KB_PER_CYCLE and rss * (cycles[-1] - cycles[0]) > RSS_LEAST_MB * 1000:
        grown["rss_mb"] = f"{rss:.1f} kB per cycle, {warm[0].rss_mb:.1f} to {warm[-1].rss_mb:.1f}"
    part = max(len(warm) // 5, 1)
    for name in COUNTED:
        early = max(getattr(each, name) for each in warm[:part])
        late = min(getattr(each, name) for each in warm[-part:])
        if late > early + SLACK:
            grown[name] = f"{early} to {late}"
    late_branches = min(each.branches for each in warm[-part:])
    if late_branches > BRANCHES_KEPT:
        grown["branches"] = f"{late_branches}, of which retention leaves {BRANCHES_KEPT}"
    if found[-1].bundles > found[-1].promotions:
        grown["bundles"] = f"{found[-1].bundles} for {found[-1].promotions} promotions"
    return Judged(rss, journal, grown)


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The trend of Theil and Sen: the median of the slopes of all pairs; 0 for one point."""
    points = list(zip(xs, ys, strict=True))
    step = max(len(points) // 200, 1)
    few = points[::step]
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for number, earlier in enumerate(few)
        for later in few[number + 1 :]
    ]
    return median(slopes) if slopes else 0.0
