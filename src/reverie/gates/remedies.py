"""What would help against each reason code: the only place where that is said.

For whoever reads a refusal, of a run or of `reverie guard`, and for agents. A name such as
`guard.lines` is a setting; one that is looser counts only in the user's own file.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

_R = TypeVar("_R", bound=Mapping[str, Any])

_FOR_PEOPLE = "leave this file out: a person has to change it"
_NO_EFFECT = "do without it: a refactoring may use nothing that the code did not use before"
_OWN_STATE = "keep no state between calls"
_ONE_VALUE = "assert the exact value that the code returns"
_EXPECTED_ERRORS = "catch the errors that are expected, by name"
_REAL_CODE = "let the test call the real code, unpatched"
_NO_TRICKS = "take it out: a test may not touch what runs or judges it"
_AS_BEFORE = "put it back as it was"
_GAIN = "show the gain with `reverie bench`; `guard.gain_p50`, `_p95`, `_p99` say how much is asked"

REMEDIES: Mapping[str, str] = {
    # which files, how many
    "nothing_to_judge": "change something; ignored files do not count",
    "protected_file": f"{_FOR_PEOPLE}; `guard.protected` lists what you protect yourself",
    "migration_file": _FOR_PEOPLE,
    "configuration_file": _FOR_PEOPLE,
    "pipeline_file": _FOR_PEOPLE,
    "own_file": _FOR_PEOPLE,
    "compiled_file": "put the source there instead",
    "path_outside": "keep to files of the repository",
    "shadows_judge": "give the file another name",
    "unreadable_file": "mend its syntax, and save it as UTF-8",
    "not_a_plain_file": "put a plain file there instead of a link",
    "mode_changed": "leave the mode of the file as it was",
    "production_changed": "put code and tests into two changes; tests are below `guard.test_roots`",
    "test_data_changed": "leave the data as it is and add a new file",
    "tests_touched": "put tests into a change of their own (--stage tests), and merge that first",
    "not_python": "leave the other files to a change of their own",
    "critical_module": "`guard.critical` names it: a person has to change it",
    "too_many_files": "split it, or raise `guard.files` (of tests: `guard.test_files`)",
    "too_many_lines": "make it smaller, or raise `guard.lines`",
    "baseline_lowered": "`reverie baseline --lower`, signed by two people",
    "below_baseline": "bring the figure back; or `reverie baseline --lower`, signed by two people",
    # tests, as they are written
    "test_deleted": "put the test back",
    "assertion_weakened": _AS_BEFORE,
    "test_changed": "leave tests that are there alone, and add new ones",
    "skip_added": "take the skip out: mend the test, or leave it out",
    "test_hidden": "give the test a name of its own, where pytest collects it",
    "helper_changed": "leave helpers of other tests as they are",
    "no_assertion": _ONE_VALUE,
    "tautology": _ONE_VALUE,
    "blind_assertion": _ONE_VALUE,
    "asserts_type_only": _ONE_VALUE,
    "accepts_any_error": "name the error that is expected: `pytest.raises(KeyError)`",
    "catch_all": _EXPECTED_ERRORS,
    "replaces_production": _REAL_CODE,
    "mocks_subject": _REAL_CODE,
    "report_hook": _NO_TRICKS,
    "plugin_added": _NO_TRICKS,
    "reaches_judge": _NO_TRICKS,
    "detects_judge": _NO_TRICKS,
    "forged_report": _NO_TRICKS,
    "dynamic_code": "write the code out instead of building it when it runs",
    "edits_production": "let tests write below `tmp_path` only",
    "shadows_module": "give the file another name",
    "replaces_fixture": "give the fixture another name",
    "reaches_code": _NO_TRICKS,
    "reaches_machine": "let the test make all that it needs itself",
    "reaches_network": "hand the answer in instead of fetching it",
    "outside_files": "let tests read and write below `tmp_path` only",
    "unknown_reach": "use plain calls: what this one does cannot be read",
    "repeated_cases": "keep the cases in which the test does something else",
    "depends_on_chance": "seed it, or assert what holds for every draw",
    "depends_on_time": "hand the time in instead of reading the clock",
    "depends_on_order": "let the test make all that it needs itself",
    "depends_on_machine": "do without paths, names and settings of one machine",
    # tests, as they run
    "suite_fails": "mend the code until these tests pass again",
    "suite_wavers": "mend the test that comes and goes, then try again",
    "coverage_lost": "let the older tests run what they ran before",
    "no_new_test": "put the test where pytest collects it",
    "new_test_fails": "mend the test, or the code in a change of its own",
    "unstable_test": "let it do the same in every run; `guard.runs` says how many it must pass",
    "assertion_never_runs": "take away what skips the assertion",
    "runs_no_code": "let the test call code of the repository",
    "run_ended": "do without `os._exit`, signals and the like",
    "run_unheard": "try again on a quieter machine, or raise `guard.budget_seconds`",
    "passes_only_here": "run it with a plain `pytest`, and mend what fails there",
    "adds_nothing": "test what none notices: `reverie mutate FILE` lists it",
    "pinned_code": "assert what the code does, and not how it is written",
    "coverage_without_assertion": _ONE_VALUE,
    "blunt_test": _ONE_VALUE,
    "unkeepable_test": "name the behaviour, use plain inputs; `guard.keepability` is the bar",
    "mutation_score_down": "add tests for what is named: `reverie mutate FILE`",
    "mutants_doubted": "try again; if it stays, look for tests that depend on one another",
    "worth_not_positive": "nothing: reading it costs more than it brings",
    "worth_not_measured": "raise `guard.budget_seconds`, so that there is time to measure it",
    "roi_below_minimum": "nothing: a rule of yours asks for more",
    # code
    "broad_except": _EXPECTED_ERRORS,
    "unknown_effect": "use plain calls: what this one does cannot be read",
    "workflow_changed": "let it do what it did; or change what `[tool.reverie.workflows]` expects",
    "new_effect": _NO_EFFECT,
    "effects_unknown": "add a test that calls it, so that what it reaches can be recorded",
    "import_effect": "do nothing at import but define",
    "api_changed": "keep every public name, parameter and default",
    "shared_state": _OWN_STATE,
    "stale_state": _OWN_STATE,
    "unbounded_cache": "bound the cache, or do without it",
    "shared_value": "return a new value with each call",
    "complexity_up": "use fewer branches and loops; a speed-up (--stage speed) may have as many "
    "more as `guard.added_decisions` says",
    "example_changed": "keep the examples of the docstring",
    "coverage_too_low": "write tests for this module first (`reverie run --stage tests`); "
    "or lower `guard.coverage_refactor`, for speed `guard.coverage_optimise`",
    "coverage_down": "add tests for these lines first",
    "behaviour_changed": "give the same result for the call that is named",
    "equivalence_unknown": "annotate the parameters, or add a test that calls it",
    "nothing_to_compare": "change code that something can call",
    "slower": _GAIN,
    "not_faster": _GAIN,
    "speed_unknown": "annotate the parameters, or add an example, so that inputs can grow",
    "memory_up": "keep less at once; `guard.memory` says how much more is allowed",
    # a module becomes part of its package
    "not_an_import": "change nothing but imports there",
    "name_taken": "import it under a name that is free",
    "statement_lost": _AS_BEFORE,
    "nothing_integrated": "import a module that nothing uses yet: `reverie orphans`",
    "redundant_module": "remove one of the two modules",
    "legacy_module": "remove the mark if the module is in use",
    "import_fails": "mend the import that is named",
    "new_requirement": "do without the library, or declare it first",
    # what was declared is written
    "nothing_filled": "write the body of a function that only says what it is to do",
    "more_than_a_stub": "put everything else into a change of its own",
    "no_example": "add an example to its docstring",
    "example_fails": "let it give what its docstring shows",
    # all stages
    "not_measured": "raise `guard.budget_seconds`; where something else failed, mend that first",
    "never_promoted": "judge it as what it is: --stage tests, refactoring or speed",
    "projected_roi_below_threshold": "`reverie governance` shows your rules",
    "low_confidence": "merge or reject more changes: that is what it learns from",
    "roi_collapse_risk": "`reverie governance` shows your rules",
    "negative_dag_impact": "`reverie governance` shows your rules",
    "unknown": "`reverie governance` shows your rules",
}
_NEW_EFFECT = "new_"
_OTHERS = {
    "fail": "undo what the reason names",
    "hold": "make the change smaller or plainer, and try again",
}


def remedy_for(reason_code: str, verdict: str) -> str:
    """What would help against a ruling that does not pass."""
    known = REMEDIES.get(reason_code)
    if known is None and reason_code.startswith(_NEW_EFFECT):
        return _NO_EFFECT
    return known or _OTHERS.get(verdict, "read the reason")


_ANSWERS = ("fail", "hold", "pass")
_BEHAVIOUR = ("suite", "equivalence", "stability", "effects")
"""Gates that say what the code does wrongly: nothing else matters as much."""


def gravest_first(rulings: Iterable[_R]) -> list[_R]:
    """What does not pass before what does; of each, behaviour before what is asked besides."""

    def gravity(ruling: _R) -> tuple[int, bool]:
        return _ANSWERS.index(ruling["verdict"]), ruling.get("gate") not in _BEHAVIOUR

    return sorted(rulings, key=gravity)


def remedies(rulings: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Code and remedy for each reason of a judgement that is no pass, each once, gravest first."""
    found = {
        each["reason_code"]: remedy_for(each["reason_code"], each["verdict"])
        for each in gravest_first(rulings)
        if each["verdict"] != "pass"
    }
    return list(found.items())
