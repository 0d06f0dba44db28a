import random

from reverie.instruments.mutation.controls import sham_of

SOURCE = 'def f(a):\n    """Words."""\n    if a:\n        return 1\n    b = a + 1\n    return b\n'


def test_a_sham_is_other_code_that_does_the_same_on_the_same_lines() -> None:
    shapes = set()
    for seed in range(40):
        made = sham_of(SOURCE, 4, random.Random(seed))
        assert made is not None
        before: dict[str, object] = {}
        after: dict[str, object] = {}
        exec(SOURCE, before)  # noqa: S102  what this test wrote
        exec(made, after)  # noqa: S102  the same
        old, new = before["f"], after["f"]
        assert callable(old)
        assert callable(new)
        assert [old(n) for n in (0, 1, 5)] == [new(n) for n in (0, 1, 5)]
        assert old.__code__.co_code != new.__code__.co_code
        assert made.count("\n") == SOURCE.count("\n")
        shapes.add("".join(each for each in made.split("\n")[4] if not each.isdigit()))
    assert len(shapes) > 3


def test_where_no_statement_stands_alone_there_is_no_sham() -> None:
    assert sham_of("def f(a): return a\n", 1, random.Random(0)) is None
    assert sham_of("X = 1\n", 1, random.Random(0)) is None
