import pytest

from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.shown import (
    grown_calls_of,
    large_calls,
    shown_growing_calls,
    varied_growing_calls,
)
from reverie.model.call import Call, Expression


def function(examples: str, signature: str = "f(x)") -> str:
    shown = "".join(f"    >>> {line}\n" for line in examples.splitlines())
    return f'def {signature}:\n    """It.\n\n{shown}    """\n'


@pytest.mark.parametrize(
    ("examples", "expected"),
    [
        pytest.param("f([1, 2])", "_given(([1, 2] * n)[:n])", id="a list is repeated"),
        pytest.param("f('ab', 3)", "_given(('ab' * n)[:n], 3)", id="and a text"),
        pytest.param("f(3, 10)", "_given(3, n)", id="else the largest number is n"),
        pytest.param("G = nx.path_graph(4)\nnx.f(G)", "_given(nx.path_graph(n))", id="objects too"),
        pytest.param(
            "from shop import Cart\nf(Cart('ab'), deep=True)",
            "_given(__import__('shop', fromlist=['Cart']).Cart(('ab' * n)[:n]), deep=True)",
            id="imports of the example go along",
        ),
    ],
)
def test_an_example_is_made_to_grow(examples: str, expected: str) -> None:
    assert shown_growing_calls(function(examples), "f") == (expected,)


def test_pairs_of_numbers_go_on_where_the_last_ones_end() -> None:
    (call,) = shown_growing_calls(function("f([(1, 2), (2, 3)])"), "f")
    made = eval(call, {"_given": list, "n": 5})
    assert made == [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


@pytest.mark.parametrize(
    "examples",
    [
        pytest.param("f()", id="without arguments"),
        pytest.param("f(True, 1)", id="with nothing that is large"),
        pytest.param("f(*parts)", id="with parts that nobody sees"),
        pytest.param("cart = Cart(4)\ncart.add('pen')\nf(cart)", id="with what was changed"),
        pytest.param("f([1, 2]", id="that is no Python"),
    ],
)
def test_what_cannot_grow_is_passed_over(examples: str) -> None:
    assert shown_growing_calls(function(examples), "f") == ()


def test_a_method_gets_what_it_is_called_on_first() -> None:
    text = function("Cart('ab').f(3)", "f(self, x)")
    source = "class Cart:\n" + "".join(f"    {line}\n" for line in text.splitlines())
    assert shown_growing_calls(source, "Cart.f") == ("_given(Cart(('ab' * n)[:n]), 3)",)


def test_annotations_come_before_examples() -> None:
    source = function("f([1, 2])", "f(x: list[str])")
    assert all("randrange" in call for call in growing_calls(source, "f"))
    assert growing_calls(function("f([1, 2])"), "f") == ("_given(([1, 2] * n)[:n])",)


def test_a_call_of_a_test_is_made_to_grow_around_what_was_pickled() -> None:
    kept = Expression("pickle.loads(b'ab')", modules=frozenset({"pickle"}))
    call = Call((kept, Expression("[1, 2]")), (("sep", Expression("'-'")),))
    assert "_given(pickle.loads(b'ab'), ([1, 2] * n)[:n], sep=('-' * n)[:n])" in [
        *grown_calls_of(call)
    ]
    assert [*grown_calls_of(Call((kept, Expression("True"))))] == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "ways = {f't{n}': [f't{n + 1}'] for n in range(1500)}\n    assert f(ways, 't0') == 3",
            ("_given({f't{n}': [f't{n + 1}'] for n in range(n)}, 't0')",),
            id="what it was made with is put in",
        ),
        pytest.param(
            "assert f([Book(n % 40) for n in range(2400)]) == 3",
            ("_given([__import__('shop', fromlist=['Book']).Book(n % 40) for n in range(n)])",),
            id="objects of other modules",
        ),
        pytest.param("assert f([1, 2]) == 3", (), id="a few written out are none"),
        pytest.param("assert f([n for n in names]) == 3", (), id="nobody knows how many"),
    ],
)
def test_a_test_of_many_items_says_what_they_are_like(body: str, expected: tuple[str]) -> None:
    test = f"from shop import Book\n\n\ndef test_many():\n    {body}\n"
    found = large_calls(function(""), "f", [test])
    assert found == expected
    for call in found[:1] if "Book" not in body else ():
        assert eval(call, {"_given": lambda *given: len(given[0]), "n": 7}) == 7


def test_a_text_with_fields_keeps_its_pieces() -> None:
    tests = ["from shop import f\ndef test_f():\n f([f'a{1}b', f'c'])\n"]
    found = varied_growing_calls("def f(xs): return xs\n", "f", tests)
    assert any("str(k)" in each for each in found)
    assert all(compile(each, "<call>", "eval") for each in found)
