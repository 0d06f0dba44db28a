"""Gates on evidence alone: what a trial must have measured.

Most hold a measure against a bound: stability of new tests, what they see, behaviour kept,
effects, speed and its price in memory, keepability; and the ratchet, which lets no change take
back what the repository had reached.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.gates.gate import Matter, not_measured, nothing_to_judge, ruled
from reverie.model.dream import Stage
from reverie.model.outcome import counted
from reverie.model.ruling import PATH, Answer, Baseline, Need, NeedKind, Ruling, read_baseline


@dataclass(frozen=True, slots=True)
class Bound:
    """A measure, what it must not pass, and the words for it."""

    measure: str
    reason_code: str
    reason: str
    most: float | None = None
    least: float | None = None
    answer: Answer = Answer.FAIL
    is_optional: bool = False
    """Whether nothing is wrong where nobody measured it."""

    def objection(self, gate: str, matter: Matter) -> Ruling | None:
        """Its answer when the bound is passed, a `hold` when nobody measured; else None."""
        value = matter.measured(self.measure)
        if value is None:
            return None if self.is_optional else not_measured(gate, self.measure)
        is_within = (self.most is None or value <= self.most) and (
            self.least is None or value >= self.least
        )
        if is_within:
            return None
        names = ", ".join(matter.named(self.measure)[:3])
        said = f"{self.reason}: {names}" if names else self.reason
        required = self.most if self.most is not None else self.least
        return Ruling(gate, self.answer, self.reason_code, said, value, required)


def objections(gate: str, matter: Matter, bounds: tuple[Bound, ...]) -> tuple[Ruling, ...]:
    """Those of several bounds; the holds only where nothing fails."""
    found = [each for bound in bounds if (each := bound.objection(gate, matter)) is not None]
    failed = tuple(each for each in found if each.verdict is Answer.FAIL)
    return failed or tuple(found)


_REPORTS = (
    Bound("suite.blind_runs", "forged_report",
          "a failing test planted beside the new ones was not reported as failing", most=0),
    Bound("suite.forged", "forged_report", "a test that raised was reported as passed", most=0),
    Bound("suite.dead_runs", "run_ended", "a run was ended before it could report", most=0),
    Bound("suite.silent_runs", "run_unheard", "runs gave no report in their time", most=0,
          answer=Answer.HOLD),
)  # fmt: skip
_SUITE = (
    Bound("suite.newly_failing", "suite_fails", "tests that passed before fail now", most=0),
    Bound("suite.lost", "test_deleted", "tests that ran before are not collected now", most=0),
    Bound("suite.wavering", "suite_wavers", "tests that passed before pass in some runs only",
          most=0, answer=Answer.HOLD, is_optional=True),
)  # fmt: skip
_CODE = (
    Bound("suite.touched", "tests_touched", "files that tests are collected from are changed",
          most=0),
    Bound("suite.machine", "depends_on_machine",
          "tests that passed before fail on another machine, in a plain pytest", most=0),
)  # fmt: skip
_TESTS = (
    Bound("suite.weaker", "coverage_lost", "tests that were there run less than before", most=0),
    Bound("tests.new", "no_new_test", "no new test was collected", least=1),
    Bound("tests.skipped", "skip_added", "new tests are passed over", most=0),
    Bound("tests.failing", "new_test_fails", "new tests fail", most=0),
    Bound("tests.machine", "depends_on_machine",
          "new tests come out otherwise on another machine", most=0),
    Bound("tests.only_here", "passes_only_here",
          "new tests fail in a plain pytest without Reverie beside them", most=0),
    Bound("tests.unstable", "unstable_test", "new tests pass in some runs only", most=0),
    Bound("tests.writes", "edits_production", "tests change files of the repository", most=0),
    Bound("tests.replaced", "replaces_production",
          "after the tests the code under test is another", most=0),
    Bound("tests.unreached", "assertion_never_runs", "assertions of new tests never run", most=0),
    Bound("tests.idle", "runs_no_code", "new tests run no line of production code", most=0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StabilityGate:
    """Refuses tests that come and go; holds when they were run too rarely to say."""

    name: str = "stability"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the runs of the suite and of the new tests."""
        runs = matter.section.runs
        enough = Bound("tests.passed_runs", "unstable_test", "new tests passed too few runs",
                       least=runs)  # fmt: skip
        found = objections(self.name, matter, (*_REPORTS, *_SUITE, *_TESTS, enough))
        return ruled(self.name, found, f"every new test passed {runs} of {runs} runs, and alone")


