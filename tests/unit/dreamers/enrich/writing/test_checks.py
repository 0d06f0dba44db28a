from tests.unit.dreamers.enrich.writing.scenarios import call, error, expression, scenario, value

from reverie.dreamers.enrich.writing.selecting.candidates import (
    Names,
    candidates_of,
    checks_of,
    firmly,
)
from reverie.model.call import Step, StepForm

_NAMES = Names(frozenset({"f"}))


def test_nothing_is_said_of_what_is_made_before_the_module_is_used() -> None:
    made = Step(expression("range(3)"), StepForm.CALL, None, "value")
    seen = scenario(
        (made, value("range(0, 3)", "builtins.range")),
        (call("f(value)", "f"), value("3", "builtins.int")),
        (Step(expression("value"), StepForm.READ), value("[1]", "builtins.list")),
    )
    assert {check.step for check in checks_of(seen, _NAMES, ())} == {1, 2}


def test_tests_about_one_message_all_say_the_whole_of_it() -> None:
    texts = ("too long", "too short")
    first, second = candidates_of(
        [
            scenario((call("f(1)"), error("ValueError", "too long"))),
            scenario((call("f(22)"), error("ValueError", "too long"))),
        ],
        _NAMES,
        texts,
    )
    loose, whole = second.numbers
    assert second.check(whole).match == "^too long$"
    chosen = frozenset({first.checks[1].match or ""})
    assert firmly(second, loose, chosen) == whole
    assert firmly(second, whole, chosen) == whole
    assert firmly(second, loose, frozenset({"too long"})) == loose


def test_nothing_is_said_of_a_value_that_the_module_never_had() -> None:
    held = Step(expression("{'a': 1}"), StepForm.CALL, None, "value")
    seen = scenario(
        (call("f(3)", "f"), value("3", "builtins.int")),
        (held, value("{'a': 1}", "builtins.dict")),
        (Step(expression("value"), StepForm.READ), value("{'a': 1}", "builtins.dict")),
        (call("f(value)", "f"), value("3", "builtins.int")),
        (Step(expression("value"), StepForm.READ), value("{'a': 3}", "builtins.dict")),
    )
    assert {check.step for check in checks_of(seen, _NAMES, ())} == {0, 3, 4}
