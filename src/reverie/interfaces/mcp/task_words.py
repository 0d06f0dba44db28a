"""What tasks say: goals, what a change is held to, and what to do about each reason."""

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
_TODO = {
    "too_many_files": "split it: hand the parts in one by one",
    "too_many_lines": "make the change smaller; leave what it does not need as it was",
    "nothing_to_judge": "change something first; only committed or unignored files count",
    "no_assertion": "assert what the call returns, with the exact value",
    "blunt_test": "assert an exact value; a test that passes on changed code proves nothing",
    "coverage_without_assertion": "assert what the code computes, besides running it",
    "adds_nothing": "look at mutation_score and coverage, and test what none notices",
    "skip_added": "take the skip out; mend the test or leave it out",
    "test_deleted": "put the test back",
    "test_changed": "leave tests that are there alone",
    "test_hidden": "put the test where pytest collects it",
    "assertion_weakened": "put the assertion back as it was",
    "depends_on_time": "hand the time in instead of reading the clock",
    "depends_on_chance": "seed it, or assert what holds for every draw",
    "depends_on_order": "let the test make all that it needs itself",
    "unkeepable_test": "give it a name that says the behaviour, and inputs that a person would use",
    "behaviour_changed": "the counterexample is in the reason: give the same result there",
    "equivalence_unknown": "make it comparable: annotate, or make the change smaller",
    "effects_unknown": "do without what reaches files, time, chance or modules",
    "new_effect": "do without the effect that is named",
    "import_effect": "do nothing at import but define",
    "shared_state": "keep no state between calls",
    "stale_state": "keep no state between calls",
    "shared_value": "return a value of its own with each call",
    "api_changed": "keep every public name, parameter and default",
    "complexity_up": "use fewer branches and loops, or split the function",
    "broad_except": "catch the errors that you expect, by name",
    "catch_all": "catch the errors that you expect, by name",
    "not_faster": "time it with benchmark; the gain has to show at p50, p95 and p99",
    "slower": "time it with benchmark; the gain has to show at p50, p95 and p99",
    "speed_unknown": "give inputs that grow: annotate the parameters, or add an example",
    "memory_up": "keep less at once",
    "mutation_score_down": "tests notice less than before: test what you changed",
    "mutants_doubted": "call check again; if it stays, test what you changed",
    "coverage_down": "test the lines that you added",
    "coverage_too_low": "write tests for this module first (stage A)",
    "below_baseline": "bring the figure back to the baseline that the reason names",
    "not_measured": "mend the other reasons first; this was not reached",
}
_FALLBACK = {
    "fail": "undo what the reason names",
    "hold": "it could not be shown: make the change smaller or plainer, and check again",
}


def todo_for(reason_code: str, verdict: str) -> str:
    """What to do about a ruling that does not pass."""
    return _TODO.get(reason_code, _FALLBACK.get(verdict, "read the reason"))


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
