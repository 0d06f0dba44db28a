import pytest

from reverie.index.formatting import is_formatting_only

SOURCE = b"def f(a, b):\n    return {'a': a, 'b': b}\n"


@pytest.mark.parametrize(
    "new",
    [
        SOURCE,
        b'def f(a, b):\n    return {"a": a, "b": b}\n',
        b"def f(\n    a,\n    b,\n):\n    return {\n        'a': a,\n        'b': b,\n    }\n",
        b"# says what it does\ndef f(a, b):  # here too\n\n    return ({'a': a, 'b': b})\n",
        SOURCE.replace(b"\n", b"\r\n"),
    ],
)
def test_layout_and_comments_are_formatting(new: bytes) -> None:
    assert is_formatting_only(SOURCE, new)


@pytest.mark.parametrize(
    "new",
    [
        SOURCE.replace(b"'a'", b"'A'"),
        SOURCE.replace(b"return {'a': a, 'b': b}", b"return {'b': b, 'a': a}"),
        b"def f(a, b):\n    return {'a': a, 'b': (b,)}\n",
        b'"""Says what it does."""\n' + SOURCE,
        b"def f(a, b:\n    return {'a': a, 'b': b}\n",
        b"",
    ],
)
def test_anything_else_is_a_change(new: bytes) -> None:
    assert not is_formatting_only(SOURCE, new)


def test_what_does_not_parse_is_never_formatting() -> None:
    assert not is_formatting_only(b"def f(:\n", b"def f( :\n")
    assert not is_formatting_only(b"(" * 5000 + b")" * 5000, b"( " * 5000 + b")" * 5000)


def test_an_indentation_that_changes_the_meaning_is_a_change() -> None:
    old = b"if a:\n    b()\n    c()\n"
    assert not is_formatting_only(old, b"if a:\n    b()\nc()\n")
