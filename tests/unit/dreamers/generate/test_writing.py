"""Sources and tests as they are written: the wanted names, and nothing in one another's way."""

import ast
from typing import Any

import pytest

from reverie.dreamers.generate.candidates import (
    Candidate,
    Origin,
    from_recipe,
    recipes,
    write_body,
    write_expression,
)
from reverie.dreamers.generate.choosing import _expression, _recipe, probes, unexplained
from reverie.dreamers.generate.spec import Example, Signature, Spec, read_spec
from reverie.dreamers.generate.suite import (
    LAWS,
    Observed,
    Seen,
    _chosen,
    draft_for,
    module_name,
    write_tests,
)
from reverie.instruments.mutation.mutant_texts import mutants_of

KNOWN = {each.name: each for each in recipes()}


def spec_of(signature: str, sentence: str = "Do it.") -> Spec:
    return read_spec({"sentence": sentence, "signature": signature})


def loaded(source: str, name: str) -> Any:
    space: dict[str, Any] = {}
    exec(source, space)
    return space[name]


@pytest.mark.parametrize("recipe", recipes(), ids=lambda each: each.name)
def test_every_recipe_works_under_other_names(recipe: Any) -> None:
    count = len(recipe.parameters)
    parameters = ", ".join(["date", "math", "sum", "items"][:count])
    spec = spec_of(f"def wanted({parameters})")
    made = from_recipe(spec, recipe, tuple(range(count)))
    function = loaded(made.source, "wanted")
    for args, result in made.examples:
        assert repr(function(*args)) == repr(result)


def test_an_expression_becomes_a_function_with_its_imports() -> None:
    source = write_expression(spec_of("def up(x: float) -> int"), "math.ceil(x)")
    assert source.startswith("import math\n")
    assert loaded(source, "up")(1.2) == 2


@pytest.mark.parametrize("sentence", ['Say "hi"', "A \\n b", 'Three """ quotes', "ends with \\"])
def test_any_sentence_can_stand_in_the_docstring(sentence: str) -> None:
    tree = ast.parse(write_body(spec_of("def f(a)", sentence), "return a"))
    assert isinstance(tree.body[0], ast.FunctionDef)
    assert (ast.get_docstring(tree.body[0]) or "")[:3] == sentence[:3]


def test_arguments_come_in_the_wanted_order() -> None:
    recipe = next(each for each in recipes() if len(each.parameters) == 2)
    made = from_recipe(spec_of("def f(second, first)"), recipe, (1, 0))
    assert made.examples[0][0] == recipe.examples[0][0][::-1]


OBSERVED = Observed(
    (
        Seen(("ab",), "ba", "str"),
        Seen(("xyz",), "zyx", "str"),
        Seen((3,), None, None, "ValueError"),
    ),
    (LAWS[1],),
)


