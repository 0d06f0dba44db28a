import ast

import pytest

from reverie.dreamers.enrich.writing.layout import WIDTH, flat, quoted, statement_lines


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "no"', "'say \"no\"'"),
        ("tab\t", '"tab\\t"'),
        ("5 x 10⁻¹", '"5 x 10⁻¹"'),
        (r"a\.b", 'r"a\\.b"'),
        ("ends\\", '"ends\\\\"'),
        (b"raw", 'b"raw"'),
        (b"\xff", "b'\\xff'"),
    ],
)
def test_texts_are_quoted_as_ruff_would(value: str | bytes, expected: str) -> None:
    assert quoted(value) == expected
    assert ast.literal_eval(quoted(value)) == value


def test_numbers_lose_their_plus() -> None:
    assert flat(ast.parse("f(1e+103, 10 ** 3)")) == "f(1e103, 10**3)"


def test_a_power_inside_a_text_stays() -> None:
    assert flat(ast.parse("f('a ** b')")) == 'f("a ** b")'


_WORDS = "word " * 60


@pytest.mark.parametrize(
    "source",
    [
        f"assert f(1) == {_WORDS!r}",
        f"assert f({'x' * 150!r}) == 1",
        "assert f(" + ", ".join(f"'argument {n}'" for n in range(12)) + ") == 'result'",
        "assert f(1) == {" + ", ".join(f"'key {n}': [{n}, 'value']" for n in range(9)) + "}",
        "value = Thing(" + ", ".join(f"name_{n}={n * 11111}" for n in range(9)) + ")",
        f"with pytest.raises(ValueError, match={_WORDS!r}):\n    f()",
        f"f({_WORDS!r}, [1, 2], key={_WORDS!r})",
    ],
)
def test_long_lines_are_broken_and_say_the_same(source: str) -> None:
    node = ast.parse(source).body[0]
    lines = statement_lines(node, "    ")
    assert all(len(line) <= WIDTH for line in lines)
    again = ast.parse("if True:\n" + "\n".join(lines)).body[0]
    assert isinstance(again, ast.If)
    assert ast.dump(again.body[0]) == ast.dump(node)


def test_many_zeros_are_a_power() -> None:
    node = ast.parse(f"f({10**100}, [{81 * 10**32}], 1000000, {123456789012345})")
    assert flat(node) == "f(10**100, [81 * 10**32], 1000000, 123456789012345)"
