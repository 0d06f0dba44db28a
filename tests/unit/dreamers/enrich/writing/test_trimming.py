from reverie.dreamers.enrich.writing.selecting.candidates import Names, candidates_of
from reverie.dreamers.enrich.writing.selecting.forms import (
    holding_in,
    shorter_forms,
    with_less,
    without_the_idle,
)
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Scenario, Seen, Step

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


def _left(story: Scenario) -> set[tuple[str, ...]]:
    """What is left of a story and its shorter forms where every check holds and notices alike."""
    (candidate,) = candidates_of([story], _NAMES, ())
    forms = shorter_forms([candidate], {0: candidate.numbers[-1:]})
    numbers = frozenset(number for form in forms for number in form.numbers)
    arcs = (frozenset[tuple[int, int]](),) * len(forms)
    kills = {number: frozenset({1}) for number in numbers}
    matrix = KillMatrix(numbers, kills, arcs, frozenset({1}), 1)
    return {
        tuple(step.line.source for step in form.scenario.steps)
        for form in without_the_idle(forms, matrix, holding_in(forms, matrix))[0]
    }


def test_an_argument_without_which_the_same_holds_has_shown_nothing() -> None:
    assert _left(scenario((call("f('a', strict=True)"), value("1")))) == {("f('a')",)}


def test_a_method_that_leaves_its_object_as_it_was_has_shown_nothing() -> None:
    assert _left(scenario((call("Cache('a').strip()", "Cache.strip"), value("'a'")))) == {
        ("Cache('a')",)
    }


def test_a_line_without_which_the_same_holds_is_not_written() -> None:
    story = scenario(
        (make("Cache()", "cache"), NOTHING),
        (call("cache.tag()", "Cache.tag"), NOTHING),
        (call("cache.get('a')", "Cache.get"), value("1", "builtins.int")),
    )
    assert _left(story) == {("Cache()", "cache.get('a')")}


def test_a_line_goes_with_what_only_it_needed() -> None:
    story = scenario(
        (make("Cache()", "cache"), NOTHING),
        (call("[1, 2]", None, "items"), value("[1, 2]", "builtins.list")),
        (call("cache.fill(items)", "Cache.fill"), NOTHING),
        (call("cache.limit('a')", "Cache.limit"), value("4096", "builtins.int")),
    )
    assert _left(story) == {("Cache()", "cache.limit('a')")}


def test_an_object_that_nothing_uses_is_not_made() -> None:
    story = scenario(
        (make("Cache()", "cache"), NOTHING),
        (make("Cache('a', 2)", "other"), NOTHING),
        (call("cache.limit('a')", "Cache.limit"), value("4096", "builtins.int")),
    )
    assert _left(story) == {("Cache()", "cache.limit('a')")}


def _with_less(*pairs: tuple[Step, Seen]) -> set[tuple[str, ...]]:
    (candidate,) = candidates_of([scenario(*pairs)], _NAMES, ())
    return {
        tuple(step.line.source for step in form.scenario.steps)
        for _, form in with_less([candidate])
    }


def test_what_may_have_no_effect_is_tried_without() -> None:
    assert _with_less((call("f('a', [], 'b', strict=True)", "f"), value("1"))) == {
        ("f('a', [], 'b')",),
        ("f('a', [], strict=True)",),
        ("f('a', 'b', strict=True)",),
    }
    story = (
        (make("Cache()", "cache"), NOTHING),
        (call("cache.limit(3)", "Cache.limit"), NOTHING),
        (call("cache.get('a')", "Cache.get"), value("1", "builtins.int")),
    )
    assert _with_less(*story) == {
        ("Cache()", "cache.get('a')"),
        ("Cache()", "cache.limit()", "cache.get('a')"),
        ("Cache()", "cache.limit(3)", "cache.get()"),
    }
    made = (make("Cache('a', most=3)", "cache"), NOTHING), story[2]
    assert ("Cache('a')", "cache.get('a')") in _with_less(*made)


def test_one_more_of_the_same_may_matter() -> None:
    story = (
        (make("Cache()", "cache"), NOTHING),
        (call("cache.add('a')", "Cache.add"), NOTHING),
        (call("cache.add('b')", "Cache.add"), NOTHING),
        (call("cache.size()", "Cache.size"), value("2", "builtins.int")),
    )
    assert all(len(lines) == len(story) for lines in _with_less(*story))


def test_an_object_is_made_of_what_it_would_be_filled_with() -> None:
    (candidate,) = candidates_of(
        [
            scenario(
                (make("Cache()", "cache"), NOTHING),
                (call("cache.update(['a'])", "Cache.update"), NOTHING),
                (call("cache.get('a')", "Cache.get"), value("1", "builtins.int")),
            )
        ],
        _NAMES,
        (),
    )
    forms = shorter_forms([candidate], {0: candidate.numbers[-1:]})
    assert ("Cache(['a'])", "cache.get('a')") in {
        tuple(step.line.source for step in form.scenario.steps) for form in forms
    }