def test_a_file_of_tests_holds_examples_types_laws_and_what_was_recorded() -> None:
    draft = draft_for("turn", ["request"], [(("ab",), "ba")], OBSERVED)
    text = write_tests(draft)
    names = [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    assert names == ["test_examples", "test_type_of_the_result", "test_undoes_itself"]
    assert "assert turn(turn(request_)) == request_" in text
    assert "from turn import turn" in text


def test_without_parameters_there_is_nothing_to_go_through() -> None:
    text = write_tests(draft_for("answer", [], [((), 42)], Observed((Seen((), 42, "int"),))))
    assert "assert answer() == 42" in text
    assert "pytest" not in text


def test_a_module_of_python_is_not_hidden() -> None:
    assert [module_name("json"), module_name("area")] == ["json_made", "area"]


def test_few_calls_are_chosen_that_notice_all_that_any_notices() -> None:
    seen = tuple(Seen((number,), number, "int") for number in range(4))
    draft = draft_for("f", ["a"], [((0,), 0)], Observed(seen))
    assert _chosen(draft, [[0, 1], [1, 2], [2, 3], [2], []]) == {2}


def test_mutants_are_made_from_text() -> None:
    made = mutants_of("def f(a):\n    return a + 1\n")
    assert "def f(a):\n    return a - 1\n" in made
    assert len(made) == len(set(made))


def test_probes_have_the_types_of_the_examples() -> None:
    made = probes("def f(a):\n    return a\n", "f", [([1, 2],), ([],)])
    assert [1, 2] in [each[0] for each in made]
    assert all(isinstance(item, int) for args in made for item in args[0])


def made_by(expression: str, cost: int) -> Candidate:
    source = f'def f(values):\n    """x"""\n    return {expression}\n'
    return Candidate("f", source, Origin.SYNTHESIS, expression, cost=cost)


def test_of_expressions_as_good_that_differ_none_is_chosen() -> None:
    one, two = made_by("max(values)", 1), made_by("values[-1]", 1)
    shown = tuple(Example(([number],), number) for number in range(3))
    said = "The top or the final value"
    spec = Spec(said, Signature("f", ("values",), "def f(values)"), shown)
    assert _expression(spec, [one, two], {one.source: 0, two.source: 1}) is None
    assert _expression(spec, [one, two], {one.source: 0, two.source: 0}) in (one, two)


def test_an_expression_that_leaves_a_parameter_aside_is_no_answer() -> None:
    shown = tuple(Example((number, 9), number) for number in range(3))
    spec = Spec("The modulo", Signature("f", ("one", "two"), "def f(one, two)"), shown)
    made = made_by("one", 0)
    assert _expression(spec, [made], {made.source: 0}) is None


def test_words_that_an_expression_does_not_answer_for_are_counted() -> None:
    mean = made_by("sum(values) / len(values)", 1).source
    spec = spec_of("def f(values)", "The median of the values")
    assert unexplained(spec, mean) == ["median"]
    assert unexplained(spec_of("def f(values)", "The sum of the values"), mean) == []


def test_an_expression_that_does_nothing_about_a_word_is_not_chosen() -> None:
    mean = made_by("sum(values) / len(values)", 1)
    spec = spec_of("def f(values)", "The mean of the even values")
    assert _expression(spec, [mean], {mean.source: 0}) is None


def test_case_is_ignored_in_every_text_or_the_expression_is_not_chosen() -> None:
    half = made_by("values.lower().count(sign)", 2)
    shown = tuple(Example((text, "a"), text.count("a")) for text in ("a", "aa", "bb"))
    signature = spec_of("def f(values, sign)").signature
    spec = Spec("Count the sign, ignoring case", signature, shown)
    assert _expression(spec, [half], {half.source: 0}) is None


def test_yes_and_no_alone_earn_only_short_expressions() -> None:
    long = made_by("len(values) > 0", 3)
    yes_and_no = (Example(([1],), True), Example(([],), False), Example(([2],), True))
    told = Spec("Whether there are more", None, yes_and_no)
    assert _expression(told, [long], {long.source: 0}) is None


def test_of_recipes_spoken_of_alike_that_differ_none_is_chosen() -> None:
    first = Candidate("f", "a", Origin.RECIPE, closeness=0.5)
    second = Candidate("f", "b", Origin.RECIPE, closeness=0.45)
    far = Candidate("f", "c", Origin.RECIPE, closeness=0.2)
    assert _recipe([first, second], {"a": 0, "b": 1}) is None
    assert _recipe([first, second], {"a": 0, "b": 0}) is first
    assert _recipe([first, far], {"a": 0, "c": 1}) is first
    assert _recipe([], {}) is None


def test_small_results_earn_no_long_expression() -> None:
    signature = Signature("f", ("values",), "def f(values)")
    source = "max(values) - values[-1] + values.count(0)"
    made = made_by(source, 5)
    said = "The largest value less the last one plus how many are zero"
    small = Spec(said, signature, tuple(Example(([n],), n) for n in (2, 1, 0, 1)))
    results = (2000, 153, 77, 900)
    large = Spec(said, signature, tuple(Example(([n + 1],), n) for n in results))
    assert _expression(small, [made], {made.source: 0}) is None
    assert _expression(large, [made], {made.source: 0}) is made
