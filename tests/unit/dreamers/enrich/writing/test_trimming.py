from reverie.dreamers.enrich.writing.selecting.candidates import Names, candidates_of
from reverie.dreamers.enrich.writing.selecting.weighing import shorter_forms

from .scenarios import NOTHING, call, change, make, scenario, value

_NAMES = Names(frozenset({"Cache"}))


def test_lines_that_no_check_needs_are_tried_without() -> None:
    (candidate,) = candidates_of(
        [
            scenario(
                (make("Cache()", "cache"), NOTHING),
                (change("cache['a'] = 1"), NOTHING),
                (call("cache.get('b')", "Cache.get"), value("None")),
                (call("cache.get('a')", "Cache.get"), value("1", "builtins.int")),
            )
        ],
        _NAMES,
        (),
    )
    forms = shorter_forms([candidate], {0: candidate.numbers[-1:]})
    lengths = {len(form.scenario.steps) for form in forms}
    assert lengths == {4, 3}
    shortest = min(forms, key=lambda form: len(form.scenario.steps))
    assert [step.line.source for step in shortest.scenario.steps] == [
        "Cache()",
        "cache['a'] = 1",
        "cache.get('a')",
    ]
    assert [number for form in forms for number in form.numbers] == list(
        range(sum(len(form.checks) for form in forms))
    )


def test_optional_arguments_are_tried_without() -> None:
    (candidate,) = candidates_of(
        [scenario((call("Cache('a', 2, is_open=True, size=1)"), value("3", "builtins.int")))],
        _NAMES,
        (),
    )
    forms = shorter_forms([candidate], {0: candidate.numbers})
    assert {form.scenario.steps[0].line.source for form in forms} == {
        "Cache('a', 2, is_open=True, size=1)",
        "Cache('a', 2)",
        "Cache('a', 2, size=1)",
        "Cache('a', 2, is_open=True)",
        "Cache('a', is_open=True, size=1)",
    }