@dataclass(frozen=True, slots=True)
class SuiteGate:
    """Refuses a change of production code after which a test fails that passed before."""

    name: str = "suite"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the runs of the whole suite before and after, on two machines."""
        found = objections(self.name, matter, (*_SUITE, *_CODE))
        said = "every test that passed before passes"
        if left_out := matter.measured("suite.files_left_out"):
            said += " of those that are nearest to the change by names; "
            said += f"{counted(left_out, 'file')} of tests were not run: the suite is too large"
        return ruled(self.name, found, said)


WORTH = "worth"


@dataclass(frozen=True, slots=True)
class WorthGate:
    """Refuses tests that add nothing: no line, no branch, no mutant that an assertion notices."""

    name: str = WORTH

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Coverage up or mutants newly killed, and assertions that make the difference."""
        return ruled(
            self.name, self._objections(matter), "the new tests notice or run more than the old"
        )

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        gained = matter.measured("coverage.gained")
        killed = matter.measured("mutants.newly_killed")
        if gained is None and killed is None:
            yield not_measured(self.name, "coverage.gained")
            return
        if not (gained or 0) > 0 and not (killed or 0) > 0:
            if killed is None:
                yield not_measured(self.name, "mutants.newly_killed")
                return
            said = "no line or branch newly covered, and no mutant newly killed"
            yield Ruling(self.name, Answer.FAIL, "adds_nothing", said, 0, 1)
            return
        yield from self._by_assertion(matter)
        pinned = matter.measured("tests.pinned")
        if killed is not None and pinned is None:
            yield not_measured(self.name, "tests.pinned")
        elif pinned is not None and pinned > 0:
            said = "tests that fail on changes of the code which change nothing: "
            said += ", ".join(matter.named("tests.pinned")[:3])
            yield Ruling(self.name, Answer.FAIL, "pinned_code", said, pinned, 0)
        blunt = matter.measured("tests.blunt")
        if blunt is None:
            yield not_measured(self.name, "tests.blunt")
        elif blunt > 0:
            said = "tests that notice no change of the code they run: "
            said += ", ".join(matter.named("tests.blunt")[:3])
            yield Ruling(self.name, Answer.FAIL, "blunt_test", said, blunt, 0)

    def _by_assertion(self, matter: Matter) -> Iterator[Ruling]:
        """Covered code whose every mutant lives on is run, but not tested."""
        reached = matter.measured("mutants.reached")
        if reached is None:
            yield not_measured(self.name, "mutants.reached")
        elif reached > 0:
            noticed = matter.measured("mutants.killed_by_assertion")
            if noticed is None:
                yield not_measured(self.name, "mutants.killed_by_assertion")
            elif noticed < 1:
                said = "what the new tests notice first, they notice without their assertions"
                yield Ruling(self.name, Answer.FAIL, "coverage_without_assertion", said, noticed, 1)


