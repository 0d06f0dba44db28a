"""Calls that tests make of a package, grown."""

import pytest

from reverie.instruments.benchmark.callers import growing_callers

HEAD = "import shop\nfrom shop.carts import Cart as Basket\n"


def found(body: str, head: str = HEAD, row: str = "") -> dict[tuple[str, str], tuple[str, ...]]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{head}{row}def test_it():\n{lines}"
    return dict(growing_callers([(text, {"test_it"})]))


@pytest.mark.parametrize(
    ("body", "entry", "call"),
    [
        pytest.param(
            "assert shop.parse('a b')[0].name",
            ("shop", "parse"),
            "_given(('a b' * n)[:n])",
            id="a function of a module",
        ),
        pytest.param(
            "text = 'ab'\nshop.deep.parse(text)",
            ("shop", "deep.parse"),
            "_given(('ab' * n)[:n])",
            id="what names stand for",
        ),
        pytest.param(
            "shop.parse(b'a: 1\\r\\nb: 2')",
            ("shop", "parse"),
            "_given(b'\\r\\n'.join([b'a: 1\\r\\nb: 2'] * (n // 2 + 1)))",
            id="lines of bytes",
        ),
        pytest.param(
            "cart = Basket()\ncart.load([1, 2])",
            ("shop.carts", "Cart.load"),
            "_given(__import__('shop.carts', fromlist=['Cart']).Cart(), ([1, 2] * n)[:n])",
            id="a method of an object that is made",
        ),
    ],
)
def test_what_a_test_calls_is_told_with_arguments_that_grow(
    body: str, entry: tuple[str, str], call: str
) -> None:
    calls = found(body)
    assert list(calls) == [entry]
    assert call in calls[entry]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("shop.parse()", id="without arguments"),
        pytest.param("self.shop.parse('ab')", id="of what nobody imported"),
        pytest.param("len('ab')", id="of a builtin"),
        pytest.param("shop.parse('ab').load([1, 2])[", id="that is no Python"),
    ],
)
def test_what_cannot_be_told_is_passed_over(body: str) -> None:
    assert found(body) == {}


def test_only_the_tests_that_count_are_read() -> None:
    text = f"{HEAD}def test_it():\n    shop.parse('ab')\ndef test_other():\n    shop.form('ab')\n"
    assert list(growing_callers([(text, {"test_other"})])) == [("shop", "form")]


def test_what_most_tests_call_comes_first() -> None:
    body = "shop.form('ab')\nshop.parse('ab')\nshop.parse('cd')"
    assert list(found(body)) == [("shop", "parse"), ("shop", "form")]


def test_rows_of_parameters_are_taken_for_them() -> None:
    head = "import pytest, shop\n"
    row = "@pytest.mark.parametrize('text', ['ab', 'cd'])\n"
    text = f"{head}{row}def test_it(text):\n    shop.parse(text)\n"
    (calls,) = growing_callers([(text, {"test_it"})]).values()
    assert {"_given(('ab' * n)[:n])", "_given(('cd' * n)[:n])"} <= {*calls}
