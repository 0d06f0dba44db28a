"""What people, workflows and foresight leave in a journal of years: the smaller tables."""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from sqlalchemy import Table

from benchmarks.dashboard.size import HOUR_US, MODULES, START_US, Size, cycle_name, dream_name
from reverie.store import schema

Rows = Iterator[tuple[Any, ...]]
Tables = Iterator[tuple[Table, Rows]]
_TOGETHER = 8
"""Changes of a cycle that were tried together, every pair of them."""
_WORKFLOWS = 40


def others(size: Size, place: str) -> Tables:
    """Every further table that a page reads, with its rows."""
    yield schema.interactions, _pairs(size)
    yield schema.foresight_cycles, _foresight(size, place)
    yield schema.decisions, _decisions(size)
    yield schema.workflows, _workflows(place)
    yield schema.workflow_runs, _runs(size, place)
    yield schema.approvals, _approvals(size)
    yield schema.dream_metrics, _health(size)


def _pairs(size: Size) -> Rows:
    number = 0
    for cycle in range(size.cycles):
        names = [dream_name(cycle, n) for n in range(_TOGETHER)]
        for first, second in combinations(names, 2):
            number += 1
            yield (number, cycle_name(cycle), first, second, "roi", "additive", 0.5, -1.0, 2.0, 5,
                   START_US + number)  # fmt: skip


def _foresight(size: Size, place: str) -> Rows:
    for n, name in enumerate(MODULES):
        for position in range(size.cycles // 10):
            metrics = {"roi_delta": 4.0 + (n * 7 + position * 3) % 11, "confidence": 0.7}
            yield (f"{place}\n{name}", position, json.dumps(metrics),
                   START_US + position * HOUR_US, cycle_name(position * 10))  # fmt: skip


def _decisions(size: Size) -> Rows:
    told = json.dumps({"verdict": "promote", "reason_codes": []})
    for n in range(10 * size.cycles):
        yield n + 1, START_US + n * HOUR_US, MODULES[n % len(MODULES)], "promote", told


def _workflows(place: str) -> Rows:
    for n in range(_WORKFLOWS):
        yield (place, f"flow{n}", 1, f"{n:016x}", "declared", "pyproject.toml", None, None, "{}",
               START_US)  # fmt: skip


def _runs(size: Size, place: str) -> Rows:
    for n in range(20 * size.cycles):
        flow = n % _WORKFLOWS
        yield (n + 1, place, f"flow{flow}", f"{flow:016x}", START_US + n * HOUR_US, "success", None,
               12.0, 0.01, 12_000_000, "[]")  # fmt: skip


def _approvals(size: Size) -> Rows:
    for cycle in range(size.cycles):
        yield (cycle_name(cycle), dream_name(cycle, 5), "0" * 64, "Ada", "{}",
               START_US + cycle * HOUR_US)  # fmt: skip


def _health(size: Size) -> Rows:
    for cycle in range(size.cycles):
        yield cycle + 1, START_US + 24 * cycle * HOUR_US, 0.5 + cycle % 40 / 100, "{}"