@dataclass(frozen=True, slots=True)
class MutationGate:
    """Refuses a change after which the suite notices fewer of the same mutants.

    Where code was rewritten, the suite may notice them elsewhere: that is for a person.
    """

    name: str = "mutation"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The score after is not below the score before."""
        return ruled(self.name, self._objections(matter), self._said(matter))

    def _said(self, matter: Matter) -> str:
        before, after = (matter.measured(f"mutants.score.{when}") for when in ("before", "after"))
        shown = (
            "no mutants"
            if before is None or after is None
            else f"{100 * before:.0f} % to {100 * after:.0f} %"
        )
        return f"mutation score {shown}"

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        judged = matter.measured("mutants.judged")
        if matter.measured("mutants.doubted"):
            said = "fresh processes judge mutants otherwise: "
            said += ", ".join(matter.named("mutants.doubted")[:3])
            doubted = matter.measured("mutants.doubted")
            yield Ruling(self.name, Answer.HOLD, "mutants_doubted", said, doubted, 0)
            return
        if judged is None:
            yield not_measured(self.name, "mutants.judged")
            return
        before, after = (matter.measured(f"mutants.score.{when}") for when in ("before", "after"))
        if judged > 0 and (before is None or after is None):
            yield not_measured(self.name, "mutants.score.after")
        elif before is not None and after is not None and after < before:
            said = "the suite notices fewer of the same mutants than before"
            if lost := matter.named("mutants.no_longer_killed"):
                said += ", among them " + "; ".join(lost[:2])
            answer = Answer.FAIL if matter.stage is Stage.A else Answer.HOLD
            yield Ruling(self.name, answer, "mutation_score_down", said, after, before)


@dataclass(frozen=True, slots=True)
class Bar:
    """What the worth of a change has to reach."""

    confidence: float
    """Below it a person has to say yes."""
    least_roi: float | None = None


@dataclass(frozen=True, slots=True)
class WorthRuled:
    """What worth says about a change, and what people owe it for that."""

    rulings: tuple[Ruling, ...]
    needs: tuple[Need, ...] = ()


def rule_on_worth(score: Mapping[str, Any], bar: Bar) -> WorthRuled:
    """Nothing that is worth nothing after risk passes; what is little trusted needs a word."""
    raroi = score.get("raroi")
    if not isinstance(raroi, int | float):
        said = "nothing was measured that it would be worth"
        return WorthRuled((Ruling(WORTH, Answer.HOLD, "worth_not_measured", said),))
    if not raroi > 0:
        said = "reading it costs a reviewer more than it is likely to bring"
        return WorthRuled((Ruling(WORTH, Answer.FAIL, "worth_not_positive", said, raroi, 0),))
    least, roi = bar.least_roi, float(score["roi"])
    if least is not None and roi < least:
        said = "it has to be worth more"
        return WorthRuled((Ruling(WORTH, Answer.FAIL, "roi_below_minimum", said, roi, least),))
    said = "it is likely to bring more than reading it costs a reviewer"
    passed = Ruling(WORTH, Answer.PASS, "ok", said, raroi, 0)
    if not float(score["confidence"]) < bar.confidence:
        return WorthRuled((passed,))
    words = "1 approval: too few changes like it were kept here so far to be sure that it is wanted"
    return WorthRuled((passed,), (Need(NeedKind.APPROVALS, 1, words),))


@dataclass(frozen=True, slots=True)
class EquivalenceGate:
    """Refuses a change of behaviour; holds what is not known to behave alike."""

    name: str = "equivalence"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Every changed callable has to be equivalent."""
        alike = matter.measured("equivalence.equivalent")
        verb = "behaves" if alike == 1 else "behave"
        said = f"{counted(alike or 0, 'function')} {verb} as before"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        asked = matter.measured("equivalence.callables")
        different = matter.measured("equivalence.different")
        alike = matter.measured("equivalence.equivalent")
        if asked is None or different is None or alike is None:
            yield not_measured(self.name, "equivalence.callables")
        elif different > 0:
            said = "; ".join(matter.named("equivalence.different")[:2])
            yield Ruling(self.name, Answer.FAIL, "behaviour_changed", said, different, 0)
        elif asked < 1:
            said = "no callable was found that the change could be seen in"
            yield Ruling(self.name, Answer.HOLD, "nothing_to_compare", said, asked, 1)
        elif alike < asked:
            said = "; ".join(matter.named("equivalence.unknown")[:2])
            yield Ruling(self.name, Answer.HOLD, "equivalence_unknown", said, alike, asked)


@dataclass(frozen=True, slots=True)
class WatchGate:
    """Refuses where tests run too little of the code, or less of it than before."""

    name: str = "watch"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The precondition of the stage, then nothing lost."""
        share = matter.measured("coverage.lines.before")
        said = f"tests run {100 * (share or 0):.0f} % of the lines"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        section = matter.section
        is_c = matter.stage is Stage.C
        least = section.coverage_optimise if is_c else section.coverage_refactor
        share = matter.measured("coverage.lines.before")
        lost = matter.measured("coverage.lost")
        if share is None or lost is None:
            yield not_measured(self.name, "coverage.lines.before")
        elif share < least:
            said = f"{matter.stage.word} needs tests that run more of the code"
            yield Ruling(self.name, Answer.FAIL, "coverage_too_low", said, round(share, 4), least)
        elif lost > 0:
            places = ", ".join(matter.named("coverage.lost")[:3])
            said = f"code that no test runs stands where tests ran it ({places}): add tests first"
            yield Ruling(self.name, Answer.HOLD, "coverage_down", said, lost, 0)


@dataclass(frozen=True, slots=True)
class EffectsGate:
    """Refuses an effect that was recorded of the new version alone; holds what was not recorded."""

    name: str = "effects"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling on all that is new."""
        return ruled(self.name, self._objections(matter), "it used nothing new when it ran")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        found = matter.measured("effects.new")
        unheard = matter.measured("effects.unrecorded")
        if found is None or unheard is None:
            yield not_measured(self.name, "effects.new")
        elif found > 0:
            said = "new effect: " + "; ".join(matter.named("effects.new")[:3])
            yield Ruling(self.name, Answer.FAIL, "new_effect", said, found, 0)
        elif unheard > 0:
            said = "; ".join(matter.named("effects.unrecorded")[:2])
            yield Ruling(self.name, Answer.HOLD, "effects_unknown", said, unheard, 0)


_WORKFLOWS = "workflows"


def rule_on_workflows(matter: Matter) -> tuple[Ruling, ...]:
    """What declared workflows say of a change that reaches them; nothing where none was run."""
    different, names = matter.measured("workflows.different"), matter.named("workflows.run")
    if different is None:
        return ()
    if different:
        told = "; ".join(matter.named("workflows.different")[:2])
        said = f"a workflow does something else: {told}"
        return (Ruling(_WORKFLOWS, Answer.FAIL, "workflow_changed", said, different, 0),)
    return (Ruling(_WORKFLOWS, Answer.PASS, "ok", f"the same as before: {', '.join(names[:3])}"),)


