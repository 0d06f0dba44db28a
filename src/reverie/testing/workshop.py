"""A workshop that imagines nothing: dreams and verdicts from a script, in no time.

For tests of what stands around the rooms: plans, budgets, recovery, reports. Promotions are
files in a folder, one per dream, so that a second promotion of one dream is seen.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from reverie.cycle.workshop import Surveyed
from reverie.errors import MachineryError
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleDream,
    CycleHeader,
    Promotion,
    PromotionStatus,
    Sighting,
    Step,
    Trial,
)
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling
from reverie.stages.dreamer import Allowance, Dreamt, Stopped, Target
from reverie.stages.trying import Tried

_BASELINE = {
    "tests": 3,
    "failing": [],
    "line_coverage": 0.4,
    "covered": {"m01": {"lines": 0.5, "branches": 0.25}},
}


@dataclass(slots=True)
class ScriptedWorkshop:
    """Every third module's tests are worth nothing, every fifth module has a fault."""

    folder: Path
    """Where promotions go, and a line for everything that was really done."""
    modules: int = 6
    pause_seconds: float = 0.0
    """How long each dream, trial and promotion takes."""
    broken: frozenset[str] = frozenset()
    """Modules at which our side fails, for ever."""
    shaky: Counter[str] = field(default_factory=Counter)
    """Modules at which our side fails so many times."""
    revision: str | None = "0" * 40
    environment: Mapping[str, Any] = field(default_factory=lambda: {"python": "3"})
    abandoned: threading.Event = field(default_factory=threading.Event)
    executions: int = 0

    def survey(self) -> Surveyed:
        """Modules `m00`, `m01` …, the first worth most."""
        names = [f"m{number:02d}" for number in range(self.modules)]
        targets = tuple(
            Target("script", name, f"src/{name}.py", f"hash-{name}", float(self.modules - number))
            for number, name in enumerate(names)
        )
        return Surveyed(targets, _BASELINE)

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """One dream per module, the same for the same seed."""
        self._take_time(f"dream {step.module}", allowance.is_stopped)
        self.executions += 10
        if step.module in self.broken:
            raise ValueError(f"broken at {step.module}")
        if self.shaky[step.module] > 0:
            self.shaky[step.module] -= 1
            raise MachineryError(f"shaky at {step.module}")
        seed = allowance.seed
        text = f"def test_{step.module}():\n    assert {seed} == {seed}\n"
        edit = FileEdit(f"tests/test_{step.module}.py", None, text, mode_after="100644")
        dream = Dream(
            DreamKind.TEST, "script", step.module, f"Test {step.module}", Change((edit,)), seed
        )
        number = int(step.module[1:])
        seen = (Sighting(step.module, "IndexError for an empty list", {"input": "f([])"}),)
        return Dreamt((dream,), seen if number % 5 == 4 else (), executions=10)

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Tried:
        """A measure per dream, and a ruling on it."""
        self._take_time(f"prove {dream.module}", is_stopped)
        self.executions += 5
        killed = float(int(dream.module[1:]) % 3)
        measures = {
            "mutants.newly_killed": killed,
            "mutants.score.before": 0.25,
            "mutants.score.after": 0.25 + killed / 8,
            "mutants.judged": 8.0,
            "tests.new": 1.0,
            "coverage.branches.before": 0.25,
            "coverage.branches.after": 0.25 + 0.25 * killed,
        }
        evidence = Evidence(measures, seed, IsolationTier.NAMESPACES, ("reverie", "guard"))
        answer = Answer.PASS if killed else Answer.FAIL
        code = "ok" if killed else "no_gain"
        ruling = Ruling("gain", answer, code, f"{killed:g} mutants newly killed", killed, 1)
        worth = 4 * killed - 2
        score = {"roi": worth, "raroi": worth * 0.9}
        return Tried(dream, Trial(evidence, Judgement((ruling,)), score, 0.1, 5))

    def choose_branch(self, day: date) -> str | None:
        """The next free name."""
        return f"reverie/{day}-1"

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """A file named after the dream."""
        self._take_time(f"promote {each.dream.module}", lambda: False)
        place = self.folder / f"{each.dream.id}.promoted"
        place.touch()
        score = {} if each.trial is None else each.trial.score
        return Promotion(
            dream_id=each.dream.id,
            kind=each.dream.kind,
            title=each.dream.title,
            status=PromotionStatus.OFFERED,
            created_at=datetime.now(UTC),
            branch=header.branch,
            bundle=str(place),
            roi=score.get("roi"),
            raroi=score.get("raroi"),
        )

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """One more test per dream."""
        modules = {dream.module: {"lines": 0.8, "branches": 0.7} for dream in dreams}
        return {"tests": 3 + len(dreams), "failing": [], "line_coverage": 0.6, "covered": modules}

    def abandon(self) -> None:
        """Nothing is under way that would not end by itself."""
        self.abandoned.set()

    def _take_time(self, what: str, is_stopped: Callable[[], bool]) -> None:
        deadline = time.monotonic() + self.pause_seconds
        while time.monotonic() < deadline:
            if is_stopped():
                raise Stopped
            time.sleep(min(0.005, self.pause_seconds))
        with (self.folder / "done.log").open("a", encoding="utf-8") as log:
            log.write(f"{what}\n")
