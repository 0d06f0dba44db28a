"""What tasks say: goals, and what a change is held to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.model.settings.judgement import GuardSection

GOALS = {
    "A": "Write tests that notice what the suite does not notice yet; touch no production file.",
    "B": "Make the code clearer: the same behaviour, the same public names.",
    "C": "Make the code faster: the same behaviour for every input, the same public names.",
}
_ALWAYS = "no assertion deleted or weakened, no skip added, no broad except, no new effect"


def bar_of(stage: str, guard: GuardSection) -> list[str]:
    """What a change of a stage is held to, in figures."""
    if stage == "A":
        return [
            f"at most {guard.test_files} files, all below the folders of tests",
            f"every new test passes {guard.runs} of {guard.runs} runs in random order, and alone",
            "it runs lines, or notices planted faults, that nothing did before",
            _ALWAYS,
        ]
    bar = [
        f"at most {guard.files} files"
        + (f" and {guard.lines} changed lines" if stage == "B" else ""),
        "all tests pass that passed before; none is lost or weaker",
        "the same results, errors, output and effects on generated and recorded inputs",
        "public names and signatures stay; complexity does not rise"
        + (f" by more than {guard.added_decisions} decisions" if stage == "C" else ""),
        f"tests run at least {_needed(stage, guard):.0%} of the lines of the module",
        _ALWAYS,
    ]
    if stage == "C":
        gains = f"{guard.gain_p50:.0%}, {guard.gain_p95:.0%} and {guard.gain_p99:.0%}"
        bar.append(f"faster by {gains} at p50, p95 and p99, at the lower bound of the interval")
        bar.append(f"memory at most {guard.memory:.0%} more; two people approve it afterwards")
    return bar


def _needed(stage: str, guard: GuardSection) -> float:
    return guard.coverage_refactor if stage == "B" else guard.coverage_optimise