@dataclass(frozen=True, slots=True)
class SpeedGate:
    """Refuses what is not faster by the stage's bounds at the lower end of the interval."""

    name: str = "speed"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """At least one callable faster at p50, p95 and p99, and none slower."""
        gain = matter.measured("speed.p50")
        said = "" if gain is None else f"at least {gain:.2f} times as fast at the median"
        if said and (named := matter.named("speed.faster")):
            said += f": {named[0]}"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        counts = [matter.measured(f"speed.{w}") for w in ("faster", "slower", "same", "unknown")]
        faster, slower, same, unknown = counts
        if faster is None or slower is None or same is None or unknown is None:
            yield not_measured(self.name, "speed.faster")
        elif slower > 0:
            said = "; ".join(matter.named("speed.slower"))
            yield Ruling(self.name, Answer.FAIL, "slower", said, slower, 0)
        elif unknown > 0:
            said = "; ".join(matter.named("speed.unknown"))
            yield Ruling(self.name, Answer.HOLD, "speed_unknown", said, unknown, 0)
        elif faster < 1:
            said = "; ".join(matter.named("speed.same")) or "nothing is faster"
            yield Ruling(self.name, Answer.FAIL, "not_faster", said, faster, 1)


@dataclass(frozen=True, slots=True)
class MemoryGate:
    """Refuses what needs more memory than the stage allows."""

    name: str = "memory"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The worst ratio of what calls allocate at most."""
        return ruled(self.name, self._objections(matter), "memory is as before, or nearly")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        ratio = matter.measured("memory.ratio")
        most = 1 + matter.section.memory
        if ratio is None:
            yield not_measured(self.name, "memory.ratio")
        elif ratio > most:
            said = "calls need more memory: " + "; ".join(matter.named("memory.ratio"))
            yield Ruling(self.name, Answer.FAIL, "memory_up", said, round(ratio, 3), round(most, 3))


@dataclass(frozen=True, slots=True)
class KeepingGate:
    """Refuses tests by Reverie's own dreamers that nobody would want; people's are not refused."""

    name: str = "keeping"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """No new test scores below the bar."""
        return ruled(self.name, self._objections(matter), self._said(matter))

    def _said(self, matter: Matter) -> str:
        if not matter.is_own:
            return "not written here: how a test looks is no reason to refuse it"
        return f"every new test scores {matter.section.keepability:g} or more"

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        below = matter.measured("tests.unkeepable")
        if below is None:
            yield not_measured(self.name, "tests.unkeepable")
        elif below > 0 and matter.is_own:
            said = "tests that a maintainer would hardly keep as they are: "
            said += ", ".join(matter.named("tests.unkeepable")[:3])
            least, bar = matter.measured("tests.keepability"), matter.section.keepability
            yield Ruling(self.name, Answer.FAIL, "unkeepable_test", said, least, bar)


_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class BaselineGate:
    """Refuses a change that lowers the ratchet file itself, or takes it away."""

    name: str = "baseline"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the text of the change."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "the baseline is not lowered")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for edit in matter.change.edits:
            if PATH not in (edit.path, edit.renamed_from) or edit.before is None:
                continue
            before, after = _read(edit.before), _read(edit.after if edit.path == PATH else None)
            if before is None:
                continue
            if after is None:
                said = "the baseline is gone, or cannot be read any more"
                yield Ruling(self.name, Answer.FAIL, "baseline_lowered", said, PATH)
                continue
            for name, value in sorted(before.measures.items()):
                now = after.measures.get(name)
                if now is None or now < value:
                    said = f"{name} is lowered"
                    yield Ruling(self.name, Answer.FAIL, "baseline_lowered", said, now, value)


@dataclass(frozen=True, slots=True)
class RatchetGate:
    """Refuses a change after which a figure is below what the repository had reached."""

    name: str = "ratchet"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Every figure of the baseline, as it was measured with the change."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = (
            "there is no baseline to keep"
            if matter.baseline is None
            else "no figure is below its baseline"
        )
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for name, least in sorted((matter.baseline or {}).items()):
            value = matter.measured(f"{name}.after")
            if value is None:
                yield not_measured(self.name, f"{name}.after")
            elif value < least - _ROUNDING:
                said = f"{name} is below the baseline of the repository"
                yield Ruling(self.name, Answer.FAIL, "below_baseline", said, value, least)


def _read(text: str | None) -> Baseline | None:
    try:
        return None if text is None else read_baseline(text)
    except (ValueError, RecursionError):
        return None
