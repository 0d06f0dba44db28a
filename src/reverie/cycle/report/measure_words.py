"""Names of measures as people say them, for pages that show everything that was measured."""

from collections.abc import Mapping

GROUPS = {
    "tests": "New tests",
    "suite": "Existing tests",
    "coverage": "Coverage",
    "mutants": "Planted faults",
    "equivalence": "Same behaviour",
    "effects": "Side effects",
    "workflows": "Declared workflows",
    "speed": "Speed",
    "memory": "Memory",
    "complexity": "Complexity",
    "clarity": "Clarity",
    "lint": "Lint",
    "findings": "Findings",
    "compute": "Cost",
}
"""The first part of a name, in the order in which a person asks."""
_WORDS = {
    "complexity.removed": "branches less in the code",
    "complexity.added": "branches more in the code",
    "compute.minutes": "computing time",
    "clarity.gained": "nesting and length, in points, less than before",
    "lint.mended": "lint findings fixed",
    "coverage.gained": "lines newly run by tests",
    "coverage.lost": "lines no longer run by tests",
    "coverage.new_lines": "lines newly run by tests",
    "coverage.new_branches": "branches newly run by tests",
    "coverage.lines.before": "lines run by tests, before",
    "coverage.lines.after": "lines run by tests, after",
    "coverage.branches.before": "branches run by tests, before",
    "coverage.branches.after": "branches run by tests, after",
    "effects.new": "new side effects",
    "effects.unrecorded": "side effects that could not be recorded",
    "equivalence.callables": "functions compared",
    "equivalence.equivalent": "functions with no difference found",
    "equivalence.different": "functions that behave differently",
    "equivalence.unknown": "functions with too few inputs to compare",
    "equivalence.proven": "functions proven to take the same steps",
    "equivalence.conventional": "functions alike on usual values alone",
    "equivalence.inputs": "inputs tried",
    "memory.ratio": "memory, as a multiple of before",
    "mutants.judged": "faults planted",
    "mutants.doubted": "faults whose answer was not sure",
    "mutants.newly_killed": "faults newly noticed",
    "mutants.killed_by_assertion": "of these, noticed by an assertion",
    "mutants.no_longer_killed": "faults no longer noticed",
    "mutants.reached": "faults that the tests run",
    "mutants.score.before": "share noticed, before",
    "mutants.score.after": "share noticed, after",
    "workflows.run": "workflows run before and after",
    "workflows.different": "of these, with another result",
    "speed.p50": "typical call: times as fast, at least",
    "speed.p50.value": "typical call: times as fast",
    "speed.p50.high": "typical call: times as fast, at most",
    "speed.p95": "slow calls (95 %): times as fast, at least",
    "speed.p99": "slowest calls (99 %): times as fast, at least",
    "speed.faster": "functions that are faster",
    "speed.same": "functions as fast as before",
    "speed.slower": "functions that are slower",
    "speed.unknown": "functions whose speed is not known",
    "suite.tests": "tests before the change",
    "suite.passing.after": "tests that pass with the change",
    "suite.failing_before": "tests that failed before the change",
    "suite.newly_failing": "tests that newly fail",
    "suite.mended": "tests that newly pass",
    "findings.removed": "functions whose docs hold now",
    "suite.lost": "tests that are gone",
    "suite.touched": "test files changed",
    "suite.weaker": "tests made weaker",
    "suite.wavering": "tests that sometimes fail",
    "suite.flaky": "tests that come and go by themselves",
    "suite.machine": "tests that depend on the machine",
    "tests.new": "new tests",
    "tests.runs": "runs of each new test",
    "tests.passed_runs": "runs that passed",
    "tests.failing": "new tests that fail",
    "tests.unstable": "new tests that sometimes fail",
    "tests.skipped": "new tests that are skipped",
    "tests.idle": "new tests that check nothing new",
    "tests.keepability": "least score for being kept as it is",
    "tests.unkeepable": "new tests below that score",
    "tests.machine": "new tests that depend on the machine",
    "tests.writes": "new tests that write files",
}
_SHARES = (".before", ".after", "tests.keepability")
_PLACES = {name: place for place, name in enumerate(_WORDS)}


def measure_words(name: str) -> str:
    """One measure in words; a name that is not known, as it stands."""
    rest = name.partition(".")[2] or name
    return _WORDS.get(name, rest.replace(".", ", ").replace("_", " "))


_STAGES = {
    "A": "tests",
    "B": "refactorings",
    "C": "speed-ups",
    "D": "findings",
    "G": "stubs",
    "I": "integrations",
}


def stage_words(stage: object) -> str:
    """What a run looked for, by its letter: all stages where it was given none."""
    return _STAGES.get(str(stage), "all stages")


def measure_value(name: str, value: float) -> str:
    """A value with its unit: shares in hundredths, everything else as a number."""
    if name == "compute.minutes":
        return f"{60 * value:,.0f} s"
    is_share = name.endswith(_SHARES) and 0.0 <= value <= 1.0 and not name.startswith("suite.")
    if not is_share:
        return f"{value:,.4g}"
    return f"{100 * value:.1f} %"


def grouped(measures: Mapping[str, float]) -> dict[str, dict[str, str]]:
    """Everything that was measured: groups in words, and in each its measures in words."""
    order = {name: place for place, name in enumerate(GROUPS)}
    found: dict[str, dict[str, str]] = {}
    by_group = sorted(measures, key=lambda each: _PLACES.get(each, len(_PLACES)))
    for name in sorted(by_group, key=lambda each: order.get(each.partition(".")[0], len(order))):
        first = name.partition(".")[0]
        title = GROUPS.get(first, first.replace("_", " ").capitalize())
        found.setdefault(title, {})[measure_words(name)] = measure_value(name, measures[name])
    return found
