import ast
from dataclasses import replace

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import call, error, expression, scenario, value

from reverie.dreamers.enrich.writing.wording.invariants import companions, law_name, laws_of
from reverie.model.call import Scenario, Step, StepForm


def sources(*several: Scenario) -> list[str]:
    return [each.steps[0].line.source for each in laws_of(several)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [("Normalises a title.", ["f(f('A b')) == f('A b')"]), ("The key that a title files by.", [])],
)
def test_what_is_promised_to_level_may_be_done_twice(document: str, expected: list[str]) -> None:
    story = scenario((call("f('A b')"), value("'a-b'")))
    laws = laws_of([story], {"f": document})
    assert [each.steps[0].line.source for each in laws] == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [("How far two are apart, in either order.", ["f(1, 2) == f(2, 1)"]), ("The sum.", [])],
)
def test_two_values_may_change_places_where_that_is_promised(
    document: str, expected: list[str]
) -> None:
    story = scenario((call("f(1, 2)"), value("3", "builtins.int")))
    laws = laws_of([story], {"f": document})
    assert [each.steps[0].line.source for each in laws] == expected


@pytest.mark.parametrize("result", ["None", "False", "True"])
def test_results_that_may_come_twice_for_any_reason_are_no_law(result: str) -> None:
    assert sources(scenario((call("f(1, 2)"), value(result)))) == []


@pytest.mark.parametrize(
    ("there", "back"), [("dumps", "loads"), ("hex_to_rgb", "rgb_to_hex"), ("to_text", "from_text")]
)
def test_one_function_may_undo_another(there: str, back: str) -> None:
    found = sources(
        scenario((call(f"{there}('a')"), value("'b'"))),
        scenario((call(f"{back}(4)"), value("5", "builtins.int"))),
    )
    assert f"{back}({there}('a')) == 'a'" in found
    assert f"{there}({back}(4)) == 4" in found


def test_an_object_may_show_what_it_was_made_of() -> None:
    seen = value("Version(1)", "pkg.Version")
    assert "str(parse('1')) == '1'" in sources(scenario((call("parse('1')"), seen)))


def test_the_lesser_comes_first() -> None:
    step = Step(expression("Version(1) < Version(2)"), StepForm.OPERATE, "Version.__lt__")
    found = sources(scenario((step, value("True", "builtins.bool"))))
    assert found == ["sorted([Version(2), Version(1)]) == [Version(1), Version(2)]"]


def test_an_exception_follows_no_law() -> None:
    assert sources(scenario((call("f('a')"), error("ValueError", "no")))) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("assert f(f('a')) == f('a')", "is_idempotent"),
        ("assert f(1, 2) == f(2, 1)", "commutes"),
        ("assert loads(dumps('a')) == 'a'", "round_trip"),
        ("assert sorted([b(), a()]) == [a(), b()]", "is_ordered"),
        ("assert f('a') == 'a'", ""),
        ("assert f(g('a')) == 'b'", ""),
        ("assert f(1, 2) == f(1, 3)", ""),
        ("f(1)", ""),
        ("assert len(Cache(0)) == 0", ""),
    ],
)
def test_a_law_has_a_name(line: str, name: str) -> None:
    assert law_name(ast.parse(line).body[0]) == name


def test_a_prefix_hides_no_opposite() -> None:
    there = scenario((call("b64encode(b'foo')"), value("'Zm9v'")))
    back = scenario((call("b64decode('Zm9v')"), value("b'foo'", "builtins.bytes")))
    assert "b64decode(b64encode(b'foo')) == b'foo'" in sources(there, back)


def test_only_what_reads_text_is_shown_as_it_was_written() -> None:
    shown = value("Box", "box.Box")
    assert sources(scenario((call("Version('1.2')"), shown))) == ["str(Version('1.2')) == '1.2'"]
    assert sources(scenario((call("from_json('[1]')"), shown))) == []


def test_a_law_is_shown_on_several_values() -> None:
    lines = ("decode(encode('a')) == 'a'", "decode(encode('b')) == 'b'", "encode('a') == 'YQ=='")
    scenarios = {
        place: scenario((replace(call(line, "encode"), form=StepForm.OPERATE), value("True")))
        for place, line in enumerate((*lines, lines[0].replace("a", "c"), lines[0]))
    }
    assert companions(scenarios, [0, 2]) == {0: [1, 3]}
    assert companions(scenarios, [2]) == {}


def test_what_says_yes_is_also_asked_what_it_says_no_to() -> None:
    answers = ("True", "True", "False", "False")
    scenarios = {
        place: scenario((call(f"is_card({place})", "is_card"), value(each, "builtins.bool")))
        for place, each in enumerate(answers)
    }
    assert companions(scenarios, [0, 1]) == {0: [2], 1: [2]}
    assert companions(scenarios, [0, 3]) == {}
