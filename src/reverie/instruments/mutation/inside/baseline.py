"""The tests as they are: which pass, what each costs, and which lines each runs.

The process that has collected the tests never runs one itself: each look is taken in a fork.
"""

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from . import items
from .recorder import Recorder

_STARTS = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.fork", "os.forkpty")
_TRACING = "sys.settrace"
_TIMES_ALONE = 1.0
CHEAP_SUITE_SECONDS = 2.0
"""Below this, running all tests once more is not worth a thought."""


class Baseline:
    """Everything that is learned from running the tests unchanged."""

    def __init__(
        self, session: Any, recorder: Recorder, own: object, known: "frozenset[str]" = frozenset()
    ) -> None:
        self.session = session
        self.known = known
        """Tests of which only the end is asked for: what they run has been seen before."""
        self.items: list[Any] = session.items
        self.recorder = recorder
        self.all_slow = items.has_foreign_hooks(session.config, own)

    def in_this_process(self) -> "list[dict[str, Any]]":
        """Run every test pytest's way, with its lines; for tiers without forks."""
        return [self._look(place) for place in range(len(self.items))]

    def in_forks(self, between: "Callable[[], None]", looks_alone: bool) -> "list[dict[str, Any]]":
        """Run every test pytest's way, then the short way, each time in a fork."""
        looks = in_fork(self.in_this_process)
        between()
        if looks_alone:
            self._look_alone(looks)
            between()
        for look in looks:
            look["slow"] = (
                self.all_slow
                or look["outcome"] != "passed"
                or items.needs_protocol(self.items[look["place"]])
            )
        self._try_short(looks)
        return looks

    def _look_alone(self, looks: "list[dict[str, Any]]") -> None:
        """What each test reaches when no other has made the target remember anything.

        Mutants of a cheap suite meet all tests anyway. This may take as long again as the suite
        did, and no longer: tests that are left then reach what they reached among others.
        """
        together = sum(look["cpu"] for look in looks)
        if together < CHEAP_SUITE_SECONDS:
            return
        most, began = _TIMES_ALONE * sum(look["wall"] for look in looks), time.perf_counter()
        for look in looks:
            if time.perf_counter() - began > most:
                return
            for alone in in_fork(functools.partial(self._looks, look["place"])):
                if alone["outcome"] == "passed" == look["outcome"]:
                    _add_lines(look["lines"], alone["lines"])

    def _looks(self, place: int) -> "list[dict[str, Any]]":
        return [self._look(place)]

    def _look(self, place: int) -> "dict[str, Any]":
        runner = items.ItemRunner(self.session)
        item = self.items[place]
        following = self.items[place + 1] if place + 1 < len(self.items) else None
        _noticed.clear()
        if item.nodeid not in self.known:
            self.recorder.start()
        began, cpu = time.perf_counter(), time.process_time()
        try:
            reports = runner.reports(item, following)
            is_traced = _noticed.count(_TRACING) <= _usual_traces(item)
        finally:
            self.recorder.stop()
        lines, arcs = self.recorder.take()
        return {
            "place": place,
            "id": item.nodeid,
            "outcome": _outcome(reports),
            "why": next((_reason(each) for each in reports if each.failed), ""),
            "wall": time.perf_counter() - began,
            "cpu": time.process_time() - cpu,
            "slow": True,
            "starts": any(event in _STARTS for event in _noticed),
            "traced": is_traced,
            "lines": _plain_lines(lines),
            "arcs": {path: sorted(steps) for path, steps in arcs.items()},
        }

    def _try_short(self, looks: "list[dict[str, Any]]") -> None:
        """Time every test the short way; one that fails so goes the long way from then on."""
        waiting = [look for look in looks if not look["slow"] and look["id"] not in self.known]
        while waiting:
            done = in_fork(functools.partial(self._time_short, waiting))
            for look, cpu in zip(waiting, done):  # noqa: B905  a failure ends it early
                look["cpu"] = cpu
            if len(done) < len(waiting):
                waiting[len(done)]["slow"] = True
            waiting = waiting[len(done) + 1 :]

    def _time_short(self, looks: "list[dict[str, Any]]") -> "list[float]":
        runner = items.ItemRunner(self.session)
        found: list[float] = []
        for number, look in enumerate(looks):
            later = looks[number + 1]["place"] if number + 1 < len(looks) else None
            following = None if later is None else self.items[later]
            began = time.process_time()
            if not runner.passes(self.items[look["place"]], following, is_slow=False):
                break
            found.append(time.process_time() - began)
        return found


_noticed: "list[str]" = []


def _usual_traces(item: Any) -> int:
    """Ours, and a doctest puts it back once; whoever else traces silences it."""
    return 2 if type(item).__name__ == "DoctestItem" else 1


def take_notice() -> None:
    """From now on, note when the present process starts another, or traces itself."""

    def hook(event: str, arguments: Any) -> None:
        if event in _STARTS or event == _TRACING:
            _noticed.append(event)

    sys.addaudithook(hook)


def in_fork(find: "Callable[[], list[Any]]") -> "list[Any]":
    """What a function finds, found in a fork; empty when the fork does not live to tell."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            take_notice()
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            data = json.dumps(find()).encode()
            while data:
                data = data[os.write(writing, data) :]
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else []


def _outcome(reports: "list[Any]") -> str:
    if any(each.failed for each in reports):
        return "failed"
    return "skipped" if any(each.skipped for each in reports) else "passed"


def _reason(report: Any) -> str:
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    text = getattr(crash, "message", None) or str(report.longrepr)
    return text.encode("utf-8", "replace").decode()[:300]


def _add_lines(
    known: "dict[str, dict[str, list[int]]]", more: "dict[str, dict[str, list[int]]]"
) -> None:
    for path, functions in more.items():
        for name, numbers in functions.items():
            before = known.setdefault(path, {}).get(name, [])
            known[path][name] = sorted({*before, *numbers})


def _plain_lines(
    lines: "dict[tuple[str, str], set[int]]",
) -> "dict[str, dict[str, list[int]]]":
    found: dict[str, dict[str, list[int]]] = {}
    for (path, qualname), numbers in lines.items():
        found.setdefault(path, {})[qualname] = sorted(numbers)
    return found
