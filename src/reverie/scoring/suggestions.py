"""What would be worth doing, reckoned from what is known of a repository. Pure.

Benefits are expected ones: what could be gained, times the chance that an attempt succeeds, which
is the posterior mean over earlier dreams of the kind (a prior of one in two).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reverie.model.measurements.benchmark import HotCallable, Regression
from reverie.model.repository.candidate import Candidate, ModuleHistory
from reverie.model.repository.code import Function
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Risk, Suggestion, SuggestionKind
from reverie.scoring.roi import Terms, adjust_for_risk, roi_from, severity_of

PLAIN_COMPLEXITY = 10
"""A function up to here is not worth taking apart."""
LEAST_GAIN = 1.1
"""What an accepted optimisation gains at least: nothing more is promised."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Of earlier dreams of a kind: how many were tried, and how many were promoted."""

    tried: int = 0
    promoted: int = 0

    @property
    def chance(self) -> float:
        """Posterior mean of success, from a uniform prior."""
        return (1 + self.promoted) / (2 + self.tried)


@dataclass(frozen=True, slots=True)
class Known:
    """What suggestions are reckoned with."""

    section: RoiSection
    histories: Mapping[str, ModuleHistory | None] = field(default_factory=dict)
    """By path."""
    reach: Mapping[str, float | None] = field(default_factory=dict)
    """Share of the other modules that import one, by path."""
    tallies: Mapping[SuggestionKind, Tally] = field(default_factory=dict)
    profile_seconds: float = 0.0
    """Of the whole run that was profiled; 0: none was."""

    def risk_of(self, path: str) -> Risk:
        """From the past of a file, and from who imports it."""
        history = self.histories.get(path)
        touches = () if history is None else history.touches
        bad = sum(each.is_fix or each.is_revert for each in touches)
        severity = severity_of(self.reach.get(path) or 0.0)
        return Risk(rolled_back=bad, kept=len(touches) - bad, severity=severity)


def suggest_test(known: Known, each: Candidate) -> Suggestion | None:
    """Tests for what no test runs; None where all is run, or nobody measured."""
    covered = each.coverage
    if covered is None or (not covered.missing and not _missing_branches(each)):
        return None
    total = len(covered.missing) + len(covered.executed)
    evidence = [f"{len(covered.missing)} of {total} lines are run by no test"]
    branches = _missing_branches(each)
    measures = {}
    if branches is not None:
        evidence.append(f"{branches} of {covered.branches_total} branches are not taken")
        measures["conditions.protected"] = float(branches)
    evidence += _past(known, each.path)
    found = Suggestion(
        SuggestionKind.TEST,
        each.path,
        f"Test {each.module}",
        tuple(evidence),
        f"reverie enrich {each.module}",
        None,
        None,
    )
    return _reckoned(known, found, each.path, measures, lines=4 * (branches or 1))


def _missing_branches(each: Candidate) -> int | None:
    covered = each.coverage
    if covered is None or covered.branches_total is None or covered.branches_covered is None:
        return None
    return covered.branches_total - covered.branches_covered


def suggest_refactoring(known: Known, path: str, function: Function) -> Suggestion | None:
    """To take a function apart that decides too much."""
    over = function.complexity - PLAIN_COMPLEXITY
    if over <= 0:
        return None
    evidence = (
        f"complexity {function.complexity}, cognitive {function.cognitive}, {function.loc} lines",
        *_past(known, path),
    )
    found = Suggestion(
        SuggestionKind.REFACTOR,
        f"{path}:{function.qualname}",
        f"Simplify {function.qualname}",
        evidence,
        f"reverie refactor {path}:{function.qualname}",
        None,
        None,
    )
    return _reckoned(known, found, path, {"clarity.gained": float(over)}, lines=function.loc)


def suggest_optimisation(
    known: Known, path: str, qualname: str, rewrites: Sequence[str], cost: HotCallable | None
) -> Suggestion:
    """To make a function faster in which rewrites fit; worth what it costs the suite."""
    evidence = [f"rewrites that fit: {', '.join(rewrites)}", *_past(known, path)]
    measures = {}
    if cost is not None:
        told = f"{cost.own_seconds:.3f} s of its own in {cost.calls} calls of one run of the suite"
        evidence.insert(0, told)
        measures = _saved(known, cost.own_seconds, LEAST_GAIN)
    found = Suggestion(
        SuggestionKind.OPTIMISE,
        f"{path}:{qualname}",
        f"Speed up {qualname}",
        tuple(evidence),
        f"reverie optimise {path}:{qualname}",
        None,
        None,
    )
    return _reckoned(known, found, path, measures, lines=8)


def suggest_mending(known: Known, found: Regression, cost: HotCallable | None) -> Suggestion:
    """To look at the commit that made a callable slower."""
    path, _, qualname = found.callable.partition(":")
    slow = found.slowdown
    since = f"{found.commit[:8]} ({found.subject})" if found.commit else f"{found.base[:8]}"
    evidence = [
        f"{slow.value:.2f}x [{slow.low:.2f}, {slow.high:.2f}] the time since {since}",
        f"{found.tried} commits were timed to find it",
    ]
    measures = {}
    if cost is not None:
        evidence.append(f"{cost.total_seconds:.3f} s in one run of the suite")
        measures = _saved(known, cost.total_seconds, slow.low)
    suggestion = Suggestion(
        SuggestionKind.REGRESSION,
        found.callable,
        f"Mend {qualname}, which got slower",
        tuple(evidence),
        f"git show {found.commit}" if found.commit else f"reverie track {found.callable}",
        None,
        None,
    )
    return _reckoned(known, suggestion, path, measures, lines=8)


def suggest_review(dream_id: str, title: str, verdict: str, raroi: float | None) -> Suggestion:
    """To decide on a dream that was tried and waits."""
    evidence = (f"tried: {verdict}",)
    command = f"reverie approve {dream_id[:12]} --as NAME --key FILE"
    return Suggestion(
        SuggestionKind.REVIEW, dream_id, title, evidence, command, None, None, None, raroi
    )


def _saved(known: Known, seconds: float, ratio: float) -> dict[str, float]:
    """What making a callable so many times as fast saves of the profile."""
    found = {"speed.doublings": math.log2(max(ratio, 1.0))}
    if known.profile_seconds > 0:
        found["speed.profile_share"] = seconds / known.profile_seconds * (1 - 1 / max(ratio, 1.0))
    return found


def _past(known: Known, path: str) -> list[str]:
    history = known.histories.get(path)
    if history is None or not history.touches:
        return []
    bad = sum(each.is_fix or each.is_revert for each in history.touches)
    return [f"{len(history.touches)} commits, {bad} of them fixes or reverts"]


def _reckoned(
    known: Known, found: Suggestion, path: str, measures: Mapping[str, float], *, lines: int
) -> Suggestion:
    """With its worth after chance and risk; without one where no benefit was measured."""
    chance = known.tallies.get(found.kind, Tally()).chance
    roi = roi_from(measures, Terms(known.section, lines, kept_probability=chance))
    if roi.points is None:
        return replace(found, chance=chance)
    risk = adjust_for_risk(roi.points, known.risk_of(path))
    return replace(found, roi=roi, risk=risk, chance=chance, raroi=risk.points)
