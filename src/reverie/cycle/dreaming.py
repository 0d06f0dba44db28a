"""Tests dreamt up for one module: searched for, written, and told as one dream."""

import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from reverie.cycle.grounds import Grounds
from reverie.cycle.workshop import Allowance, Dreamt, Stopped
from reverie.dreamers.enrich.coverage import outline_of
from reverie.dreamers.enrich.noticing.front import notice_survivors
from reverie.dreamers.enrich.search.search import Effort, find_scenarios
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.enrich.writing.subject import SuspectedBug, Written
from reverie.dreamers.enrich.writing.write import write_tests
from reverie.errors import UsageError
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting, Step
from reverie.model.dream import Dream, DreamKind
from reverie.sandbox.engine import Sandbox

SEARCHING_SHARE = 0.5
"""Of the time of a step; the rest is for choosing and writing."""


@dataclass(frozen=True, slots=True)
class TestDreaming:
    """The test dreamer on a copy of a repository."""

    __test__ = False

    grounds: Grounds
    sandbox: Sandbox

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        return "tests"

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """One dream, or none when nothing was worth keeping."""
        try:
            target = self._target(step)
        except UsageError as error:
            return Dreamt((), note=str(error))
        return self._search_and_write(target, step, seed, allowance)

    def _target(self, step: Step) -> Target:
        """By its path; by its name where its folder is a package without a front."""
        folder, python = self.grounds.folder, self.grounds.interpreter.path
        place = folder / step.path
        if "." in step.module and not (place.parent / "__init__.py").is_file():
            with suppress(UsageError):
                found = find_target(step.module, folder, python)
                if found.path == os.path.abspath(place):
                    return found
        return find_target(str(place), folder, python)

    def _search_and_write(
        self, target: Target, step: Step, seed: int, allowance: Allowance
    ) -> Dreamt:
        seconds, tries = allowance.budget.seconds, allowance.budget.executions
        deadline = None if seconds is None else time.monotonic() + seconds
        effort = Effort(
            seconds=None if seconds is None else SEARCHING_SHARE * seconds,
            tries=tries,
            seed=seed,
            workers=1,
        )
        try:
            found = find_scenarios(self.sandbox, target, effort)
        except UsageError as error:
            return Dreamt((), note=str(error))
        if allowance.is_stopped():
            raise Stopped
        command = f"reverie enrich {step.module} --seed {seed}"
        written = write_tests(
            self.sandbox,
            target,
            found.scenarios,
            deadline=deadline,
            command=command,
            must_notice=True,
            more=lambda survivors, seconds: notice_survivors(
                self.sandbox, target, found, survivors, seconds, seed
            ),
        )
        dreamt = self._told(written, step, seed, found.tries)
        run = outline_of(target.source).covered(written.arcs | found.import_arcs)
        return replace(dreamt, figures={**dreamt.figures, "line_coverage": run.lines})

    def _told(self, written: Written, step: Step, seed: int, tries: int) -> Dreamt:
        edit = FileEdit(written.path, None, written.source, mode_after="100644")
        dream = Dream(
            kind=DreamKind.TEST,
            dreamer=self.name,
            module=step.module,
            title=f"Test {step.module}",
            change=Change((edit,)),
            seed=seed,
        )
        is_worth_it = bool(written.source) and written.tests > 0
        return Dreamt(
            dreams=(dream,) if is_worth_it else (),
            sightings=tuple(_sighting(each) for each in written.findings),
            executions=tries + written.executions,
            figures=_figures(written),
            note=None if is_worth_it else "nothing was found that a test would be worth",
        )


def _sighting(bug: SuspectedBug) -> Sighting:
    details = {name: value for name, value in asdict(bug).items() if name != "module"}
    return Sighting(bug.module, f"{bug.function}: {bug.actual}"[:300], details)


def _figures(written: Written) -> dict[str, float]:
    found = {
        "tests": written.tests,
        "lines": written.lines,
        "flaky_removed": written.flaky_removed,
        "mutants": written.mutants,
        "killed": written.killed,
    }
    return {name: float(value) for name, value in found.items() if value is not None}
